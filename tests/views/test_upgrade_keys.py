"""The Upgrade page's keys: read from a link, checked, and written back the same."""

import pytest

from advisor.catalog import load
from advisor.views import upgrade_keys
from advisor.views.page_keys import parse, to_link


@pytest.fixture(scope="module")
def kinds():
    return upgrade_keys.keys(load()).kinds


def test_a_link_comes_back_as_it_was(kinds):
    link = {
        "more": "m4-pro:16:24,mac-mini-m6-16", "wl": "chat", "task": "code", "pm": "qwen3-14b",
        "kwh": "0.31", "hin": "0.1", "hout": "0.4", "life": "3", "duty": "0.25",
        "price": "mac-mini-m4-16:650,m4-pro:16:24:900.5", "load": "mac-mini-m4-16:33",
        "race": "best", "len": "100", "cold": "1", "to": "mac-mini-m6-16", "cur": "EUR",
    }  # fmt: skip

    values, problems = parse(kinds, link)

    assert problems == []
    assert values["price"] == {"mac-mini-m4-16": 650.0, "m4-pro:16:24": 900.5}
    assert to_link(kinds, values) == link


def test_an_empty_link_is_the_default(kinds):
    values, problems = parse(kinds, {})

    assert problems == []
    assert to_link(kinds, values) == {}
    assert (values["life"], values["duty"], values["pm"]) == (4.0, 0.1, "llama-3.1-8b")


@pytest.mark.parametrize(
    ("key", "text"),
    [("more", "mac-mini-m9-1"), ("price", "mac-mini-m4-16:-1"), ("price", "650"), ("kwh", "nan"),
     ("life", "0"), ("duty", "1.01"), ("pm", "phi-2"), ("len", "7")],
)  # fmt: skip
def test_what_cannot_be_costs_one_sentence(kinds, key, text):
    values, problems = parse(kinds, {key: text})

    assert len(problems) == 1
    assert problems[0].startswith(f"The link's {key}=")
    assert to_link(kinds, values) == {}
