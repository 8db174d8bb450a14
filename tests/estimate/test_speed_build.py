"""The checked-in fit is of the checked-in data, and three folds of it come out the same today."""

import json
import re

import pytest

from advisor.catalog import load
from advisor.estimate import speed_build
from advisor.estimate.coefficients import SPEED_JSON
from advisor.validation import refit

# One source of each kind: many runs of one Mac, many Macs, one engine nobody else has much of.
FOLDS = {
    "source": "llama.cpp-discussion-4167",
    "chip": "M4 Pro",
    "model": "group 3",
}


@pytest.mark.parametrize(("what", "group"), FOLDS.items(), ids=FOLDS)
def test_a_fold_fitted_anew_gives_the_published_predictions(what, group):
    assert refit.differences(load(), what, (group,)) < refit.MARGIN


def test_the_file_is_small_and_says_when_and_on_what_it_was_fitted():
    path = load().root / SPEED_JSON
    stored = json.loads(path.read_text())

    assert path.stat().st_size < 40_000
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", stored["fitted_on"])
    assert stored["data_digest"] == speed_build.data_digest(load())


def test_runs_set_aside_are_counted_with_their_reason():
    stored = json.loads((load().root / SPEED_JSON).read_text())

    assert stored["set_aside"]["a mean over nine prompt and answer lengths"] > 100
    assert stored["set_aside"]["faster than the chip's memory can deliver the bytes"] > 0
