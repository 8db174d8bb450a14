"""A model on paper: its weight agrees with mlx-lm's, a shorter one has the layers asked for."""

from collections import Counter

import pytest

from advisor import mlx
from advisor.errors import InputError
from advisor.mlx import backend, blueprint, layers
from tests import small_models


@pytest.mark.parametrize("name", small_models.KINDS)
def test_layers_and_the_rest_weigh_what_the_whole_model_weighs(name, monkeypatch):
    config = small_models.KINDS[name]()
    metal = backend.Backend(True, "", "bfloat16", "", "")
    monkeypatch.setattr(backend, "here", lambda: metal)

    paper = blueprint.read(config, bits=4, group_size=64, mode="affine")
    whole = mlx.weigh(config, bits=4, group_size=64, mode="affine")

    assert paper.weight_bytes(paper.counts) == whole.weight_bytes


def test_a_shorter_model_has_the_picked_layers():
    paper = blueprint.read(small_models.latent(), bits=4, group_size=64, mode="affine")

    model = blueprint.shorter(paper, [0, 1, 2])

    assert layers.kinds(model) == paper.kinds[:3]


def test_a_pick_that_the_interval_does_not_give_is_none():
    paper = blueprint.read(small_models.sliding(), bits=4, group_size=64, mode="affine")

    assert blueprint.shorter(paper, [0, 5]) is None


def test_a_shorter_interval_gives_other_numbers_of_the_same_kinds():
    paper = blueprint.read(small_models.hybrid(), bits=4, group_size=64, mode="affine")

    model = blueprint.shorter(paper, range(4), interval=2)

    state, attention = list(paper.counts)
    assert Counter(layers.kinds(model)) == {state: 2, attention: 2}


def test_a_config_without_layers_is_refused():
    with pytest.raises(InputError, match="num_hidden_layers"):
        blueprint.read({**small_models.dense(), "num_hidden_layers": None}, bits=4, group_size=64,
                       mode="affine")  # fmt: skip
