"""Curves are the engine's table along the context; they end where memory or the model does."""

import numpy as np
import pandas as pd
import pytest

from advisor.catalog import load
from advisor.estimate import plan
from advisor.views import speed_rows
from advisor.views.speed_rows import Asked

SMALL, LARGE = "mac-mini-m4-16", "mac-mini-m4-pro-48"


@pytest.fixture(scope="module")
def catalog():
    return load()


def asked(catalog, choices, machines=(SMALL, LARGE), runtime="mlx-lm", most=131072) -> Asked:
    found = tuple(catalog.machine(name) for name in machines)
    return Asked(found, tuple(choices), runtime, 16, most)


def test_a_curve_holds_the_tables_numbers(catalog):
    curve = speed_rows.curves(catalog, asked(catalog, [("llama-3.1-8b", "mlx-4bit")]))

    for context in (64, 1024, 16384):
        table = plan.table(
            catalog, [catalog.machine(SMALL)], context_tokens=context, runtime="mlx-lm",
            model_ids=["llama-3.1-8b"], quant_ids=["mlx-4bit"],
        )  # fmt: skip
        point = curve[(curve["machine_id"] == SMALL) & (curve["context_tokens"] == context)]
        for name in ("decode_tok_s", "decode_low", "decode_high", "ttft_s", "total_bytes"):
            assert point[name].item() == table[name].item()


def test_a_curve_ends_at_its_context_room_with_a_mark(catalog):
    curve = speed_rows.curves(catalog, asked(catalog, [("llama-3.1-8b", "mlx-8bit")]))

    small = curve[curve["machine_id"] == SMALL]
    last = small.iloc[-1]
    assert last["ends"]
    assert last["context_tokens"] == last["max_context_tokens"] < 131072
    assert last["verdict"] == "fits"
    assert small["ends"].sum() == 1


def test_a_curve_that_reaches_the_models_own_maximum_has_no_mark(catalog):
    curve = speed_rows.curves(catalog, asked(catalog, [("qwen3-0.6b", "mlx-4bit")], (LARGE,)))

    assert curve["context_tokens"].max() == 40960  # max_position_embeddings of Qwen3-0.6B
    assert not curve["ends"].any()


def test_a_model_that_never_fits_has_no_curve(catalog):
    curve = speed_rows.curves(
        catalog, asked(catalog, [("llama-3.3-70b", "mlx-4bit"), ("qwen3-0.6b", "mlx-4bit")])
    )

    on_small = curve[curve["machine_id"] == SMALL]
    assert set(on_small["model_id"]) == {"qwen3-0.6b"}


def test_nothing_that_fits_gives_an_empty_table(catalog):
    curve = speed_rows.curves(catalog, asked(catalog, [("llama-3.3-70b", "bf16")], (SMALL,)))

    assert curve.empty


@pytest.mark.parametrize("last", [64, 100, 8192, 40960, 1048576])
def test_a_grid_rises_from_the_left_edge_to_its_end(last):
    points = speed_rows.grid(last)

    assert points[0] == 64
    assert points[-1] == last
    assert (np.diff(points) > 0).all()


def test_points_are_the_runs_of_the_same_chip_runtime_model_and_quantization(catalog):
    found = speed_rows.public_runs(catalog, asked(catalog, [("qwen3-8b", "mlx-4bit")]))

    # aukejw's M4 Pro: four contexts, measured twice; 46.9 tok/s at 4K is the published figure.
    assert len(found) == 8
    assert set(found["chip"]) == {"M4 Pro"}
    at_4k = found[found["context_tokens"] == 4096]["decode_tok_s"]
    assert at_4k.round(1).tolist() == [46.9, 47.1]


def test_another_runtime_has_other_points(catalog):
    found = speed_rows.public_runs(
        catalog, asked(catalog, [("qwen3-8b", "Q4_K_M")], runtime="lmstudio-gguf")
    )

    assert found["decode_tok_s"].round(1).eq(24.2).any()  # at 4K on M4 Pro, as published
    assert not set(found["id"]) & set(
        speed_rows.public_runs(catalog, asked(catalog, [("qwen3-8b", "mlx-4bit")]))["id"]
    )


def test_a_run_that_states_no_context_says_so_and_stands_at_512(catalog):
    runs = catalog.runs
    known = runs[(runs["problem"].fillna("") == "") & runs["context_tokens"].isna()
                 & runs["decode_tok_s"].notna() & (runs["batch"].fillna(1) == 1)]  # fmt: skip
    run = known.iloc[0]
    chip = catalog.machine_from_parts(run["chip"])
    ask = Asked((chip,), ((run["model_id"], run["quant_id"]),), run["runtime"], 16, 8192)

    point = speed_rows.public_runs(catalog, ask).set_index("id").loc[run["id"]]

    assert point["drawn_tokens"] == 512
    assert "not stated" in point["context"]


def test_a_toll_adds_up_to_the_token(catalog):
    now = speed_rows.at(catalog, asked(catalog, [("qwen3-8b", "mlx-4bit")]), 8192)
    now = speed_rows.named(catalog, now, {SMALL: "S", LARGE: "L"}, quants=False)

    parts = speed_rows.toll_parts(now)

    assert parts.groupby("series", sort=False)["ms"].sum().to_numpy() == pytest.approx(
        now["step_s"].to_numpy() * 1e3
    )
    assert list(dict.fromkeys(parts["series"])) == ["Qwen3-8B, S", "Qwen3-8B, L"]


def test_a_short_curve_is_explained():
    row = {"series": "X, S", "max_context_tokens": 0.0, "change": "32 GB of memory"}

    assert speed_rows.no_room_text(row) == (
        "X, S does not fit at all. Nearest change: 32 GB of memory."
    )
    assert "ends at 8K tokens" in speed_rows.no_room_text(row | {"max_context_tokens": 8192.0})


def test_a_single_machine_needs_no_name():
    table = pd.DataFrame({"model_id": ["qwen3-8b"], "machine_id": [SMALL], "quant_id": ["bf16"]})

    found = speed_rows.named(load(), table, {SMALL: "S"}, quants=True)

    assert found["series"].item() == "Qwen3-8B bf16"
