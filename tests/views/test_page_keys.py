"""A page's keys: what is known is used, what is not costs a sentence, the rest stays."""

import pytest

from advisor.views.page_keys import (
    Amounts,
    Checked,
    Many,
    Number,
    One,
    PageKeys,
    Text,
    parse,
    to_link,
)

KINDS = {
    "q": Text(),
    "sort": One("order", ("best", "fast"), "best"),
    "m": Many("model", ("a", "b", "c"), ("a",), most=2),
}


def test_nothing_in_the_link_gives_the_defaults_and_writes_nothing():
    values, problems = parse(KINDS, {})

    assert values == {"q": "", "sort": "best", "m": ["a"]}
    assert problems == []
    assert to_link(KINDS, values) == {}


def test_a_link_comes_back_as_it_was_written():
    values = {"q": "qwen 4bit", "sort": "fast", "m": ["c", "b"]}

    link = to_link(KINDS, values)

    assert link == {"q": "qwen 4bit", "sort": "fast", "m": "c,b"}
    assert parse(KINDS, link) == (values, [])


def test_an_emptied_choice_is_remembered():
    link = to_link(KINDS, {"q": "", "sort": "best", "m": []})

    assert link == {"m": ""}
    assert parse(KINDS, link)[0]["m"] == []


@pytest.mark.parametrize(
    ("link", "values", "said"),
    [
        ({"sort": "fst"}, {"sort": "best"}, "No order is called 'fst'. Nearest: fast."),
        ({"m": "b,zz,c"}, {"m": ["b", "c"]}, "No model is called 'zz'."),
        ({"m": "a,b,c"}, {"m": ["a", "b"]}, "at most 2 can be shown at once, not 3."),
        ({"m": "b,b"}, {"m": ["b"]}, ""),
        ({"q": "x" * 61}, {"q": ""}, "at most 60 characters"),
    ],
)
def test_what_cannot_be_used_costs_one_sentence(link, values, said):
    found, problems = parse(KINDS, link)

    assert {name: found[name] for name in values} == values
    assert len(problems) == (1 if said else 0)
    assert said in "".join(problems)


def test_a_huge_link_is_not_repeated_in_full():
    _, problems = parse(KINDS, {"sort": "<script>" * 1000})

    assert len(problems[0]) < 400


def test_pages_do_not_share_widgets():
    assert PageKeys("fit", KINDS).widget("q") != PageKeys("speed", KINDS).widget("q")


@pytest.mark.parametrize(
    ("kind", "text", "value", "said"),
    [
        (Number(None, 0, 10), "2.5", 2.5, ""),
        (Number(4.0, 0, 10), "0", 4.0, "must be above 0 and at most 10, not 0"),
        (Number(4.0, 0, 10), "many", 4.0, "'many' is not a number"),
        (Amounts(0, 10), "a:1,b:c:2", {"a": 1.0, "b:c": 2.0}, ""),
        (Amounts(0, 10), "a:1,b:-2", {"a": 1.0}, "must be above 0"),
        (Amounts(0, 10), "5", {}, "needs the machine"),
        (Checked(str.upper, most=2), "a,b,a", ["A", "B"], ""),
        (Checked(str.upper, most=2), "a,b,c", ["A", "B"], "at most 2"),
    ],
)
def test_numbers_amounts_and_what_a_check_accepts(kind, text, value, said):
    found, problems = parse({"x": kind}, {"x": text})

    assert found["x"] == value
    assert len(problems) == (1 if said else 0)
    assert said in "".join(problems)
    if not said:
        assert parse({"x": kind}, to_link({"x": kind}, found)) == (found, [])
