"""The whole answer to "should I buy that one?": everything a page, a report or a script shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from advisor.advice import compare, picks
from advisor.advice.compare import Claims
from advisor.advice.machine_names import short_names
from advisor.catalog.shapes import Machine
from advisor.errors import InputError
from advisor.routing import solve
from advisor.routing.table import RoutingTable
from advisor.routing.workload import Workload
from advisor.upgrade import changes as table_changes
from advisor.upgrade import essay, gains, verdict, what_if
from advisor.upgrade.bill import Bill, bill
from advisor.upgrade.changes import Change
from advisor.upgrade.edits import Edits, check
from advisor.upgrade.gains import Asked, Fit, NewFits, Pace
from advisor.upgrade.machines import mark
from advisor.upgrade.what_if import WhatIf

if TYPE_CHECKING:
    import pandas as pd

    from advisor.catalog import Catalog

Route = Callable[[Machine], RoutingTable]


@dataclass(frozen=True, slots=True)
class Side:
    """One machine of the comparison.

    best       the best model that fits and keeps the least speed; None where nothing does
    reference  the dense 8B, moe the small-active mixture of experts, both in 4 bit
    frontier   by task: models of which none that fits is both better and faster
    """

    machine: Machine
    name: str
    mark: str
    budget_bytes: float
    gpu_limit_bytes: float
    best: Pace | None
    reference: Pace
    moe: Pace
    frontier: Mapping[str, tuple[Fit, ...]]
    table: RoutingTable
    bill: Bill


@dataclass(frozen=True, slots=True)
class Target:
    """What one other machine changes."""

    side: Side
    claims: Claims
    essay: essay.Tested
    newly_fits: tuple[NewFits, ...]
    alone: tuple[WhatIf, WhatIf, WhatIf, WhatIf]
    more: tuple[WhatIf, ...]
    changes: tuple[Change, ...]
    verdict: verdict.Verdict

    @property
    def dense_factor(self) -> float:
        """How many times as fast the same dense model decodes."""
        return self.claims.same_model


@dataclass(frozen=True, slots=True)
class Upgrade:
    """From one machine to others, for one workload, with a catalog of one state."""

    asked: Asked
    workload: Workload
    edits: Edits
    first: Side
    targets: tuple[Target, ...]
    more: tuple[WhatIf, ...]  # the first machine with more memory
    catalog_digest: str
    on: date

    @property
    def sides(self) -> tuple[Side, ...]:
        return (self.first, *(target.side for target in self.targets))

    def moe_factor(self, target: Target) -> float:
        """How many times as fast the same mixture of experts decodes."""
        return target.side.moe.decode_tok_s / self.first.moe.decode_tok_s


def upgrade(
    catalog: Catalog,
    first: Machine,
    others: Sequence[Machine],
    workload: Workload,
    *,
    asked: Asked | None = None,
    edits: Edits | None = None,
    route: Route | None = None,
    today: date | None = None,
) -> Upgrade:
    """The answer for a machine and up to three others.

    route   a machine's routing table, where the caller keeps them; else they are solved
    Raises ``InputError`` for figures that cannot be and machines without a memory size.
    """
    asked, edits, today = asked or Asked(), edits or Edits(), today or date.today()
    check(catalog, edits)
    machines = [first, *others]
    for machine in machines:
        if machine.memory_gb is None:
            raise InputError(f"{machine.label}: an upgrade needs the memory size.")

    def solved(machine: Machine) -> RoutingTable:
        return solve.table(catalog, machine, workload, runtime=asked.runtime, robust=False)

    found = gains.tables(catalog, machines, asked)
    priced = {p.machine_id: p for p in gains.same_model(catalog, found[0], edits.model_id, asked)}
    names = short_names(machines)
    sides = []
    for machine in machines:
        paid = bill(catalog, machine, names[machine.id], priced[machine.id], edits, workload, today)
        table = (route or solved)(machine)
        sides.append(_side(catalog, machine, names[machine.id], found, asked, table, paid))
    return Upgrade(
        asked=asked,
        workload=workload,
        edits=edits,
        first=sides[0],
        targets=tuple(_target(catalog, workload, sides[0], s, found, asked) for s in sides[1:]),
        more=what_if.more_memory(catalog, first, asked),
        catalog_digest=catalog.digest,
        on=today,
    )


def _side(
    catalog: Catalog,
    machine: Machine,
    name: str,
    found: tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame],
    asked: Asked,
    table: RoutingTable,
    paid: Bill,
) -> Side:
    whole, best, fast = found
    rows = whole[whole["machine_id"] == machine.id]
    chosen = picks.best(fast, machine.id)
    (reference,) = gains.same_model(catalog, rows, compare.REFERENCE_MODEL, asked)
    (moe,) = gains.same_model(catalog, rows, gains.MOE_MODEL, asked)
    return Side(
        machine=machine,
        name=name,
        mark=mark(catalog, machine),
        budget_bytes=float(rows["budget_bytes"].iloc[0]),
        gpu_limit_bytes=float(rows["gpu_limit_bytes"].iloc[0]),
        best=None if chosen is None else gains.pace(catalog, chosen),
        reference=reference,
        moe=moe,
        frontier={t: gains.frontier(catalog, best, machine.id, t) for t in gains.TASKS},
        table=table,
        bill=paid,
    )


def _target(
    catalog: Catalog,
    workload: Workload,
    first: Side,
    side: Side,
    found: tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame],
    asked: Asked,
) -> Target:
    whole, best, _ = found
    names = (first.name, side.name)
    rows = [gains.reference_row(catalog, whole, s.machine.id, asked) for s in (first, side)]
    claims = compare.claims(*rows)
    alone = what_if.alone(catalog, first.machine, side.machine, asked)
    changed = table_changes.changes(catalog, workload, first.table, side.table)
    sizes = (first.machine.memory_gb, side.machine.memory_gb)
    return Target(
        side=side,
        claims=claims,
        essay=essay.tested(catalog, claims, alone, names),
        newly_fits=gains.newly_fits(catalog, best, first.machine.id, side.machine.id),
        alone=alone,
        more=what_if.more_memory(catalog, side.machine, asked),
        changes=changed,
        verdict=verdict.verdict(changed, names, sizes),
    )
