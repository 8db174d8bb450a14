"""Points fit the computer, and each finished run is in the store before the next begins."""

import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from advisor.advice import calibration
from advisor.bench.lock import Lock
from advisor.bench.point import Point
from advisor.bench.runner import ROOT, Runner
from advisor.catalog import load
from advisor.detect import Detected
from advisor.errors import InputError
from advisor.runs import open_store
from advisor.units import GIB
from tests.bench.test_runner import FAKE, KILLS

LINUX = Detected("other", "Linux", "6", "x86_64", chip="Xeon", mlx_backend="cpu")
MAC = Detected("mac", "macOS", "26.1", "arm64", chip="Apple M4", memory_bytes=16 * GIB,
               in_use_bytes=6 * GIB, metal_limit_bytes=11 * GIB, mlx_backend="metal")  # fmt: skip


def test_a_mac_measures_longer_contexts_than_a_cpu():
    mac, linux = (calibration.choose(load(), found, quick=True) for found in (MAC, LINUX))

    assert max(mac[0].depths) > max(linux[0].depths)
    assert len(mac) == len(linux) == 6


def test_a_mac_gives_a_share_of_what_is_free():
    assert calibration.most_bytes(MAC) == int(10 * GIB * 0.6)
    assert calibration.most_bytes(LINUX) is None


def test_without_mlx_it_is_told():
    with pytest.raises(InputError, match="MLX does not run"):
        calibration.choose(load(), replace(LINUX, mlx_backend=""))


def test_a_run_is_kept_before_the_next_point_starts(tmp_path):
    points = [Point("slice", model, "q") for model in ("a", "b")]
    running = Runner(points, command=FAKE, lock=Lock(tmp_path / "lock"))
    with open_store(str(tmp_path / "store")) as store:
        kept = calibration.Calibration(load(), store, points, found=LINUX, runner=running)
        seen = [(one.event.kind, len(store.runs())) for one in kept.events()]

    assert seen == [
        ("start", 0), ("stage", 0), ("result", 1), ("start", 1), ("stage", 1), ("result", 2),
    ]  # fmt: skip


PARENT = """
import sys
from pathlib import Path
from advisor.advice.calibration import Calibration
from advisor.bench.lock import Lock
from advisor.bench.point import Point
from advisor.bench.runner import Runner
from advisor.catalog import load
from advisor.detect import Detected
from advisor.runs import open_store
found = Detected("other", "Linux", "6", "x86_64", mlx_backend="cpu")
points = [Point("slice", "quick", "q")] * 50
running = Runner(points, command={command!r}, lock=Lock(Path({path!r}) / "lock"))
with open_store({path!r} + "/store") as store:
    for one in Calibration(load(), store, points, found=found, runner=running).events():
        if one.kept:
            print("kept", flush=True)
"""


@pytest.mark.parametrize("turn", range(max(1, KILLS // 5)))
def test_every_finished_run_is_there_after_a_kill(tmp_path, turn):
    code = PARENT.format(command=FAKE, path=str(tmp_path))
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    told = 0
    for _ in parent.stdout:
        told += 1
        if told > turn % 3:
            break

    os.kill(parent.pid, signal.SIGKILL)
    told += len(parent.stdout.read().splitlines())
    parent.wait(10)
    parent.stdout.close()

    with open_store(str(tmp_path / "store")) as store:
        assert len(store.runs()) in (told, told + 1)  # kept, and perhaps killed before it said so
