"""Cache kinds are told from mlx-lm's cache objects, not from names in a config."""

import pytest

from advisor.mlx import caches


def filled(cache, heads: int, width: int):
    """The cache after one token, as a layer leaves it."""
    import mlx.core as mx

    cache.update_and_fetch(*(mx.zeros((1, heads, 1, width), dtype=mx.bfloat16),) * 2)
    return cache


@pytest.fixture
def kinds():
    from mlx_lm.models import cache

    return cache


def test_several_windows_keep_their_sum(kinds):
    short = filled(kinds.RotatingKVCache(max_size=128), 2, 64)
    long = filled(kinds.RotatingKVCache(max_size=512), 4, 64)

    found = caches._summed([short, long], latent_width=0)

    # 2 (K and V) x heads x 64 x 2 bytes x window
    assert found.sliding_bytes_per_token * found.window_tokens == (
        2 * 2 * 64 * 2 * 128 + 2 * 4 * 64 * 2 * 512
    )
    assert found.sliding_layers == 2


def test_a_layer_with_two_kinds_counts_in_both(kinds):
    import mlx.core as mx

    state = kinds.ArraysCache(size=2)
    state[0] = mx.zeros((1, 8), dtype=mx.float32)
    both = kinds.CacheList(filled(kinds.KVCache(), 2, 64), state)

    found = caches._summed([both], latent_width=0)

    assert (found.full_layers, found.full_bytes_per_token) == (1, 2 * 2 * 64 * 2)
    assert (found.state_layers, found.state_bytes) == (1, 8 * 4)


def test_index_keys_of_a_latent_layer_are_latent(kinds):
    layer = kinds.CacheList(filled(kinds.KVCache(), 1, 512), filled(kinds.KVCache(), 1, 128))

    found = caches._summed([layer], latent_width=512)

    assert (found.latent_layers, found.latent_bytes_per_token) == (1, 2 * (512 + 128) * 2)


def test_a_layer_that_caches_nothing_counts_nowhere(kinds):
    assert caches._summed([kinds.KVCache()], latent_width=0) == caches.CacheShape()


READERS = {  # full and sliding layers that share -> what is read, of 2 full and 3 sliding caches
    "none share": ({}, 2, 3),
    "the last three share": (
        {"num_kv_shared_layers": 3,
         "layer_types": ["full_attention"] * 5 + ["sliding_attention"] * 2 + ["full_attention"]},
        3, 5,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("fields", "full", "sliding"), READERS.values(), ids=READERS)
def test_layers_that_share_a_cache_read_it_too(fields, full, sliding):
    shape = caches._with_readers(caches.CacheShape(full_layers=2, sliding_layers=3), fields)

    assert (shape.full_reading_layers, shape.sliding_reading_layers) == (full, sliding)
