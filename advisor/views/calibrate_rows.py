"""Kept runs as a table to read: what was measured beside what is predicted, before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from advisor.advice import own_runs
from advisor.advice.what_follows import Follows
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.errors import InputError
from advisor.estimate import own_computer, plan
from advisor.estimate.cases import Cases
from advisor.estimate.own_computer import Learnt
from advisor.runs import Run

COLUMNS = ("counts", "model", "quant", "runtime", "context_tokens", "decode_tok_s", "spread",
           "predicted", "calibrated", "prefill_tok_s", "made", "machine", "note", "id")  # fmt: skip


class _Taught:
    """What all runs say of the machine of each, learnt once a machine."""

    def __init__(self, catalog: Catalog, runs: Sequence[Run]) -> None:
        self._catalog, self._runs = catalog, runs
        self._macs: dict[tuple[object, ...], Machine | None] = {}
        self._computers: dict[str, Learnt | None] = {}
        self.odd: set[str] = set()

    def speeds(self, run: Run) -> tuple[float, float]:
        """Decode speed of a run's case before any run and with those that count [tok/s]."""
        if run.decode_tok_s is None or not own_runs.is_askable(self._catalog, run):
            return np.nan, np.nan
        if not run.machine.is_mac:
            return np.nan, self._of_computer(run)
        machine = self._mac(run)
        return (np.nan, np.nan) if machine is None else _predicted(self._catalog, machine, run)

    def _mac(self, run: Run) -> Machine | None:
        """The Mac of a run with what it was taught; None where the catalog holds none such."""
        key = (run.machine.chip, run.machine.gpu_cores, run.machine.memory_gb)
        if key not in self._macs:
            try:
                machine = self._catalog.machine_from_parts(*key)
            except InputError:
                self._macs[key] = None
            else:
                found = own_runs.learnt(self._catalog, machine, self._runs)
                self.odd.update(found.odd)
                self._macs[key] = replace(machine, taught=found.corrections)
        return self._macs[key]

    def _of_computer(self, run: Run) -> float:
        chip, catalog = run.machine.chip, self._catalog
        if chip not in self._computers:
            own = [one for one in self._runs if own_runs.of_computer(catalog, chip, one)]
            self._computers[chip] = own_computer.learn(
                catalog,
                np.array([catalog.variant_index(one.model_id, one.quant_id) for one in own]),
                np.array([one.decode_tok_s for one in own], dtype=float),
            ) if own else None  # fmt: skip
        learnt = self._computers[chip]
        if learnt is None or run.runtime != "mlx-lm":
            return np.nan
        variant = np.array([catalog.variant_index(run.model_id, run.quant_id)])
        return float(learnt.decode_tok_s(catalog, variant)[0][0])


def table(catalog: Catalog, runs: Sequence[Run]) -> pd.DataFrame:
    """A row a run, the newest first; ``predicted`` and ``calibrated`` are tokens per second.

    Blank where nothing is predicted: a computer before any run, an unmatched model.
    """
    taught = _Taught(catalog, runs)
    ordered = sorted(runs, key=lambda one: (one.created, one.id), reverse=True)
    speeds = [taught.speeds(run) for run in ordered]
    rows = [
        (
            run.used, run.model_id or run.model, run.quant_id or run.quant, run.runtime,
            run.context_tokens, run.decode_tok_s, _spread(run), before, after, run.prefill_tok_s,
            run.created[:16].replace("T", " "),
            run.machine.chip + ("" if run.machine.is_mac else " (no Mac)"),
            _note(run, run.id in taught.odd), run.id,
        )
        for run, (before, after) in zip(ordered, speeds, strict=True)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=list(COLUMNS))


def follows(catalog: Catalog, rows: Sequence[Follows]) -> pd.DataFrame:
    """What follows for a few models, in people's words; columns without a figure left out."""
    found = pd.DataFrame(
        {
            "Model": [catalog.model(row.model_id).name for row in rows],
            "Before any run": [row.before for row in rows],
            "With your runs": [row.after for row in rows],
            "80 % interval": [f"{row.low:.1f}–{row.high:.1f}" for row in rows],
            "Measured": [row.measured for row in rows],
        }
    )
    return found.dropna(axis="columns", how="all")


def changed(before: pd.DataFrame, edited: pd.DataFrame) -> dict[str, bool]:
    """Which runs were switched: id -> whether it counts now."""
    merged = before[["id", "counts"]].merge(edited[["id", "counts"]], on="id")
    moved = merged[merged["counts_x"] != merged["counts_y"]]
    return dict(zip(moved["id"], moved["counts_y"].astype(bool), strict=True))


def _predicted(catalog: Catalog, machine: Machine, run: Run) -> tuple[float, float]:
    case = Cases(
        machine=np.array([0]),
        variant=np.array([catalog.variant_index(run.model_id, run.quant_id)]),
        runtime=np.array([catalog.runtime_ids.index(run.runtime)]),
        context_tokens=np.array([run.context_tokens or own_runs.DEFAULT_CONTEXT_TOKENS], float),
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


def _note(run: Run, is_odd: bool) -> str:
    parts = list(run.warnings)
    if is_odd:
        parts.insert(0, "Too far off the other runs to be used: measure it again.")
    if not run.is_matched:
        parts.insert(0, "The catalog does not know this model: kept, unmatched.")
    return " ".join(parts)
