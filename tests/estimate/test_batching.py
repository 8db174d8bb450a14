"""Weights are read once for all sequences; each further one costs its share."""

import numpy as np
import pytest

from advisor.estimate import batching, options, plan


def test_four_streams_by_hand():
    # 20 ms alone, a further sequence costs a fifth of it: 12 ms more for three of them.
    assert batching.streams_s(single_step_s=0.02, batch=4, stream_share=0.2) == pytest.approx(0.012)
    assert batching.aggregate_tok_s(step_s=0.032, batch=4) == pytest.approx(125)


def test_one_sequence_costs_nothing_more(catalog, case, m4_pro_48):
    found = plan.answer(catalog, [m4_pro_48], case("qwen3-8b"))

    assert found["streams_s"] == 0
    assert found["aggregate_tok_s"] == found["decode_tok_s"]


@pytest.mark.parametrize("model_id", ["qwen3-8b", "qwen3-30b-a3b"])
def test_more_streams_are_faster_together_and_slower_each(catalog, case, m4_pro_48, model_id):
    found = [
        plan.answer(catalog, [m4_pro_48], case(model_id, context_tokens=512, batch=batch))
        for batch in (1, 2, 4, 8)
    ]

    each = np.array([one["decode_tok_s"][0] for one in found])
    together = np.array([one["aggregate_tok_s"][0] for one in found])
    assert (np.diff(each) < 0).all()
    assert (np.diff(together) > 0).all()


def test_experts_gain_least_from_company(catalog, case, m4_pro_48):
    gains = {}
    for model_id in ("qwen3-8b", "qwen3-30b-a3b"):
        one, eight = (
            plan.answer(catalog, [m4_pro_48], case(model_id, context_tokens=512, batch=batch))
            for batch in (1, 8)
        )
        gains[model_id] = eight["aggregate_tok_s"][0] / one["aggregate_tok_s"][0]

    assert gains["qwen3-30b-a3b"] < gains["qwen3-8b"]


def test_a_published_series_is_met_within_the_error_said(catalog, case, m4_pro_48):
    """Qwen3-4B in 8 bits on an M4 Pro, mlx: 1.70, 3.05 and 4.00 times the speed of one."""
    speed = [
        plan.answer(
            catalog, [m4_pro_48], case("qwen3-4b", "mlx-8bit", context_tokens=300, batch=batch)
        )["aggregate_tok_s"][0]
        for batch in (1, 2, 4, 8)
    ]

    gains = np.array(speed[1:]) / speed[0]
    error = np.abs(gains / [1.70, 3.05, 4.00] - 1)
    assert np.median(error) < 2 * options.load(catalog).stream_error
