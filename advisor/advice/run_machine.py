"""The machine that a run of this computer is filed under: its kind, never its owner."""

from __future__ import annotations

from advisor.detect import Detected
from advisor.runs.run import RunMachine
from advisor.units import GIB


def run_machine(found: Detected) -> RunMachine:
    """What was detected, as a run says it: no host name, no user, no serial number."""
    label = found.describe()
    if found.model_name and found.model_identifier:
        label = f"{found.model_name} ({found.model_identifier})"
    return RunMachine(
        chip=found.chip.removeprefix("Apple ") or found.architecture or "unknown",
        gpu_cores=found.gpu_cores,
        memory_gb=None if found.memory_bytes is None else round(found.memory_bytes / GIB, 1),
        macos=found.version if found.system == "macOS" else "",
        label=label,
        is_mac=found.is_mac,
    )
