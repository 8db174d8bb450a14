"""One answer for all that is passed on: the engine's numbers, each machine once."""

import dataclasses

import pytest

from advisor.advice.scenario import DEFAULT
from advisor.catalog import load
from advisor.errors import InputError
from advisor.estimate import plan
from advisor.share.answer import answer


def test_the_same_model_has_the_engines_speed_on_each():
    catalog = load()
    found = answer(catalog, DEFAULT)

    for side, machine_id in zip(found.sides, ("mac-mini-m4-16", "mac-mini-m4-pro-48"), strict=True):
        table = plan.table(catalog, [catalog.machine(machine_id)], runtime="mlx-lm")
        row = table[(table["model_id"] == "llama-3.1-8b") & (table["quant_id"] == "mlx-4bit")]
        assert side.machine.id == machine_id
        assert side.same["decode_tok_s"] == row["decode_tok_s"].iloc[0]
    assert "stops at" in found.verdict
    assert len(found.claims) == 3


def test_the_same_machine_twice_is_one_side_that_buys_nothing():
    found = answer(load(), dataclasses.replace(DEFAULT, b=DEFAULT.a))

    assert len(found.sides) == 1
    assert found.verdict == "Both are the same machine: nothing changes."
    assert found.claims == ()


def test_further_machines_stand_beside_the_two():
    found = answer(load(), DEFAULT, ["mac-mini-m5-pro-48", "mac-mini-m4-16"])

    assert [side.machine.id for side in found.sides] == [
        "mac-mini-m4-16", "mac-mini-m4-pro-48", "mac-mini-m5-pro-48",
    ]  # fmt: skip
    assert {route.machine_id for route in found.routes} == {s.machine.id for s in found.sides}


def test_an_unknown_further_machine_is_a_sentence():
    with pytest.raises(InputError, match="mac-mini-m9-16"):
        answer(load(), DEFAULT, ["mac-mini-m9-16"])
