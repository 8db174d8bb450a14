"""Steps run through mlx-lm's own generator, from the depth asked for."""

import pytest

from advisor.mlx import blueprint, stepping, synthetic, weights
from tests import small_models


@pytest.fixture
def model():
    import mlx.core as mx

    paper = blueprint.read(small_models.dense(), bits=4, group_size=64, mode="affine")
    found = blueprint.shorter(paper, range(2))
    weights.fill(found, {}, mx.float32)
    return found


def test_as_many_steps_are_timed_as_asked(model):
    caches = synthetic.at_depth(model, 100)

    found = stepping.decode(model, caches, 100, 512, 5)

    assert len(found) == 5
    assert all(interval.wall_s > 0 for interval in found)


def test_repeats_start_from_the_same_depth(model):
    caches = synthetic.at_depth(model, 100)
    ends = []
    for _ in range(2):
        stepping.decode(model, caches, 100, 512, 3)
        ends.append(caches[0].offset)

    assert ends[0] == ends[1]


def test_a_prompt_is_timed_from_an_empty_cache(model):
    assert stepping.prefill(model, 512, 8).wall_s > 0
