"""Public runs with their ids: ``runs/*.csv`` as printed becomes ``derived/runs.csv``.

Every run is kept. One that is not understood has the reason in ``problem``; one that needed an
assumption, such as which bin of a chip ran it, says so in ``assumed``.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from advisor.catalog.load import Catalog
from advisor.catalog.names import resolve
from advisor.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Hashable

RUNS_CSV = Path("derived/runs.csv")
PROBLEM_JOINT = "; "


def build(root: Path) -> Path:
    """Resolve the public runs of the catalog at ``root``; returns the file written."""
    target = root / RUNS_CSV
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(as_csv(resolved(Catalog(root))), encoding="utf-8")
    return target


def check(root: Path) -> list[str]:
    """A sentence where derived/runs.csv is not what the printed runs and names give today."""
    path = root / RUNS_CSV
    if not path.exists() or path.read_text(encoding="utf-8") != as_csv(resolved(Catalog(root))):
        return [
            f"{RUNS_CSV} does not follow from runs/ and the names. Run `advisor catalog build`."
        ]
    return []


def resolved(catalog: Catalog) -> pd.DataFrame:
    """The printed runs with chip_id, model_id, quant_id, problem and assumed, in order of id."""
    table = catalog.printed_runs.sort_values("id", kind="stable").reset_index(drop=True)
    rows = [_resolve_row(catalog, row) for row in table.to_dict("records")]
    ids = pd.DataFrame(rows, columns=["chip_id", "model_id", "quant_id", "problem", "assumed"])
    rest = table.drop(columns=["id", "file", "note"])  # remarks stay with the printed runs
    return pd.concat([table[["id", "file"]], ids, rest], axis=1)


def as_csv(table: pd.DataFrame) -> str:
    """The table as text: whole numbers without a point, an empty cell where nothing is known."""
    text = table.copy()
    for column in text.select_dtypes("number"):
        text[column] = [_number(value) for value in text[column]]
    return text.to_csv(index=False, lineterminator="\n")


def _resolve_row(catalog: Catalog, row: dict[Hashable, object]) -> tuple[str, str, str, str, str]:
    said = {
        name: "" if pd.isna(row[name]) else str(row[name])  # type: ignore[call-overload]
        for name in ("chip", "model", "quant", "runtime", "note")
    }
    found = resolve(catalog, said["model"], said["quant"], said["runtime"], said["note"])
    chip_id, chip_assumed, chip_problem = _chip(
        catalog, said["chip"], _or_none(row["gpu_cores"]), _or_none(row["memory_gb"])
    )
    problem = PROBLEM_JOINT.join(text for text in (chip_problem, found.problem) if text)
    assumed = PROBLEM_JOINT.join((*chip_assumed, *found.assumed))
    return chip_id, found.model_id, found.quant_id, problem, assumed


@lru_cache(maxsize=1024)
def _chip(
    catalog: Catalog, name: str, gpu_cores: float | None, memory_gb: float | None
) -> tuple[str, tuple[str, ...], str]:
    try:
        machine = catalog.machine_from_parts(name, gpu_cores, memory_gb)
    except InputError as error:
        return "", (), str(error).rstrip(".")
    assumed = tuple(text for text in machine.assumed if not text.startswith("macos="))
    return machine.chip.id, assumed, ""


def _or_none(value: object) -> float | None:
    return None if pd.isna(value) else float(value)  # type: ignore[call-overload,arg-type]


def _number(value: float) -> str:
    return "" if pd.isna(value) else f"{value:.10g}"
