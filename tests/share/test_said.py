"""A link carries its answer in short, and a receiver with other facts reads what has changed."""

import pytest

from advisor.advice.scenario import DEFAULT
from advisor.catalog import load
from advisor.share import said
from advisor.share.answer import answer
from advisor.share.said import Was


@pytest.fixture(scope="module")
def found():
    return answer(load(), DEFAULT)


def test_the_answer_in_short_is_read_as_it_was_written(found):
    was = said.read(said.short(found))

    assert was is not None
    assert [one.model_id for one in was] == [side.best["model_id"] for side in found.sides]
    assert was[1].same_tok_s == pytest.approx(found.sides[1].same["decode_tok_s"], abs=0.051)
    assert said.changed(load(), was, found) == []


@pytest.mark.parametrize("text", ["", "a", "a~b~1", "a~b~x~1", "a~b~-1~1", "a~b~1e9~2", "~" * 8])
def test_what_cannot_be_read_is_no_answer(text):
    assert said.read(text) is None


def test_the_version_names_day_and_digest():
    catalog = load()

    assert said.VERSION.fullmatch(said.version(catalog))
    assert said.version(catalog).endswith(catalog.digest[:8])


@pytest.mark.parametrize(
    ("made_with", "opening"),
    [
        ("2020-01-01.00000000", "The facts here are newer than the link's"),
        ("2099-01-01.00000000", "The facts here are older than the link's"),
    ],
)
def test_other_facts_are_said_in_one_line_with_what_they_changed(found, made_with, opening):
    catalog = load()
    now = said.read(said.short(found))
    before = (Was("qwen3-8b", "mlx-4bit", 9.9, now[0].same_tok_s), now[1])

    line = said.since(catalog, made_with, said.changed(catalog, before, found))

    assert line.startswith(opening)
    assert "M4 16 GB: its best was Qwen3-8B in mlx-4bit at 9.9 tok/s, now " in line
    assert "M4 Pro" not in line
    assert "\n" not in line
    assert said.since(catalog, made_with, []).endswith("; the answer is the same.")
    assert said.since(catalog, made_with, None).endswith(
        "numbers may differ from what the sender saw."
    )


def test_the_same_facts_and_numbers_say_nothing(found):
    catalog, was = load(), said.read(said.short(found))

    assert said.since(catalog, said.version(catalog), said.changed(catalog, was, found)) == ""


def test_other_numbers_of_the_same_facts_are_said(found):
    now = said.read(said.short(found))
    faster = (Was(now[0].model_id, now[0].quant_id, now[0].best_tok_s, 99.0), now[1])

    line = said.since(load(), said.version(load()), said.changed(load(), faster, found))

    assert line.startswith("The sender saw other numbers of the same facts: M4 16 GB: the same 8B")
    assert "at 99.0 tok/s" in line


def test_a_model_that_is_gone_is_named_without_what_is_no_name(found):
    now = said.read(said.short(found))
    gone = (Was("old-<b>9b", "mlx-4bit", 5.0, now[0].same_tok_s), now[1])

    (clause,) = said.changed(load(), gone, found)

    assert "its best was old-b9b in mlx-4bit at 5.0 tok/s" in clause
