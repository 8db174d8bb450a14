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


def test_the_verdict_names_both_best_models():
    catalog = load()
    best = pd.DataFrame(
        {
            "machine_id": ["b", "a"], "model_id": ["qwen3-32b", "qwen3-8b"],
            "quant_id": ["mlx-4bit"] * 2, "meets": [True, True],
        }
    )  # fmt: skip
    claims = compare.Claims(2.0, 2.0, 10 * GB, 0.7)

    said = compare.verdict(catalog, best, ("a", "b"), ("16 GB", "48 GB"), claims)

    assert said == (
        "The 48 GB runs Qwen3-32B where the 16 GB stops at Qwen3-8B. "
        "The same 8B model decodes 2.0 × as fast."
    )
    nothing = best.assign(meets=[True, False])
    assert compare.verdict(catalog, nothing, ("a", "b"), ("x", "y"), claims).startswith(
        "Only the y"
    )
    assert compare.verdict(
        catalog, best.assign(meets=False), ("a", "b"), ("x", "y"), claims
    ).startswith("Nothing fits either Mac at this context.")


def test_the_verdict_says_which_mac_stops_even_if_it_is_the_second():
    best = pd.DataFrame(
        {
            "machine_id": ["a", "b"], "model_id": ["qwen3-32b", "qwen3-8b"],
            "quant_id": ["mlx-4bit"] * 2, "meets": [True, True],
        }
    )  # fmt: skip
    claims = compare.Claims(0.5, 0.5, 2 * GB, 1.4)

    said = compare.verdict(load(), best, ("a", "b"), ("48 GB", "16 GB"), claims)

    assert said == (
        "The 16 GB stops at Qwen3-8B where the 48 GB runs Qwen3-32B. "
        "The same 8B model decodes 0.5 × as fast."
    )
