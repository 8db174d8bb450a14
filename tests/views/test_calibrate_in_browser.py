"""A real calibration in a real browser, to its end and cancelled, and what it changes."""

import json

import pytest

from advisor.advice.what_follows import ON_A_COMPUTER
from advisor.catalog import load
from advisor.runs import jsonl, open_store
from tests.browser import open_page, running_app, settle
from tests.views.reading import fit, grid
from tests.views.test_calibrate import RECORDED

FOLLOWS = "Speeds of a few models, before and after"
FIT = "Models that fit, with verdict, speed and size"
# As long as six points may take on a busy machine [ms].
END_MS = 400_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("calibrated")


def environment(folder) -> dict[str, str]:
    return {"TOLLBOOTH_DATA": str(folder), "TOLLBOOTH_LOCK": str(folder / "lock")}


@pytest.fixture(scope="module")
def own_app(browser, folder):
    """The app with a store of its own, on this computer as it is."""
    with running_app(**environment(folder)) as url:
        yield f"{url}/calibrate"


def store_of(folder):
    return open_store(str(folder / "runs.sqlite3"))


def test_a_cancel_stops_it_at_once(page, own_app, folder):
    open_page(page, own_app)
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Cancel").click()

    page.get_by_text("Cancelled:").wait_for(timeout=END_MS)

    settle(page)
    assert page.get_by_role("button", name="Start").is_enabled()
    with store_of(folder) as store:
        assert len(store.runs()) < 3


def test_a_quick_calibration_runs_to_its_end_and_changes_the_predictions(page, own_app, folder):
    open_page(page, own_app)
    with store_of(folder) as store:
        store.set_used(None, False)  # what the cancelled one may have finished
    page.reload()
    settle(page)
    assert page.get_by_text("What follows for this computer").count() == 0
    assert page.get_by_text("6 points").count() == 1

    page.get_by_role("button", name="Start").click()
    page.get_by_text("1 of 6").wait_for()
    page.get_by_text("Done:").wait_for(timeout=END_MS)

    settle(page)
    after = {row["Model"]: float(row["With your runs"]) for row in grid(page, FOLLOWS)}
    assert set(after) == {load().model(model_id).name for model_id in ON_A_COMPUTER}
    with store_of(folder) as store:
        kept = store.runs(used=True)
        few = [run.id for run in kept if run.model_id != "smollm2-360m"]
        store.set_used(few, False)
    assert len({(run.model_id, run.quant_id) for run in kept}) == 6
    assert not any(run.machine.is_mac for run in kept)
    page.reload()
    settle(page)
    fewer = {row["Model"]: float(row["With your runs"]) for row in grid(page, FOLLOWS)}
    assert fewer != after


def test_runs_brought_in_change_this_mac_on_the_fit_page(page, browser, tmp_path):
    """On an M4 Pro as it was recorded; its runs took a quarter longer than predicted."""
    own = environment(tmp_path) | {"TOLLBOOTH_RECORDED": str(RECORDED / "m4-pro-48-macos-26.txt")}
    before = fit("this", **own)
    lines = [
        {"format": jsonl.FORMAT, "version": jsonl.VERSION, "id": "", "kind": "whole",
         "created": "2026-12-01T10:00:00Z", "runtime": "mlx-lm", "model": model, "quant": "4bit",
         "machine": {"chip": "M4 Pro", "gpu_cores": 16, "memory_gb": 48}, "context_tokens": 8192,
         "decode_tok_s": before[model, "mlx-4bit"]["decode_tok_s"] * 0.8}
        for model in ("qwen3-8b", "llama-3.1-8b", "qwen3-4b")
    ]  # fmt: skip
    page.set_viewport_size({"width": 2400, "height": 1000})
    with running_app(**own) as url:
        open_page(page, f"{url}/calibrate")
        page.get_by_text("Bring in runs").click()
        page.locator("input[type=file]").set_input_files(
            {"name": "runs.jsonl", "mimeType": "text/plain",
             "buffer": "\n".join(map(json.dumps, lines)).encode()}
        )  # fmt: skip
        settle(page)
        page.get_by_role("button", name="Bring in", exact=True).click()
        page.get_by_text("3 new runs").wait_for()
        settle(page)
        assert grid(page, FOLLOWS)
        open_page(page, f"{url}/fit?a=this&b=this&q=qwen3-14b+mlx-4bit&quants=all")
        (row,) = grid(page, FIT)
    after = fit("this", **own)["qwen3-14b", "mlx-4bit"]

    assert after["basis"] == "calibrated"
    assert after["decode_tok_s"] < before["qwen3-14b", "mlx-4bit"]["decode_tok_s"] * 0.95
    assert float(row["Decode (tok/s)"]) == pytest.approx(after["decode_tok_s"])
    assert row["Basis"] == "calibrated"
