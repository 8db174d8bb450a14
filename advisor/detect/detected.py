"""What was found out about a computer: facts, and a sentence for each that is missing."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.detect.mac_outputs import CoreClass

APPLE_SILICON, INTEL_MAC, VIRTUAL_MAC, OTHER = "mac", "intel-mac", "virtual-mac", "other"


@dataclass(frozen=True)
class Detected:
    """A computer as it is now; None or "" where it does not say.

    ``metal_limit_bytes`` is the GPU limit that Metal reports through MLX, a wired limit that
    somebody set included. ``wired_limit_mib`` is that setting, None for macOS's own limit.
    """

    kind: str  # "mac" (Apple silicon), "intel-mac", "virtual-mac" or "other"
    system: str  # "macOS", "Debian GNU/Linux 12 (bookworm)"
    version: str  # "26.5.1", or a kernel's
    architecture: str  # "arm64", "x86_64"
    chip: str = ""  # "Apple M4 Pro"
    model_name: str = ""  # "MacBook Pro"
    model_identifier: str = ""  # "Mac16,8"
    cpu_cores: int | None = None
    cpu_classes: tuple[CoreClass, ...] = ()
    gpu_cores: int | None = None
    memory_bytes: int | None = None
    in_use_bytes: int | None = None  # held by programs at this moment, wired and compressed too
    wired_limit_mib: int | None = None
    metal_limit_bytes: int | None = None
    power_source: str = ""  # "mains" or "battery"
    low_power_mode: bool | None = None
    mlx_version: str = ""
    mlx_lm_version: str = ""
    mlx_backend: str = ""  # "metal" or "cpu"
    missing: tuple[str, ...] = ()  # a sentence for each fact that could not be found out

    @property
    def is_mac(self) -> bool:
        """A Mac with Apple silicon: what predictions for Macs can be about."""
        return self.kind == APPLE_SILICON

    def describe(self) -> str:
        """ "a Mac with Apple M4 Pro (Mac16,8)": what it is, in words."""
        chip = self.chip or "a chip that it does not name"
        named = f" ({self.model_identifier})" if self.model_identifier else ""
        if self.kind == APPLE_SILICON:
            return f"a Mac with {chip}{named}"
        if self.kind == INTEL_MAC:
            return f"a Mac with an Intel processor{named}"
        if self.kind == VIRTUAL_MAC:
            return f"a virtual Mac ({chip})"
        processor = ", ".join(part for part in (self.chip, self.architecture) if part)
        return f"a computer with {self.system} ({processor})"
