"""Rows of the Fit page: states, orders and filters on a hand-made table, then on the real one."""

import numpy as np
import pandas as pd
import pytest

from advisor.catalog import load
from advisor.estimate import plan
from advisor.views import fit_rows

GIB, GB = 2**30, 10**9


def table(*rows: tuple) -> pd.DataFrame:
    """model, machine, state, verdict, tok/s, seconds, GB, room, score -> as rows() gives."""
    columns = ["model_id", "machine_id", "state", "verdict", "decode_tok_s", "ttft_s", "gb",
               "max_context_tokens", "score"]  # fmt: skip
    made = pd.DataFrame(rows, columns=columns)
    return made.assign(
        name=made["model_id"].str.upper(), family="F", tasks="chat, code", quant_id="Q4_K",
        params=made["gb"] * 2e9, weight_bytes=made["gb"] * GB, total_bytes=made["gb"] * GB + GIB,
        computed_weight_bytes=made["gb"] * GB, weight_basis="computed", runs=0, context_problem="",
        decode_low=made["decode_tok_s"] * 0.8, decode_high=made["decode_tok_s"] * 1.25,
        change="", basis="predicted", measured_tok_s=np.nan,
    )  # fmt: skip


THREE = table(
    ("a", "small", "no", "no", 5.0, 9.0, 30.0, 0.0, 60.0),
    ("a", "large", "fast", "fits", 25.0, 4.0, 30.0, 9000.0, 60.0),
    ("b", "small", "slow", "fits", 12.0, 3.0, 8.0, 5000.0, np.nan),
    ("b", "large", "fast", "fits", 40.0, 1.0, 8.0, 7000.0, np.nan),
    ("c", "small", "fast", "fits", 90.0, 0.5, 2.0, 8000.0, 70.0),
    ("c", "large", "fast", "fits", 180.0, 0.2, 2.0, 8000.0, 70.0),
)


def order(by: str) -> list[tuple[str, str]]:
    found = fit_rows.ordered(THREE, by, ["small", "large"])
    return list(zip(found["model_id"], found["machine_id"], strict=True))


def test_best_first_keeps_the_machines_of_a_model_together():
    assert order("best") == [
        ("c", "small"), ("c", "large"), ("a", "small"), ("a", "large"), ("b", "small"),
        ("b", "large"),
    ]  # fmt: skip


def test_fastest_first_puts_what_does_not_run_last():
    assert [model for model, _ in order("fast")] == ["c", "c", "b", "a", "b", "a"]
    assert order("fast")[-1] == ("a", "small")


@pytest.mark.parametrize(
    ("by", "first"), [("first", "c"), ("large", "a"), ("small", "c"), ("room", "a"), ("name", "a")]
)
def test_other_orders_begin_with_their_most(by, first):
    assert order(by)[0][0] == first


def test_an_order_neither_loses_nor_changes_a_number():
    for by in fit_rows.SORTS:
        found = fit_rows.ordered(THREE, by, ["small", "large"]).sort_index()
        pd.testing.assert_frame_equal(found, THREE)


@pytest.mark.parametrize(
    ("asked", "models"),
    [
        ({"search": "B q4"}, "bb"),
        ({"search": "nothing"}, ""),
        ({"families": ["G"]}, ""),
        ({"tasks": ["code"]}, "aabbcc"),
        ({"tasks": ["vision"]}, ""),
        ({"size_gb": (2.0, 8.0)}, "bbcc"),
    ],
)
def test_a_filter_keeps_what_it_says(asked, models):
    assert "".join(fit_rows.filtered(THREE, **asked)["model_id"]) == models


def test_a_speed_is_shown_only_where_the_model_runs():
    shown = fit_rows.display(THREE, {"small": "S", "large": "L"})

    assert np.isnan(shown["Decode"][0])
    assert shown["Interval"][0] == ""
    assert shown["Decode"][1] == 25.0
    assert shown["Interval"][1] == "20–31"
    assert shown["Size"][1] == 30.0
    assert shown["Needs"][1] == pytest.approx(30 * GB / GIB + 1)


@pytest.fixture(scope="module")
def real():
    catalog = load()
    machines = [catalog.machine("mac-mini-m4-16"), catalog.machine("mac-mini-m4-pro-48")]
    return catalog, plan.table(catalog, machines, context_tokens=16384, runtime="mlx-lm")


def test_every_quantization_is_every_row(real):
    catalog, asked = real

    found = fit_rows.rows(catalog, asked, 20.0, every_quant=True)

    assert len(found) == len(asked)
    assert set(found["state"]) <= set(fit_rows.STATES)
    assert sum(fit_rows.counts(found).values()) == len(asked)


def test_the_best_is_one_row_a_model_and_machine_and_the_widest_that_is_fast(real):
    catalog, asked = real

    found = fit_rows.rows(catalog, asked, 20.0, every_quant=False)

    assert len(found) == 2 * len(catalog.model_ids)
    bits = {quant.id: quant.quality_class for quant in catalog.quants.values()}
    fast = asked[(asked["verdict"] == "fits") & (asked["decode_tok_s"] >= 20)]
    widest = fast["quant_id"].map(bits).groupby([fast["machine_id"], fast["model_id"]]).max()
    chosen = found[found["state"] == fit_rows.FAST]
    assert len(chosen) > 100
    for row in chosen.itertuples():
        assert bits[row.quant_id] == widest[row.machine_id, row.model_id] >= 4


def test_a_context_past_the_models_own_maximum_is_said_whatever_memory_says(real):
    catalog, asked = real
    found = fit_rows.rows(catalog, asked, 0.0, every_quant=False)

    row = found[found["model_id"] == "aya-23-8b"].iloc[0]  # its own maximum: 8192 tokens

    assert row["state"] == fit_rows.TOO_LONG
    shown = fit_rows.display(found[found["model_id"] == "aya-23-8b"], {})
    assert "maximum of 8K" in shown["What would help"].iloc[0]


def test_the_download_has_the_engines_columns_and_numbers(real):
    catalog, asked = real
    found = fit_rows.rows(catalog, asked, 20.0, every_quant=True)

    header, *lines = fit_rows.download(found).decode().splitlines()

    assert header.split(",")[:4] == ["machine", "model", "quant", "runtime"]
    assert len(header.split(",")) == len(asked.columns)
    assert len(lines) == len(asked)
