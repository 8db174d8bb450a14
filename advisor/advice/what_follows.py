"""What the runs of this computer make of a few well-known models, before and after.

On a Mac the numbers are the engine's, as on every page. Another computer is in no table of the
engine: its own runs are all that is known of it, and they say nothing of any Mac.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from advisor.advice import own_runs, this_machine
from advisor.advice.run_machine import run_machine
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.detect import THIS, Detected
from advisor.errors import InputError
from advisor.estimate import own_computer, plan
from advisor.estimate.verdict import NO

if TYPE_CHECKING:
    from advisor.runs import Run

QUANT, RUNTIME = "mlx-4bit", "mlx-lm"
MAC_CONTEXT_TOKENS = 2048
# Small to large, most of them not among those that a quick calibration measures.
ON_A_MAC = ("llama-3.2-3b", "qwen3-8b", "gemma-3-12b", "qwen3-14b", "qwen3-30b-a3b", "qwen3-32b")
ON_A_COMPUTER = ("smollm2-135m", "gemma-3-270m", "smollm2-360m", "qwen3-0.6b", "llama-3.2-1b",
                 "qwen3-1.7b")  # fmt: skip


@dataclass(frozen=True)
class Follows:
    """One model on this computer [tok/s]; NaN where there is no such figure.

    before    predicted without any run; ``after`` with those that count, ``low`` to ``high``
    measured  what a run of this very model found, near the same context
    """

    model_id: str
    before: float
    after: float
    low: float
    high: float
    measured: float


def what_follows(catalog: Catalog, found: Detected, runs: Sequence[Run]) -> tuple[Follows, ...]:
    """The models in 4 bit with mlx-lm; none where nothing was learnt that counts.

    runs   those of the user's store
    """
    if not found.is_mac:
        return _on_computer(catalog, run_machine(found).chip, runs)
    try:
        this = this_machine.find(catalog, THIS)
    except InputError:
        return ()
    return _on_mac(catalog, this) if this.taught else ()


def context_text(found: Detected) -> str:
    """Which context the speeds are of."""
    return f"at {MAC_CONTEXT_TOKENS:,} tokens" if found.is_mac else "with a short context"


def _on_mac(catalog: Catalog, this: Machine) -> tuple[Follows, ...]:
    asked = {"context_tokens": MAC_CONTEXT_TOKENS, "runtime": RUNTIME, "model_ids": ON_A_MAC,
             "quant_ids": (QUANT,)}  # fmt: skip
    plain = plan.table(catalog, [replace(this, taught=())], **asked).set_index("model_id")
    own = plan.table(catalog, [this], **asked).set_index("model_id")
    rows = []
    for model_id in ON_A_MAC:
        row = own.loc[model_id]
        if row["verdict"] == NO:
            continue
        run = own_runs.measured(catalog, this, model_id, QUANT, RUNTIME, MAC_CONTEXT_TOKENS)
        rows.append(
            Follows(
                model_id,
                float(plain.loc[model_id, "decode_tok_s"]),
                float(row["decode_tok_s"]),
                float(row["decode_low"]),
                float(row["decode_high"]),
                math.nan if run is None else run.decode_tok_s or math.nan,
            )
        )
    return tuple(rows)


def _on_computer(catalog: Catalog, chip: str, runs: Sequence[Run]) -> tuple[Follows, ...]:
    own = [run for run in runs if own_runs.of_computer(catalog, chip, run)]
    if not own:
        return ()
    learnt = own_computer.learn(
        catalog,
        np.array([catalog.variant_index(run.model_id, run.quant_id) for run in own]),
        np.array([run.decode_tok_s for run in own], dtype=float),
    )
    asked = np.array([catalog.variant_index(model_id, QUANT) for model_id in ON_A_COMPUTER])
    speeds = np.array(learnt.decode_tok_s(catalog, asked)).T
    rows = []
    for model_id, (after, low, high) in zip(ON_A_COMPUTER, speeds.tolist(), strict=True):
        same = [
            run.decode_tok_s or math.nan
            for run in own
            if (run.model_id, run.quant_id) == (model_id, QUANT)
        ]
        measured = float(np.median(same)) if same else math.nan
        rows.append(Follows(model_id, math.nan, after, low, high, measured))
    return tuple(rows)
