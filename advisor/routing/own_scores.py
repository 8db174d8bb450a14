"""A person's own scores: a CSV of scale, model and score that replaces what is published."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.catalog.names import resolve_model
from advisor.errors import AdvisorError, InputError
from advisor.routing.workload import SCALES

if TYPE_CHECKING:
    from advisor.catalog import Catalog

COLUMNS = ("scale", "model", "score")


@dataclass(frozen=True, slots=True)
class OwnScores:
    """What was understood, and a sentence for each line that was not.

    scores   ((scale, model id), quality 0 to 1), as ``Wishes.own_scores`` takes them
    """

    scores: tuple[tuple[tuple[str, str], float], ...]
    problems: tuple[str, ...]


def read_scores(catalog: Catalog, text: str, name: str = "The scores") -> OwnScores:
    """The scores of a CSV text with the columns scale, model and score (0 to 100).

    The scale "all" means every class. Good lines are used; the others each get a sentence.
    Raises ``InputError`` where a column is missing or no line can be used.
    """
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""))
    columns = {(column or "").strip().lower(): column for column in reader.fieldnames or ()}
    missing = [column for column in COLUMNS if column not in columns]
    if missing:
        raise InputError(f"{name} has no column {missing[0]!r}. It needs {', '.join(COLUMNS)}.")
    found: dict[tuple[str, str], float] = {}
    problems = []
    for number, row in enumerate(reader, start=2):
        try:
            scale, model, score = (str(row[columns[column]] or "").strip() for column in COLUMNS)
            found |= _line(catalog, scale.lower(), model, score)
        except AdvisorError as error:
            problems.append(f"{name}, line {number}: {error}")
    if not found:
        first = f" {problems[0]}" if problems else ""
        raise InputError(f"{name}: no line can be used.{first}")
    return OwnScores(tuple(sorted(found.items())), tuple(problems))


def _line(catalog: Catalog, scale: str, model: str, score: str) -> dict[tuple[str, str], float]:
    if scale not in (*SCALES, "all"):
        raise InputError(f"no scale is called {scale!r}. Known: {', '.join(SCALES)}, all.")
    resolved = resolve_model(catalog, model)
    if resolved.problem:
        raise InputError(f"{resolved.problem}.")
    try:
        value = float(score)
    except ValueError:
        raise InputError(f"the score of {model} is {score!r}. Write a number.") from None
    if not 0 <= value <= 100:
        raise InputError(f"the score of {model} is {value:g}. Scores are 0 to 100.")
    chosen = [s for s in SCALES if s != "embeddings"] if scale == "all" else [scale]
    return {(s, resolved.model_id): value / 100 for s in chosen}
