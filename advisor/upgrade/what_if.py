"""What one change alone would buy: the memory, the chip, or 8, 16 and 32 GB more; sold or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.advice import picks
from advisor.catalog.shapes import Machine
from advisor.upgrade import gains, machines
from advisor.upgrade.gains import Asked, Pace
from advisor.upgrade.prices import Figure, list_price

if TYPE_CHECKING:
    from advisor.catalog import Catalog

MORE_GB = (8, 16, 32)


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A machine that may not exist, to show what one change alone buys.

    best       the best that fits and keeps the least speed; None where nothing does
    reference  the same dense 8B
    newly      models that fit it and not the machine it started from
    price      of the Mac that is sold like this, if any
    """

    label: str
    sold: bool
    best: Pace | None
    reference: Pace
    newly: int
    price: Figure | None = None


def alone(
    catalog: Catalog, first: Machine, target: Machine, asked: Asked
) -> tuple[WhatIf, WhatIf, WhatIf, WhatIf]:
    """The first machine, with the target's memory alone, with its chip alone, and the target."""
    if first.memory_gb is None or target.memory_gb is None:
        raise ValueError("both machines need a memory size")
    memory = machines.with_memory(catalog, first, target.memory_gb)
    chip = machines.with_chip(first, target.chip)
    found = _what_ifs(catalog, [first, memory, chip, target], asked)
    return found[0], found[1], found[2], found[3]


def more_memory(catalog: Catalog, machine: Machine, asked: Asked) -> tuple[WhatIf, ...]:
    """The machine itself, then with 8, 16 and 32 GB more, sold or not."""
    size = machine.memory_gb or 0
    others = [machines.with_memory(catalog, machine, size + more) for more in MORE_GB]
    return _what_ifs(catalog, [machine, *others], asked)


def _what_ifs(catalog: Catalog, chosen: list[Machine], asked: Asked) -> tuple[WhatIf, ...]:
    whole, best, fast = gains.tables(catalog, chosen, asked)
    start = set(gains.fitting(best, chosen[0].id)["model_id"])
    found = []
    for machine in chosen:
        row = picks.best(fast, machine.id)
        sold = _sold(catalog, machine)
        found.append(
            WhatIf(
                label=machine.label,
                sold=bool(sold),
                best=None if row is None else gains.pace(catalog, row),
                reference=gains.pace(
                    catalog, gains.reference_row(catalog, whole, machine.id, asked)
                ),
                newly=len(set(gains.fitting(best, machine.id)["model_id"]) - start),
                price=_cheapest(catalog, sold),
            )
        )
    return tuple(found)


def _sold(catalog: Catalog, machine: Machine) -> list[str]:
    """Ids of Macs that are made with this chip and memory."""
    return [
        f"{mac.id}-{machine.memory_gb}"
        for mac in catalog.macs.values()
        if mac.chip_of_memory.get(machine.memory_gb or 0) == machine.chip.id
    ]


def _cheapest(catalog: Catalog, ids: Sequence[str]) -> Figure | None:
    prices = [list_price(catalog, catalog.machine(machine_id)) for machine_id in ids]
    known = [price for price in prices if price is not None]
    return min(known, key=lambda price: price.value, default=None)
