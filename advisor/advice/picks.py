"""Which quantization of a model, and which model: by a rule that can be said in a sentence."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from advisor.estimate.changes import LEAST_BITS
from advisor.estimate.verdict import FITS

if TYPE_CHECKING:
    import pandas as pd

    from advisor.catalog import Catalog

# One axis, never mixed with another: the only public list that covers the models of 2026.
BENCHMARK = "whatmodel.sh aggregate score"
RULE = (
    "Models with a published score (whatmodel.sh, October 2026) come first, best score first; "
    "models without one follow by size. Of each model the widest quantization that fits and is "
    "fast enough is taken, never 3 bit or below."
)


@lru_cache(maxsize=8)
def scores(catalog: Catalog) -> dict[str, float]:
    """The published score of each model on the one axis the picks are ordered by."""
    table = catalog.scores
    chosen = table[table["benchmark"] == BENCHMARK]
    return dict(chosen.groupby("model_id")["score"].max())


def best_quants(catalog: Catalog, table: pd.DataFrame, least_tok_s: float = 0.0) -> pd.DataFrame:
    """One row a machine and model: its best quantization, ranked best model first.

    Where none is fast enough, the fastest that fits; where none fits, the smallest. Columns
    ``score`` (NaN without one), ``params`` and ``meets`` (fits and is fast enough) are added.
    """
    bits = np.array([quant.quality_class for quant in catalog.quants.values()])
    of_row = bits[_positions(table["quant_id"], catalog.quant_ids)]
    table = table[of_row >= LEAST_BITS].assign(bits=of_row[of_row >= LEAST_BITS])
    fits = (table["verdict"] == FITS) & (table["context_problem"] == "")
    meets = fits & (table["decode_tok_s"] >= least_tok_s)
    wish = np.select(
        [meets, fits],
        [table["bits"] * 1e6 + table["decode_tok_s"], table["decode_tok_s"]],
        default=-table["total_bytes"],
    )
    ordered = table.assign(meets=meets, fits=fits, wish=wish).sort_values(
        ["meets", "fits", "wish"], ascending=False, kind="stable"
    )
    best = ordered.drop_duplicates(["machine_id", "model_id"]).drop(columns=["wish", "fits"])
    return rank(catalog, best)


def rank(catalog: Catalog, table: pd.DataFrame) -> pd.DataFrame:
    """The table best model first: by published score where there is one, then by size."""
    known = scores(catalog)
    model = _positions(table["model_id"], catalog.model_ids)
    table = table.assign(
        score=[known.get(model_id, np.nan) for model_id in table["model_id"]],
        params=catalog.shapes["params"].to_numpy()[model],
    )
    return table.sort_values(
        ["score", "params"], ascending=False, kind="stable", na_position="last"
    )


def best(ranked: pd.DataFrame, machine_id: str) -> pd.Series | None:
    """The first model of one machine that fits and is fast enough, or None."""
    rows = ranked[(ranked["machine_id"] == machine_id) & ranked["meets"]]
    return None if rows.empty else rows.iloc[0]


def reason(row: pd.Series) -> str:
    """Why this one stands first, in words."""
    if np.isnan(row["score"]):
        return f"no published score; {row['params'] / 1e9:.1f} B parameters"
    return f"score {row['score']:.1f} (whatmodel.sh, 2026)"


def _positions(values: pd.Series, known: tuple[str, ...]) -> np.ndarray:
    import pandas as pd

    return pd.Index(known).get_indexer(pd.Index(values))
