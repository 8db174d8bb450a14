"""Small texts that show a number: as exact as it deserves."""

import pandas as pd
import pytest

from advisor.advice import words
from tests.runs.examples import a_run

SECONDS = {0.04: "0.0 s", 9.96: "10.0 s", 12.4: "12 s", 119.0: "119 s", 150.0: "2 min"}


@pytest.mark.parametrize(("seconds", "text"), SECONDS.items())
def test_seconds_are_as_exact_as_an_estimate_deserves(seconds, text):
    assert words.seconds_text(seconds) == text


def test_an_interval_names_its_unit_once():
    assert words.seconds_range(pd.Series({"ttft_low": 24.0, "ttft_high": 36.0})) == "24–36 s"
    assert words.seconds_range(pd.Series({"ttft_low": 90.0, "ttft_high": 180.0})) == "90 s–3 min"


def test_a_speed_has_its_interval():
    row = pd.Series({"decode_tok_s": 43.61, "decode_low": 32.2, "decode_high": 58.4})

    assert words.speed_text(row) == "43.6 tok/s (32–58)"


def test_speeds_say_whether_own_runs_corrected_them():
    assert words.basis_text(["predicted", "predicted"]) == "Speeds are predicted"
    assert "own runs" in words.basis_text(["predicted", "calibrated"])


def test_a_measured_run_says_how_and_when():
    run = a_run(kind="whole", decode_tok_s=41.0, decode_low=40.2, decode_high=41.9)

    assert words.measured_text(run) == (
        "41.0 tok/s (40.2–41.9), the whole model at 8,192 tokens, on 2026-12-01"
    )
