"""Charts of an upgrade, for its page and its report: values in, an Altair chart out.

A machine has one colour, dash and shape on all of them, the colours differ in lightness, and every
line and bar carries its name, so that a chart reads in grey and on dark ground.
"""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import pandas as pd

from advisor.units import GIB
from advisor.upgrade.answer import Side, Target
from advisor.upgrade.bill import Bill

COLOURS = ("#8fa3b5", "#1f6fb2", "#d0680a", "#1c8f68")
DASHES = ([1, 0], [7, 4], [2, 3], [10, 3, 2, 3])
SHAPES = ("circle", "square", "triangle-up", "diamond")
NEUTRAL = "#7d828c"
MEMORY = {
    "first model": "#1f5f8b",
    "second model": "#f2b134",
    "further models": "#5b8a3a",
    "prefixes": "#6f4a9e",
    "free": "#ccd6de",
    "kept from the GPU": "#8a939b",
}
HEIGHT = 300


def pace(first: Side, target: Target) -> alt.LayerChart:
    """Decode speed of each class on both machines, with its 80 % interval."""
    names = (first.name, target.side.name)
    rows = [
        {"class": change.name, "machine": name, "model": f"{told.model} {told.quant_id}",
         "tok_s": told.decode_tok_s, "low": told.decode_low, "high": told.decode_high}
        for change in target.changes
        for name, told in zip(names, (change.before, change.after), strict=True)
        if told.model and told.decode_tok_s == told.decode_tok_s
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["class", "machine", "model", "tok_s", "low", "high"])
    order = list(dict.fromkeys(table["class"]))
    y = alt.Y("class:N", sort=order, title=None, axis=alt.Axis(labelLimit=130))
    offset = alt.YOffset("machine:N", sort=list(names))
    tips = ["class", "machine:N", "model:N", alt.Tooltip("tok_s:Q", title="tok/s", format=".1f"),
            alt.Tooltip("low:Q", title="80 % interval from", format=".1f"),
            alt.Tooltip("high:Q", title="to", format=".1f")]  # fmt: skip
    base = alt.Chart(table).encode(y=y, yOffset=offset)
    bars = base.mark_bar(height=alt.RelativeBandSize(0.85)).encode(
        x=alt.X("tok_s:Q", title="Decode (tok/s)"), color=_colour(names), tooltip=tips
    )
    whiskers = base.mark_rule(color=NEUTRAL, strokeWidth=1.5).encode(x="low:Q", x2="high:Q")
    chart = (bars + whiskers).properties(
        height=max(120, 42 * len(order)),
        description=f"Decode speed by class of request on {names[0]} and {names[1]}",
    )
    return chart


def frontier(sides: Sequence[Side], task: str, least_tok_s: float | None) -> alt.LayerChart:
    """Quality against decode speed: the models of which none is both better and faster."""
    names = [side.name for side in sides]
    rows = [
        {"machine": side.name, "model": f"{fit.pace.model} {fit.pace.quant_id}",
         "tok_s": fit.pace.decode_tok_s, "quality": fit.quality, "order": at}
        for side in sides
        for at, fit in enumerate(side.frontier[task])
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["machine", "model", "tok_s", "quality", "order"])
    x = alt.X("tok_s:Q", title="Decode (tok/s)", scale=alt.Scale(type="log", nice=True),
              axis=alt.Axis(values=[1, 2, 5, 10, 20, 50, 100, 200, 500], format="d"))  # fmt: skip
    y = alt.Y("quality:Q", title=f"Quality ({task})", scale=alt.Scale(domain=[0, 1]))
    tips = ["machine:N", "model:N", alt.Tooltip("tok_s:Q", title="tok/s", format=".1f"),
            alt.Tooltip("quality:Q", format=".2f")]  # fmt: skip
    base = alt.Chart(table).encode(x=x, y=y)
    lines = base.mark_line(interpolate="step-before", strokeWidth=2).encode(
        color=_colour(names), strokeDash=_dash(names), order="order:Q"
    )
    points = base.mark_point(size=60, filled=True, opacity=1).encode(
        color=_colour(names), shape=_shape(names), tooltip=tips
    )
    layers = [lines, points]
    if least_tok_s:
        floor = alt.Chart(
            pd.DataFrame({"tok_s": [least_tok_s], "said": [f"floor {least_tok_s:g} tok/s"]})
        )
        layers += [
            floor.mark_rule(color=NEUTRAL, strokeDash=[3, 3]).encode(x="tok_s:Q"),
            floor.mark_text(color=NEUTRAL, align="left", dx=4, y=10).encode(
                x="tok_s:Q", text="said:N"
            ),
        ]
    return alt.layer(*layers).properties(
        height=HEIGHT,
        description=f"Quality against decode speed for {task}, one line a machine",
    )


