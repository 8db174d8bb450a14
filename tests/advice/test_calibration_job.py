"""A calibration in the background tells what it does, keeps what is finished, stops when told."""

import sys
import time

import pytest

from advisor.advice import calibration, this_machine
from advisor.advice.calibration_job import Job, running
from advisor.bench import runner
from advisor.bench.runner import Event
from advisor.catalog import load
from advisor.runs import open_store

FAKE = (sys.executable, "-m", "tests.bench.fake_child")


@pytest.fixture
def job(monkeypatch, tmp_path):
    """A job of two models whose measuring processes only pretend."""
    monkeypatch.setattr(runner, "COMMAND", FAKE)
    monkeypatch.setenv("TOLLBOOTH_LOCK", str(tmp_path / "lock"))
    monkeypatch.setenv("TOLLBOOTH_DATA", str(tmp_path / "data"))
    points = calibration.choose(
        load(), this_machine.detected(), models=["qwen3-0.6b", "qwen3-1.7b"], quick=True
    )
    return Job(load(), points)


def test_it_ends_with_every_run_kept(job):
    job.start()
    job.join(60)

    now = job.progress
    assert now.done
    assert not now.cancelled
    assert now.finished == now.total
    with open_store() as store:
        assert len(store.runs()) == now.kept > 0


def test_a_cancel_before_the_start_measures_nothing(job):
    job.cancel()
    job.start()
    job.join(60)

    assert job.progress.done
    assert job.progress.kept == 0


def test_figures_are_told_as_they_come_in(job):
    point = job._points[0]
    decode = {"decode_tok_s": 40.0, "context_tokens": 512, "repeats": 3}
    prompt = {"prefill_tok_s": 300.0, "prompt_tokens": 2048, "repeats": 2}
    for fields in (decode, prompt):
        job._take(Event("numbers", point, 0, "", fields), 0)
    job._take(Event("warning", point, 0, "On battery."), 0)

    now = job.progress
    assert [(line.what, line.tok_s) for line in now.lines] == [
        ("decode at 512 tokens", 40.0), ("a prompt of 2,048 tokens", 300.0),
    ]  # fmt: skip
    assert now.notes == [f"{point.label}: On battery."]


def test_what_is_read_while_it_runs_is_a_copy(job):
    now = job.progress
    now.lines.append("mine")

    assert job.progress.lines == []


def test_a_store_that_cannot_be_opened_is_a_sentence(job, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "runs.sqlite3").write_text("no database")

    job.start()
    job.join(60)

    assert job.progress.done
    assert "store of runs" in job.progress.notes[0]


def test_time_passes_without_blocking(job):
    began = time.monotonic()
    job.start()

    assert time.monotonic() - began < 1
    job.cancel()
    job.join(60)


def test_whoever_looks_finds_the_one_that_runs(job):
    assert running() is None
    job.start()

    assert running() is job
    job.cancel()
    job.join(60)
    assert running() is None


def test_a_second_waits_and_says_so(job):
    """Its measuring processes would slow those of the first."""
    from advisor.bench.lock import WAITING, Lock

    lock = Lock()
    assert lock.try_take()
    job.start()
    while not job.progress.waiting:
        time.sleep(0.01)

    assert job.progress.waiting == WAITING
    lock.release()
    job.join(60)
    assert job.progress.finished == job.progress.total
