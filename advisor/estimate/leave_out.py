"""Predictions of public runs by fits that have not seen them: what every error figure is of.

A run is predicted without its whole source, without any run of its chip, and without any run of
its model; the rest is fitted anew each time. Beside them stand two rules to beat: bandwidth over
bytes, and the same times one fitted constant. Kept in ``derived/accuracy.csv``, a row a run.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from advisor.estimate import prefill_fitting
from advisor.estimate.evidence import Evidence
from advisor.estimate.fitting import fit_decode, predict_step_s, subset

ACCURACY_CSV = "derived/accuracy.csv"
# Models are left out in this many groups, each whole: a fit for every model alone would say the
# same in ten times the time.
MODEL_FOLDS = 12
WITHOUT = ("source", "chip", "model")
DIGITS = 5


def groups(data: Evidence, what: str) -> np.ndarray:
    """For each run, the name of what is left out with it: its source, chip or group of models."""
    if what == "source":
        return data.source.astype(str)
    if what == "chip":
        return np.array([chip.name for chip in data.chip])
    models, code = np.unique(data.runs["model_id"].to_numpy(dtype=str), return_inverse=True)
    # Neighbours in the alphabet are relatives: spread them, so that no family goes at once.
    fold = np.arange(len(models)) % MODEL_FOLDS
    return np.array([f"group {f}" for f in fold])[code]


def leave_out(data: Evidence, of: np.ndarray, only: tuple[str, ...] | None = None) -> np.ndarray:
    """Seconds per step of each run predicted by a fit that has not seen its group.

    only   these groups; the runs of others stay NaN
    """
    predicted = np.full(len(data), np.nan)
    for group in np.unique(of) if only is None else only:
        test = of == group
        scores = fit_decode(subset(data, ~test))
        predicted[test] = predict_step_s(subset(data, test), scores)
    return predicted


def prefill_log_error(data: Evidence) -> np.ndarray:
    """log(predicted / measured) of each run's prefill rate without its source; NaN: not usable."""
    found = np.full(len(data), np.nan)
    usable = prefill_fitting.usable(data)
    for source in np.unique(data.source[usable].astype(str)):
        test = usable & (data.source == source)
        scores = prefill_fitting.fit_prefill(subset(data, data.source != source))
        found[test] = prefill_fitting.predict_log_error(subset(data, test), scores)
    return found


def naive_step_s(data: Evidence) -> np.ndarray:
    """Bytes over the chip's bandwidth: the rule that most calculators use."""
    return (data.weight_read_bytes + data.cache_read_bytes) / data.bandwidth


def one_constant_step_s(data: Evidence) -> np.ndarray:
    """The naive rule times one constant, the median of the other sources' runs."""
    naive = naive_step_s(data)
    ratio = data.step_s / naive
    found = np.empty(len(data))
    for source in np.unique(data.source.astype(str)):
        test = data.source == source
        found[test] = naive[test] * np.median(ratio[~test])
    return found


def write(root: Path, table: pd.DataFrame) -> Path:
    """Write the predictions, in the order of the runs' ids."""
    path = root / ACCURACY_CSV
    rounded = table.sort_values("id", kind="stable").map(
        lambda value: float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
    )
    rounded.to_csv(path, index=False, lineterminator="\n")
    return path


def read(root: Path) -> pd.DataFrame:
    """The stored predictions, a row a run. Raises ``CatalogError`` for a broken file."""
    from advisor.catalog.tables import REBUILD, read_csv

    return read_csv(root / ACCURACY_CSV, root, COLUMNS, REBUILD)


COLUMNS = (
    "id", *(f"without_{what}_tok_s" for what in WITHOUT), "half_width", "naive_tok_s",
    "one_constant_tok_s", "prefill_log_error", "prefill_half_width",
)  # fmt: skip
