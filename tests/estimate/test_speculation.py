"""Speculation pays by tokens accepted over what a round costs."""

import numpy as np
import pytest

from advisor.estimate import options, speculation


def test_accepted_tokens_by_hand():
    # Half agree, three drafted: 1 + 1/2 + 1/4 + 1/8.
    assert speculation.accepted_tokens(acceptance=0.5, drafted_tokens=3) == pytest.approx(1.875)
    assert speculation.accepted_tokens(acceptance=0.0, drafted_tokens=3) == 1
    assert speculation.accepted_tokens(acceptance=1.0, drafted_tokens=3) == 4


def test_a_dense_round_by_hand():
    # A step, a tenth for the drafter, five checks at 4 %.
    cost = speculation.round_steps(
        drafted_tokens=5, expert_share=0.0, experts_step_share=0.0, draft_share=0.1,
        check_share=0.04,
    )  # fmt: skip
    assert cost == pytest.approx(1.3)
    assert speculation.speedup(accepted_tokens=2.6, round_steps=1.3) == pytest.approx(2.0)


def test_a_round_of_experts_reads_those_that_any_token_chose():
    # One expert in two, one drafted token: 0.75 of all instead of 0.5, half as much again.
    cost = speculation.round_steps(
        drafted_tokens=1, expert_share=0.5, experts_step_share=0.6, draft_share=0.0,
        check_share=0.0,
    )  # fmt: skip
    assert cost == pytest.approx(1 + 0.6 * 0.5)


def test_published_rounds_of_dense_8_bit_models_are_met(catalog):
    """mlx-dspark on an M4 Pro: 1.34 to 1.63 steps a round of 4 to 7 drafted tokens."""
    fitted = options.load(catalog)
    cost = speculation.round_steps(
        drafted_tokens=np.array([4.0, 7.0]), expert_share=np.zeros(2),
        experts_step_share=np.zeros(2), draft_share=fitted.draft_share,
        check_share=np.full(2, fitted.check_wide),
    )  # fmt: skip

    assert ((cost > 1.3) & (cost < 1.7)).all()
    assert fitted.check_narrow > fitted.check_wide
