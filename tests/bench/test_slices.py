"""Slice runs of models of every kind: few layers, many experts, memory asked before it is taken."""

import dataclasses

import pytest

from advisor.bench import design, slices
from advisor.bench.point import Point
from advisor.errors import InputError
from advisor.mlx.stepping import Interval
from advisor.units import GB
from tests import small_models


def point_of(config, **changes) -> Point:
    asked = Point("slice", "m", "mlx-4bit", config, 4, 64, "affine", depths=(32,),
                  prompt_tokens=(4,), limit_s=0.2)  # fmt: skip
    return dataclasses.replace(asked, **changes)


def heard():
    events = []
    return events, lambda kind, **fields: events.append((kind, fields))


@pytest.mark.parametrize("name", small_models.KINDS)
def test_a_slice_never_has_more_than_six_layers(name):
    made = slices.plan(point_of(small_models.KINDS[name](layers=20)))

    assert max(len(model.layers) for model in made.models) <= design.MOST_LAYERS


@pytest.mark.parametrize("name", small_models.KINDS)
def test_slices_add_up_to_the_layers_of_each_kind(name):
    made = slices.plan(point_of(small_models.KINDS[name](layers=20)))
    counts = made.blueprint.counts

    for kind in counts:
        added = sum(
            weight * dict(one.counts).get(kind, 0)
            for one, weight in zip(made.design.slices, made.design.weights, strict=True)
        )
        assert added == pytest.approx(counts[kind])


def test_a_run_tells_its_stages_and_how_its_figures_were_made():
    events, emit = heard()

    found = slices.measure(point_of(small_models.dense(layers=20)), emit)

    assert [fields["stage"] for kind, fields in events if kind == "stage"] == [
        "plan", "build", "decode", "prefill",
    ]  # fmt: skip
    assert found.how.startswith("Slices of 2 and 6 of 20 layers with random weights")
    assert [step.context_tokens for step in found.steps] == [32]
    assert [prompt.prompt_tokens for prompt in found.prompts] == [4]
    assert found.steps[0].repeats >= 2
    assert found.outside_s is not None
    assert 0 < found.peak_memory_bytes < slices.plan(point_of(small_models.dense(20))).needed_bytes


@pytest.mark.parametrize("name", ["moe", "latent"])
def test_experts_in_use_are_more_than_twice_those_of_one_token(name):
    config = small_models.KINDS[name]()

    found = slices.measure(point_of(config, prompt_tokens=()), heard()[1])

    assert found.experts_touched > 2 * config["num_experts_per_tok"]


def test_a_router_that_favours_a_few_is_refused(monkeypatch):
    monkeypatch.setattr("advisor.mlx.experts.touched", lambda model, vocab_size, enough: 2)

    with pytest.raises(InputError, match="used only 2 of 16 experts"):
        slices.measure(point_of(small_models.moe()), heard()[1])


def test_too_much_memory_is_refused_before_anything_is_built(monkeypatch):
    monkeypatch.setattr("advisor.mlx.weights.fill", lambda *_: pytest.fail("built"))

    with pytest.raises(InputError, match="so nothing was built"):
        slices.measure(point_of(small_models.dense(), most_bytes=1000), heard()[1])


def test_heavy_layers_are_built_in_smaller_numbers_where_that_helps():
    config = small_models.dense(layers=40)
    light, heavy = (slices.plan(point_of(config, usual_bytes=n)) for n in (2 * GB, 400_000))

    assert heavy.weight_bytes < light.weight_bytes


def test_twice_the_layers_take_twice_the_layers_time(monkeypatch):
    def decode(model, caches, depth, vocab_size, steps):
        seconds = 0.01 + 0.002 * len(model.layers)  # embedding and head, then 2 ms a layer
        return [Interval(seconds, seconds)] * steps

    monkeypatch.setattr("advisor.mlx.stepping.decode", decode)
    found = [
        slices.measure(point_of(small_models.dense(layers=n), prompt_tokens=()), heard()[1])
        for n in (20, 40)
    ]

    assert [one.steps[0].step_s for one in found] == pytest.approx([0.05, 0.09])
    assert [one.outside_s for one in found] == pytest.approx([0.01, 0.01])
