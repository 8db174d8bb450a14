"""The prompt is paid once: arithmetic over the rate, then one step."""

import math

import numpy as np
import pytest

from advisor.estimate import prefill


def test_flops_of_a_prompt_token_by_hand():
    # 8e9 parameters twice; 32 layers x 4096 wide, 4 FLOP over half of 1000 tokens.
    assert prefill.prompt_flops_per_token(
        active_params=8e9, attention_width=32 * 4096, prompt_tokens=1000
    ) == pytest.approx(16e9 + 4 * 32 * 4096 * 500)


def test_rate_is_arithmetic_over_flops_with_the_start_counted():
    # 6 TFLOP/s over 16 GFLOP a token: 375 tok/s; a prompt of the half-speed length gets half.
    asked = {"flops_per_token": 16e9, "log_flop_s": math.log(6e12), "half_speed_tokens": 60.0}

    assert prefill.prefill_tok_s(prompt_tokens=1e9, **asked) == pytest.approx(375)
    assert prefill.prefill_tok_s(prompt_tokens=60.0, **asked) == pytest.approx(187.5)


def test_first_token_is_the_prompt_and_one_step():
    assert prefill.ttft_s(prompt_s=750 / 375, step_s=0.05) == 2.05


def test_a_longer_prompt_waits_longer():
    prompts = np.array([1.0, 10, 100, 1000, 10000])
    flops = prefill.prompt_flops_per_token(
        active_params=8e9, attention_width=1e5, prompt_tokens=prompts
    )
    rate = prefill.prefill_tok_s(
        flops_per_token=flops, log_flop_s=29.0, prompt_tokens=prompts, half_speed_tokens=60.0
    )

    assert (np.diff(prefill.ttft_s(prompt_s=prompts / rate, step_s=0)) > 0).all()
