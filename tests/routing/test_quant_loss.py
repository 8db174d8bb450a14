"""Losses of quantization are those of the published tables, larger models losing less."""

import numpy as np
import pytest

from advisor.catalog import load
from advisor.routing.quant_loss import loss, losses

BY_HAND = {  # accuracy above guessing that is lost
    "mlx-4bit": (64.05 - 60.72) / (64.05 - 10),  # MMLU-Pro of Qwen3-4B-2507, mlx-lm BENCHMARKS.md
    "mlx-8bit": (64.05 - 63.85) / (64.05 - 10),
    "Q4_K_M": (65.21 - 64.64) / (65.21 - 25),  # MMLU of Llama-3-8B, matt-c1
    "Q2_K": (65.21 - 55.90) / (65.21 - 25),
    "Q8_0": 0.0,  # 65.23, above the base: no gain is credited
}


@pytest.mark.parametrize("quant_id", BY_HAND)
def test_published_losses_by_hand(quant_id):
    assert losses(load())[quant_id] == pytest.approx(BY_HAND[quant_id], abs=1e-9)


def test_fewer_bits_never_lose_less():
    found = losses(load())

    for ladder in (
        ("bf16", "mlx-8bit", "mlx-6bit", "mlx-5bit", "mlx-4bit", "mlx-3bit", "mlx-2bit"),
        ("F16", "Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q3_K_M", "Q2_K"),
    ):
        assert [found[q] for q in ladder] == sorted(found[q] for q in ladder)


def test_qwen3_30b_loses_what_its_table_says():
    # MMLU-Pro 72.62 -> 70.71 at 4 bit: 3.05 % of what is above guessing.
    told = loss(np.array(losses(load())["mlx-4bit"]), np.array(30.5e9), np.array(4.02e9))

    assert told == pytest.approx((72.62 - 70.71) / (72.62 - 10), rel=0.03)
