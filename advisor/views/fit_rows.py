"""The rows of the Fit page: the engine's table with what people sort and filter by.

Pure: data frames in and out, no Streamlit. The engine's own columns stay as they are, so the
download holds the same numbers as ``advisor fit``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from advisor.advice import picks
from advisor.advice.exports import public
from advisor.estimate.verdict import FITS, NO, PAGES, RAISE_LIMIT
from advisor.units import GB, GIB

if TYPE_CHECKING:
    from advisor.catalog import Catalog

# States a row is filtered by, best first: the verdict, with `fits` split by speed and by
# whether the model itself can hold the context.
FAST, SLOW, TOO_LONG = "fast", "slow", "long"
STATES = (FAST, SLOW, RAISE_LIMIT, PAGES, NO, TOO_LONG)
VERDICTS = {
    FITS: "✓ fits",
    RAISE_LIMIT: "▲ raise the limit",
    PAGES: "◐ pages, crawls",
    NO: "✗ does not fit",
    "": "",
}
RUNS = (FITS, RAISE_LIMIT)  # verdicts under which a speed means something
SORTS = {
    "best": "Best first",
    "fast": "Fastest first",
    "first": "First token soonest",
    "large": "Largest first",
    "small": "Smallest first",
    "room": "Most context room",
    "name": "Name",
}
_ADDED = ("name", "family", "tasks", "params", "score", "state", "meets", "bits", "measured_tok_s")


def facts(catalog: Catalog) -> pd.DataFrame:
    """What the table is filtered by, a row a buildable model: name, family, tasks."""
    rows = [
        (model.id, model.name, model.family, ", ".join(model.tasks))
        for model in (catalog.model(model_id) for model_id in catalog.model_ids)
    ]
    return pd.DataFrame(rows, columns=["model_id", "name", "family", "tasks"])


def rows(
    catalog: Catalog, table: pd.DataFrame, least_tok_s: float, *, every_quant: bool
) -> pd.DataFrame:
    """The engine's table, best quantization a model or every one, with the columns above added.

    ``state`` is one of ``STATES``; a model whose own maximum is below the context is
    ``long`` whatever its memory says.
    """
    if every_quant:
        chosen = picks.rank(catalog, table)
    else:
        chosen = picks.best_quants(catalog, table, least_tok_s)
    chosen = chosen.merge(facts(catalog), on="model_id", how="left")
    too_long = chosen["context_problem"] != ""
    fits = chosen["verdict"] == FITS
    fast = fits & (chosen["decode_tok_s"] >= least_tok_s)
    chosen["measured_tok_s"] = np.nan  # what this Mac's own runs found: the page knows
    chosen["state"] = np.select([too_long, fast, fits], [TOO_LONG, FAST, SLOW], chosen["verdict"])
    return chosen


def filtered(
    table: pd.DataFrame,
    *,
    search: str = "",
    families: Collection[str] = (),
    tasks: Collection[str] = (),
    size_gb: tuple[float, float] = (0.0, np.inf),
) -> pd.DataFrame:
    """Rows that hold every word of ``search`` and one of the families and tasks.

    size_gb   smallest and largest file [GB]
    """
    text = table["name"] + " " + table["model_id"] + " " + table["family"] + " " + table["quant_id"]
    keep = np.ones(len(table), dtype=bool)
    for word in search.lower().split():
        keep &= text.str.lower().str.contains(word, regex=False).to_numpy()
    if families:
        keep &= table["family"].isin(list(families)).to_numpy()
    if tasks:
        wanted = set(tasks)
        keep &= np.array([bool(wanted & set(has.split(", "))) for has in table["tasks"]], bool)
    size = table["weight_bytes"] / GB
    keep &= ((size >= size_gb[0]) & (size <= size_gb[1])).to_numpy()
    return table[keep]


def counts(table: pd.DataFrame) -> dict[str, int]:
    """How many rows are in each state, those without any left out."""
    found = table["state"].value_counts()
    return {state: int(found[state]) for state in STATES if state in found}


def ordered(table: pd.DataFrame, by: str, machine_ids: Sequence[str]) -> pd.DataFrame:
    """The table in one of the orders of ``SORTS``; equal rows keep the machines' order.

    "best" keeps the machines of a model together: a model stands where its better machine puts
    it, those that fit and are fast first, then by published score, then by size.
    """
    order = {machine_id: at for at, machine_id in enumerate(machine_ids)}
    table = table.assign(_machine=table["machine_id"].map(order))
    table["_state"] = table["state"].map({state: at for at, state in enumerate(STATES)})
    if by == "best":
        table["_best"] = table.groupby("model_id")["_state"].transform("min")
        keys = {"_best": True, "score": False, "params": False, "model_id": True,
                "_machine": True, "_state": True, "total_bytes": False}  # fmt: skip
    else:
        column, rising = {
            "fast": ("decode_tok_s", False),
            "first": ("ttft_s", True),
            "large": ("weight_bytes", False),
            "small": ("weight_bytes", True),
            "room": ("max_context_tokens", False),
            "name": ("name", True),
        }[by]
        # A speed counts only where the model runs.
        runs = table["_state"] > STATES.index(SLOW)
        table["_runs"] = runs if by in ("fast", "first") else False
        keys = {"_runs": True, column: rising, "model_id": True, "_machine": True}
    table = table.sort_values(
        list(keys), ascending=list(keys.values()), kind="stable", na_position="last"
    )
    return table.drop(columns=[name for name in table if name.startswith("_")])


def display(table: pd.DataFrame, labels: dict[str, str]) -> pd.DataFrame:
    """What the page shows, in people's units; speeds only where the model runs.

    labels   machine id -> short name
    """
    runs = table["verdict"].isin(RUNS).to_numpy()

    def where_it_runs(values: pd.Series) -> np.ndarray:
        return np.where(runs, values.to_numpy(dtype=float), np.nan)

    interval = [
        f"{low:.0f}–{high:.0f}" if low >= 10 else f"{low:.1f}–{high:.1f}"
        for low, high in zip(table["decode_low"], table["decode_high"], strict=True)
    ]
    return pd.DataFrame(
        {
            "Model": table["name"].to_numpy(),
            "Mac": table["machine_id"].map(labels).to_numpy(),
            "Verdict": table["verdict"].map(VERDICTS).to_numpy(),
            "Quantization": table["quant_id"].to_numpy(),
            "Decode": where_it_runs(table["decode_tok_s"]),
            "Interval": np.where(runs, interval, ""),
            "Basis": table["basis"].to_numpy(),
            "Measured": table["measured_tok_s"].to_numpy(dtype=float),
            "First token": where_it_runs(table["ttft_s"]),
            "Size": (table["weight_bytes"] / GB).to_numpy(),
            "Size is": table["weight_basis"].to_numpy(),
            "Computed": (table["computed_weight_bytes"] / GB).to_numpy(),
            "Needs": (table["total_bytes"] / GIB).to_numpy(),
            "Context room": table["max_context_tokens"].to_numpy(dtype=float),
            "What would help": np.where(
                table["context_problem"] == "", table["change"], table["context_problem"]
            ),
            "Score": table["score"].to_numpy(),
            "Family": table["family"].to_numpy(),
            "Tasks": table["tasks"].to_numpy(),
            "Runs": table["runs"].to_numpy(),
        }
    )


def download(table: pd.DataFrame) -> bytes:
    """The engine's columns of the shown rows as CSV, in the order shown."""
    return (
        public(table.drop(columns=[n for n in _ADDED if n in table])).to_csv(index=False).encode()
    )
