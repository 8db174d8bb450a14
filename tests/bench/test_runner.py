"""Measuring processes are heard, stopped in time, and never outlive their parent."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.bench.lock import Lock
from advisor.bench.point import Point
from advisor.bench.runner import ROOT, Runner
from tests import small_models

FAKE = (sys.executable, "-m", "tests.bench.fake_child")
# `make chaos` asks for more.
KILLS = int(os.environ.get("TOLLBOOTH_KILLS", "10"))


def point(model: str, **changes) -> Point:
    return Point("slice", model, "mlx-4bit", **changes)


@pytest.fixture
def lock(tmp_path):
    return Lock(tmp_path / "lock")


def runner(lock, *models, **settings) -> Runner:
    return Runner([point(model) for model in models], command=FAKE, lock=lock, **settings)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")  # a zombie on Linux is gone; only nobody asked yet
    return not state.exists() or state.read_text().split()[2] != "Z"


def within(limit_s: float, holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + limit_s
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def is_gone(*pids: int) -> bool:
    return within(10, lambda: not any(is_alive(pid) for pid in pids))


def test_points_run_one_after_the_other(lock):
    events = list(runner(lock, "a", "b").events())

    assert [(event.number, event.kind) for event in events] == [
        (0, "start"), (0, "stage"), (0, "result"), (1, "start"), (1, "stage"), (1, "result"),
    ]  # fmt: skip
    assert events[-1].measurement.model == "b"


ENDS = {"refuse": ("refused", "No."), "bug": ("failed", "ZeroDivisionError: oops"),
        "crash": ("failed", "something terrible"), "chatter": ("result", "")}  # fmt: skip


@pytest.mark.parametrize(("model", "end"), ENDS.items(), ids=ENDS)
def test_every_end_is_told_and_the_next_point_runs(lock, model, end):
    events = list(runner(lock, model, "b").events())
    last = [event for event in events if event.number == 0][-1]

    assert last.kind == end[0]
    assert end[1] in last.text
    assert events[-1].kind == "result"


def test_a_point_that_takes_too_long_is_stopped(lock):
    events = list(runner(lock, "sleep", limit_s=1.0).events())

    assert events[-1].kind == "timed_out"
    assert is_gone(events[1].fields["pid"])


def test_a_cancel_stops_the_process_and_what_it_started(lock):
    running = runner(lock, "fork", "b")
    events = []
    for event in running.events():
        events.append(event)
        if event.kind == "progress":
            running.cancel()

    assert events[-1].kind == "cancelled"
    assert is_gone(*(event.fields["pid"] for event in events if "pid" in event.fields))


def test_nobody_who_stops_listening_leaves_a_process_behind(lock):
    events = runner(lock, "sleep").events()
    pid = [next(events), next(events)][-1].fields["pid"]

    events.close()

    assert is_gone(pid)
    assert Lock(lock.path).try_take()


def test_a_second_calibration_waits_and_says_so(lock):
    first = runner(lock, "sleep")
    second = runner(Lock(lock.path), "a")
    running = first.events()
    next(running), next(running)

    waiting = second.events()
    told = next(waiting)
    running.close()
    rest = [event.kind for event in waiting]

    assert (told.kind, "waits until it is done" in told.text) == ("waiting", True)
    assert rest[-1] == "result"


def test_waiting_can_be_cancelled(lock):
    lock.try_take()
    second = runner(Lock(lock.path), "a")
    waiting = second.events()
    next(waiting)

    second.cancel()

    assert list(waiting) == []


PARENT = """
import sys
from pathlib import Path
from advisor.bench.lock import Lock
from advisor.bench.point import Point
from advisor.bench.runner import Runner
points = [Point("slice", "quick", "q"), Point("slice", "fork", "q")]
for event in Runner(points, command={command!r}, lock=Lock(Path({path!r}))).events():
    print(event.kind, event.fields.get("pid", ""), flush=True)
"""


def start_parent(lock) -> subprocess.Popen:
    code = PARENT.format(command=FAKE, path=str(lock.path))
    return subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE,
                            text=True)  # fmt: skip


@pytest.mark.parametrize("turn", range(KILLS))
def test_no_process_outlives_a_killed_parent_or_child(lock, turn):
    parent = start_parent(lock)
    pids, finished = [], 0
    for line in parent.stdout:
        kind, _, pid = line.strip().partition(" ")
        finished += kind == "result"
        pids += [int(pid)] if pid else []
        if kind == "progress":  # the second point runs, and has started a process of its own
            break

    os.kill(parent.pid if turn % 2 else pids[-2], signal.SIGKILL)
    parent.wait(10)
    parent.stdout.close()

    assert finished == 1
    assert is_gone(*pids)
    # The last thread of a killed process gives its files back a moment after the first is gone.
    assert within(5, Lock(lock.path).try_take)


def test_a_real_slice_run_ends_in_a_result(lock):
    asked = Point("slice", "tiny", "mlx-4bit", small_models.dense(), 4, 64, "affine",
                  depths=(32,), limit_s=0.2)  # fmt: skip

    events = list(Runner([asked], lock=lock).events())

    assert events[-1].kind == "result", events[-1]
    assert events[-1].measurement.steps[0].step_s > 0
