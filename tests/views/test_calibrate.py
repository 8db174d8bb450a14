"""The Calibrate page measures, shows what comes in, keeps it, and lets runs count or not."""

import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from advisor.bench import runner
from advisor.runs import open_store
from advisor.views import calibrate
from tests.runs.examples import a_run

FAKE = (sys.executable, "-m", "tests.bench.fake_child")
RECORDED = Path(__file__).resolve().parents[1] / "recorded"


def page_script() -> None:
    from advisor.catalog import load
    from advisor.views import calibrate, frame

    frame.guarded(calibrate, load())


@pytest.fixture
def page(monkeypatch, tmp_path):
    """The page with measuring processes that only pretend, and a store of its own."""
    monkeypatch.setattr(runner, "COMMAND", FAKE)
    monkeypatch.setenv("TOLLBOOTH_LOCK", str(tmp_path / "lock"))
    monkeypatch.setenv("TOLLBOOTH_DATA", str(tmp_path / "data"))

    def draw() -> AppTest:
        app = AppTest.from_function(page_script, default_timeout=60).run()
        assert not app.exception
        assert not app.error
        return app

    return draw


def test_it_says_that_this_is_no_mac(page):
    assert any("no Mac's prediction comes from it" in one.value for one in page().markdown)


def test_on_a_mac_it_says_which(page, monkeypatch):
    monkeypatch.setenv("TOLLBOOTH_RECORDED", str(RECORDED / "m4-pro-48-macos-26.txt"))

    app = page()

    said = [one.value for one in app.markdown]
    assert any("M4 Pro" in one for one in said)
    assert not any("no Mac" in one for one in said)


def test_a_calibration_runs_to_its_end_and_its_runs_are_in_the_table(page):
    app = page()
    app.button(key="calibrate start").click().run()
    app.session_state[calibrate.JOB].join(60)

    app.run()

    assert "Done" in app.success[0].value
    with open_store() as store:
        kept = store.runs()
    assert len(kept) >= 6
    assert any(f"{len(kept):,} runs" in one.label for one in app.get("download_button"))


def test_another_window_finds_the_calibration_that_runs(page):
    first = page()
    first.button(key="calibrate start").click().run()
    job = first.session_state[calibrate.JOB]

    second = page()

    assert second.session_state[calibrate.JOB] is job or job.progress.done
    job.cancel()
    job.join(60)


def test_a_cancel_keeps_what_is_finished(page):
    app = page()
    app.button(key="calibrate start").click().run()
    job = app.session_state[calibrate.JOB]
    job.cancel()
    job.join(60)

    app.run()

    assert job.progress.done
    assert app.button(key="calibrate start")


def test_a_choice_without_a_model_cannot_be_started(page):
    app = page()
    app.session_state["calibrate what"] = calibrate.CHOSEN

    app.run()

    assert any("Choose a model" in one.value for one in app.caption)
    assert "calibrate start" not in [one.key for one in app.button]


def test_kept_runs_are_shown_with_their_place(page):
    with open_store() as store:
        store.add(a_run())

    app = page()

    assert any("Kept in" in one.value for one in app.caption)


def test_a_broken_store_is_a_sentence(page, tmp_path):
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data" / "runs.sqlite3").write_text("no database")

    assert any("store of runs" in one.value for one in page().warning)
