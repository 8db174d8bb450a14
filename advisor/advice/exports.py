"""Tables as they leave the house: one set of column names for JSON, CSV and downloads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# The command line's names for the engine's columns, as in `advisor predict`.
PUBLIC_NAMES = {
    "machine_id": "machine",
    "model_id": "model",
    "quant_id": "quant",
    "weight_bytes": "weights_bytes",
}


def public(table: pd.DataFrame) -> pd.DataFrame:
    """The engine's table under the command line's names."""
    return table.rename(columns=PUBLIC_NAMES)
