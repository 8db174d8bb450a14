"""Predicted memory meets what MLX was seen to take."""

import pandas as pd
import pytest

from advisor.catalog import load
from advisor.validation import memory_peaks


@pytest.fixture(scope="module")
def peaks() -> pd.DataFrame:
    return memory_peaks.peaks(load())


def test_peaks_are_met_within_6_percent(peaks):
    found = memory_peaks.figures(peaks)

    assert found["runs"] >= 105
    assert found["median_error"] <= 0.06


def test_no_peak_is_more_than_8_percent_above_the_estimate(peaks):
    assert memory_peaks.figures(peaks)["most_below"] <= 0.08
    assert peaks["ratio"].min() >= 0.92


def test_kinds_are_not_mixed(peaks):
    assert set(peaks["kind"]) <= set(memory_peaks.KINDS)


def test_a_peak_of_a_larger_model_than_it_names_is_left_out(peaks):
    """13 GB under the name of a 9B model in 4 bits, which takes 6."""
    assert not ((peaks["value_gb"] > 13) & (peaks["model"] == "Qwen3.5-9B")).any()
