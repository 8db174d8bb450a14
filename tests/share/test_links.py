"""A link is read from wherever it was pasted, and one that is not whole says so."""

import ast
import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from advisor.errors import InputError
from advisor.share import links

KEYS = {"a": "mac-mini-m4-16", "b": "mac-mini-m4-pro-48", "q": "qwen 3 & co"}
SEALED = links.query(KEYS, catalog="2026-12-01.99e447dd", said="x~y")
PASTED = {
    "whole": (f"https://tolls.example.org/fit?{SEALED}", "fit"),
    "under a folder of the host": (f"https://example.org/tools/tollbooth/speed?{SEALED}", "speed"),
    "the first page": (f"http://127.0.0.1:8501/?{SEALED}", "home"),
    "a host that is no page": (f"https://example.org/tollbooth?{SEALED}", "home"),
    "the query with its mark": (f"?{SEALED}", "home"),
    "the query alone": (SEALED, "home"),
    "in angle brackets": (f" <https://x.org/fit?{SEALED}>\n", "fit"),
    "broken over two lines": (f"https://x.org/fit?{SEALED[:40]}\r\n  {SEALED[40:]}", "fit"),
    "escaped by a mail program": (f"https://x.org/fit?{SEALED}".replace("&", "&amp;"), "fit"),
    "with what a messenger appends": (f"https://x.org/fit?{SEALED}&utm_source=chat", "fit"),
    "with a fragment": (f"https://x.org/fit?{SEALED}#top", "fit"),
}
NOT_WHOLE = {
    "cut in its last value": (SEALED[:-6], "cut short"),
    "cut in its middle": (SEALED[:60], "cut short"),
    "cut in the sum": (SEALED[:-2], "was changed"),
    "a value edited": (SEALED.replace("m4-pro-48", "m4-pro-64"), "was changed"),
    "a value taken out": (SEALED.replace("b=mac-mini-m4-pro-48&", ""), "was changed"),
    "from a later version": (SEALED.replace("v=1", "v=7"), "later version"),
    "its form edited": (SEALED.replace("v=1", "v=x"), "beginning was changed"),
}
NO_LINK = {
    "nothing": (" \n", "There is no link here"),
    "a word": ("hello", "holds no comparison"),
    "another site": ("https://example.org/", "holds no comparison"),
    "a book": ("a=" + "x" * 5000, "at most 4,000 characters"),
    "too many values": ("&".join(f"k{n}=1" for n in range(99)), "at most 60 values"),
}


@pytest.mark.parametrize(("text", "page"), PASTED.values(), ids=PASTED)
def test_a_link_is_read_however_it_was_pasted(text, page):
    found = links.read(text)

    assert found.page == page
    assert {key: found.params[key] for key in KEYS} == KEYS
    assert links.problems(found.params) == []


@pytest.mark.parametrize(("text", "said"), NOT_WHOLE.values(), ids=NOT_WHOLE)
def test_a_link_that_is_not_whole_says_so(text, said):
    (problem,) = links.problems(links.read(text).params)

    assert said in problem


@pytest.mark.parametrize(("text", "said"), NO_LINK.values(), ids=NO_LINK)
def test_what_is_no_link_is_refused_with_a_sentence(text, said):
    with pytest.raises(InputError, match=said):
        links.read(text)


def test_an_address_bars_link_is_taken_as_it_is():
    assert links.problems(links.read("?a=mac-mini-m4-16").params) == []


def test_a_page_without_values_is_a_link():
    assert links.read("https://tolls.example.org/sources") == links.Sent("sources", {})


@pytest.mark.parametrize("set_to", ["https://tolls.example.org/", "http://10.0.0.5:8501"])
def test_the_base_address_stands_before_page_and_values(monkeypatch, set_to):
    monkeypatch.setenv("TOLLBOOTH_BASE", set_to)

    whole = links.address(links.base_address(), "fit", SEALED)

    assert whole == f"{set_to.rstrip('/')}/fit?{SEALED}"
    assert links.address(links.base_address(), "home", "a=x") == f"{set_to.rstrip('/')}/?a=x"


def test_no_base_address_is_the_default(monkeypatch):
    monkeypatch.delenv("TOLLBOOTH_BASE", raising=False)

    assert links.base_address() == ""


@pytest.mark.parametrize("wrong", ["tolls.example.org", "ftp://x.org", "https://", "http://x:y",
                                   "https://x.org/?a=b", "https://[x"])  # fmt: skip
def test_a_base_that_is_no_address_is_a_sentence(monkeypatch, wrong):
    monkeypatch.setenv("TOLLBOOTH_BASE", wrong)

    with pytest.raises(InputError, match="TOLLBOOTH_BASE"):
        links.base_address()


@pytest.mark.parametrize(("address", "local"), [
    ("http://127.0.0.1:8501", True), ("http://localhost", True), ("http://[::1]:8501/", True),
    ("https://tolls.example.org", False), ("http://[", False),
])  # fmt: skip
def test_an_address_that_only_this_computer_reaches_is_known(address, local):
    assert links.is_loopback(address) is local


def test_the_seal_is_readable_and_in_order():
    assert [key for key, _ in parse_qsl(SEALED)] == ["v", "a", "b", "q", "cat", "was", "z"]


def test_every_page_of_the_app_can_be_linked_to():
    root = Path(__file__).resolve().parents[2]
    tree = ast.parse((root / "app.py").read_text())
    (views,) = (
        node.value
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "VIEWS"
    )
    urls = {
        name.id: re.search(r', "(\w+)"$', (root / f"advisor/views/{name.id}.py").read_text(), re.M)
        for name in views.elts
    }

    assert {match[1] for match in urls.values()} <= set(links.PAGES)
