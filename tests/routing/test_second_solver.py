"""Another solver, told the program in its own words, finds no better table of a real machine."""

import numpy as np
import pulp
import pytest

from advisor.catalog import load
from advisor.routing.candidates import Wishes
from advisor.routing.optimum import optimum
from advisor.routing.problem import Problem
from advisor.routing.screen import needed
from advisor.routing.solve import instance
from advisor.routing.workload import preset

# PuLP tells of its next version's way of making variables.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def best_quality(problem: Problem) -> float:
    """Traffic-weighted quality of the best table, by CBC; pairs are those that may be chosen."""
    f = problem.found
    none = np.zeros(len(f), dtype=bool)
    rows = needed(f, problem.value, problem.most_residents, none, swap=False, time=False, busy=True)
    held = {
        (v, o): pulp.LpVariable(f"y_{v}_{o}", cat="Binary")
        for v in rows
        for o in range(f.total_bytes.shape[1])
        if f.total_bytes[v, o] <= f.budget_bytes
    }
    pairs = {
        (v, c): pulp.LpVariable(f"x_{v}_{c}", cat="Binary")
        for v in rows
        for c in range(problem.value.shape[1])
        if f.meets[v, c]
    }
    program = pulp.LpProblem("routing", pulp.LpMaximize)
    program += pulp.lpSum(
        problem.shares[c] * problem.value[v, c] * x for (v, c), x in pairs.items()
    )
    for c in range(problem.value.shape[1]):
        program += pulp.lpSum(x for (_, d), x in pairs.items() if d == c) <= 1
    for (v, c), x in pairs.items():
        rooms = [y for (u, o), y in held.items() if u == v and f.suits[c, o]]
        program += x <= pulp.lpSum(rooms)
    for model in set(f.model[rows]):
        program += pulp.lpSum(y for (v, _), y in held.items() if f.model[v] == model) <= 1
    program += (
        pulp.lpSum(f.total_bytes[key] / 1e9 * y for key, y in held.items())
        + pulp.lpSum(f.reserve_bytes[key] / 1e9 * x for key, x in pairs.items())
        <= f.budget_bytes / 1e9
    )
    program += pulp.lpSum(held.values()) <= problem.most_residents
    program += (
        pulp.lpSum(f.busy_s[v, c] * problem.rate_per_hour[c] * x for (v, c), x in pairs.items())
        <= 3600 * problem.most_busy_share
    )
    program.solve(pulp.PULP_CBC_CMD(msg=False))
    assert pulp.LpStatus[program.status] == "Optimal"
    return float(pulp.value(program.objective))


@pytest.mark.parametrize("machine_id", ["mac-mini-m4-16", "mac-mini-m4-pro-48"])
def test_another_solver_agrees_on_a_real_machine(machine_id):
    catalog = load()
    machine = catalog.machine(machine_id)
    asked = preset(catalog, "personal-agent")
    problem = instance(catalog, machine, asked, "mlx-lm", Wishes())

    found = optimum(problem)
    ours = sum(
        problem.shares[c] * problem.value[row, c] for c, row in enumerate(found.answer) if row >= 0
    )
    best = best_quality(problem)

    # Each class may give a step of quality for seconds, and no more.
    assert best - problem.quality_step - 1e-6 <= ours <= best + 1e-6
