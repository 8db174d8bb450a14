"""Kept runs stand beside what is predicted without and with them."""

import numpy as np
import pytest

from advisor.advice.what_follows import Follows
from advisor.catalog import load
from advisor.views import calibrate_rows
from tests.runs.examples import a_run


def shown(*runs):
    return calibrate_rows.table(load(), runs)


def test_a_slow_run_stands_between_its_two_predictions():
    row = shown(a_run(decode_tok_s=30.0, context_tokens=512)).iloc[0]

    assert row["decode_tok_s"] == 30.0
    assert row["decode_tok_s"] < row["calibrated"] < row["predicted"]


def test_the_newest_stands_first_and_the_spread_is_half_its_interval():
    old = a_run(
        created="2026-11-01T00:00:00Z", decode_low=40.0, decode_high=44.0, decode_tok_s=42.0
    )
    new = a_run(created="2026-12-01T00:00:00Z")

    table = shown(old, new)

    assert table["made"].tolist() == ["2026-12-01 00:00", "2026-11-01 00:00"]
    assert table["spread"].iloc[1] == pytest.approx(2 / 42 * 100)


def test_no_mac_and_no_known_model_have_no_prediction():
    machine = a_run().machine
    linux = a_run(machine=type(machine)(chip="x86_64", is_mac=False))
    stranger = a_run(model="Nonesuch-9B", model_id="", quant_id="")

    table = shown(linux, stranger)

    assert np.isnan(table["predicted"]).all()
    assert table["note"].str.contains("does not know this model").sum() == 1
    assert table["machine"].str.contains("no Mac").sum() == 1


def test_a_run_that_does_not_count_changes_nothing():
    from dataclasses import replace

    row = shown(replace(a_run(decode_tok_s=30.0, context_tokens=512), used=False)).iloc[0]

    assert row["calibrated"] == row["predicted"]


def test_a_computer_that_is_no_mac_has_a_prediction_from_its_own_runs():
    """Before any run nothing is known of it; one run is said back."""
    computer = type(a_run().machine)(chip="Xeon", is_mac=False)

    row = shown(a_run(machine=computer, decode_tok_s=4.0)).iloc[0]

    assert np.isnan(row["predicted"])
    assert row["calibrated"] == pytest.approx(4.0, rel=0.05)


def test_a_run_too_odd_to_be_used_is_told():
    odd = a_run(decode_tok_s=0.1, context_tokens=512)

    assert "Too far off" in shown(odd)["note"].iloc[0]


def test_what_follows_leaves_out_a_column_without_figures():
    nothing = float("nan")
    found = calibrate_rows.follows(load(), [Follows("qwen3-8b", nothing, 40.0, 30.0, 50.0, 41.0)])

    assert found.to_dict("records") == [
        {"Model": "Qwen3-8B", "With your runs": 40.0, "80 % interval": "30.0–50.0",
         "Measured": 41.0}
    ]  # fmt: skip


def test_switches_that_were_moved_are_told():
    table = shown(a_run(), a_run(decode_tok_s=41.0))
    edited = table.copy()
    edited.loc[0, "counts"] = False

    assert calibrate_rows.changed(table, edited) == {table["id"].iloc[0]: False}
    assert calibrate_rows.changed(table, table) == {}
