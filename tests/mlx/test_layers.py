"""Layers are told apart by what they are made of, whatever the config calls them."""

import pytest

from advisor.mlx import blueprint, layers
from tests import small_models

PATTERNS = {  # kinds of layers in order, a letter each, by what the configs say
    "dense": "aaaaaaaa",
    "moe": "aaaaaaaa",
    "sliding": "aaaaabaaaaaba",
    "hybrid": "aaabaaabaaabaaab",
    "listed": "aabaaaabaa",
    "latent": "abbbbbbbb",
}


def letters(kinds: tuple[str, ...]) -> str:
    names = list(dict.fromkeys(kinds))
    return "".join("abcdef"[names.index(kind)] for kind in kinds)


@pytest.mark.parametrize("name", PATTERNS)
def test_equal_layers_have_one_kind_and_others_another(name):
    paper = blueprint.read(small_models.KINDS[name](), bits=4, group_size=64, mode="affine")

    assert letters(paper.kinds) == PATTERNS[name]


def test_a_model_of_another_length_has_layers_of_the_same_kinds():
    short, long = (
        blueprint.read(small_models.dense(n), bits=4, group_size=64, mode="affine") for n in (3, 7)
    )

    assert set(short.kinds) == set(long.kinds)


def test_every_layer_has_a_path_and_a_place():
    paper = blueprint.read(small_models.moe(), bits=4, group_size=64, mode="affine")
    model = blueprint.shorter(paper, range(3))

    assert layers.paths(model) == {f"model.layers.{n}": n for n in range(3)}
