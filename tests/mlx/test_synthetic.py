"""Caches at a depth: each kind as it would be after so many tokens, with room for more."""

import pytest

from advisor.mlx import blueprint, synthetic, weights
from tests import small_models

DEPTH = 300


def model_of(name):
    import mlx.core as mx

    paper = blueprint.read(small_models.KINDS[name](), bits=4, group_size=64, mode="affine")
    model = blueprint.shorter(paper, range(len(paper.kinds)))
    weights.fill(model, {}, mx.float32)
    return model


@pytest.mark.parametrize("name", small_models.KINDS)
def test_a_step_goes_on_from_the_depth(name):
    import mlx.core as mx

    model = model_of(name)
    caches = synthetic.at_depth(model, DEPTH)

    scores = model(mx.array([[1]]), cache=caches)

    assert bool(mx.all(mx.isfinite(scores)))
    offsets = {leaf.offset for leaf in synthetic._leaves(caches) if hasattr(leaf, "offset")}
    assert offsets == {DEPTH + 1}


def test_full_attention_is_as_long_as_the_depth_and_has_room():
    caches = synthetic.at_depth(model_of("dense"), DEPTH, room=20)

    assert {cache.keys.shape[2] for cache in caches} == {512}


def test_a_window_is_filled_up_to_its_size_and_no_further():
    sliding, full = (synthetic.at_depth(model_of("sliding"), DEPTH)[n] for n in (0, 5))

    assert (sliding.keys.shape[2], sliding.size()) == (64, 64)
    assert full.size() == DEPTH


def test_a_window_larger_than_the_depth_is_filled_up_to_the_depth():
    cache = synthetic.at_depth(model_of("sliding"), 10)[0]

    assert (cache.size(), cache._idx) == (10, 10)


def test_quantized_caches_replace_full_attention_only():
    from mlx_lm.models.cache import QuantizedKVCache, RotatingKVCache

    caches = synthetic.at_depth(model_of("sliding"), DEPTH, kv_bits=8)

    assert isinstance(caches[0], RotatingKVCache)
    assert isinstance(caches[5], QuantizedKVCache)
    assert caches[5].offset == DEPTH


def test_rewind_sets_back_what_steps_moved():
    import mlx.core as mx

    model = model_of("dense")
    caches = synthetic.at_depth(model, DEPTH)
    model(mx.array([[1, 2, 3]]), cache=caches)

    synthetic.rewind(caches, DEPTH)

    assert {cache.offset for cache in caches} == {DEPTH}


def test_bytes_are_known_before_anything_is_allocated():
    import mlx.core as mx

    model = model_of("dense")
    asked = synthetic.cache_bytes(model, DEPTH)
    caches = synthetic.at_depth(model, DEPTH)

    # by hand: 8 layers, keys and values, 1 head of 64, 512 tokens, 4 bytes
    assert asked == sum(cache.nbytes for cache in caches) == 8 * 2 * 64 * 512 * mx.float32.size
