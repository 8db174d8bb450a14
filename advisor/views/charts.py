"""Charts of the Speed page: data frames in, a Vega-Lite chart out; no Streamlit.

An estimate is a line with its band, a public run a point. A colour means a model, a dash a
machine, a shape a chip, and every line carries its name, so that a chart reads in grey and on
dark ground. What a chart looks like is built by Altair once and kept: only its data changes
when somebody moves a slider, and building costs more than all else on the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import pandas as pd

# Readable as text on white and on near-black; one a model, in the order they were chosen.
COLOURS = ("#2f7fc1", "#d0680a", "#1c8f68", "#b5569c", "#8a7340", "#1797a6")
DASHES = ([1, 0], [7, 4], [2, 3], [10, 3, 2, 3])
SHAPES = {"circle": "●", "square": "■", "triangle-up": "▲", "diamond": "◆"}  # one a chip family
PARTS = ("weights", "cache", "overhead")
PART_COLOURS = ("#1f5f8b", "#e08a1e", "#b8c4ce")
NEUTRAL = "#7d828c"  # text and rules that read on both grounds
LEFT_TOKENS = 64  # left edge: shorter contexts cost the same to within the width of a line
HEIGHT = 380
NAME_GAP = 0.05  # share of the height that two names keep between them
DECODE, FIRST_TOKEN = "decode_tok_s", "ttft_s"
BANDS = {DECODE: ("decode_low", "decode_high"), FIRST_TOKEN: ("ttft_low", "ttft_high")}
TITLES = {DECODE: "Decode speed (tok/s)", FIRST_TOKEN: "Time to first token (s)"}
CURVE = ["series", "model", "machine", "context_tokens", "decode_tok_s", "decode_low",
         "decode_high", "ttft_s", "ttft_low", "ttft_high"]  # fmt: skip
POINT = ["model", "chip", "bin", "context", "drawn_tokens", "decode_tok_s", "ttft_s",
         "confidence", "low_confidence", "source_url"]  # fmt: skip
SHORT_TOKENS = (
    "datum.value >= 1048576 ? datum.value / 1048576 + 'M' : "
    "datum.value >= 1024 ? datum.value / 1024 + 'K' : datum.value"
)
# Where the lines' data stand in a chart's spec.
_CURVE, _ENDS, _RUNS, _NAMES, _CHOSEN = (
    alt.NamedData(name=name) for name in ("curve", "ends", "runs", "names", "chosen")
)


def over_context(
    quantity: str,
    curve: pd.DataFrame,
    runs: pd.DataFrame,
    models: Sequence[str],
    machines: Sequence[str],
    chosen_tokens: int,
) -> dict[str, Any]:
    """Decode speed or seconds to the first token over the context, with its 80 % band.

    quantity    ``DECODE`` or ``FIRST_TOKEN``
    curve       the columns of ``CURVE`` and ``ends``: this point is where memory ends the line
    runs        the columns of ``POINT``
    chosen_tokens   the context the page is at: a thin line
    """
    points = runs.dropna(subset=[quantity])
    top = float(pd.concat([curve[BANDS[quantity][1]], points[quantity]]).max()) * 1.08
    longest = float(pd.concat([curve["context_tokens"], points["drawn_tokens"]]).max())
    look = _look(quantity, tuple(models), tuple(machines), tuple(chip_order(runs)), top, longest)
    return look | {
        "datasets": {
            "curve": curve[CURVE],
            "ends": curve.loc[curve["ends"].astype(bool), CURVE],
            "runs": points[POINT],
            "names": _names(curve, quantity, top),
            "chosen": pd.DataFrame({"context_tokens": [chosen_tokens]}),
        }
    }


def toll(parts: pd.DataFrame) -> dict[str, Any]:
    """Where the time of one token goes: a bar a choice, stacked by what is paid for.

    parts   series, part (of ``PARTS``), ms, start, end; the total stands beside each name
    """
    order = tuple(dict.fromkeys(parts["series"]))
    totals = parts.groupby("series", sort=False)["end"].max().reset_index()
    totals["text"] = totals["series"] + ": " + totals["end"].map("{:.1f} ms".format)
    return _toll_look(order) | {"datasets": {"parts": parts, "totals": totals.assign(start=0.0)}}


def chip_order(runs: pd.DataFrame) -> list[str]:
    """The chip families of the points, in the order their shapes are given out."""
    return sorted(set(runs["chip"]))[: len(SHAPES)]


def spread(heights: Sequence[float], top: float) -> list[float]:
    """Where the name of each line goes: above its line, below, or further off, clear of others.

    heights   of the lines where they are named; the answer keeps inside 0 to ``top``
    """
    gap = NAME_GAP * top
    placed: dict[int, float] = {}
    for at in sorted(range(len(heights)), key=lambda at: -heights[at]):
        own = heights[at]
        steps = [sign * (0.55 + step) * gap for step in range(6) for sign in (1, -1)]
        inside = [own + s for s in steps if gap / 2 <= own + s <= top - gap / 2]

        def clear(height: float) -> bool:
            lines = all(abs(height - line) >= gap / 2 for line in heights)
            return lines and all(abs(height - name) >= gap for name in placed.values())

        placed[at] = next(filter(clear, inside), inside[0])
    return [placed[at] for at in range(len(heights))]


def _names(curve: pd.DataFrame, quantity: str, top: float) -> pd.DataFrame:
    """The name of each line: at its left end where lines fall, at its right where they rise."""
    by_series = curve.sort_values("context_tokens", kind="stable").groupby("series", sort=False)
    at = by_series.head(1) if quantity == DECODE else by_series.tail(1)
    return at[["series", "model", "context_tokens"]].assign(named=spread(list(at[quantity]), top))


@lru_cache(maxsize=64)
def _look(
    quantity: str,
    models: tuple[str, ...],
    machines: tuple[str, ...],
    chips: tuple[str, ...],
    top: float,
    longest: float,
) -> dict[str, Any]:
    """Band, lines, points, ends and names over one pair of axes, without their data."""
    x, y = _x("context_tokens", longest), _y(quantity, quantity, top)
    colour = alt.Color("model:N", scale=_scale(models, COLOURS), legend=None)
    dash = alt.StrokeDash("machine:N", scale=_scale(machines, DASHES), legend=None)
    band = (
        alt.Chart(_CURVE)
        .mark_area(opacity=0.13)
        .encode(
            x=x,
            y=_y(BANDS[quantity][0], quantity, top),
            y2=f"{BANDS[quantity][1]}:Q",
            color=colour,
            detail="series:N",
        )
    )
    rule = alt.Chart(_CHOSEN).mark_rule(color=NEUTRAL, strokeWidth=1, opacity=0.7).encode(x=x)
    lines = (
        alt.Chart(_CURVE)
        .mark_line(strokeWidth=2.2)
        .encode(x=x, y=y, color=colour, strokeDash=dash, detail="series:N", tooltip=_tips(quantity))
    )
    points = (
        alt.Chart(_RUNS)
        .mark_point(size=48, strokeWidth=1.4, opacity=0.9)
        .encode(
            x=_x("drawn_tokens", longest),
            y=y,
            color=colour,
            fill=alt.Fill("model:N", scale=_scale(models, COLOURS), legend=None),
            fillOpacity=alt.condition("datum.low_confidence", alt.value(0), alt.value(0.5)),
            shape=alt.Shape("chip:N", scale=_scale(chips, tuple(SHAPES)), legend=None),
            tooltip=_point_tips(quantity),
        )
    )
    ends = (
        alt.Chart(_ENDS)
        .mark_point(shape="M-1,-1L1,1M-1,1L1,-1", size=170, strokeWidth=2.5, opacity=1)
        .encode(x=x, y=y, color=colour, tooltip=_end_tips())
    )
    falls = quantity == DECODE
    names = (
        alt.Chart(_NAMES)
        .mark_text(
            align="left" if falls else "right",
            dx=4 if falls else -6,
            fontSize=12,
            fontWeight="bold",
        )
        .encode(x=x, y=_y("named", quantity, top), text="series:N", color=colour)
    )
    chart = alt.layer(band, rule, lines, points, ends, names).properties(
        height=HEIGHT, description=f"{TITLES[quantity]} against the context in tokens"
    )
    return dict(chart.to_dict())


@lru_cache(maxsize=16)
def _toll_look(order: tuple[str, ...]) -> dict[str, Any]:
    """Bars a choice with its name above, without their data."""
    y = alt.Y("series:N", sort=list(order), title=None, axis=None)
    x = alt.X("start:Q", title="Time of one token (ms)", scale=alt.Scale(domainMin=0))
    bars = (
        alt.Chart(alt.NamedData(name="parts"))
        .mark_bar(stroke="white", strokeWidth=0.5, height=18, yOffset=8)
        .encode(
            x=x,
            x2="end:Q",
            y=y,
            color=alt.Color(
                "part:N",
                scale=_scale(PARTS, PART_COLOURS),
                legend=alt.Legend(title=None, orient="bottom"),
            ),
            tooltip=["series:N", "part:N", alt.Tooltip("ms:Q", title="ms", format=".2f")],
        )
    )
    names = (
        alt.Chart(alt.NamedData(name="totals"))
        .mark_text(align="left", dx=1, dy=-11, fontSize=12, fontWeight="bold", color=NEUTRAL)
        .encode(x=x, y=y, text="text:N")
    )
    chart = (bars + names).properties(
        height=110 + 46 * len(order),
        description="Milliseconds of one token: weights read, cache read and overhead",
    )
    return dict(chart.to_dict())


def _scale(domain: Sequence[str], looks: Sequence[Any]) -> alt.Scale:
    return alt.Scale(domain=list(domain), range=list(looks[: max(len(domain), 1)]))


def _x(column: str, longest: float) -> alt.X:
    ticks = [2**power for power in range(6, 24) if 2**power <= longest]
    return alt.X(
        f"{column}:Q",
        title="Context (tokens)",
        scale=alt.Scale(type="log", base=2, domain=[LEFT_TOKENS, longest * 1.1], nice=False),
        axis=alt.Axis(values=ticks, labelExpr=SHORT_TOKENS, grid=False, labelOverlap="greedy"),
    )


def _y(column: str, quantity: str, top: float) -> alt.Y:
    scale = alt.Scale(domain=[0, top], nice=False)
    return alt.Y(f"{column}:Q", title=TITLES[quantity], scale=scale)


def _tips(quantity: str) -> list[alt.Tooltip]:
    tips = [
        alt.Tooltip("series:N", title="estimate"),
        alt.Tooltip("context_tokens:Q", title="context", format=","),
    ]
    if quantity == FIRST_TOKEN:
        return [
            *tips,
            alt.Tooltip("ttft_s:Q", title="first token (s)", format=".1f"),
            alt.Tooltip("ttft_low:Q", title="80 % interval from", format=".1f"),
            alt.Tooltip("ttft_high:Q", title="to", format=".1f"),
        ]
    return [
        *tips,
        alt.Tooltip("decode_tok_s:Q", title="tok/s", format=".1f"),
        alt.Tooltip("decode_low:Q", title="80 % interval from", format=".1f"),
        alt.Tooltip("decode_high:Q", title="to", format=".1f"),
    ]


def _point_tips(quantity: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("model:N", title="measured"),
        alt.Tooltip("bin:N", title="chip"),
        alt.Tooltip("context:N"),
        alt.Tooltip(f"{quantity}:Q", title=TITLES[quantity], format=".1f"),
        alt.Tooltip("confidence:N"),
        alt.Tooltip("source_url:N", title="source"),
    ]


def _end_tips() -> list[alt.Tooltip]:
    return [
        alt.Tooltip("series:N", title="memory ends for"),
        alt.Tooltip("context_tokens:Q", title="tokens that fit", format=","),
    ]
