"""The routing table of one machine: candidates from the engine, the optimum, and its reasons."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from advisor.errors import InputError, unknown
from advisor.routing import reading
from advisor.routing.arrays import Candidates
from advisor.routing.candidates import DEFAULT_RUNTIME, Wishes, candidates
from advisor.routing.optimum import optimum
from advisor.routing.problem import Problem, Solution
from advisor.routing.robustness import flips
from advisor.routing.screen import usable_pairs, values
from advisor.routing.table import RoutingTable
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
    return reading.table(machine, runtime, workload, problem, solution, flipped)


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
    best = optimum(replace(whole, most_residents=most))
    used = int((best.option >= 0).sum())
    blank = [""] * len(workload.classes)
    points = []
    for count in range(max(1, len(wishes.keep)), most + 1):
        problem = replace(whole, most_residents=count)
        # A best table of few models is the best of all numbers from there on.
        solution = best if count >= used else optimum(problem)
        found = reading.table(machine, runtime, workload, problem, solution, blank)
        points.append(FrontierPoint(count, found, *_reached(problem, solution)))
    return points


def _reached(problem: Problem, solution: Solution) -> tuple[float, float, float]:
    """Share of the requests that meet their floors; mean quality and seconds of those answered."""
    found, classes = problem.found, np.flatnonzero(solution.answer >= 0)
    at = solution.answer[classes], classes
    share, cold = problem.shares[classes], solution.on_demand[at[0]]
    met = np.where(cold, found.meets_cold[at], found.meets[at])
    spent = np.where(cold, found.seconds_cold[at], found.seconds[at])
    answered = max(float(share.sum()), 1e-12)
    return (
        float((share * met).sum()),
        float((share * found.quality[at]).sum()) / answered,
        float((share * spent).sum()) / answered,
    )


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
