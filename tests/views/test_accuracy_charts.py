"""Charts of errors: a point a run, every run in a bar, what agrees on the line."""

import pandas as pd
import pytest

from advisor.views import accuracy_charts

RUNS = pd.DataFrame(
    {
        "measured_tok_s": [10.0, 20.0, 90.0, 30.0],
        "without_source_tok_s": [10.0, 25.0, 30.0, 29.0],
        "half_width": [0.2] * 4,
        "kind": ["dense", "moe", "hybrid", "dense"],
        "model": ["A"] * 4, "quant_id": ["Q4_K_M"] * 4, "chip": ["M4"] * 4,
        "runtime": ["llama.cpp"] * 4, "context_drawn": [0.0, 512.0, 8192.0, 1.0], "file": ["x"] * 4,
    }
)  # fmt: skip


def layer(chart, mark: str) -> dict:
    found = chart.to_dict()
    return next(one for one in found["layer"] if one["mark"]["type"] == mark) | {"all": found}


def test_points_are_the_runs_and_kinds_have_shapes():
    points = layer(accuracy_charts.scatter(RUNS), "point")

    data = points["all"]["datasets"][points["data"]["name"]]
    assert [row["measured_tok_s"] for row in data] == [10, 20, 90, 30]
    assert len(set(points["encoding"]["shape"]["scale"]["range"])) == 4


def test_every_run_is_in_a_bar_and_those_far_off_at_the_edge():
    bars = layer(accuracy_charts.ratios(RUNS), "bar")

    data = bars["all"]["datasets"][bars["data"]["name"]]
    assert sum(row["runs"] for row in data) == len(RUNS)
    assert data[-1]["runs"] == 1  # three times as fast as predicted


@pytest.mark.parametrize(("column", "least"), [("context_drawn", 0.1)])
def test_an_empty_context_has_a_place_on_logarithms(column, least):
    points = layer(accuracy_charts.leftover(RUNS, column, "Context (tokens)"), "point")

    data = points["all"]["datasets"][points["data"]["name"]]
    assert min(row["at"] for row in data) == least
    assert max(row["ratio"] for row in data) == accuracy_charts.RATIOS[1]
