"""What disturbs a measurement, told with its evidence: load, throttling, sleep, little memory."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from advisor.bench import samples
from advisor.units import format_gib

BUSY_SHARE = 0.5
DRIFT = 0.08
WAITING = 1.25
SLEPT_S = 2.0
COMPILER = "g++"
# Never more than this share of what is free: the rest of the machine goes on working.
USABLE_SHARE = 0.6
# Where the system does not say what is free, a quarter of all memory is taken to be.
ASSUMED_FREE_SHARE = 0.25


def load_warning(load: float, cores: int) -> str:
    """A sentence where other programs keep the processors busy; "" where they don't."""
    if load <= BUSY_SHARE * cores:
        return ""
    return (
        f"Other work was running: the load average was {load:.1f} on {cores} cores before the "
        "run. Close other programs and measure again."
    )


def before(*, on_cpu: bool) -> list[str]:
    """Sentences about this moment: load, and a missing compiler where MLX needs one."""
    found = [load_warning(os.getloadavg()[0], os.cpu_count() or 1)]
    if on_cpu and shutil.which(COMPILER) is None:
        found.append(
            f"No compiler ({COMPILER}) was found, so MLX ran without the kernels it would compile "
            "and steps took longer."
        )
    return [sentence for sentence in found if sentence]


def drift_warning(times: Sequence[float]) -> str:
    """A sentence where the same step became slower from the first repeats to the last."""
    found = samples.drift(times)
    if found < DRIFT:
        return ""
    return (
        f"The same step took {found:.0%} longer at the end than at the start "
        f"({len(times)} repeats): the chip throttled, or other work began."
    )


def waiting_warning(wall_s: float, cpu_s: float) -> str:
    """A sentence where a CPU run waited for the processor; for runs on the CPU only."""
    if cpu_s <= 0 or wall_s / cpu_s < WAITING:
        return ""
    return (
        f"A step took {wall_s / cpu_s:.1f} times its own processor time: other work shared the "
        "cores, so the wall times are too long."
    )


class SleepWatch:
    """Tells whether the computer slept: its calendar went on while its stopwatch stood still."""

    def __init__(self) -> None:
        self._start = self._gap()

    def slept_s(self) -> float:
        """Seconds slept since the last call, 0 where it did not."""
        now = self._gap()
        slept, self._start = now - self._start, now
        return slept if slept > SLEPT_S else 0.0

    @staticmethod
    def _gap() -> float:
        return time.time() - time.perf_counter()


def free_bytes(meminfo: Path = Path("/proc/meminfo")) -> int:
    """Memory that could be taken now, as the system says, or a share of all of it [bytes]."""
    if meminfo.is_file():
        for line in meminfo.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return int(pages * ASSUMED_FREE_SHARE)


def memory_refusal(needed_bytes: float, most_bytes: float, what: str) -> str:
    """A sentence where a run needs more memory than it may take; "" where it does not."""
    if needed_bytes <= most_bytes:
        return ""
    return (
        f"{what} needs {format_gib(needed_bytes)} to be measured and {format_gib(most_bytes)} "
        "may be used here, so nothing was built. Close programs, or choose a smaller model or "
        "quantization."
    )
