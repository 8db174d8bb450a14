"""A token takes as long as its bytes, its layers and nothing else."""

import math

import numpy as np
import pytest

from advisor.estimate import decode

GB = 1e9


def test_one_sequence_reads_its_routed_share_of_the_experts():
    # 8 of 128 experts, 16 GB of them, 1 GB dense: 1 + 16 / 16.
    assert decode.read_weight_bytes(
        dense_read_bytes=1 * GB, expert_bytes=16 * GB, expert_share=8 / 128, batch=1
    ) == pytest.approx(2 * GB)


BATCHES = {  # experts used a token, experts, batch -> share of the experts touched
    "one": (8, 128, 1, 0.0625),
    "two, by hand: 1 - (15/16)^2": (8, 128, 2, 1 - 225 / 256),
    "no experts": (0, 1, 9, 0.0),
    "all experts": (4, 4, 3, 1.0),
}


@pytest.mark.parametrize(("used", "experts", "batch", "share"), BATCHES.values(), ids=BATCHES)
def test_a_batch_touches_distinct_experts(used, experts, batch, share):
    assert decode.distinct_expert_share(used / experts, batch) == pytest.approx(share)


def test_state_is_read_and_written():
    assert decode.fixed_cache_read_bytes(state_bytes=5.0, batch=3) == 30.0


SHARES = {"half": (0.0, 0.5), "three quarters": (math.log(3), 0.75), "nearly all": (50.0, 1.0)}


@pytest.mark.parametrize(("logit", "share"), SHARES.values(), ids=SHARES)
def test_seconds_per_byte_at_a_share_of_the_bandwidth(logit, share):
    assert decode.seconds_per_byte(100 * GB, logit) == pytest.approx(1 / (share * 100 * GB))


def test_no_share_is_above_the_bandwidth():
    logits = np.linspace(-30, 700, 50)

    assert (decode.seconds_per_byte(1.0, logits) >= 1.0).all()


def test_overhead_grows_with_layers_and_is_never_negative():
    assert decode.overhead_s(32, math.log(9e-5)) == pytest.approx(32 * 9e-5)
    assert decode.overhead_s(32, -1000.0) >= 0


def test_attention_takes_as_long_as_a_core_takes_over_the_cores():
    # A core needs 3 ns for a query element of a position; ten cores share them.
    assert decode.attention_s_per_width(10, math.log(3e-9)) == pytest.approx(3e-10)


DEPTHS = {
    "short": (512, 0.0), "where it starts": (2048, 0.0), "half way on logarithms": (4096, 0.5),
    "8K": (8192, 1.0), "32K": (32768, 2.0), "deeper": (131072, 2.0),
}  # fmt: skip


@pytest.mark.parametrize(("context", "steps"), DEPTHS.values(), ids=DEPTHS)
def test_depth_widens_without_a_jump(context, steps):
    assert decode.depth(context) == pytest.approx(steps)


def test_sampling_takes_its_time_for_each_entry_of_the_vocabulary():
    # 150,000 entries at 4 ns: 0.6 ms a token.
    assert decode.sampling_s(150e3, math.log(4e-9)) == pytest.approx(6e-4)
