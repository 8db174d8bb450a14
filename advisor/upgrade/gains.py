"""What another machine can do: the same model, what newly fits, quality against speed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.advice import compare, picks
from advisor.catalog.shapes import Machine
from advisor.estimate import plan
from advisor.estimate.verdict import FITS
from advisor.routing import quality as qualities

if TYPE_CHECKING:
    import pandas as pd

    from advisor.catalog import Catalog

# The mixture of experts that most have measured: few of its weights are read for a token.
MOE_MODEL = "qwen3-30b-a3b"
TASKS = ("chat", "code", "agent", "reasoning", "long")
MOST_NEW = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """What an upgrade is judged at; as on the other pages."""

    context_tokens: int = plan.DEFAULT_CONTEXT_TOKENS
    runtime: str = "mlx-lm"
    kv_bits: int = 16
    least_tok_s: float = 20.0


@dataclass(frozen=True, slots=True)
class Pace:
    """One model on one machine: the engine's row, speeds with their 80 % interval."""

    machine_id: str
    model_id: str
    model: str
    quant_id: str
    verdict: str
    decode_tok_s: float
    decode_low: float
    decode_high: float
    ttft_s: float
    ttft_low: float
    ttft_high: float
    prefill_tok_s: float
    load_s: float
    weight_bytes: float
    kv_bytes: float
    buffer_bytes: float
    max_context_tokens: float


@dataclass(frozen=True, slots=True)
class Fit:
    """A model that newly fits, with its quality on the task's own scale, 0 to 1."""

    pace: Pace
    quality: float
    basis: str  # "published", "estimated"


@dataclass(frozen=True, slots=True)
class NewFits:
    """What newly fits for one task, best first; ``count`` of all that do."""

    task: str
    count: int
    best: tuple[Fit, ...]
    best_before: Fit | None  # the best that already fits the first machine


def pace(catalog: Catalog, row: pd.Series) -> Pace:
    """The engine's row as a value."""
    names = ("decode_tok_s", "decode_low", "decode_high", "ttft_s", "ttft_low", "ttft_high",
             "prefill_tok_s", "load_s", "weight_bytes", "kv_bytes", "buffer_bytes",
             "max_context_tokens")  # fmt: skip
    return Pace(
        str(row["machine_id"]),
        str(row["model_id"]),
        catalog.model(row["model_id"]).name,
        str(row["quant_id"]),
        str(row["verdict"]),
        *(float(row[name]) for name in names),
    )


def tables(
    catalog: Catalog, machines: Sequence[Machine], asked: Asked
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """All choices of the machines; each model's best quantization; the same that is fast enough."""
    whole = plan.table(
        catalog,
        machines,
        context_tokens=asked.context_tokens,
        runtime=asked.runtime,
        kv_bits=asked.kv_bits,
    )
    best = picks.best_quants(catalog, whole)
    return whole, best, picks.best_quants(catalog, whole, asked.least_tok_s)


def same_model(
    catalog: Catalog, whole: pd.DataFrame, model_id: str, asked: Asked
) -> tuple[Pace, ...]:
    """One model in 4 bit on every machine of the table, whether it fits or not."""
    quant_id = compare.reference_quant(catalog, asked.runtime)
    rows = whole[(whole["model_id"] == model_id) & (whole["quant_id"] == quant_id)]
    return tuple(pace(catalog, row) for _, row in rows.iterrows())


def reference_row(
    catalog: Catalog, whole: pd.DataFrame, machine_id: str, asked: Asked
) -> pd.Series:
    """The engine's row of the dense reference model on one machine."""
    quant_id = compare.reference_quant(catalog, asked.runtime)
    rows = whole[
        (whole["machine_id"] == machine_id)
        & (whole["model_id"] == compare.REFERENCE_MODEL)
        & (whole["quant_id"] == quant_id)
    ]
    return rows.iloc[0]


def newly_fits(
    catalog: Catalog, best: pd.DataFrame, first_id: str, target_id: str
) -> tuple[NewFits, ...]:
    """Models that fit the target and not the first, by task, best quality first.

    An estimated quality counts at the low end of its interval when it is ranked.
    """
    here, there = (fitting(best, machine_id) for machine_id in (first_id, target_id))
    new = there[~there["model_id"].isin(here["model_id"])]
    found = []
    for task in TASKS:
        before = _ranked(catalog, here, task, 1)
        found.append(
            NewFits(
                task,
                len(new),
                _ranked(catalog, new, task, MOST_NEW),
                before[0] if before else None,
            )
        )
    return tuple(found)


def frontier(catalog: Catalog, best: pd.DataFrame, machine_id: str, task: str) -> tuple[Fit, ...]:
    """Models of which none that fits is both better and faster, fastest first.

    Only models with a published score count: an estimate would win by chance.
    """
    rows = fitting(best, machine_id)
    if rows.empty:
        return ()
    told, speed = _quality(catalog, rows, task), rows["decode_tok_s"].to_numpy()
    kept: list[int] = []
    for at in np.lexsort((-told.mid, -speed)):
        better = not kept or told.mid[at] > told.mid[kept[-1]]
        if told.basis[at] != "estimated" and better:
            kept.append(int(at))
    return tuple(_fit(catalog, rows, told, at) for at in kept)


def fitting(best: pd.DataFrame, machine_id: str) -> pd.DataFrame:
    """The rows of one machine that fit, each model in its best quantization."""
    fits = (best["verdict"] == FITS) & (best["context_problem"] == "")
    return best[(best["machine_id"] == machine_id) & fits]


def _ranked(catalog: Catalog, rows: pd.DataFrame, task: str, most: int) -> tuple[Fit, ...]:
    if rows.empty:
        return ()
    told = _quality(catalog, rows, task)
    counts = np.where(told.basis == "estimated", told.low, told.mid)
    order = np.argsort(-counts, kind="stable")[:most]
    return tuple(_fit(catalog, rows, told, int(at)) for at in order)


def _quality(catalog: Catalog, rows: pd.DataFrame, task: str) -> qualities.Quality:
    keys = zip(rows["model_id"], rows["quant_id"], strict=True)
    variant = np.array([catalog.variant_index(model, quant) for model, quant in keys])
    return qualities.of_variants(catalog, qualities.of_models(catalog, task), variant)


def _fit(catalog: Catalog, rows: pd.DataFrame, told: qualities.Quality, at: int) -> Fit:
    return Fit(pace(catalog, rows.iloc[at]), float(told.mid[at]), str(told.basis[at]))


def ratio(paces: Sequence[Pace], first_id: str, target_id: str) -> float:
    """How many times as fast the target decodes; NaN where one is not there."""
    by_id = {p.machine_id: p.decode_tok_s for p in paces}
    if first_id not in by_id or target_id not in by_id:
        return math.nan
    return by_id[target_id] / by_id[first_id]
