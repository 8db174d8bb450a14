"""Charts of the Speed page: a data frame in, an Altair chart out; no Streamlit.

An estimate is a line with its band, a public run a point. A colour means a model, a dash a
machine, a shape a chip, and every line carries its name, so that a chart reads in grey and on
dark ground.
"""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

# Readable as text on white and on near-black; one a model, in the order they were chosen.
COLOURS = ("#2f7fc1", "#d0680a", "#1c8f68", "#b5569c", "#8a7340", "#1797a6")
DASHES = ([1, 0], [7, 4], [2, 3], [10, 3, 2, 3])
SHAPES = {"circle": "●", "square": "■", "triangle-up": "▲", "diamond": "◆"}  # one a chip family
PARTS = ("weights", "cache", "overhead")
NEUTRAL = "#7d828c"  # text and rules that read on both grounds
PART_COLOURS = ("#1f5f8b", "#e08a1e", "#b8c4ce")
LEFT_TOKENS = 64  # left edge: shorter contexts cost the same to within the width of a line
HEIGHT = 380
# Share of the height that two names keep between them.
NAME_GAP = 0.055
_SHORT_TOKENS = (
    "datum.value >= 1048576 ? datum.value / 1048576 + 'M' : "
    "datum.value >= 1024 ? datum.value / 1024 + 'K' : datum.value"
)


def decode(
    curve: pd.DataFrame,
    runs: pd.DataFrame,
    models: Sequence[str],
    machines: Sequence[str],
    chosen_tokens: int,
) -> alt.LayerChart:
    """Decode speed over context, with its 80 % band and the public runs.

    curve   series, model, machine, context_tokens, decode_tok_s, decode_low, decode_high, ends
    runs    model, chip, drawn_tokens, decode_tok_s, low_confidence and what a tip says
    chosen_tokens   the context the page is at: a thin line
    """
    top = _top([*curve["decode_high"], *runs["decode_tok_s"]])
    title = "Decode speed (tok/s)"
    band = (
        alt.Chart(curve)
        .mark_area(opacity=0.13)
        .encode(
            x=_x(curve, runs),
            y=_y("decode_low", title, top),
            y2="decode_high:Q",
            color=_colour(models),
            detail="series:N",
        )
    )
    return _finished(
        band, curve, runs, models, machines, chosen_tokens, "decode_tok_s", title, top
    ).properties(
        height=HEIGHT,
        description="Decode speed in tokens per second against the context in tokens",
    )


def first_token(
    curve: pd.DataFrame,
    runs: pd.DataFrame,
    models: Sequence[str],
    machines: Sequence[str],
    chosen_tokens: int,
) -> alt.LayerChart:
    """Seconds to the first token over the length of an uncached prompt; frames as ``decode``."""
    top = _top([*curve["ttft_s"], *runs["ttft_s"]])
    title = "Time to first token (s)"
    return _finished(
        None, curve, runs, models, machines, chosen_tokens, "ttft_s", title, top
    ).properties(
        height=HEIGHT, description="Seconds to the first token against the prompt in tokens"
    )


def toll(parts: pd.DataFrame) -> alt.LayerChart:
    """Where the time of one token goes: a bar a choice, stacked by what is paid for.

    parts   series, part (of ``PARTS``), ms, start, end; the total stands at the end of each bar
    """
    order = list(dict.fromkeys(parts["series"]))
    y = alt.Y("series:N", sort=order, title=None, axis=None)
    x = alt.X("start:Q", title="Time of one token (ms)", scale=alt.Scale(domainMin=0))
    bars = (
        alt.Chart(parts)
        .mark_bar(stroke="white", strokeWidth=0.5, height=18, yOffset=8)
        .encode(
            x=x,
            x2="end:Q",
            y=y,
            color=alt.Color(
                "part:N",
                scale=alt.Scale(domain=list(PARTS), range=list(PART_COLOURS)),
                legend=alt.Legend(title=None, orient="bottom"),
            ),
            tooltip=["series", "part", alt.Tooltip("ms:Q", title="ms", format=".2f")],
        )
    )
    totals = parts.groupby("series", sort=False)["end"].max().reset_index()
    totals["text"] = totals["series"] + ": " + totals["end"].map("{:.1f} ms".format)
    names = (
        alt.Chart(totals.assign(start=0.0))
        .mark_text(align="left", dx=1, dy=-11, fontSize=12, fontWeight="bold", color=NEUTRAL)
        .encode(x=x, y=y, text="text:N")
    )
    return (bars + names).properties(
        height=110 + 46 * len(order),
        description="Milliseconds of one token: weights read, cache read and overhead",
    )


def chip_order(runs: pd.DataFrame) -> list[str]:
    """The chip families of the points, in the order their shapes are given out."""
    return sorted(set(runs["chip"]))[: len(SHAPES)]


def spread(names: Sequence[str], heights: Sequence[float], top: float) -> list[float]:
    """Heights for names beside ``heights``, moved up no more than keeps them apart."""
    gap = NAME_GAP * top
    order = sorted(range(len(names)), key=lambda at: heights[at])
    placed = [0.0] * len(names)
    floor = 0.0
    for at in order:
        placed[at] = max(heights[at], floor)
        floor = placed[at] + gap
    over = max(placed, default=0.0) - top * (1 - NAME_GAP / 2)
    return [height - over for height in placed] if over > 0 else placed


