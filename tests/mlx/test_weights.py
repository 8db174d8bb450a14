"""Random weights: quantized from birth, shared by slices, finite, no more memory than they take."""

import pytest

from advisor.mlx import blueprint, weights
from tests import small_models


def built(config, pick, pool, bits=4, mode="affine", group=64):
    import mlx.core as mx

    paper = blueprint.read(config, bits=bits, group_size=group, mode=mode)
    model = blueprint.shorter(paper, pick)
    weights.fill(model, pool, mx.float32)
    return paper, model


@pytest.mark.parametrize("name", ["dense", "moe", "latent", "listed"])
def test_a_model_of_random_weights_gives_finite_scores(name):
    import mlx.core as mx

    _, model = built(small_models.KINDS[name](), range(3), {})

    scores = model(mx.array([[1, 2, 3]]))

    assert bool(mx.all(mx.isfinite(scores)))
    assert float(mx.max(mx.abs(scores))) > 0


@pytest.mark.parametrize(("bits", "mode", "group"), [(4, "mxfp4", 32), (8, "affine", 64)])
def test_other_quantizations_give_finite_scores(bits, mode, group):
    import mlx.core as mx

    _, model = built(small_models.dense(), range(2), {}, bits, mode, group)

    assert bool(mx.all(mx.isfinite(model(mx.array([[1, 2]])))))


def test_slices_share_their_layers():
    import mlx.core as mx

    pool: weights.Pool = {}
    config = small_models.dense()
    paper, small = built(config, range(2), pool)
    large = blueprint.shorter(paper, range(5))

    missing = weights.missing_bytes(large, pool, mx.float32)
    weights.fill(large, pool, mx.float32)

    (kind,) = paper.counts
    assert missing == 3 * paper.kind_bytes[kind]
    assert small.layers[1].mlp.up_proj.weight is large.layers[1].mlp.up_proj.weight


def test_all_bits_of_the_weights_are_random():
    import mlx.core as mx

    made = weights._bits((64, 64))
    low, high = mx.mean((made & 1).astype(mx.float32)), mx.mean((made >> 31).astype(mx.float32))

    # 4096 fair coins: five standard deviations are 0.04
    assert float(low) == pytest.approx(0.5, abs=0.04)
    assert float(high) == pytest.approx(0.5, abs=0.04)


def test_a_big_array_is_made_in_pieces(monkeypatch):
    import mlx.core as mx

    monkeypatch.setattr(weights, "PIECE_BYTES", 1000)
    parts = []

    def make(shape):
        parts.append(shape)
        return mx.ones(shape)

    made = weights._pieces((3, 10, 50), mx.float32, make)

    assert made.shape == (3, 10, 50)
    assert float(mx.sum(made)) == 1500
    assert parts == [(5, 50)] * 6
