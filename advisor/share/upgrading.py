"""An upgrade as a report: its verdicts, what changes, what memory and chip buy, and the money."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from advisor.advice.scenario import DEFAULT, Scenario
from advisor.catalog.shapes import Machine
from advisor.share import sending
from advisor.share.answer import answer_of
from advisor.share.report import Answered, Report, Request, Section, Table
from advisor.share.reporting import report
from advisor.units import format_tokens
from advisor.upgrade import bill, essay
from advisor.upgrade.answer import Side, Target, Upgrade
from advisor.upgrade.bill import Bill, amount_text
from advisor.upgrade.changes import Answer as Reply
from advisor.upgrade.data import as_data
from advisor.upgrade.verdict import RULE
from advisor.upgrade.what_if import WhatIf

if TYPE_CHECKING:
    from advisor.catalog import Catalog

ROUTED_BY = (
    "Every class goes to the best model that keeps its floors, the models of a machine together "
    "in its memory; ~ marks a quality that is estimated."
)


def upgrade_report(
    catalog: Catalog,
    found: Upgrade,
    *,
    page: str = "upgrade",
    page_keys: Mapping[str, str] | None = None,
    made: datetime | None = None,
) -> Report:
    """The report of an upgrade's answer; ``page_keys`` those of its page's link."""
    machines = [side.machine for side in found.sides]
    scenario = _scenario(catalog, found)
    base = report(
        catalog,
        answer_of(catalog, scenario, machines),
        page=page,
        page_keys=page_keys if page_keys is not None else _keys(found),
        made=made,
    )
    first = found.targets[0]
    return base.model_copy(
        update={
            "verdict": first.verdict.sentence,
            "claims": (*first.essay.said, mixture(found, first)),
            "requests": _requests(found),
            "routed_by": f"For {found.workload.name}. {ROUTED_BY}",
            "sections": (*_targets(found), _memory(found), _money(found)),
            "upgrade": as_data(found),
        }
    )


def mixture(found: Upgrade, target: Target) -> str:
    """What the machine does for a model that reads few of its weights, in a sentence."""
    return (
        f"{target.side.moe.model}, a mixture of experts that reads few of its weights, decodes "
        f"{found.moe_factor(target):.1f} × as fast."
    )


def _scenario(catalog: Catalog, found: Upgrade) -> Scenario:
    """The scenario of the first two machines; one given in parts by the Mac that has them."""
    first, second = found.sides[0].machine, found.sides[1].machine
    asked = found.asked
    return Scenario(
        a=_id(catalog, first),
        b=_id(catalog, second),
        context_tokens=asked.context_tokens,
        runtime=asked.runtime,
        macos=second.macos,
        use_gb=DEFAULT.use_gb,
        kv_bits=asked.kv_bits,
        least_tok_s=asked.least_tok_s,
    )


def _id(catalog: Catalog, machine: Machine) -> str:
    if machine.id in catalog.machine_ids:
        return machine.id
    alike = sending.twin(catalog, machine)
    return alike.id if alike else machine.id


def _keys(found: Upgrade) -> dict[str, str]:
    """The page's keys in a link: further machines and the workload, where they can be named."""
    more = ",".join(target.side.machine.id for target in found.targets[1:])
    return {"more": more, "wl": found.workload.id} if more else {"wl": found.workload.id}


def _requests(found: Upgrade) -> tuple[Request, ...]:
    """Each class of the workload, with what answers it on every machine."""
    classes = {one.id: one for one in found.workload.classes}
    rows = []
    for at, change in enumerate(found.targets[0].changes):
        asked = classes[change.class_id]
        replies = [
            (found.first, change.before),
            *((target.side, target.changes[at].after) for target in found.targets),
        ]
        room = asked.prompt_p90_tokens + asked.output_p90_tokens
        pace = f"≥ {asked.least_tok_s:g} tok/s, " if asked.least_tok_s else ""
        rows.append(
            Request(
                id=change.class_id,
                name=change.name,
                needs=f"{format_tokens(room)} tokens, {pace}first token in {asked.most_ttft_s:g} s",
                share=change.share,
                what=change.what if len(found.targets) == 1 else "",
                answers=tuple(_answered(side, reply) for side, reply in replies),
            )
        )
    return tuple(rows)


