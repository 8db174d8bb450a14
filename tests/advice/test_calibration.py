"""Points fit the computer, and each finished run is in the store before the next begins."""

import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

from advisor.advice import calibration
from advisor.bench.lock import Lock
from advisor.bench.measurement import PromptAt
from advisor.bench.point import Point
from advisor.bench.runner import ROOT, Runner
from advisor.catalog import load
from advisor.detect import Detected
from advisor.errors import InputError
from advisor.runs import RunMachine, open_store
from advisor.units import GIB
from tests.bench.test_measurement import FOUND
from tests.bench.test_runner import FAKE, KILLS

LINUX = Detected("other", "Linux", "6", "x86_64", chip="Xeon", mlx_backend="cpu")
MAC = Detected("mac", "macOS", "26.1", "arm64", chip="Apple M4", memory_bytes=16 * GIB,
               in_use_bytes=6 * GIB, metal_limit_bytes=11 * GIB, mlx_backend="metal")  # fmt: skip
MACHINE = RunMachine(chip="M4", gpu_cores=10, memory_gb=16, macos="26.1")


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


def test_a_measurement_is_a_run_for_each_depth_and_prompt():
    found = replace(FOUND, model="qwen3-0.6b", prompts=(PromptAt(128, 0.5, 0.4, 0.6, 3),))

    step, prompt = calibration.runs_of(load(), found, MACHINE)

    assert (step.context_tokens, step.decode_tok_s) == (512, 50)
    assert (step.decode_low, step.decode_high) == (1 / 0.021, 1 / 0.019)
    assert (prompt.prompt_tokens, prompt.prefill_tok_s) == (128, 256)
    assert {run.model_id for run in (step, prompt)} == {"qwen3-0.6b"}
    assert step.settings["how"] == "How."


def test_a_spread_wider_than_the_step_has_no_upper_end():
    wide = replace(FOUND.steps[0], low_s=-0.01, samples=(0.02, -0.01))

    (step, _) = calibration.runs_of(load(), replace(FOUND, steps=(wide,)), MACHINE)

    assert (step.decode_high, step.samples) == (None, (0.02,))


def test_figures_of_another_chip_are_filed_under_it():
    other = replace(FOUND, kind="imported", device="Apple M2 Max", runtime="llama.cpp")

    assert calibration.runs_of(load(), other, MACHINE)[0].machine.chip == "M2 Max"


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
