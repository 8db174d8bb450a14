"""Kept runs as a table to read: what was measured beside what is predicted, before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from advisor.advice import own_runs
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.errors import InputError
from advisor.estimate import plan
from advisor.estimate.cases import Cases
from advisor.runs import Run

COLUMNS = ("counts", "model", "quant", "runtime", "context_tokens", "decode_tok_s", "spread",
           "predicted", "calibrated", "prefill_tok_s", "made", "machine", "note", "id")  # fmt: skip


def table(catalog: Catalog, runs: Sequence[Run]) -> pd.DataFrame:
    """A row a run, the newest first; ``predicted`` and ``calibrated`` are tokens per second.

    Blank where the engine is not asked: another computer than a Mac, an unmatched model.
    """
    rows = []
    taught: dict[tuple[object, ...], Machine | None] = {}
    for run in sorted(runs, key=lambda one: (one.created, one.id), reverse=True):
        key = (run.machine.chip, run.machine.gpu_cores, run.machine.memory_gb, run.machine.is_mac)
        if key not in taught:
            taught[key] = _machine(catalog, run, runs)
        before, after = _predicted(catalog, taught[key], run)
        rows.append(
            (
                run.used, run.model_id or run.model, run.quant_id or run.quant, run.runtime,
                run.context_tokens, run.decode_tok_s, _spread(run), before, after,
                run.prefill_tok_s, run.created[:16].replace("T", " "),
                run.machine.chip + ("" if run.machine.is_mac else " (no Mac)"), _note(run), run.id,
            )
        )  # fmt: skip
    return pd.DataFrame(rows, columns=list(COLUMNS))


def changed(before: pd.DataFrame, edited: pd.DataFrame) -> dict[str, bool]:
    """Which runs were switched: id -> whether it counts now."""
    merged = before[["id", "counts"]].merge(edited[["id", "counts"]], on="id")
    moved = merged[merged["counts_x"] != merged["counts_y"]]
    return dict(zip(moved["id"], moved["counts_y"].astype(bool), strict=True))


def _machine(catalog: Catalog, run: Run, runs: Sequence[Run]) -> Machine | None:
    """The Mac of a run with what all its runs taught; None where there is none in the catalog."""
    if not run.machine.is_mac:
        return None
    try:
        machine = catalog.machine_from_parts(
            run.machine.chip, run.machine.gpu_cores, run.machine.memory_gb
        )
    except InputError:
        return None
    return replace(machine, taught=own_runs.learnt(catalog, machine, runs).corrections)


def _predicted(catalog: Catalog, machine: Machine | None, run: Run) -> tuple[float, float]:
    """Decode speed of a run's case without and with what the runs taught [tok/s]."""
    known = machine is not None and own_runs.is_askable(catalog, run)
    if not known or machine is None or run.decode_tok_s is None:
        return np.nan, np.nan
    case = Cases(
        machine=np.array([0]),
        variant=np.array([catalog.variant_index(run.model_id, run.quant_id)]),
        runtime=np.array([catalog.runtime_ids.index(run.runtime)]),
        context_tokens=np.array([max(run.context_tokens, 1)], dtype=float),
        kv_bits=np.array(16),
        batch=np.array([run.batch]),
    )
    plain, own = (
        float(plan.answer(catalog, [one], case)["decode_tok_s"][0])
        for one in (replace(machine, taught=()), machine)
    )
    return plain, own


def _spread(run: Run) -> float:
    """Half of the run's own interval over its speed, in per cent."""
    if not (run.decode_tok_s and run.decode_low and run.decode_high):
        return np.nan
    return (run.decode_high - run.decode_low) / 2 / run.decode_tok_s * 100


def _note(run: Run) -> str:
    unmatched = "" if run.is_matched else "The catalog does not know this model: kept, unmatched."
    return " ".join(part for part in (unmatched, *run.warnings) if part)