def _finished(
    band: alt.Chart | None,
    curve: pd.DataFrame,
    runs: pd.DataFrame,
    models: Sequence[str],
    machines: Sequence[str],
    chosen_tokens: int,
    quantity: str,
    title: str,
    top: float,
) -> alt.LayerChart:
    """Band, lines, ends, points and names over one pair of axes."""
    x, y = _x(curve, runs), _y(quantity, title, top)
    lines = (
        alt.Chart(curve)
        .mark_line(strokeWidth=2.2)
        .encode(
            x=x,
            y=y,
            color=_colour(models),
            strokeDash=alt.StrokeDash(
                "machine:N", scale=alt.Scale(domain=list(machines), range=list(DASHES)), legend=None
            ),
            detail="series:N",
            tooltip=_tips(quantity),
        )
    )
    ends = (
        alt.Chart(curve[curve["ends"]])
        .mark_point(shape="M-1,-1L1,1M-1,1L1,-1", size=170, strokeWidth=2.5, opacity=1)
        .encode(
            x=x,
            y=y,
            color=_colour(models),
            tooltip=[
                alt.Tooltip("series:N", title="memory ends for"),
                alt.Tooltip("context_tokens:Q", title="tokens that fit", format=","),
            ],
        )
    )
    chips = chip_order(runs)
    points = (
        alt.Chart(runs.dropna(subset=[quantity]))
        .mark_point(size=48, strokeWidth=1.4, opacity=0.9)
        .encode(
            x=alt.X("drawn_tokens:Q"),
            y=y,
            color=_colour(models),
            shape=alt.Shape(
                "chip:N", scale=alt.Scale(domain=list(chips), range=list(SHAPES)), legend=None
            ),
            fillOpacity=alt.condition("datum.low_confidence", alt.value(0), alt.value(0.5)),
            fill=_fill(models),
            tooltip=[
                alt.Tooltip("model:N", title="measured"),
                alt.Tooltip("bin:N", title="chip"),
                alt.Tooltip("context:N"),
                alt.Tooltip(f"{quantity}:Q", format=".1f"),
                alt.Tooltip("confidence:N"),
                alt.Tooltip("source_url:N", title="source"),
            ],
        )
    )
    names = _names(curve, x, quantity, title, top, models)
    rule = (
        alt.Chart(pd.DataFrame({"context_tokens": [chosen_tokens]}))
        .mark_rule(color=NEUTRAL, strokeWidth=1, opacity=0.7)
        .encode(x=x)
    )
    layers = [layer for layer in (band, rule, lines, points, ends, names) if layer is not None]
    return alt.layer(*layers)


def _names(
    curve: pd.DataFrame, x: alt.X, quantity: str, title: str, top: float, models: Sequence[str]
) -> alt.Chart:
    """The name of each line: at its left end where lines fall, at its right where they rise."""
    falls = quantity == "decode_tok_s"
    by_series = curve.sort_values("context_tokens").groupby("series", sort=False)
    at = (by_series.head(1) if falls else by_series.tail(1)).copy()
    at["named"] = spread(list(at["series"]), list(at[quantity]), top)
    return (
        alt.Chart(at)
        .mark_text(
            align="left" if falls else "right",
            dx=4 if falls else -6,
            dy=-9,
            fontSize=12,
            fontWeight="bold",
        )
        .encode(x=x, y=_y("named", title, top), text="series:N", color=_colour(models))
    )


def _tips(quantity: str) -> list[alt.Tooltip]:
    tips = [
        alt.Tooltip("series:N", title="estimate"),
        alt.Tooltip("context_tokens:Q", title="context", format=","),
    ]
    if quantity == "ttft_s":
        return [*tips, alt.Tooltip("ttft_s:Q", title="first token (s)", format=".1f")]
    return [
        *tips,
        alt.Tooltip("decode_tok_s:Q", title="tok/s", format=".1f"),
        alt.Tooltip("decode_low:Q", title="80 % interval from", format=".1f"),
        alt.Tooltip("decode_high:Q", title="to", format=".1f"),
    ]


def _x(curve: pd.DataFrame, runs: pd.DataFrame) -> alt.X:
    longest = max([LEFT_TOKENS * 2, *curve["context_tokens"], *runs["drawn_tokens"]])
    ticks = [2**power for power in range(6, 24) if 2**power <= longest]
    return alt.X(
        "context_tokens:Q",
        title="Context (tokens)",
        scale=alt.Scale(type="log", base=2, domain=[LEFT_TOKENS, longest * 1.1], nice=False),
        axis=alt.Axis(values=ticks, labelExpr=_SHORT_TOKENS, grid=False, labelOverlap="greedy"),
    )


def _y(column: str, title: str, top: float) -> alt.Y:
    return alt.Y(f"{column}:Q", title=title, scale=alt.Scale(domain=[0, top], nice=False))


def _colour(models: Sequence[str]) -> alt.Color:
    return alt.Color(
        "model:N", scale=alt.Scale(domain=list(models), range=list(COLOURS)), legend=None
    )


def _fill(models: Sequence[str]) -> alt.Fill:
    return alt.Fill(
        "model:N", scale=alt.Scale(domain=list(models), range=list(COLOURS)), legend=None
    )


def _top(values: Sequence[float]) -> float:
    """The upper end of an axis that starts at zero, with room for a name."""
    return float(pd.Series(list(values), dtype=float).max()) * 1.08 or 1.0
