"""``this`` as a machine: detection put before the catalog, for the pages and the command line.

The catalog knows no computer, and detection knows no engine; here they meet. What is detected
is kept until ``look_again``: the memory in use is that of one moment, said with it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from advisor.advice import own_runs
from advisor.catalog import Catalog
from advisor.catalog.machines import macos_version
from advisor.catalog.shapes import Machine
from advisor.detect import THIS, Detected, look, machine, this_computer
from advisor.detect.look import DARWIN, kernel
from advisor.detect.recorded import VARIABLE
from advisor.detect.this_mac import rules_version
from advisor.errors import InputError
from advisor.estimate.budget import default_gpu_limit_bytes
from advisor.units import GIB, MIB

METAL, SYSCTL, TABLE = "Metal", "sysctl iogpu.wired_limit_mb", "the catalog's table"


@dataclass(frozen=True)
class GpuLimit:
    """What macOS lets the GPU hold [bytes], and who says so."""

    bytes: int
    told_by: str  # METAL, SYSCTL or TABLE


@dataclass(frozen=True)
class Seen:
    """What was found, and when."""

    found: Detected
    at: datetime  # local time


def seen() -> Seen:
    """What this computer is, as it was when it was last looked at."""
    return _seen(os.environ.get(VARIABLE, ""))


def detected() -> Detected:
    """What this computer is, as it was when it was last looked at."""
    return seen().found


def look_again() -> None:
    """Forget what was detected: the next question looks at the computer anew."""
    _seen.cache_clear()


def name() -> str:
    """ "This Mac" or "This computer", for a list of machines; asks no more than the system."""
    return "This Mac" if _kernel(os.environ.get(VARIABLE, "")) == DARWIN else "This computer"


@lru_cache(maxsize=4)
def _seen(recording: str) -> Seen:
    return Seen(look(this_computer()), datetime.now().astimezone())


@lru_cache(maxsize=4)
def _kernel(recording: str) -> str:
    return kernel(this_computer())


def find(
    catalog: Catalog,
    machine_id: str,
    *,
    macos: int | float | str | None = None,
    wired_limit_mib: float | None = None,
    in_use_gb: float | None = None,
) -> Machine:
    """The machine of a catalog id, or of ``this``: the Mac it is asked on.

    With ``this`` what is not given is what the Mac says. Another ``macos`` than its own is a
    question of what would be: then the limit is that version's by rule. What the runs of this
    Mac taught goes with the machine, and a part of it with every other.
    Raises ``InputError`` where there is no such machine, or this is no Mac.
    """
    if machine_id.strip().lower() != THIS:
        other = catalog.machine(
            machine_id, macos=macos, wired_limit_mib=wired_limit_mib, in_use_gb=in_use_gb
        )
        return with_own_runs(catalog, other)
    this = machine(catalog, detected(), wired_limit_mib=wired_limit_mib, in_use_gb=in_use_gb)
    this = own_runs.teach(catalog, this)
    if macos is None or macos_version(catalog, macos) == this.macos:
        return this
    return replace(this, macos=macos_version(catalog, macos), default_limit_bytes=None)


def with_own_runs(catalog: Catalog, other: Machine) -> Machine:
    """A Mac with what carries over to it from the runs of this one; as it was without any."""
    if not own_runs.are_kept() or _kernel(os.environ.get(VARIABLE, "")) != DARWIN:
        return other
    try:
        this = machine(catalog, detected())
    except InputError:
        return other
    return own_runs.carry(catalog, this, other)


def gpu_limit(catalog: Catalog, found: Detected) -> GpuLimit | None:
    """The GPU limit of a Mac with Apple silicon; None for another computer.

    Metal's own figure if MLX could ask it, else a wired limit that is set, else the rule of
    this macOS and memory size.
    """
    if not found.is_mac or found.memory_bytes is None:
        return None
    if found.metal_limit_bytes:
        return GpuLimit(found.metal_limit_bytes, METAL)
    if found.wired_limit_mib:
        return GpuLimit(found.wired_limit_mib * MIB, SYSCTL)
    macos, _ = rules_version(catalog, found.version)
    memory_gb = round(found.memory_bytes / GIB)
    return GpuLimit(default_gpu_limit_bytes(catalog.memory_rules, memory_gb, macos), TABLE)
