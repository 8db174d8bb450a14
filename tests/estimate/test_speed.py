"""The terms of a step are those of the facts, and what batch and bits change is what it should."""

import numpy as np
import pytest

from advisor.estimate import coefficients, speed
from advisor.estimate.arrays import arrays


@pytest.fixture
def terms(catalog, case):
    def of(model_id="qwen3-8b", quant_id="mlx-4bit", **asked):
        chips = np.array([catalog.chip_ids.index("m4-pro-16")])
        return speed.step_terms(
            catalog, coefficients.load(catalog), chips, case(model_id, quant_id, **asked)
        )

    return of


def test_a_dense_model_reads_its_weights_once_for_all_sequences(terms):
    one, eight = terms(), terms(batch=8)

    assert eight.read_weight_bytes == one.read_weight_bytes
    assert eight.weights_s == one.weights_s
    assert eight.overhead_s > one.overhead_s
    assert one.streams_s == 0


def test_experts_touched_by_two_sequences_by_hand(terms, catalog):
    """8 of 128 experts: one sequence reads 1/16 of them, two 1 - (15/16)**2."""
    one, two = terms("qwen3-30b-a3b"), terms("qwen3-30b-a3b", batch=2)

    v = arrays(catalog).variants
    experts = v.expert_bytes[catalog.variant_index("qwen3-30b-a3b", "mlx-4bit")]
    more = two.read_weight_bytes[0] - one.read_weight_bytes[0]
    assert more == pytest.approx(experts * (1 - (15 / 16) ** 2 - 1 / 16))


def test_a_narrow_cache_is_read_in_fewer_bytes(terms):
    # 8 bits and half a bit of scales instead of 16.
    assert terms(kv_bits=8).growing_read_bytes == pytest.approx(
        terms().growing_read_bytes * 8.5 / 16
    )


def test_no_term_is_faster_than_the_chip(terms):
    found = terms()

    assert found.weights_s >= found.read_weight_bytes / 273e9
    assert found.growing_s >= found.growing_read_bytes / 273e9