def cost(bills: Sequence[Bill], duty: float) -> alt.LayerChart:
    """A million output tokens against the part of all hours a machine works, hosted beside it.

    bills   one or more, all of them known
    """
    names = [bill.name for bill in bills]
    rows = [
        {"machine": bill.name, "duty": at, "cost": value}
        for bill in bills
        for at, value in bill.curve
    ]
    table = pd.DataFrame(rows, columns=["machine", "duty", "cost"])
    currency = bills[0].currency
    x = alt.X("duty:Q", title="Part of all hours at work", scale=alt.Scale(type="log", nice=False),
              axis=alt.Axis(format="%", values=[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]))  # fmt: skip
    y = alt.Y("cost:Q", title=f"A million tokens ({currency})", scale=alt.Scale(type="log"),
              axis=alt.Axis(format="~g", tickCount=5))  # fmt: skip
    tips = ["machine:N", alt.Tooltip("duty:Q", format=".0%"), alt.Tooltip("cost:Q", format=".3g")]
    lines = (
        alt.Chart(table)
        .mark_line(strokeWidth=2.2)
        .encode(x=x, y=y, color=_colour(names), strokeDash=_dash(names), tooltip=tips)
    )
    layers: list[alt.Chart] = [lines]
    hosted = bills[0].hosted_per_mtok
    if hosted == hosted:
        line = alt.Chart(
            pd.DataFrame({"cost": [hosted], "said": [f"hosted {hosted:.3g}"], "duty": [0.011]})
        )
        layers += [
            line.mark_rule(color=NEUTRAL, strokeWidth=1.5).encode(y="cost:Q"),
            line.mark_text(color=NEUTRAL, align="left", dy=-7, fontWeight="bold").encode(
                x="duty:Q", y="cost:Q", text="said:N"
            ),
        ]
    chosen = alt.Chart(pd.DataFrame({"duty": [duty]}))
    layers.append(chosen.mark_rule(color=NEUTRAL, strokeDash=[3, 3]).encode(x="duty:Q"))
    return alt.layer(*layers).properties(
        height=HEIGHT,
        description="Cost of a million tokens against the hours at work, and the hosted price",
    )


def memory(sides: Sequence[Side]) -> alt.LayerChart:
    """What each machine's memory is filled with: the resident models, prefixes, free, kept."""
    rows = [
        {"machine": side.name, "part": part, "kind": kind, "start": start / GIB,
         "end": (start + size) / GIB, "gib": size / GIB}
        for side in sides
        for part, kind, start, size in filled(side)
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["machine", "part", "kind", "start", "end", "gib"])
    present = [kind for kind in MEMORY if kind in set(table["kind"])]
    scale = alt.Scale(domain=present, range=[MEMORY[kind] for kind in present])
    y = alt.Y("machine:N", sort=[side.name for side in sides], title=None,
              axis=alt.Axis(labelLimit=150))  # fmt: skip
    x = alt.X("start:Q", title="Memory (GiB)", scale=alt.Scale(domainMin=0, nice=False))
    bars = (
        alt.Chart(table)
        .mark_bar(stroke="white", strokeWidth=1)
        .encode(
            x=x,
            x2="end:Q",
            y=y,
            color=alt.Color("kind:N", scale=scale, sort=present, legend=_legend()),
            tooltip=["machine:N", "part:N", alt.Tooltip("gib:Q", title="GiB", format=".1f")],
        )
    )
    limits = alt.Chart(
        pd.DataFrame(
            {
                "machine": [side.name for side in sides],
                "start": [side.gpu_limit_bytes / GIB for side in sides],
            }
        )
    ).mark_tick(thickness=3, size=34, color="#e04545")
    ticks = limits.encode(
        x="start:Q", y=y, tooltip=[alt.Tooltip("start:Q", title="GPU limit (GiB)", format=".1f")]
    )
    return (bars + ticks).properties(
        height=165 + 46 * len(sides),
        description="Memory of each machine, filled with its resident models; a tick at the limit",
    )


def filled(side: Side) -> list[tuple[str, str, float, float]]:
    """Parts of a machine's memory that add up to it: name, kind, start and size [bytes]."""
    table, memory = side.table, float(side.machine.memory_bytes or 0)
    always = [r for r in table.residents if not r.on_demand]
    kinds = ("first model", "second model", "further models")
    parts = [
        (f"{r.model_id} {r.quant_id}, {r.slots} × {r.context_tokens:,} tokens",
         kinds[min(at, 2)], r.total_bytes)
        for at, r in enumerate(always)
    ]  # fmt: skip
    parts.append(("kept for prefixes", "prefixes", table.reserve_bytes))
    used = sum(size for *_, size in parts)
    parts.append(("free for the GPU", "free", max(table.budget_bytes - used, 0.0)))
    used = sum(size for *_, size in parts)
    parts.append(("macOS and other programs", "kept from the GPU", max(memory - used, 0.0)))
    found, start = [], 0.0
    for name, kind, size in parts:
        if size > 0:
            found.append((name, kind, start, size))
        start += size
    return found


def _legend() -> alt.Legend:
    return alt.Legend(title=None, orient="top", labelLimit=220, columns=2)


def _colour(names: Sequence[str]) -> alt.Color:
    scale = alt.Scale(domain=list(names), range=list(COLOURS[: len(names)]))
    return alt.Color("machine:N", scale=scale, sort=list(names), legend=_legend())


def _dash(names: Sequence[str]) -> alt.StrokeDash:
    scale = alt.Scale(domain=list(names), range=list(DASHES[: len(names)]))
    return alt.StrokeDash("machine:N", scale=scale, sort=list(names), legend=_legend())


def _shape(names: Sequence[str]) -> alt.Shape:
    scale = alt.Scale(domain=list(names), range=list(SHAPES[: len(names)]))
    return alt.Shape("machine:N", scale=scale, sort=list(names), legend=_legend())
