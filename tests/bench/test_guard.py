"""What disturbs a run is said with its evidence, and memory is refused in time."""

import time

import pytest

from advisor.bench import guard
from advisor.units import GIB


def test_load_is_told_with_its_figure():
    assert guard.load_warning(0.4, 8) == ""
    assert "load average was 6.1 on 8 cores" in guard.load_warning(6.1, 8)


def test_a_missing_compiler_is_told_where_mlx_needs_one(monkeypatch):
    monkeypatch.setattr("os.getloadavg", lambda: (0.0, 0.0, 0.0))
    monkeypatch.setenv("PATH", "")

    assert guard.before(on_cpu=False) == []
    assert "No compiler" in guard.before(on_cpu=True)[0]


def test_a_step_that_slows_down_is_told():
    assert guard.drift_warning([1.0] * 9) == ""
    assert "15% longer" in guard.drift_warning([1.0, 1.0, 1.0, 1.0, 1.15, 1.15])


def test_waiting_for_the_processor_is_told():
    assert guard.waiting_warning(1.1, 1.0) == ""
    assert "2.0 times" in guard.waiting_warning(2.0, 1.0)


def test_sleep_is_what_the_calendar_counts_and_the_stopwatch_does_not(monkeypatch):
    calendar = time.time
    watch = guard.SleepWatch()

    assert watch.slept_s() == 0
    monkeypatch.setattr(time, "time", lambda: calendar() + 3600)
    assert watch.slept_s() == pytest.approx(3600, abs=1)
    assert watch.slept_s() == 0


def test_free_memory_is_what_the_system_says(tmp_path):
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal:       16384 kB\nMemAvailable:    4096 kB\n")

    assert guard.free_bytes(meminfo) == 4096 * 1024
    assert guard.free_bytes(tmp_path / "none") > GIB // 4


def test_too_much_memory_is_refused_in_a_sentence():
    assert guard.memory_refusal(1 * GIB, 2 * GIB, "x") == ""
    assert guard.memory_refusal(3 * GIB, 2 * GIB, "llama 4bit").startswith(
        "llama 4bit needs 3.0 GiB to be measured and 2.0 GiB may be used here"
    )
