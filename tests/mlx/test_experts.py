"""Random weights and tokens use many experts; a router that is stuck is seen."""

from advisor.mlx import blueprint, experts, weights
from tests import small_models


def test_random_tokens_use_more_than_twice_the_experts_of_one_token():
    import mlx.core as mx

    paper = blueprint.read(small_models.moe(), bits=4, group_size=64, mode="affine")
    model = blueprint.shorter(paper, range(2))
    weights.fill(model, {}, mx.float32)

    assert experts.touched(model, paper.vocab_size, enough=99) > 2 * paper.top_k


def test_a_router_of_zeros_is_seen_to_use_the_same_few():
    import mlx.core as mx

    paper = blueprint.read(small_models.moe(), bits=4, group_size=64, mode="affine")
    model = blueprint.shorter(paper, range(2))
    weights.fill(model, {}, mx.float32)
    for layer in model.layers:
        for name in ("scales", "biases"):
            layer.mlp.gate[name] = mx.zeros_like(layer.mlp.gate[name])

    assert experts.touched(model, paper.vocab_size, enough=99) == paper.top_k


def test_a_dense_model_uses_none():
    import mlx.core as mx

    paper = blueprint.read(small_models.dense(), bits=4, group_size=64, mode="affine")
    model = blueprint.shorter(paper, range(2))
    weights.fill(model, {}, mx.float32)

    assert experts.touched(model, paper.vocab_size, enough=1) == 0
