"""The essay's claim, computed: speed, room, and which of them the money buys."""

import pandas as pd
import pytest

from advisor.advice import compare
from advisor.catalog import load
from advisor.estimate import plan

GB = 1e9


def row(*, per_byte: float, budget: float) -> pd.Series:
    """A 5 GB dense model that reads all its weights; no overhead, no cache, by hand."""
    step = 5 * GB * per_byte
    return pd.Series(
        {
            "read_weight_bytes": 5 * GB, "weight_bytes": 5 * GB, "weights_s": step,
            "overhead_s": 0.0, "kv_s": 0.0, "step_s": step, "decode_tok_s": 1 / step,
            "budget_bytes": budget, "kv_bytes": 0.0, "buffer_bytes": 0.0,
        }
    )  # fmt: skip


def test_claims_by_hand():
    # 100 GB/s and a budget of 10 GB against 250 GB/s and 40 GB: 2.5 times the speed, so at the
    # same speed 2.5 times the bytes; filled, 4 times the bytes at 2.5 times the rate.
    found = compare.claims(
        row(per_byte=1 / (100 * GB), budget=10 * GB), row(per_byte=1 / (250 * GB), budget=40 * GB)
    )

    assert found.same_model == pytest.approx(2.5)
    assert found.same_speed == pytest.approx(2.5)
    assert found.same_speed_bytes == pytest.approx(12.5 * GB)
    assert found.filled == pytest.approx(2.5 / 4)


@pytest.mark.parametrize("runtime", ["mlx-lm", "llama.cpp"])
def test_the_m4_pro_buys_speed_room_or_a_slower_larger_model(runtime):
    """Measured: the same 4-bit 8B 17.6-20.9 on the M4, 43.8 on the M4 Pro; memory x 3.16."""
    catalog = load()
    machines = [catalog.machine("mac-mini-m4-16"), catalog.machine("mac-mini-m4-pro-48")]
    table = plan.table(
        catalog, machines, runtime=runtime, model_ids=[compare.REFERENCE_MODEL],
        quant_ids=[compare.reference_quant(catalog, runtime)],
    )  # fmt: skip

    found = compare.claims(table.iloc[0], table.iloc[1])

    assert 1.8 <= found.same_model <= 2.3
    assert found.same_speed > found.same_model
    assert 0.6 <= found.filled <= 0.85


def test_sentences_say_the_numbers():
    found = compare.claims(
        row(per_byte=1 / (100 * GB), budget=10 * GB), row(per_byte=1 / (250 * GB), budget=40 * GB)
    )

    first, second, third = compare.sentences(load(), found, ("small", "large"))

    assert "2.5 × as fast on the large" in first
    assert "2.5 × the model: 12 GB of dense weights instead of 5 GB" in second
    assert "0.62 × the speed" in third
    assert third.endswith("room is not speed.")


def test_no_model_is_as_fast_where_cache_and_layers_take_longer_than_its_token():
    fast = row(per_byte=1 / (800 * GB), budget=10 * GB)  # 6.25 ms a token
    slow = row(per_byte=1 / (100 * GB), budget=10 * GB)
    slow["kv_s"], slow["step_s"] = 0.010, slow["step_s"] + 0.010

    found = compare.claims(fast, slow)

    assert found.same_speed < 0
    said = compare.sentences(load(), found, ("fast", "slow"))[1]
    assert said.startswith("No dense model decodes on the slow as fast as this one on the fast")


def test_speed_that_room_cannot_use_is_said():
    # 8 times the speed would read 40 GB a token; 20 GB fit.
    found = compare.claims(
        row(per_byte=1 / (100 * GB), budget=10 * GB), row(per_byte=1 / (800 * GB), budget=20 * GB)
    )

    said = compare.sentences(load(), found, ("small", "large"))[1]

    assert "40 GB of dense weights instead of 5 GB, but only 20 GB fit." in said


def test_a_cache_that_fills_a_machine_leaves_no_model_to_compare():
    full = row(per_byte=1 / (100 * GB), budget=10 * GB)
    full["kv_bytes"] = 11 * GB

    found = compare.claims(full, row(per_byte=1 / (250 * GB), budget=40 * GB))

    said = compare.sentences(load(), found, ("small", "large"))[2]
    assert said.startswith("The cache of this context alone fills the small")


BEST = {  # best models of a and b (None: nothing fits), quantization of b -> the sentence
    "the second holds the better": (
        "qwen3-8b", "qwen3-32b", "mlx-4bit",
        "The 48 GB runs Qwen3-32B (20 tok/s) where the 16 GB stops at Qwen3-8B (20 tok/s), and "
        "decodes the same 8B 2.0 × as fast.",
    ),
    "the first holds the better": (
        "qwen3-32b", "qwen3-8b", "mlx-4bit",
        "The 16 GB runs Qwen3-32B (20 tok/s) where the 48 GB stops at Qwen3-8B (20 tok/s), and "
        "decodes the same 8B 0.5 × as fast.",
    ),
    "the same model, wider": (
        "qwen3-8b", "qwen3-8b", "mlx-8bit",
        "Both run Qwen3-8B as their best, the 16 GB as mlx-4bit at 20 tok/s and the 48 GB as "
        "mlx-8bit at 20 tok/s; the same 8B decodes 2.0 × as fast on the 48 GB.",
    ),
    "only the second holds one": (
        None, "qwen3-8b", "mlx-4bit",
        "Only the 48 GB has a model that fits, Qwen3-8B (20 tok/s); the same 8B decodes 2.0 × as "
        "fast on the 48 GB.",
    ),
    "neither holds one": (
        None, None, "mlx-4bit",
        "No model fits either Mac at this context; the same 8B decodes 2.0 × as fast on the "
        "48 GB.",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("first", "second", "quant", "expected"), BEST.values(), ids=BEST)
def test_the_verdict_is_one_sentence_from_the_better_machines_view(first, second, quant, expected):
    catalog = load()
    claims = compare.Claims(2.0, 2.0, 10 * GB, 0.7, (10 * GB, 40 * GB))
    rows = [
        {"machine_id": machine, "model_id": model or "qwen3-8b", "quant_id": width,
         "meets": model is not None, "decode_tok_s": 20.0}
        for machine, model, width in (("a", first, "mlx-4bit"), ("b", second, quant))
    ]  # fmt: skip
    best_first = sorted(rows, key=lambda row: row["model_id"] != "qwen3-32b")

    said = compare.verdict(
        catalog, pd.DataFrame(best_first), ("a", "b"), ("16 GB", "48 GB"), claims
    )

    assert said == expected


def test_a_mac_compared_with_itself_changes_nothing():
    claims = compare.Claims(1.0, 1.0, 5 * GB, 1.0, (10 * GB, 10 * GB))

    said = compare.verdict(load(), pd.DataFrame(), ("a", "a"), ("x", "x"), claims)

    assert said == "Both are the same machine: nothing changes."
