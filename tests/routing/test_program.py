"""A table keeps within memory, GPU time and number; pins that cannot be are said."""

import numpy as np
import pytest

from advisor.errors import InputError
from advisor.routing.optimum import optimum
from advisor.routing.program import Program

from .small_problems import small_problem


@pytest.mark.parametrize("seed", range(40))
def test_a_table_stays_within_memory_time_and_number(seed):
    problem = small_problem(seed)
    found, f = optimum(problem), problem.found
    rows = np.flatnonzero(found.option >= 0)
    held = f.total_bytes[rows, found.option[rows]]
    warm = held[~found.on_demand[rows]].sum() + held[found.on_demand[rows]].max(initial=0)
    kept = sum(
        f.reserve_bytes[r, c] for c, r in enumerate(found.answer)
        if r >= 0 and not found.on_demand[r]
    )  # fmt: skip
    busy = sum(
        problem.rate_per_hour[c] * (f.busy_s[r, c] + f.load_s[r] * found.on_demand[r])
        for c, r in enumerate(found.answer) if r >= 0
    )  # fmt: skip

    assert warm + kept <= f.budget_bytes * (1 + 1e-6)
    assert busy <= 3600 * problem.most_busy_share * (1 + 1e-6)
    assert len(rows) <= problem.most_residents
    assert len(set(f.model[rows])) == len(rows)
    assert found.gap <= 1e-6


def test_pins_that_do_not_fit_are_said():
    problem = small_problem(1, most_residents=1, hosted=False, swap=False)
    pins = tuple(problem.found.model == m for m in (0, 1))

    with pytest.raises(InputError, match="Remove a pin, or allow more models"):
        optimum(small_problem(1, most_residents=1, hosted=False, swap=False, pins=pins))


def test_with_a_hosted_fallback_only_pairs_that_meet_their_floors_are_variables():
    problem = small_problem(4, hosted=True, swap=False)
    program = Program(problem)

    assert all(problem.found.meets[v, c] for v, c in program.x)
