"""Charts of the Accuracy page: predicted against measured, and what is left over."""

from __future__ import annotations

import altair as alt
import numpy as np
import pandas as pd

from advisor.estimate.accuracy import ORDERS
from advisor.views.charts import COLOURS, NEUTRAL

KINDS = ORDERS["kind"]
MARKS = dict(zip(KINDS, ("circle", "square", "triangle-up", "diamond"), strict=True))
HEIGHT = 340
# A factor of two either way holds nearly every run; what lies outside stands at the edge.
RATIOS = (0.5, 2.0)
STEPS = 40


def scatter(runs: pd.DataFrame) -> alt.LayerChart:
    """Predicted against measured tok/s on logarithms, with the line where both agree.

    runs   columns measured_tok_s, without_source_tok_s, kind, model, chip, runtime, file
    """
    ends = [float(runs["measured_tok_s"].min()), float(runs["measured_tok_s"].max())]
    scale = alt.Scale(type="log", domain=[ends[0] * 0.8, ends[1] * 1.25], nice=False)
    axis = alt.Axis(values=[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], grid=False)
    points = (
        alt.Chart(runs)
        .mark_point(size=26, strokeWidth=1, opacity=0.65)
        .encode(
            x=alt.X("without_source_tok_s:Q", title="Predicted, source unseen (tok/s)",
                    scale=scale, axis=axis),
            y=alt.Y("measured_tok_s:Q", title="Measured (tok/s)", scale=scale, axis=axis),
            color=_colour(),
            shape=alt.Shape("kind:N", scale=alt.Scale(domain=list(KINDS),
                                                      range=[MARKS[k] for k in KINDS])),
            tooltip=_tips(),
        )
    )  # fmt: skip
    line = pd.DataFrame({"at": [ends[0] * 0.8, ends[1] * 1.25]})
    agree = (
        alt.Chart(line)
        .mark_line(color=NEUTRAL, strokeWidth=1.2)
        .encode(x=alt.X("at:Q", scale=scale), y=alt.Y("at:Q", scale=scale))
    )
    return (agree + points).properties(
        height=HEIGHT, description="Measured against predicted tokens per second, a point a run"
    )


def ratios(runs: pd.DataFrame) -> alt.LayerChart:
    """How many runs came out how many times as fast as predicted, with the interval's middle."""
    low, high = np.log2(RATIOS[0]), np.log2(RATIOS[1])
    edges = 2.0 ** np.linspace(low, high, STEPS + 1)
    ratio = (runs["measured_tok_s"] / runs["without_source_tok_s"]).clip(*RATIOS)
    counts, _ = np.histogram(ratio, bins=edges)
    bars = pd.DataFrame({"from": edges[:-1], "to": edges[1:], "runs": counts})
    width = float(np.exp(runs["half_width"].median()))
    scale = alt.Scale(type="log", domain=list(RATIOS), nice=False)
    x = alt.X("from:Q", title="Measured over predicted", scale=scale,
              axis=alt.Axis(values=[0.5, 0.67, 0.8, 1, 1.25, 1.5, 2], format="~g"))  # fmt: skip
    drawn = (
        alt.Chart(bars)
        .mark_bar(color=COLOURS[0], opacity=0.8)
        .encode(
            x=x, x2="to:Q", y=alt.Y("runs:Q", title="Runs"), y2=alt.datum(0),
            tooltip=[alt.Tooltip("from:Q", format=".2f"), alt.Tooltip("to:Q", format=".2f"),
                     "runs:Q"],
        )
    )  # fmt: skip
    typical = pd.DataFrame({"from": [1 / width], "to": [width]})
    band = alt.Chart(typical).mark_rect(color=NEUTRAL, opacity=0.18).encode(x=x, x2="to:Q")
    one = alt.Chart(pd.DataFrame({"from": [1.0]})).mark_rule(color=NEUTRAL).encode(x=x)
    return (band + drawn + one).properties(
        height=HEIGHT, description="Number of runs by measured over predicted speed"
    )


def leftover(runs: pd.DataFrame, column: str, title: str) -> alt.LayerChart:
    """Measured over predicted against a quantity, on logarithms."""
    table = runs.assign(
        ratio=(runs["measured_tok_s"] / runs["without_source_tok_s"]).clip(*RATIOS),
        at=runs[column].clip(lower=0.1),
    )
    points = (
        alt.Chart(table)
        .mark_point(size=22, strokeWidth=1, opacity=0.55)
        .encode(
            x=alt.X("at:Q", title=title, scale=alt.Scale(type="log", nice=False),
                    axis=alt.Axis(grid=False, labelOverlap="greedy")),
            y=alt.Y("ratio:Q", title="Measured over predicted",
                    scale=alt.Scale(type="log", domain=list(RATIOS), nice=False),
                    axis=alt.Axis(values=[0.5, 0.67, 0.8, 1, 1.25, 1.5, 2], format="~g")),
            color=_colour(),
            shape=alt.Shape("kind:N", scale=alt.Scale(domain=list(KINDS),
                                                      range=[MARKS[k] for k in KINDS])),
            tooltip=_tips(),
        )
    )  # fmt: skip
    one = alt.Chart(pd.DataFrame({"ratio": [1.0]})).mark_rule(color=NEUTRAL).encode(y="ratio:Q")
    return (one + points).properties(
        height=HEIGHT, description=f"Measured over predicted speed against {title}"
    )


def _colour() -> alt.Color:
    return alt.Color(
        "kind:N",
        scale=alt.Scale(domain=list(KINDS), range=list(COLOURS[: len(KINDS)])),
        legend=alt.Legend(title=None, orient="top"),
    )


def _tips() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("model:N"),
        alt.Tooltip("quant_id:N", title="quantization"),
        alt.Tooltip("chip:N"),
        alt.Tooltip("runtime:N"),
        alt.Tooltip("context_drawn:Q", title="context", format=","),
        alt.Tooltip("measured_tok_s:Q", title="measured", format=".1f"),
        alt.Tooltip("without_source_tok_s:Q", title="predicted", format=".1f"),
        alt.Tooltip("file:N", title="source"),
    ]
