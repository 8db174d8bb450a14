"""The routing table of one machine: candidates from the engine, the optimum, and its reasons."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from advisor.errors import InputError, unknown
from advisor.routing import reasons
from advisor.routing.candidates import DEFAULT_RUNTIME, Candidates, Wishes, candidates
from advisor.routing.optimum import optimum
from advisor.routing.program import Problem, Solution
from advisor.routing.robustness import flips
from advisor.routing.screen import usable_pairs, values
from advisor.routing.table import Resident, Route, RoutingTable
from advisor.routing.workload import Workload

if TYPE_CHECKING:
    from advisor.catalog import Catalog
    from advisor.catalog.shapes import Machine

MOST_RESIDENTS = 5


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """The best table with at most ``residents`` models: what one more model buys.

    met_share   share of the requests that meet their floors on this machine
    quality     mean over the answered requests, each on its class's own scale
    seconds     mean of an answered request
    """

    residents: int
    table: RoutingTable
    met_share: float
    quality: float
    seconds: float


def table(
    catalog: Catalog,
    machine: Machine,
    workload: Workload,
    *,
    runtime: str = DEFAULT_RUNTIME,
    wishes: Wishes | None = None,
    robust: bool = True,
) -> RoutingTable:
    """The proven best table. ``robust`` False leaves the solving over intervals out.

    Raises ``InputError`` for pins that name nothing or fit no table.
    """
    wishes = wishes or Wishes()
    problem = instance(catalog, machine, workload, runtime, wishes)
    solution = optimum(problem)
    flipped = flips(problem, workload, solution) if robust else [""] * len(workload.classes)
    return _read(machine, runtime, workload, problem, solution, flipped)


def frontier(
    catalog: Catalog,
    machine: Machine,
    workload: Workload,
    *,
    runtime: str = DEFAULT_RUNTIME,
    wishes: Wishes | None = None,
    most: int = MOST_RESIDENTS,
) -> list[FrontierPoint]:
    """The best tables with 1, 2, ... ``most`` models at most; pins count among them."""
    wishes = wishes or Wishes()
    whole = instance(catalog, machine, workload, runtime, wishes)
    points = []
    for count in range(max(1, len(wishes.keep)), most + 1):
        problem = replace(whole, most_residents=count)
        solution = optimum(problem)
        found, blank = problem.found, [""] * len(workload.classes)
        classes = np.flatnonzero(solution.answer >= 0)
        rows = solution.answer[classes]
        share = problem.shares[classes]
        cold = solution.on_demand[rows]
        met = np.where(cold, found.meets_cold[rows, classes], found.meets[rows, classes])
        spent = np.where(cold, found.seconds_cold[rows, classes], found.seconds[rows, classes])
        whole_share = max(float(share.sum()), 1e-12)
        points.append(
            FrontierPoint(
                residents=count,
                table=_read(machine, runtime, workload, problem, solution, blank),
                met_share=float((share * met).sum()),
                quality=float((share * found.quality[rows, classes]).sum()) / whole_share,
                seconds=float((share * spent).sum()) / whole_share,
            )
        )
    return points


def instance(
    catalog: Catalog, machine: Machine, workload: Workload, runtime: str, wishes: Wishes
) -> Problem:
    """The program's data for one machine and workload."""
    if not 1 <= wishes.most_residents <= MOST_RESIDENTS:
        raise InputError(
            f"A table keeps 1 to {MOST_RESIDENTS} models, not {wishes.most_residents}."
        )
    found = candidates(catalog, machine, workload, runtime, wishes)
    never = np.zeros(len(found), dtype=bool)
    for text in wishes.never:
        never |= _named(found, text)
    found = found.take(np.flatnonzero(~never))
    pins = tuple(_named(found, text) for text in wishes.keep)
    usable = usable_pairs(found, workload.hosted, wishes.swap)
    shares = np.array(workload.shares)
    return Problem(
        found=found,
        value=values(found, usable),
        shares=shares,
        rate_per_hour=shares * workload.requests_per_hour,
        most_busy_share=workload.most_busy_share,
        most_residents=wishes.most_residents,
        hosted=workload.hosted,
        swap=wishes.swap,
        pins=pins,
    )


