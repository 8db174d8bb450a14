"""Machines of an upgrade: by id or in parts, and the ones that change one thing only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from advisor.advice.this_machine import find, with_own_runs
from advisor.catalog.shapes import Machine
from advisor.detect import THIS
from advisor.errors import AdvisorError, InputError

if TYPE_CHECKING:
    from advisor.catalog import Catalog
    from advisor.catalog.shapes import Chip, Mac

MOST_TARGETS = 3
PARTS = re.compile(r"(?P<chip>[^:]+):(?:(?P<cores>\d+):)?(?P<memory>\d+)")
MARKS = {
    "discontinued": "no longer made: used or refurbished only",
    "announced": "announced, not sold yet",
    "current": "",
}


def machine(
    catalog: Catalog, text: str, *, macos: int | None = None, in_use_gb: float | None = None
) -> Machine:
    """The machine of an id, of ``this``, or of parts: "m4 pro:48", "m4 max:32:36".

    Parts are chip, GPU cores where they decide, and memory [GB]. Its id is the text itself, so a
    link can hold it. Raises ``InputError`` for what does not exist.
    """
    given = text.strip().lower()
    parts = PARTS.fullmatch(given)
    if parts is None:
        own = given == THIS
        return find(catalog, given, macos=None if own else macos, in_use_gb=in_use_gb)
    cores = parts["cores"]
    found = catalog.machine_from_parts(
        parts["chip"].strip().replace("-", " "),
        None if cores is None else int(cores),
        int(parts["memory"]),
        macos,
        in_use_gb=in_use_gb,
    )
    return replace(with_own_runs(catalog, found), id=given)


def chosen(
    catalog: Catalog,
    first: str,
    others: Sequence[str],
    *,
    macos: int | None = None,
    in_use_gb: float | None = None,
) -> tuple[Machine, tuple[Machine, ...], list[str]]:
    """The first machine, the others, and a sentence for each that is left out.

    Raises ``InputError`` where the first is not understood or nothing is left to compare with.
    """
    start = machine(catalog, first, macos=macos, in_use_gb=in_use_gb)
    found: dict[str, Machine] = {}
    problems = []
    for text in others:
        try:
            other = machine(catalog, text, macos=macos, in_use_gb=in_use_gb)
        except AdvisorError as error:
            problems.append(f"{text} is left out. {error}")
            continue
        if other.id == start.id or other.id in found:
            problems.append(f"{text} is there twice: the second time is left out.")
        elif len(found) == MOST_TARGETS:
            problems.append(f"{text} is left out: at most {MOST_TARGETS} can be compared at once.")
        else:
            found[other.id] = other
    if not found:
        said = " ".join(problems)
        raise InputError(f"There is no second machine to compare with. {said}".rstrip())
    return start, tuple(found.values()), problems


def mac_of(catalog: Catalog, machine: Machine) -> Mac | None:
    """The Mac of a catalog id; None for parts and for this computer."""
    mac_id = machine.id.rpartition("-")[0]
    return catalog.mac(mac_id) if mac_id in catalog.mac_ids else None


def mark(catalog: Catalog, machine: Machine) -> str:
    """What to know before buying it: "no longer made: used or refurbished only", or nothing."""
    mac = mac_of(catalog, machine)
    return "" if mac is None else MARKS[mac.status]


def with_memory(catalog: Catalog, machine: Machine, memory_gb: int) -> Machine:
    """The same chip with another memory size, sold or not; memory's own rules apply."""
    chip = _bin_with(catalog, machine.chip, memory_gb)
    return replace(
        machine,
        id=f"{machine.id}+{memory_gb}",
        label=f"{chip.name} with {memory_gb} GB",
        chip=chip,
        memory_gb=memory_gb,
        wired_limit_mib=None,
        default_limit_bytes=None,
        other_bins=(),
    )


def with_chip(machine: Machine, chip: Chip) -> Machine:
    """The same memory on another chip, sold or not."""
    return replace(
        machine,
        id=f"{machine.id}*{chip.id}",
        label=f"{chip.name} with {machine.memory_gb} GB",
        chip=chip,
        other_bins=(),
    )


def _bin_with(catalog: Catalog, chip: Chip, memory_gb: int) -> Chip:
    """The bin of the same name and cores that is sold with the memory; else the chip itself.

    On the M6 the memory decides the bandwidth.
    """
    if memory_gb in chip.memory_gb:
        return chip
    alike = [
        other
        for other in catalog.chip_families[chip.name]
        if other.gpu_cores == chip.gpu_cores and memory_gb in other.memory_gb
    ]
    return alike[0] if alike else chip
