"""A report written: one HTML file that asks nothing of anybody, Markdown, JSON.

Templates escape every value: what came from a link or a file is text, never markup.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from advisor.advice.words import seconds_range, seconds_text
from advisor.share import pictures
from advisor.share.report import Answered, Choice, Report
from advisor.units import GB, format_gb, format_gib, format_tokens

VERDICTS = {
    "fits": "fits",
    "raise_limit": "raise the limit",
    "pages": "pages and crawls",
    "no": "does not fit",
    "": "",
}
# What would be markup in Markdown; underscores inside words are not.
MARKDOWN = re.compile(r"([\\`*\[\]<>|#])")


def as_json(report: Report) -> str:
    """Everything, to be read again by ``reading.read``."""
    return report.model_dump_json(indent=1) + "\n"


def as_html(report: Report, base: str = "") -> str:
    """One file with its style and pictures inside; ``base`` an address its link can open at."""
    drawn = [(one.title, Markup(one.svg), one.words) for one in pictures.pictures(report)]
    template = environment(markdown=False).get_template("report.html")
    colours = pictures.colours(report.machines)
    return template.render(report=report, pictures=drawn, colours=colours, base=base)


def as_markdown(report: Report, base: str = "") -> str:
    """The same in Markdown, for a wiki or an issue; without pictures."""
    text = environment(markdown=True).get_template("report.md").render(report=report, base=base)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def words(choice: Choice) -> dict[str, str]:
    """The texts of one choice: model, size, speed with its interval, first token with its."""
    row = choice.model_dump()
    return {
        "model": f"{choice.model}, {choice.quant_id}",
        "size": format_gb(choice.weight_bytes),
        "speed": f"{choice.decode_tok_s:.1f} tok/s",
        "range": f"{choice.decode_low:.0f}–{choice.decode_high:.0f}",
        "wait": seconds_text(choice.ttft_s),
        "wait_range": seconds_range(row),
        "room": format_tokens(choice.max_context_tokens or 0),
        "verdict": VERDICTS.get(choice.verdict, choice.verdict),
    }


def answered(one: Answered) -> tuple[str, str]:
    """What answers a class on one machine, and how fast and well: two texts."""
    if not one.model:
        return "nothing here", ""
    parts = []
    if one.decode_tok_s is not None and one.decode_low is not None and one.decode_high is not None:
        parts.append(f"{one.decode_tok_s:.1f} tok/s ({one.decode_low:.0f}–{one.decode_high:.0f})")
    if one.quality is not None:
        mark = "~" if one.basis == "estimated" else ""
        parts.append(f"first token {seconds_text(one.ttft_s)}" if one.ttft_s is not None else "")
        parts.append(f"quality {mark}{one.quality:.2f}")
    return f"{one.model}, {one.quant_id}", ", ".join(part for part in parts if part)


def costs(choice: Choice) -> list[tuple[str, float, float]]:
    """The toll of one token: weights, cache and overhead [ms], each with its share."""
    parts = {
        "weights read": choice.weights_s,
        "cache read": choice.kv_s,
        "overhead": choice.overhead_s,
    }
    total = sum(parts.values()) or 1.0
    return [(name, 1e3 * value, value / total) for name, value in parts.items()]


def side_by_side(report: Report) -> list[tuple[str, list[Choice | None]]]:
    """Every model that fits somewhere, best first, with its choice on each machine."""
    order: dict[str, None] = {}
    ranked = sorted(
        (one for machine in report.machines for one in machine.models),
        key=lambda one: (one.score is None, -(one.score or 0.0), -one.weight_bytes),
    )
    for one in ranked:
        order.setdefault(one.model_id)
    by_machine = [{one.model_id: one for one in machine.models} for machine in report.machines]
    names = {one.model_id: one.model for one in ranked}
    return [(names[name], [of.get(name) for of in by_machine]) for name in order]


@lru_cache(maxsize=2)
def environment(*, markdown: bool) -> Environment:
    """The templates of this package; each escapes its values in its own way."""
    made = Environment(
        loader=PackageLoader("advisor.share"),
        autoescape=not markdown,
        finalize=_in_markdown if markdown else None,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {
        "words": words,
        "answered": answered,
        "costs": costs,
        "side_by_side": side_by_side,
    }
    made.filters |= {
        "gib": format_gib,
        "gb": format_gb,
        "tokens": format_tokens,
        "percent": lambda share: f"{share:.0%}",
        "usd": lambda value: f"${value:,.0f}",
        "billion": lambda value: f"{value / GB:.1f}",
    }
    return made


def _in_markdown(value: Any) -> Any:
    """A value as text of Markdown; ``Markup`` has been looked at already."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return MARKDOWN.sub(r"\\\1", value.replace("\n", " "))
