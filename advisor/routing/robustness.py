"""Which choices would be others if speeds or qualities lay at the ends of their intervals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.errors import InputError
from advisor.routing.floors import at_end, judged
from advisor.routing.optimum import optimum
from advisor.routing.problem import Problem, Solution
from advisor.routing.screen import usable_pairs, values
from advisor.routing.workload import Workload


def scenarios(problem: Problem, workload: Workload, chosen: Solution) -> dict[str, Problem]:
    """The problem at the ends: all times slow, all fast, the chosen models' quality low."""
    found = problem.found
    models = np.unique(found.model[chosen.option >= 0])
    mine = np.isin(found.model, models)[:, None]
    ends = {
        "if this machine is at the slow end": at_end(found, workload, "slow"),
        "if this machine is at the fast end": at_end(found, workload, "fast"),
        "if its quality is at the low end": judged(
            replace(found, quality=np.where(mine, found.quality_low, found.quality)), workload
        ),
    }
    return {
        name: replace(
            problem,
            found=end,
            value=values(end, usable_pairs(end, problem.hosted, problem.swap)),
        )
        for name, end in ends.items()
    }


def flips(problem: Problem, workload: Workload, chosen: Solution) -> list[str]:
    """For each class "" where its model stays the same at all ends, else what else would answer."""
    found = problem.found
    said: list[list[str]] = [[] for _ in workload.classes]
    for name, other in scenarios(problem, workload, chosen).items():
        try:
            solution = optimum(other)
        except InputError:
            continue  # pins that fit at all fit at any end; bytes do not change
        for c, (before, after) in enumerate(zip(chosen.answer, solution.answer, strict=True)):
            was = found.model_id[before] if before >= 0 else ""
            now = found.model_id[after] if after >= 0 else ""
            if was != now:
                said[c].append(f"{name}: {now or 'a hosted model or none'}")
    return ["; ".join(parts) for parts in said]
