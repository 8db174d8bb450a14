"""What a link says was answered, in short, so that its receiver learns what has changed since.

``was`` holds four values a machine: the best model that fits, its quantization, its tokens per
second, and those of the model that everyone has measured. ``cat`` is the day the catalog's
speeds were fitted and the beginning of its digest: the day says which is the newer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.estimate import coefficients
from advisor.share.answer import Answer, Side

if TYPE_CHECKING:
    from advisor.catalog import Catalog

BETWEEN = "~"
NOTHING = "-"
VERSION = re.compile(r"\d{4}-\d{2}-\d{2}\.[0-9a-f]{8}")
# Speeds travel with one decimal; what rounds to the same is the same.
SMALLEST = 0.051


@dataclass(frozen=True)
class Was:
    """What one machine was said to run; ``best_tok_s`` is 0 where nothing fitted."""

    model_id: str
    quant_id: str
    best_tok_s: float
    same_tok_s: float


def version(catalog: Catalog) -> str:
    """ "2026-12-01.99e447dd": the catalog in a link."""
    return f"{coefficients.load(catalog).fitted_on}.{catalog.digest[:8]}"


def short(answer: Answer) -> str:
    """The answer as ``was`` of a link."""
    return BETWEEN.join(part for side in answer.sides for part in _parts(_now(side)))


def read(text: str) -> tuple[Was, ...] | None:
    """What a link says was answered; None where it cannot be read."""
    parts = text.split(BETWEEN)
    if not text or len(parts) % 4:
        return None
    try:
        return tuple(
            Was(parts[at], parts[at + 1], _speed(parts[at + 2]), _speed(parts[at + 3]))
            for at in range(0, len(parts), 4)
        )
    except ValueError:
        return None


def since(catalog: Catalog, made_with: str, changes: list[str] | None) -> str:
    """One line on what is not as the sender saw it; "" where all is the same.

    changes   clauses of ``changed``; None where the link does not say what was answered
    """
    now = version(catalog)
    if made_with == now or not VERSION.fullmatch(made_with):
        if not changes:
            return ""
        return f"The sender saw other numbers of the same facts: {'; '.join(changes)}."
    day, today = made_with[:10], now[:10]
    if today == day:
        line = "The facts here are not the link's"
    else:
        line = f"The facts here are {'newer' if today > day else 'older'} than the link's"
    line += f" ({made_with}, here {now})"
    if changes is None:
        return f"{line}: numbers may differ from what the sender saw."
    return f"{line}: {'; '.join(changes)}." if changes else f"{line}; the answer is the same."


def changed(catalog: Catalog, was: tuple[Was, ...], answer: Answer) -> list[str]:
    """A clause for each machine that is no longer said to run the same at the same speed."""
    found = []
    for before, side in zip(was, answer.sides, strict=False):
        now = _now(side)
        parts = []
        if (before.model_id, before.quant_id) != (now.model_id, now.quant_id):
            parts.append(f"its best was {_named(catalog, before)}, now {_named(catalog, now)}")
        elif abs(before.best_tok_s - now.best_tok_s) > SMALLEST:
            parts.append(f"its best at {before.best_tok_s:.1f} tok/s, now {now.best_tok_s:.1f}")
        if abs(before.same_tok_s - now.same_tok_s) > SMALLEST:
            parts.append(f"the same 8B at {before.same_tok_s:.1f} tok/s, now {now.same_tok_s:.1f}")
        if parts:
            found.append(f"{side.name}: {', '.join(parts)}")
    return found


def _now(side: Side) -> Was:
    same = float(side.same["decode_tok_s"])
    if side.best is None:
        return Was(NOTHING, NOTHING, 0.0, same)
    row = side.best
    return Was(row["model_id"], row["quant_id"], float(row["decode_tok_s"]), same)


def _parts(was: Was) -> tuple[str, ...]:
    return (was.model_id, was.quant_id, f"{was.best_tok_s:.1f}", f"{was.same_tok_s:.1f}")


def _speed(text: str) -> float:
    if not re.fullmatch(r"\d{1,5}(\.\d{1,3})?", text):
        raise ValueError(text)
    return float(text)


def _named(catalog: Catalog, was: Was) -> str:
    """A choice by name; a model that is no longer known by what can be an id of it."""
    if was.model_id == NOTHING:
        return "nothing"
    model, quant = (re.sub(r"[^\w.-]", "", text)[:50] for text in (was.model_id, was.quant_id))
    if model in catalog.model_ids:
        model = catalog.model(model).name
    return f"{model} in {quant} at {was.best_tok_s:.1f} tok/s"
