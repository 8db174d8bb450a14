"""The solver's table is the best of all: every other one is tried."""

import numpy as np
import pytest

from advisor.routing.optimum import optimum

from .small_problems import best_by_trying, goals, small_problem


@pytest.mark.parametrize("block", range(10))
def test_it_equals_trying_every_table(block):
    for seed in range(20 * block, 20 * block + 20):
        problem = small_problem(seed)

        found = goals(problem, optimum(problem))

        assert found == pytest.approx(best_by_trying(problem), abs=1e-5), seed


def test_models_of_nearly_equal_quality_are_told_apart_by_their_seconds():
    problem = small_problem(3, hosted=False, swap=False, quality_step=1.0)

    strict = small_problem(3, hosted=False, swap=False)

    assert goals(problem, optimum(problem))[3] <= goals(strict, optimum(strict))[3]


def test_a_pinned_model_is_there_even_if_it_answers_nothing():
    problem = small_problem(5, hosted=False, swap=False, most_residents=3)
    pin = problem.found.model == 2
    smallest = problem.found.total_bytes[pin].min()
    assert smallest <= problem.found.budget_bytes

    found = optimum(small_problem(5, hosted=False, swap=False, most_residents=3, pins=(pin,)))

    assert (found.option[pin] >= 0).any()


def test_where_nothing_may_be_chosen_the_table_is_empty():
    problem = small_problem(1)
    problem.value[:] = np.nan

    found = optimum(problem)

    assert (found.option < 0).all()
    assert (found.answer < 0).all()
