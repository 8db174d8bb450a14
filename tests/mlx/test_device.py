"""MLX's own facts about this computer, asked for in a process of its own."""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from advisor.mlx import device

ROOT = Path(__file__).resolve().parents[2]


def asked() -> dict:
    command = [sys.executable, "-m", "advisor.mlx.device"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_the_report_names_the_versions_that_are_installed():
    found = asked()

    assert (found["mlx"], found["mlx_lm"]) == (version("mlx"), version("mlx-lm"))
    assert found["backend"] in {"cpu", "metal"}
    assert found["device"]["device_name"]


def test_without_mlx_the_report_is_empty(monkeypatch):
    monkeypatch.setitem(sys.modules, "mlx.core", None)
    monkeypatch.setattr(device, "PACKAGES", {"mlx": "no-such-package", "mlx_lm": "no-such-package"})

    assert device.report() == {"mlx": "", "mlx_lm": "", "backend": "", "device": {}}


@pytest.mark.mac
def test_metal_tells_the_gpu_limit():
    """Its recorded twin: ``tests/detect/test_look.py``."""
    found = asked()

    assert found["backend"] == "metal"
    assert 0 < found["device"]["max_recommended_working_set_size"] < found["device"]["memory_size"]