def _answered(side: Side, reply: Reply) -> Answered:
    numbers = {
        name: value
        for name in ("decode_tok_s", "decode_low", "decode_high", "ttft_s", "ttft_low",
                     "ttft_high", "quality")
        if math.isfinite(value := getattr(reply, name))
    }  # fmt: skip
    return Answered(
        machine_id=side.machine.id,
        model=reply.model,
        quant_id=reply.quant_id,
        basis=reply.basis,
        **numbers,
    )


def _targets(found: Upgrade) -> list[Section]:
    return [
        Section(
            title=f"From the {found.first.name} to the {target.side.name}",
            said=_said(found, target),
            tables=(
                _what_ifs("Memory alone, the chip alone, both", target.alone),
                Table(
                    title="Newly fits, best first, with its quality",
                    columns=("For", "Newly", f"Now the best on the {found.first.name}"),
                    rows=tuple(_newly(target)),
                ),
            ),
            note=RULE if target is found.targets[-1] else "",
        )
        for target in found.targets
    ]


def _said(found: Upgrade, target: Target) -> tuple[str, ...]:
    """The verdict, the money in short, the reasons; of further machines the essay's claim too."""
    mark = (f"{target.side.machine.label}: {target.side.mark}.",) if target.side.mark else ()
    said = (*mark, bill.in_short(target.side.bill), *target.verdict.reasons)
    if target is found.targets[0]:
        return said
    return (target.verdict.sentence, *said, *target.essay.said, mixture(found, target))


def _newly(target: Target) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for one in target.newly_fits:
        best = ", ".join(f"{fit.pace.model} {fit.quality:.2f}" for fit in one.best[:3])
        before = one.best_before
        now = f"{before.pace.model} {before.quality:.2f}" if before else "nothing"
        rows.append((one.task, best or "nothing", now))
    return rows


def _memory(found: Upgrade) -> Section:
    return Section(
        title=f"What more memory would add to the {found.first.name}",
        tables=(_what_ifs("", found.more),),
    )


def _what_ifs(title: str, rows: tuple[WhatIf, ...]) -> Table:
    return Table(
        title=title,
        columns=("Machine", "More models fit", "Best that is fast enough"),
        rows=tuple(
            (
                one.label if one.sold else f"{one.label}, not sold",
                f"{one.newly}",
                essay.best_text(one),
            )
            for one in rows
        ),
    )


def _money(found: Upgrade) -> Section:
    bills = [side.bill for side in found.sides]
    edits = found.edits
    rows = {
        "Price": [_price(one) for one in bills],
        "At work": [_watts(one) for one in bills],
        f"Price a month over {edits.life_years:g} years": _amounts(bills, "price_per_month"),
        f"Electricity a month at {edits.duty:.0%} of all hours": _amounts(bills, "power_per_month"),
        "A million output tokens, all counted": _amounts(bills, "per_mtok"),
        "Their electricity alone": _amounts(bills, "power_per_mtok"),
        "The same hosted": _amounts(bills, "hosted_per_mtok"),
    }
    return Section(
        title="Money",
        said=tuple(one for each in bills for one in each.said),
        tables=(
            Table(
                title=f"Tokens of {bills[0].model}, on {found.on:%-d %B %Y}",
                columns=("", *(one.name for one in bills)),
                rows=tuple((name, *cells) for name, cells in rows.items()),
            ),
        ),
    )


def _amounts(bills: list[Bill], name: str) -> list[str]:
    return [amount_text(getattr(one, name), one.currency) for one in bills]


def _price(one: Bill) -> str:
    if one.price is None:
        return "not known"
    on = f", {one.price.on}" if one.price.on else ""
    return f"{amount_text(one.price.value, one.currency)} ({one.price.what}{on})"


def _watts(one: Bill) -> str:
    if one.power.load is None:
        return "not known"
    most = "at most " if one.power.load_is_most else ""
    return f"{most}{one.power.load.value:g} W ({one.power.load.what})"
