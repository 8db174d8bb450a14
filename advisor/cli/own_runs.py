"""A file of one person's measured runs: what the predictor may learn, and what it may not."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from advisor.catalog import Catalog
from advisor.cli.asked import Row, cases_of, machines_of, understand
from advisor.cli.csv_input import read_sheet
from advisor.estimate.corrections import Correction
from advisor.estimate.learning import learn

REQUIRED = ("chip", "runtime", "model", "quant", "decode_tok_s")


def corrections(
    catalog: Catalog, path: str, say: Callable[[str], None] | None = None
) -> tuple[Correction, ...]:
    """What the runs of a CSV file teach; a sentence for each run that is not used.

    say   takes the sentences, default: standard error

    Raises ``InputError`` where the file as a whole cannot be used.
    """
    tell = say or (lambda sentence: print(f"advisor: {sentence}", file=sys.stderr))
    sheet = read_sheet(path, REQUIRED)
    name = "standard input" if path == "-" else path
    rows, lines, speeds, prompts = [], [], [], []
    for number, cells in enumerate(sheet.records(), start=2):
        if not any(cell.strip() for cell in cells.values()):
            continue
        row = understand(catalog, cells)
        prompt = cells.get("prefill_tok_s", "").strip()
        prefill = _speed(prompt, "prefill_tok_s", row) if prompt else np.nan
        # A run may state one of the two speeds alone.
        decode = np.nan
        if cells["decode_tok_s"].strip() or not prompt:
            decode = _speed(cells["decode_tok_s"], "decode_tok_s", row)
        if row.problems:
            what = f"{cells['model']}, {cells['quant']} on {cells['chip']}"
            tell(f"{name} line {number} ({what}) is not learnt from: {'; '.join(row.problems)}")
            continue
        rows.append(row)
        lines.append(number)
        speeds.append(decode)
        prompts.append(prefill)
    if not rows:
        tell(f"{name} holds no run to learn from; predictions stay as they are.")
        return ()
    measured = np.array(speeds)
    lesson = learn(catalog, machines_of(rows), cases_of(rows), measured, np.array(prompts))
    for at in np.flatnonzero(lesson.odd):
        tell(
            f"{name} line {lines[at]} is not learnt from: {measured[at]:g} tok/s is "
            f"{lesson.ratio[at]:.2g} × the prediction, too far off to agree with the other runs. "
            "Measure it again."
        )
    used = len(rows) - int(lesson.odd.sum())
    tell(f"{used} of {len(sheet.rows)} runs of {name} are learnt from.")
    return lesson.corrections


def _speed(text: str, column: str, row: Row) -> float:
    """A speed above 0; else a problem of the row."""
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not 0 < value < np.inf:
        row.problems.append(f"{column} {text.strip()[:40]!r} is not a speed above 0")
        return np.nan
    return value
