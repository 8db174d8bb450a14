"""The one door to this computer: a command goes in, its text comes out.

Everything detection knows comes through ``Commands.run``, so a recording of the same texts
(``recorded``) stands in for a Mac of any kind.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Protocol

TIMEOUT_S = 10.0
ROOT = Path(__file__).resolve().parents[2]

UNAME = ("uname", "-srm")
SYSCTL = (
    "sysctl", "hw.model", "hw.memsize", "hw.ncpu", "hw.optional.arm64", "hw.nperflevels",
    *(f"hw.perflevel{level}.{key}" for level in range(3) for key in ("name", "physicalcpu")),
    "machdep.cpu.brand_string", "kern.osproductversion", "iogpu.wired_limit_mb",
)  # fmt: skip
HARDWARE = ("system_profiler", "SPHardwareDataType", "-json")
DISPLAYS = ("system_profiler", "SPDisplaysDataType", "-json")
VM_STAT = ("vm_stat",)
POWER = ("pmset", "-g", "batt")
POWER_MODE = ("pmset", "-g")
MLX = (sys.executable, "-m", "advisor.mlx.device")
CPUINFO = ("cat", "/proc/cpuinfo")
MEMINFO = ("cat", "/proc/meminfo")
RELEASE = ("cat", "/etc/os-release")

OF_MAC = (SYSCTL, HARDWARE, DISPLAYS, VM_STAT, POWER, POWER_MODE, MLX)
OF_LINUX = (CPUINFO, MEMINFO, RELEASE, MLX)


class Commands(Protocol):
    """Runs a command; the seam between detection and the computer it looks at."""

    def run(self, argv: tuple[str, ...]) -> str | None:
        """What the command prints, or None where it is missing, too slow or says nothing."""
        ...


class SystemCommands:
    """Commands of this computer. What one prints counts even where it fails at a part.

    ``sysctl`` prints the keys it knows and fails for one that an older macOS lacks.
    """

    def __init__(self, timeout_s: float = TIMEOUT_S) -> None:
        self.timeout_s = timeout_s

    def run(self, argv: tuple[str, ...]) -> str | None:
        # sysctl is where a short PATH does not look.
        path = os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin"
        try:
            process = subprocess.Popen(
                argv, cwd=ROOT, env={**os.environ, "PATH": path, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True,
            )  # fmt: skip
        except OSError:
            return None
        with process:
            try:
                printed, _ = process.communicate(timeout=self.timeout_s)
            except subprocess.TimeoutExpired:
                # A profiler starts others of its kind, which would hold the pipe open.
                os.killpg(process.pid, signal.SIGKILL)
                return None
        return printed.decode("utf-8", "replace") or None


def shown(argv: tuple[str, ...]) -> str:
    """A command as a person would type it, whatever this computer's Python is called."""
    return " ".join(("python", *argv[1:]) if argv[0] == sys.executable else argv)
