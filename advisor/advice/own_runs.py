"""What the runs of this Mac that count say of everything it would run, and of other Macs.

They travel with the machine (``Machine.taught``), so every page, the command line and every
export correct a number in one place: the engine. Macs that were not measured get a part of it,
with wider intervals (``Correction.on_other_macs``).
"""

from __future__ import annotations

import hashlib
import math
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.errors import InputError
from advisor.estimate.cases import Cases
from advisor.estimate.corrections import Correction, bins
from advisor.estimate.learning import learn

if TYPE_CHECKING:
    import pandas as pd

    from advisor.runs import Run

# The depth that a run's speed is of where it says none, as in every file of runs.
DEFAULT_CONTEXT_TOKENS = 512
# A run this many times shorter or longer than what is asked is still one of it.
NEAR = 1.5


@dataclass(frozen=True)
class Taught:
    """What runs taught, which of them were used, and which were too odd to be."""

    corrections: tuple[Correction, ...] = ()
    used: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()
    carried: tuple[Correction, ...] = ()  # the same for other Macs
    runs: tuple[Run, ...] = ()  # those that were used


def teach(catalog: Catalog, machine: Machine) -> Machine:
    """The machine with what its own runs taught; as it was where there are none.

    A store that cannot be opened teaches nothing here: the Calibrate page says why.
    """
    found = taught(catalog, machine)
    if not found.corrections:
        return machine
    return replace(machine, taught=found.corrections, taught_by=_name(found))


def carry(catalog: Catalog, this: Machine, other: Machine) -> Machine:
    """Another Mac with the part of what this one's runs taught that carries over to it."""
    found = taught(catalog, this)
    if not found.carried:
        return other
    return replace(other, taught=found.carried, taught_by=f"carried {_name(found)}")


def are_kept() -> bool:
    """Whether there is a store at all: what to ask before anything that takes time."""
    return bool(_stamp())


def measured(
    catalog: Catalog, this: Machine, model_id: str, quant_id: str, runtime: str, tokens: float
) -> Run | None:
    """The used run of this Mac nearest to a choice and context, whole models before slices.

    None where none is near: another choice, or a context more than ``NEAR`` times off.
    """
    asked = max(tokens, DEFAULT_CONTEXT_TOKENS)

    def off(run: Run) -> float:
        return abs(math.log(max(run.context_tokens, DEFAULT_CONTEXT_TOKENS) / asked))

    near = [
        run
        for run in taught(catalog, this).runs
        if (run.model_id, run.quant_id, run.runtime) == (model_id, quant_id, runtime)
        and run.decode_tok_s is not None and run.batch == 1 and off(run) <= math.log(NEAR)
    ]  # fmt: skip
    # The newest of the nearest: runs are in the order they were made.
    return min(reversed(near), key=lambda run: (run.kind == "slice", off(run)), default=None)


def taught(catalog: Catalog, machine: Machine) -> Taught:
    """What the store's runs of this machine say."""
    return _taught(catalog, bins(machine), machine.memory_gb, _stamp())


def measured_tok_s(
    catalog: Catalog, machines: Sequence[Machine], table: pd.DataFrame
) -> list[float]:
    """For each row of the engine's table what was measured of it itself; NaN where nothing was."""
    own = {each.id: each for each in machines if any(not one.carried for one in each.taught)}
    names = ("machine_id", "model_id", "quant_id", "runtime", "context_tokens")
    found = []
    for machine_id, *choice in zip(*(table[name].tolist() for name in names), strict=True):
        this = own.get(machine_id)
        run = None if this is None else measured(catalog, this, *choice)
        found.append(math.nan if run is None else run.decode_tok_s or math.nan)
    return found


def learnt(catalog: Catalog, machine: Machine, runs: Sequence[Run]) -> Taught:
    """What some runs say: those that count, of this chip, on a Mac, matched with the catalog."""
    own = [run for run in runs if of_machine(machine, run) and is_askable(catalog, run)]
    if not own:
        return Taught()
    nothing = float("nan")
    lesson = learn(
        catalog,
        [machine],
        Cases(
            machine=np.zeros(len(own), dtype=int),
            variant=np.array([catalog.variant_index(r.model_id, r.quant_id) for r in own]),
            runtime=np.array([catalog.runtime_ids.index(run.runtime) for run in own]),
            context_tokens=np.array([run.context_tokens or DEFAULT_CONTEXT_TOKENS for run in own],
                                    dtype=float),
            kv_bits=np.array(16),
            batch=np.array([run.batch for run in own]),
        ),
        np.array([run.decode_tok_s or nothing for run in own]),
        np.array([run.prefill_tok_s or nothing for run in own]),
    )  # fmt: skip
    used = [run for run, odd in zip(own, lesson.odd, strict=True) if not odd]
    return Taught(
        lesson.corrections,
        tuple(run.id for run in used),
        tuple(run.id for run, odd in zip(own, lesson.odd, strict=True) if odd),
        tuple(one.on_other_macs(machine.chip.name) for one in lesson.corrections),
        tuple(used),
    )


def _name(found: Taught) -> str:
    """What tells these runs from others, for caches."""
    return hashlib.sha256("".join(found.used).encode()).hexdigest()[:12]


def of_machine(machine: Machine, run: Run) -> bool:
    """Whether a run is of a Mac with this machine's chip, and counts."""
    same_chip = run.machine.chip == machine.chip.name
    cores = run.machine.gpu_cores
    same_bin = cores is None or cores == machine.chip.gpu_cores or bool(machine.other_bins)
    return run.used and run.machine.is_mac and same_chip and same_bin


def of_computer(catalog: Catalog, chip: str, run: Run) -> bool:
    """Whether a run tells the speed in MLX of a computer that is no Mac, and counts."""
    ours = run.used and not run.machine.is_mac and run.machine.chip == chip
    is_speed = run.decode_tok_s is not None and run.batch == 1 and run.runtime == "mlx-lm"
    return ours and is_speed and is_askable(catalog, run)


def is_askable(catalog: Catalog, run: Run) -> bool:
    """Whether the engine can be asked for what a run measured."""
    return (
        run.is_matched
        and run.model_id in catalog.model_ids
        and run.quant_id in catalog.quants
        and run.runtime in catalog.runtimes
    )


@lru_cache(maxsize=16)
def _taught(
    catalog: Catalog, chip_ids: frozenset[str], memory_gb: int | None, stamp: tuple[object, ...]
) -> Taught:
    if not stamp:
        return Taught()
    from advisor.runs import open_store

    chips = [catalog.chip(chip_id) for chip_id in sorted(chip_ids)]
    machine = Machine("", "", chips[0], memory_gb, other_bins=tuple(chips[1:]))
    try:
        with open_store() as store:
            return learnt(catalog, machine, store.runs(used=True))
    except InputError:
        return Taught()


def _stamp() -> tuple[object, ...]:
    """What changes with the store: its files' times; () where there is none yet."""
    from advisor.runs.place import store_url

    try:
        url = store_url()
    except InputError:
        return ()
    if url.drivername != "sqlite":
        # A shared database is asked anew every few seconds.
        return (url.render_as_string(), int(time.monotonic() / 5))
    path = Path(str(url.database))
    files = [path, path.with_name(path.name + "-wal")]
    return tuple((str(f), os.stat(f).st_mtime_ns, os.stat(f).st_size) for f in files if f.exists())
