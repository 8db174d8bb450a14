"""What MLX says of this computer: its versions, the backend it runs on, the device it found.

``python -m advisor.mlx.device`` prints it as JSON. It is asked in a process of its own, since
a Metal that cannot start ends the whole process.
"""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from typing import Any

PACKAGES = {"mlx": "mlx", "mlx_lm": "mlx-lm"}


def versions() -> dict[str, str]:
    """Installed versions of mlx and mlx-lm by import name; "" where one is not installed."""
    return {name: _version(package) for name, package in PACKAGES.items()}


def report() -> dict[str, Any]:
    """Versions, ``backend`` ("metal", "cpu" or "" without MLX) and ``device``, MLX's own facts.

    On a Mac ``device`` holds ``max_recommended_working_set_size``, the GPU limit [bytes], with
    ``memory_size``, ``max_buffer_length`` and ``device_name``.
    Source: MLX, ``mx.device_info`` (``mx.metal.device_info`` before MLX 0.30).
    """
    found: dict[str, Any] = {**versions(), "backend": "", "device": {}}
    try:
        import mlx.core as mx
    except ImportError:
        return found
    ask = getattr(mx, "device_info", None) or mx.metal.device_info
    return {**found, "backend": "metal" if mx.metal.is_available() else "cpu", "device": ask()}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


if __name__ == "__main__":
    print(json.dumps(report()))
