"""What MLX computes on here: Metal on a Mac, the CPU elsewhere; its memory and its versions."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from typing import Any

from advisor.mlx import models


@dataclass(frozen=True)
class Backend:
    """How this computer measures.

    metal     whether MLX runs on the GPU of a Mac
    device    what MLX calls the device, "Apple M4 Pro"; elsewhere the processor
    dtype     the dtype of activations and scales: bfloat16 on Metal, float32 on the CPU, where
              16-bit floats take ten times as long
    """

    metal: bool
    device: str
    dtype: str
    mlx_version: str
    mlx_lm_version: str

    @property
    def says(self) -> str:
        """One sentence about what a measurement here stands for."""
        if self.metal:
            return f"Measured on the GPU of this Mac ({self.device}), MLX {self.mlx_version}."
        return (
            f"Measured on MLX's CPU backend in {self.dtype}: "
            "this measures this computer, not a Mac."
        )


def here() -> Backend:
    """What MLX runs on here. Raises ``InputError`` where mlx-lm cannot be imported."""
    models.require()
    import mlx.core as mx

    metal = bool(mx.metal.is_available())
    named = mx.device_info().get("device_name") if metal else None
    return Backend(
        metal=metal,
        device=str(named or platform.processor() or platform.machine()),
        dtype="bfloat16" if metal else "float32",
        mlx_version=str(getattr(mx, "__version__", "")),
        mlx_lm_version=models.version(),
    )


def dtype(backend: Backend) -> Any:
    """The MLX dtype of activations and scales."""
    import mlx.core as mx

    return getattr(mx, backend.dtype)


def prepare(seed: int = 0) -> None:
    """Start a measurement: the same random numbers, weights kept in memory as mlx-lm keeps them."""
    import mlx.core as mx

    mx.random.seed(seed)
    mx.reset_peak_memory()
    most = mx.device_info().get("max_recommended_working_set_size") if here().metal else None
    if most:
        mx.set_wired_limit(int(most))


def peak_bytes() -> int:
    """The most memory MLX has held in this process since ``prepare`` [bytes]."""
    import mlx.core as mx

    return int(mx.get_peak_memory())


def release() -> None:
    """Give memory that nothing uses back to the system."""
    import gc

    import mlx.core as mx

    gc.collect()
    mx.clear_cache()
