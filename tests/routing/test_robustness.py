"""Choices that would be others at the ends of the intervals are marked, with what they would be."""

from dataclasses import replace

import numpy as np

from advisor.catalog import load
from advisor.routing.candidates import Wishes
from advisor.routing.optimum import optimum
from advisor.routing.robustness import flips, scenarios
from advisor.routing.solve import instance
from advisor.routing.workload import preset


def real():
    catalog = load()
    asked = preset(catalog, "chat")
    machine = catalog.machine("mac-mini-m4-pro-48")
    return asked, instance(catalog, machine, asked, "mlx-lm", Wishes())


def test_a_choice_flips_exactly_where_solving_at_an_end_gives_another_model():
    asked, problem = real()
    chosen = optimum(problem)
    model = problem.found.model_id
    others = {n: optimum(p) for n, p in scenarios(problem, asked, chosen).items()}

    said = flips(problem, asked, chosen)

    for c, text in enumerate(said):
        for name, other in others.items():
            differs = model[other.answer[c]] != model[chosen.answer[c]]
            assert (name in text) == differs


def test_without_any_uncertainty_nothing_flips():
    asked, problem = real()
    f = problem.found
    sure = replace(
        problem,
        found=replace(
            f,
            **dict.fromkeys(("slow", "fast", "slow_start", "fast_start"), np.ones(f.can.shape)),
            quality_low=f.quality,
        ),
    )
    chosen = optimum(sure)

    assert flips(sure, asked, chosen) == ["", ""]
