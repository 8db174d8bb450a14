"""Public runs carry the ids they mean, and every one is kept."""

import pandas as pd

from advisor.catalog import load, resolve_runs

CATALOG = load()


def test_the_checked_in_table_follows_from_the_printed_runs_and_the_names():
    assert resolve_runs.check(CATALOG.root) == []


def test_every_run_is_kept_and_has_ids_or_a_reason():
    table = CATALOG.runs

    assert sorted(table["id"]) == sorted(CATALOG.printed_runs["id"])
    understood = table["problem"].isna()
    assert table.loc[understood, ["chip_id", "model_id", "quant_id"]].notna().all(axis=None)
    assert set(table.loc[understood, "model_id"]) <= set(CATALOG.model_ids)


def test_a_run_on_an_open_bin_says_which_was_assumed():
    table = CATALOG.runs
    open_bin = table[(table["chip"] == "M1 Ultra") & table["gpu_cores"].isna()]

    assert set(open_bin["chip_id"]) == {"m1-ultra-64"}
    assert open_bin["assumed"].str.contains("gpu_cores=64").all()


def test_numbers_are_written_without_noise():
    text = resolve_runs.as_csv(pd.DataFrame({"a": [16.0, float("nan"), 46.9]}))

    assert text == 'a\n16\n""\n46.9\n'
