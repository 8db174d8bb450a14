"""What the runs of this Mac that count say of everything it would run.

They travel with the machine (``Machine.taught``), so every page, the command line and every
export correct the numbers of this Mac, and of no other, in one place: the engine.
"""

from __future__ import annotations

import hashlib
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
    from advisor.runs import Run

# The depth that a run's speed is of where it says none, as in every file of runs.
DEFAULT_CONTEXT_TOKENS = 512


@dataclass(frozen=True)
class Taught:
    """What runs taught, which of them were used, and which were too odd to be."""

    corrections: tuple[Correction, ...] = ()
    used: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()


def teach(catalog: Catalog, machine: Machine) -> Machine:
    """The machine with what its own runs taught; as it was where there are none.

    A store that cannot be opened teaches nothing here: the Calibrate page says why.
    """
    found = taught(catalog, machine)
    if not found.corrections:
        return machine
    names = hashlib.sha256("".join(found.used).encode()).hexdigest()[:12]
    return replace(machine, taught=found.corrections, taught_by=names)


def taught(catalog: Catalog, machine: Machine) -> Taught:
    """What the store's runs of this machine say."""
    return _taught(catalog, bins(machine), machine.memory_gb, _stamp())


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
    names = np.array([run.id for run in own])
    return Taught(
        lesson.corrections, tuple(names[~lesson.odd].tolist()), tuple(names[lesson.odd].tolist())
    )


def of_machine(machine: Machine, run: Run) -> bool:
    """Whether a run is of a Mac with this machine's chip, and counts."""
    same_chip = run.machine.chip == machine.chip.name
    cores = run.machine.gpu_cores
    same_bin = cores is None or cores == machine.chip.gpu_cores or bool(machine.other_bins)
    return run.used and run.machine.is_mac and same_chip and same_bin


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
