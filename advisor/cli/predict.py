"""``advisor predict``: each row of a CSV file comes back in its place with its prediction."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

import numpy as np

from advisor.catalog import Catalog, load
from advisor.cli.asked import Row, cases_of, machines_of, understand
from advisor.cli.csv_input import Sheet, read_sheet
from advisor.errors import InputError
from advisor.estimate import plan
from advisor.estimate.corrections import Correction

REQUIRED = ("chip", "runtime", "model", "quant")
OUTPUTS = (
    "decode_tok_s", "decode_low", "decode_high", "prefill_tok_s", "ttft_s", "weights_bytes",
    "kv_bytes", "total_bytes", "budget_bytes", "verdict", "max_context_tokens", "basis",
    "assumed", "problem",
)  # fmt: skip
WHOLE = {"weights_bytes", "kv_bytes", "total_bytes", "budget_bytes", "max_context_tokens"}
DIGITS = 6


def predict_file(path: str, out: TextIO, own_runs: str | None = None) -> None:
    """Read ``path`` ("-": standard input), write every row with its prediction to ``out``.

    own_runs   a CSV file of runs measured on the rows' machine, learnt from first

    Raises ``InputError`` where the file as a whole cannot be used: unreadable, not text, a
    required column missing.
    """
    if own_runs == path == "-":
        raise InputError("Standard input cannot be both FILE and RUNS.csv. Name one of them.")
    sheet = read_sheet(path, REQUIRED)
    catalog = load()
    rows = [understand(catalog, cells) for cells in sheet.records()]
    learned: tuple[Correction, ...] = ()
    if own_runs is not None:
        from advisor.cli.own_runs import corrections

        learned = corrections(catalog, own_runs)
    write(sheet, predictions(catalog, rows, learned), out)


def predictions(
    catalog: Catalog, rows: Sequence[Row], corrections: Sequence[Correction] = ()
) -> list[dict[str, Any]]:
    """The output columns of each row; no numbers where there is a problem."""
    answers = iter(_answers(catalog, [row for row in rows if not row.problems], corrections))
    return [
        {
            **({} if row.problems else next(answers)),
            "assumed": "; ".join(row.assumed),
            "problem": "; ".join(row.problems),
        }
        for row in rows
    ]


def _answers(
    catalog: Catalog, rows: Sequence[Row], corrections: Sequence[Correction]
) -> list[dict[str, Any]]:
    """The engine's answer to each row, all rows in one go."""
    if not rows:
        return []
    found = plan.answer(catalog, machines_of(rows), cases_of(rows), corrections)
    found["weights_bytes"] = found["weight_bytes"]
    names = [name for name in OUTPUTS if name in found]
    columns = [np.broadcast_to(found[name], (len(rows),)).tolist() for name in names]
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]


def write(sheet: Sheet, answers: Sequence[Mapping[str, Any]], out: TextIO) -> None:
    """The file's own columns in their order, then the output columns."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*_own_names(sheet.columns), *OUTPUTS])
    for cells, answer, note in zip(sheet.rows, answers, sheet.notes, strict=True):
        shown = {name: _text(name, answer.get(name)) for name in OUTPUTS}
        shown["assumed"] = "; ".join(part for part in (shown["assumed"], note) if part)
        writer.writerow([*cells, *shown.values()])


def _own_names(columns: Sequence[str]) -> list[str]:
    """The file's columns; one with an output's name comes back as ``input_<name>``."""
    names: list[str] = []
    for column in columns:
        name = column
        while name.strip().lower() in OUTPUTS or (name != column and name in columns):
            name = f"input_{name.strip()}"
        names.append(name)
    return names


def _text(name: str, value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if name in WHOLE:
        return str(round(value))
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)
