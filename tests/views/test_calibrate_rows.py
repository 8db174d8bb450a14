"""Kept runs stand beside what is predicted without and with them."""

import numpy as np
import pytest

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


def test_switches_that_were_moved_are_told():
    table = shown(a_run(), a_run(decode_tok_s=41.0))
    edited = table.copy()
    edited.loc[0, "counts"] = False

    assert calibrate_rows.changed(table, edited) == {table["id"].iloc[0]: False}
    assert calibrate_rows.changed(table, table) == {}
