"""A scenario made ready to leave this computer: sealed, with its answer, without "this"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from advisor.advice.scenario import Scenario, from_link, machine, to_link
from advisor.catalog import Catalog
from advisor.catalog.machines import MachineOption
from advisor.catalog.shapes import Machine
from advisor.detect import THIS
from advisor.errors import InputError
from advisor.share import links, said
from advisor.share.answer import Answer, answer, further
from advisor.share.links import Sent

MOST_FURTHER = 8


@dataclass(frozen=True)
class Opened:
    """A link looked up: the scenario it asks for, its answer, and what is to be said of it."""

    scenario: Scenario
    answer: Answer
    problems: tuple[str, ...]
    since: str  # what is not as the sender saw it; "" where all is, or the link does not say


def sealed(
    catalog: Catalog, asked: Answer, page_keys: Mapping[str, str] | None = None
) -> tuple[str, str]:
    """The query of a link to send, and a sentence on what could not travel, if any."""
    scenario, note = portable(catalog, asked.scenario)
    keys = {**to_link(scenario), **(page_keys or {})}
    return links.query(keys, catalog=said.version(catalog), said=said.short(asked)), note


def portable(catalog: Catalog, scenario: Scenario) -> tuple[Scenario, str]:
    """The scenario with this Mac by the id of its kind: "this" is another Mac elsewhere.

    A Mac that the catalog has no id for stays, with a sentence.
    """
    changed, notes = scenario, []
    for side in ("a", "b"):
        if getattr(scenario, side) != THIS:
            continue
        this = machine(catalog, scenario, THIS)
        found = twin(catalog, this)
        if found is None:
            notes.append(
                "The link says 'this' for your Mac, which the catalog has no id for: whoever "
                "opens it gets their own. Send the report."
            )
            continue
        changed = replace(changed, a=found.id) if side == "a" else replace(changed, b=found.id)
        notes.append(
            f"The link says {found.label} for this Mac; its own macOS, GPU limit and memory "
            "in use are in the report."
        )
    return changed, " ".join(dict.fromkeys(notes))


def open_link(catalog: Catalog, sent: Sent) -> Opened:
    """Look a link up. What cannot be used costs a sentence, the rest is answered."""
    scenario, wrong = from_link(catalog, sent.params)
    more = [text for text in sent.params.get("more", "").split(",") if text]
    found, left_out = _answer(catalog, scenario, more)
    was = said.read(sent.params.get(links.SAID, ""))
    # Only what is still asked as it was can be compared.
    whole = not wrong and not links.problems(sent.params)
    made_with = sent.params.get(links.CATALOG, "")
    changes = said.changed(catalog, was, found) if was else None
    since = said.since(catalog, made_with, changes) if whole and made_with else ""
    return Opened(scenario, found, (*links.problems(sent.params), *wrong, *left_out), since)


def twin(catalog: Catalog, this: Machine) -> MachineOption | None:
    """A Mac of the catalog with a machine's chip and memory: the newest that is sold."""
    for option in catalog.machine_options:
        mac_id, _, size = option.id.rpartition("-")
        if int(size) == this.memory_gb:
            chips = catalog.mac(mac_id).chip_of_memory
            if chips[int(size)] == this.chip.id:
                return option
    return None


def _answer(catalog: Catalog, scenario: Scenario, more: list[str]) -> tuple[Answer, list[str]]:
    good, problems = [], []
    for machine_id in more[:MOST_FURTHER]:
        try:
            further(catalog, scenario, machine_id)
        except InputError as error:
            problems.append(f"The link's more={machine_id[:60]!r}: {error} It is left out.")
        else:
            good.append(machine_id)
    return answer(catalog, scenario, good), problems
