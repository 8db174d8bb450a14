"""Fit what further sequences and drafted tokens cost, and how far off that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from advisor.catalog.names import resolve
from advisor.errors import InputError
from advisor.estimate import plan, speculation
from advisor.estimate.arrays import arrays
from advisor.estimate.cases import Cases
from advisor.estimate.options import Options

if TYPE_CHECKING:
    from advisor.catalog import Catalog

SHORT_TOKENS = 300.0  # the published figures are of short prompts
SERIES = ["chip", "runtime", "engine", "model", "quant"]
# A few rows of one tool's author: pulled towards a drafter of a tenth of a step, checks of 5 %.
PRIOR, PRIOR_WEIGHT = np.array([0.1, 0.05, 0.05]), 0.5


def fit(catalog: Catalog) -> Options:
    """The constants and their errors, each series or row predicted without itself."""
    shares = stream_shares(catalog)
    rounds = checked_rounds(catalog)
    matrix, target = rounds[["one", "wide", "narrow"]].to_numpy(), rounds["extra"].to_numpy()
    measured = rounds["round_steps"].to_numpy()
    found = _least_squares(matrix, target, measured)
    errors = []
    for at in range(len(rounds)):
        keep = np.arange(len(rounds)) != at
        extra = matrix[at] @ _least_squares(matrix[keep], target[keep], measured[keep])
        errors.append(abs((measured[at] - target[at] + extra) / measured[at] - 1))
    return Options(
        stream_share=float(np.median(_of_series(shares))),
        stream_error=float(np.median(_left_out(shares))),
        stream_series=len(_of_series(shares)),
        draft_share=float(found[0]),
        check_wide=float(found[1]),
        check_narrow=float(found[2]),
        round_error=float(np.median(errors)),
        round_rows=len(rounds),
    )


def stream_shares(catalog: Catalog) -> pd.DataFrame:
    """Rows of batched_decode.csv that can be compared with one sequence of the same series.

    Columns series, batch, base (predicted steps without streams), measured (steps) and share,
    the streams' cost per further sequence in single steps.
    """
    table = catalog.observations("batched_decode.csv")
    rows = []
    for number, (_, series) in enumerate(
        table[table["confidence"] != "low"].groupby(SERIES, sort=False)
    ):
        single = series[series["batch"] == 1]
        more = series[series["batch"] > 1]
        first = series.iloc[0]
        model = _variant(catalog, first)
        if single.empty or more.empty or model is None:
            continue
        batch = np.array([1.0, *more["batch"]])
        found = _answer(catalog, first["chip"], model, first["runtime"], batch)
        base = np.broadcast_to(found["step_s"] - found["streams_s"], batch.shape)
        single_s = found["overhead_s"][0] - found["streams_s"][0] + found["weights_s"][0]
        measured = (single["aggregate_tok_s"].iloc[0] / more["aggregate_tok_s"]).to_numpy()
        steps = measured * batch[1:]
        for b, base_steps, taken in zip(batch[1:], base[1:] / base[0], steps, strict=True):
            share = (taken - base_steps) / (b - 1) * base[0] / single_s
            rows.append((number, b, base_steps, taken, max(share, 0.0)))
    return pd.DataFrame(rows, columns=["series", "batch", "base", "measured", "share"])


def checked_rounds(catalog: Catalog) -> pd.DataFrame:
    """Rows of spec_decode.csv with what a round costs beyond a step and the experts it touches.

    Columns round_steps, extra, and one, wide, narrow: what draft and check shares multiply.
    """
    table = catalog.observations("spec_decode.csv")
    rows = []
    for row in table[table["drafted_tokens"].notna() & table["quant"].notna()].to_dict("records"):
        drafted = float(row["drafted_tokens"])
        experts = 1.0
        if row["kind"] == "MoE":
            model = _variant(catalog, row | {"runtime": "mlx-lm"})
            if model is None:
                continue
            experts = _experts_steps(catalog, row["chip"], model, drafted)
        bits = catalog.quants[str(row["quant"])].quality_class
        narrow = bits <= speculation.NARROW_BITS
        steps = float(row["round_steps"])
        rows.append((steps, steps - experts, 1.0, drafted * (not narrow), drafted * narrow))
    return pd.DataFrame(rows, columns=["round_steps", "extra", "one", "wide", "narrow"])


def _experts_steps(catalog: Catalog, chip: str, variant: int, drafted: float) -> float:
    """Steps of a check from experts alone: no drafting, no cost of further tokens."""
    found = _answer(catalog, chip, variant, "mlx-lm", np.array([1.0]))
    v = arrays(catalog).variants
    read = v.expert_bytes[variant] * v.expert_share[variant] / found["read_weight_bytes"][0]
    return float(
        speculation.round_steps(
            drafted_tokens=np.array(drafted),
            expert_share=v.expert_share[variant],
            experts_step_share=read * found["weights_s"][0] / found["step_s"][0],
            draft_share=0.0,
            check_share=np.array(0.0),
        )
    )


def _answer(
    catalog: Catalog, chip: str, variant: int, runtime: str, batch: np.ndarray
) -> plan.Answer:
    size = len(batch)
    cases = Cases(
        machine=np.zeros(size, dtype=int),
        variant=np.full(size, variant),
        runtime=np.full(size, catalog.runtime_ids.index(runtime)),
        context_tokens=np.full(size, SHORT_TOKENS),
        kv_bits=np.array(16),
        batch=batch,
    )
    found = plan.answer(catalog, [catalog.machine_from_parts(chip)], cases)
    return {name: np.broadcast_to(values, (size,)) for name, values in found.items()}


def _variant(catalog: Catalog, row: pd.Series | dict) -> int | None:
    """The variant a row names; None where the catalog does not hold it."""
    try:
        found = resolve(catalog, str(row["model"]), str(row["quant"]), str(row["runtime"]))
    except InputError:
        return None
    return None if found.problem else catalog.variant_index(found.model_id, found.quant_id)


def _of_series(shares: pd.DataFrame) -> np.ndarray:
    return shares.groupby("series")["share"].mean().to_numpy()


def _left_out(shares: pd.DataFrame) -> np.ndarray:
    """|predicted / measured - 1| of each row's steps, its series left out of the median."""
    of_series = shares.groupby("series")["share"].mean()
    errors = []
    for row in shares.itertuples():
        share = float(of_series.drop(index=row.series).median())
        errors.append(abs((row.base + (row.batch - 1) * share) / row.measured - 1))
    return np.array(errors)


def _least_squares(matrix: np.ndarray, target: np.ndarray, measured: np.ndarray) -> np.ndarray:
    """Shares that meet the extra steps in relative terms, pulled to ``PRIOR``, none below 0."""
    from scipy.optimize import nnls

    pull = PRIOR_WEIGHT * np.eye(len(PRIOR))
    rows = np.vstack([matrix / measured[:, None], pull])
    return nnls(rows, np.concatenate([target / measured, pull @ PRIOR]))[0]
