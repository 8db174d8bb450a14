"""What another machine can do: the same model, what newly fits, and memory or bandwidth alone."""

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
from advisor.upgrade import machines as what_if
from advisor.upgrade.prices import Figure, list_price

if TYPE_CHECKING:
    import pandas as pd

    from advisor.catalog import Catalog

# The mixture of experts that most have measured: few of its weights are read for a token.
MOE_MODEL = "qwen3-30b-a3b"
TASKS = ("chat", "code", "agent", "reasoning", "long")
MORE_GB = (8, 16, 32)
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


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A machine that may not exist, to show what one change alone buys.

    best       the best that fits and keeps the least speed; None where nothing does
    reference  the same dense 8B
    newly      models that fit it and not the machine it started from
    price      of the Mac that is sold like this, if any
    """

    label: str
    sold: bool
    best: Pace | None
    reference: Pace
    newly: int
    price: Figure | None = None


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
    here, there = (_fitting(best, machine_id) for machine_id in (first_id, target_id))
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
    every = _ranked(catalog, _fitting(best, machine_id), task, None)
    kept: list[Fit] = []
    for fit in sorted(every, key=lambda f: (-f.pace.decode_tok_s, -f.quality)):
        if fit.basis != "estimated" and (not kept or fit.quality > kept[-1].quality):
            kept.append(fit)
    return tuple(kept)


def alone(
    catalog: Catalog, first: Machine, target: Machine, asked: Asked
) -> tuple[WhatIf, WhatIf, WhatIf, WhatIf]:
    """The first machine, with the target's memory alone, with its chip alone, and the target."""
    if first.memory_gb is None or target.memory_gb is None:
        raise ValueError("both machines need a memory size")
    memory = what_if.with_memory(catalog, first, target.memory_gb)
    chip = what_if.with_chip(first, target.chip)
    found = _what_ifs(catalog, [first, memory, chip, target], asked)
    return found[0], found[1], found[2], found[3]


def more_memory(catalog: Catalog, machine: Machine, asked: Asked) -> tuple[WhatIf, ...]:
    """The machine itself, then with 8, 16 and 32 GB more, sold or not."""
    size = machine.memory_gb or 0
    others = [what_if.with_memory(catalog, machine, size + more) for more in MORE_GB]
    return _what_ifs(catalog, [machine, *others], asked)


def _what_ifs(catalog: Catalog, machines: list[Machine], asked: Asked) -> tuple[WhatIf, ...]:
    whole, best, fast = tables(catalog, machines, asked)
    start = set(_fitting(best, machines[0].id)["model_id"])
    found = []
    for machine in machines:
        row = picks.best(fast, machine.id)
        sold = _sold(catalog, machine)
        found.append(
            WhatIf(
                label=machine.label,
                sold=bool(sold),
                best=None if row is None else pace(catalog, row),
                reference=pace(catalog, reference_row(catalog, whole, machine.id, asked)),
                newly=len(set(_fitting(best, machine.id)["model_id"]) - start),
                price=_cheapest(catalog, sold),
            )
        )
    return tuple(found)


def _sold(catalog: Catalog, machine: Machine) -> list[str]:
    """Ids of Macs that are made with this chip and memory."""
    return [
        f"{mac.id}-{machine.memory_gb}"
        for mac in catalog.macs.values()
        if mac.chip_of_memory.get(machine.memory_gb or 0) == machine.chip.id
    ]


def _cheapest(catalog: Catalog, ids: Sequence[str]) -> Figure | None:
    prices = [list_price(catalog, catalog.machine(machine_id)) for machine_id in ids]
    known = [price for price in prices if price is not None]
    return min(known, key=lambda price: price.value, default=None)


def _fitting(best: pd.DataFrame, machine_id: str) -> pd.DataFrame:
    fits = (best["verdict"] == FITS) & (best["context_problem"] == "")
    return best[(best["machine_id"] == machine_id) & fits]


def _ranked(catalog: Catalog, rows: pd.DataFrame, task: str, most: int | None) -> tuple[Fit, ...]:
    if rows.empty:
        return ()
    at = np.array(
        [
            catalog.variant_index(model, quant)
            for model, quant in zip(rows["model_id"], rows["quant_id"], strict=True)
        ]
    )
    told = qualities.of_variants(catalog, qualities.of_models(catalog, task), at)
    counts = np.where(told.basis == "estimated", told.low, told.mid)
    order = np.argsort(-counts, kind="stable")[: len(rows) if most is None else most]
    return tuple(
        Fit(pace(catalog, rows.iloc[i]), float(told.mid[i]), str(told.basis[i])) for i in order
    )


def ratio(paces: Sequence[Pace], first_id: str, target_id: str) -> float:
    """How many times as fast the target decodes; NaN where one is not there."""
    by_id = {p.machine_id: p.decode_tok_s for p in paces}
    if first_id not in by_id or target_id not in by_id:
        return math.nan
    return by_id[target_id] / by_id[first_id]
