"""Reading a page as a person does, and asking the command line the same question."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What an empty cell of a download and a null of the command line have in common.
MISSING = ("", None)


def fit(machine: str, *arguments: str, **environment: str) -> dict[tuple[str, str], dict]:
    """`advisor fit MACHINE --json` by (model, quantization)."""
    command = [sys.executable, "-m", "advisor", "fit", machine, "--json", *arguments]
    text = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True,
        env={**os.environ, **environment},
    ).stdout  # fmt: skip
    return {(row["model"], row["quant"]): row for row in json.loads(text)}


def grid(page, name: str) -> list[dict[str, str]]:
    """The rows of a table that are on the screen, by column title; ``name`` is its label."""
    label = f"[aria-label={json.dumps(name)}]"
    table = page.locator(f"[data-testid=stDataFrame]:has({label}) table").first
    table.wait_for(state="attached")
    return table.evaluate(
        """table => {
            const texts = (row, role) =>
                [...row.querySelectorAll(`[role=${role}]`)].map(cell => cell.textContent)
            const rows = [...table.querySelectorAll('[role=row]')]
            const heads = texts(rows[0], 'columnheader')
            return rows.slice(1).map(row => Object.fromEntries(
                texts(row, 'gridcell').map((text, at) => [heads[at], text])))
        }"""
    )


def downloaded(page, button: str) -> list[dict[str, str]]:
    """The rows of the CSV file behind a download button."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    return list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text("utf-8"))))


def differences(row: dict[str, str], answer: dict) -> list[str]:
    """Cells of a downloaded row that are not the command line's; numbers to ten digits."""
    wrong = []
    for name, value in answer.items():
        cell = row[name]
        if cell in MISSING or value in MISSING:
            same = cell in MISSING and value in MISSING
        elif isinstance(value, int | float):
            same = abs(float(cell) - value) <= 1e-9 * max(abs(value), 1.0)
        else:
            same = cell == value
        if not same:
            wrong.append(f"{name}: {cell!r} is not {value!r}")
    return wrong
