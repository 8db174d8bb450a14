"""Pictures of a report as SVG that stands in a page: no script, no font or file from outside.

Text and rules take the page's own colour, so that one picture reads on light and dark ground
and on paper; machines differ in lightness, so that it reads in grey.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pandas as pd

from advisor.share import memory_bar
from advisor.share.memory_bar import Memory
from advisor.share.report import MachineReport, Report
from advisor.units import GIB

if TYPE_CHECKING:
    import altair as alt

WIDTH = 430  # drawn so narrow that its text is still read on a phone
# Light, middle, dark: the first three are apart in grey, all from white and from near-black.
COLOURS = ("#e08a1e", "#2f7fc1", "#5d3f8f", "#1c8f68")
INK = "currentColor"


@dataclass(frozen=True)
class Picture:
    """An SVG drawing, its heading, and the same in words for who cannot see it."""

    title: str
    svg: str
    words: str


def pictures(report: Report) -> list[Picture]:
    """The pictures of a report, in the order they are read."""
    return [_speeds(report), _memory(report)]


def _memory(report: Report) -> Picture:
    table = memory_bar.parts({one.name: _loaded(one) for one in report.machines})
    limits = {one.name: one.gpu_limit_bytes / GIB for one in report.machines}
    drawn = memory_bar.chart(table, limits)
    said = [
        f"{one.name}: {one.best.total_bytes / GIB if one.best else 0:.1f} of "
        f"{one.budget_bytes / GIB:.1f} GiB taken by {one.best.model if one.best else 'nothing'}"
        for one in report.machines
    ]
    height = 10 + 52 * len(report.machines)
    return Picture(
        "Memory, with the best that fits loaded",
        _svg(drawn.properties(width=WIDTH - 110, height=height), "memory"),
        f"Memory of each machine: {'; '.join(said)}.",
    )


def _loaded(one: MachineReport) -> Memory:
    sizes = (one.memory_bytes, one.in_use_bytes, one.budget_bytes)
    best = one.best
    return (
        Memory(*sizes)
        if best is None
        else Memory(*sizes, best.weight_bytes, best.kv_bytes, best.buffer_bytes)
    )


def _speeds(report: Report) -> Picture:
    """Tokens per second of what answers each class, a bar a machine, with its interval."""
    import altair as alt

    names = {one.id: one.name for one in report.machines}
    rows, said = [], []
    for request in report.requests:
        if all(one.model and one.decode_tok_s is None for one in request.answers):
            continue  # embeddings write nothing
        label = f"{request.name}, {request.needs.partition(', ')[0]}"
        for answered in request.answers:
            name, speed = names[answered.machine_id], answered.decode_tok_s
            low, high = answered.decode_low or 0.0, answered.decode_high or 0.0
            text = answered.model or "nothing reaches it"
            rows.append({"request": label, "machine": name, "tok_s": speed or 0.0, "low": low,
                         "high": high, "text": text})  # fmt: skip
            said.append(f"{label} on {name}: {text} at {speed or 0:.0f}")
    order = [one.name for one in report.machines]
    table = pd.DataFrame(rows)
    y = alt.Y("machine:N", sort=order, axis=None, title=None)
    base = alt.Chart(table)
    colour = alt.Color(
        "machine:N",
        scale=alt.Scale(domain=order, range=list(COLOURS[: len(order)])),
        legend=alt.Legend(title=None, orient="top", columns=2, labelLimit=200),
    )
    # The names of models stand right of their bars.
    longest = 1.75 * float(table["high"].max())
    x = alt.X(
        "tok_s:Q",
        title="Tokens per second, with 80 % interval",
        scale=alt.Scale(domain=[0, longest], nice=False),
    )
    bars = base.mark_bar(height=13).encode(x=x, y=y, color=colour)
    spans = base.mark_rule(color=INK, strokeWidth=1.2).encode(x="low:Q", x2="high:Q", y=y)
    texts = base.mark_text(align="left", dx=5, color=INK, fontSize=11).encode(
        x="high:Q", y=y, text="text:N"
    )
    chart = (
        alt.layer(bars, spans, texts)
        .properties(width=WIDTH - 60, height=alt.Step(20))
        .facet(
            row=alt.Row(
                "request:N",
                sort=list(dict.fromkeys(table["request"])),
                title=None,
                header=alt.Header(labelOrient="top", labelAnchor="start", labelFontWeight="bold"),
            ),
            spacing=8,
        )
    )
    return Picture(
        "What answers each kind of request, and how fast",
        _svg(chart, "speeds"),
        f"Tokens per second. {'; '.join(said)}.",
    )


def _svg(chart: alt.TopLevelMixin, name: str) -> str:
    """The drawing as one <svg> element that takes the width it is given."""
    spec = chart.to_dict()
    spec["config"] = spec.get("config", {}) | look()
    spec["background"] = "transparent"
    text = _drawn(json.dumps(spec, sort_keys=True, default=str))
    # Two pictures of a page must not share the names of their parts.
    text = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{name}-", text)
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', text)
    assert size is not None  # every drawing has a size
    return text.replace(
        size[0], f'role="img" aria-hidden="true" style="max-width:{float(size[1]):.0f}px"', 1
    )


@lru_cache(maxsize=32)
def _drawn(spec: str) -> str:
    import altair as alt

    out = io.StringIO()
    alt.Chart.from_dict(json.loads(spec)).save(out, format="svg")
    return out.getvalue()


def look() -> dict[str, Any]:
    """Vega-Lite settings: the page's own colour for text, thin rules, no frame."""
    faint = {"gridColor": INK, "gridOpacity": 0.15, "domainColor": INK, "domainOpacity": 0.4}
    ticks = {"tickColor": INK, "tickOpacity": 0.4, "labelColor": INK, "titleColor": INK}
    return {
        "font": "system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif",
        "view": {"stroke": None},
        "axis": faint | ticks | {"labelFontSize": 12, "titleFontSize": 12,
                                 "titleFontWeight": "normal"},
        "legend": {"labelColor": INK, "titleColor": INK, "labelFontSize": 12},
        "header": {"labelColor": INK, "labelFontSize": 12},
    }  # fmt: skip


def colours(machines: Sequence[MachineReport]) -> dict[str, str]:
    """Machine id -> its colour in the pictures."""
    return {one.id: COLOURS[at % len(COLOURS)] for at, one in enumerate(machines)}