def _named(found: Candidates, text: str) -> np.ndarray:
    """The candidates that "model" or "model quantization" means."""
    model, _, quant = text.strip().partition(" ")
    rows = found.model_id == model
    if not rows.any():
        raise unknown("model", model, sorted(set(found.model_id)), "this table's choices")
    if quant.strip():
        rows &= found.quant_id == quant.strip()
        if not rows.any():
            known = sorted(set(found.quant_id[found.model_id == model]))
            raise unknown("quantization", quant.strip(), known, f"this table's {model}")
    return rows


def _read(
    machine: Machine,
    runtime: str,
    workload: Workload,
    problem: Problem,
    solution: Solution,
    flipped: list[str],
) -> RoutingTable:
    found = problem.found
    rows = [int(row) for row in np.flatnonzero(solution.option >= 0)]
    names = _names(found, rows)
    residents = tuple(
        _resident(found, workload, solution, row, names[row])
        for row in sorted(rows, key=lambda r: -found.total_bytes[r, solution.option[r]])
    )
    reserve = sum(
        found.reserve_bytes[row, c]
        for c, row in enumerate(solution.answer)
        if row >= 0 and not solution.on_demand[row]
    )
    routes = tuple(
        _route(workload, problem, solution, c, names, flipped[c])
        for c in range(len(workload.classes))
    )
    return RoutingTable(
        machine=machine,
        runtime=runtime,
        workload_id=workload.id,
        residents=residents,
        routes=routes,
        budget_bytes=found.budget_bytes,
        reserve_bytes=float(reserve),
        gap=solution.gap,
        problems=tuple(reasons.problems(problem, workload, solution)),
    )


def _resident(
    found: Candidates, workload: Workload, solution: Solution, row: int, name: str
) -> Resident:
    option = solution.option[row]
    mine = [c for c, a in zip(workload.classes, solution.answer, strict=True) if a == row]
    embeds = bool(found.embedder[row])
    total = float(found.total_bytes[row, option])
    kv = float(found.kv_bytes[row, option])
    context = (
        max((c.context_tokens for c in mine), default=0)
        if embeds
        else int(found.option_context[option])
    )
    slots = max((c.concurrency for c in mine), default=1) if embeds else 0
    return Resident(
        name=name,
        model_id=str(found.model_id[row]),
        quant_id=str(found.quant_id[row]),
        kv_bits=int(found.kv_bits[row]),
        context_tokens=context,
        slots=slots or int(found.option_slots[option]),
        weight_bytes=float(found.weight_bytes[row]),
        kv_bytes=kv,
        buffer_bytes=total - float(found.weight_bytes[row]) - kv,
        load_s=float(found.load_s[row]),
        on_demand=bool(solution.on_demand[row]),
        embedder=embeds,
    )


def _route(
    workload: Workload,
    problem: Problem,
    solution: Solution,
    c: int,
    names: dict[int, str],
    flipped: str,
) -> Route:
    found, request, row = problem.found, workload.classes[c], int(solution.answer[c])
    nan = float("nan")
    share = float(problem.shares[c])
    if row < 0:
        return Route(
            request.id, "", share, request.context_tokens, nan, nan, nan, nan, nan, nan, nan,
            quality_basis="", meets_floors=False, reason=reasons.why_nothing(workload, c),
            runner_up="", robust=not flipped, flips=flipped,
        )  # fmt: skip
    speed, wait = float(found.decode_tok_s[row, c]), float(found.ttft_s[row, c])
    slow, fast = float(found.slow[row, c]), float(found.fast[row, c])
    cold = bool(solution.on_demand[row])
    return Route(
        class_id=request.id,
        resident=names[row],
        share=share,
        context_tokens=request.context_tokens,
        decode_tok_s=speed,
        decode_low=speed / slow,
        decode_high=speed / fast,
        ttft_s=wait,
        ttft_low=wait * float(found.fast_start[row, c]),
        ttft_high=wait * float(found.slow_start[row, c]),
        quality=float(found.quality[row, c]),
        quality_basis=str(found.basis[row, c]),
        meets_floors=bool((found.meets_cold if cold else found.meets)[row, c]),
        reason=reasons.why(problem, workload, solution, c),
        runner_up=reasons.runner_up(problem, workload, solution, c),
        robust=not flipped,
        flips=flipped,
    )


def _names(found: Candidates, rows: list[int]) -> dict[int, str]:
    """A short name for each resident: letters, digits and dashes."""
    return {
        row: "-".join(
            part
            for part in f"{found.model_id[row]}-{found.quant_id[row]}"
            .lower().replace("mlx-", "").replace(".", "-").replace("_", "-").split("-")
            if part
        )
        for row in rows
    }  # fmt: skip
