"""Screening takes away only what no best table needs."""

from dataclasses import replace

import numpy as np
import pytest

from advisor.routing.optimum import optimum
from advisor.routing.screen import needed, usable_pairs, values

from .small_problems import goals, small_problem


def screened(problem):
    none = np.zeros(len(problem.found), dtype=bool)
    return needed(
        problem.found, problem.value, problem.most_residents, none,
        swap=problem.swap, time=False, busy=True,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(30))
def test_met_traffic_and_quality_are_the_same_without_what_was_screened(seed):
    problem = small_problem(seed)
    rows = screened(problem)

    whole, part = optimum(problem), optimum(problem.take(rows))

    assert goals(problem.take(rows), part)[:3] == pytest.approx(goals(problem, whole)[:3])


def test_a_copy_that_is_worse_throughout_goes():
    problem = small_problem(2, hosted=False, swap=False)
    found = problem.found
    worse = found.take(np.arange(len(found)))
    doubled = {
        name: np.concatenate([getattr(found, name), getattr(worse, name) + extra])
        for name, extra in (("total_bytes", 1e6), ("seconds", 1.0), ("busy_s", 1.0))
    }
    for name in ("model", "model_id", "quant_id", "kv_bits", "embedder", "weight_bytes",
                 "kv_bytes", "load_s", "can", "meets", "meets_cold", "reserve_bytes",
                 "decode_tok_s", "slow", "fast", "slow_start", "fast_start", "start_s",
                 "ttft_s", "cold_s", "seconds_cold", "quality",
                 "quality_low", "quality_high", "basis"):  # fmt: skip
        doubled[name] = np.concatenate([getattr(found, name)] * 2)
    both = replace(found, **doubled)
    twice = replace(problem, found=both, value=np.concatenate([problem.value] * 2))

    assert screened(twice).max() < len(found)


def test_an_estimate_never_counts_for_more_than_a_measured_one():
    for seed in range(50):
        found = small_problem(seed).found
        value = values(found, usable_pairs(found, hosted=False, swap=False))
        for c in range(value.shape[1]):
            estimated = found.basis[:, c] == "estimated"
            measured, guessed = value[~estimated, c], value[estimated, c]
            if np.isfinite(measured).any() and np.isfinite(guessed).any():
                assert np.nanmax(guessed) <= np.nanmin(measured)
