"""A report is read back with today's facts beside it; what is none is refused with a sentence."""

import json

import pytest

from advisor.catalog import load
from advisor.errors import InputError
from advisor.share import reading, writing

ELSEWHERE = {
    "nothing": ("", "not whole JSON"),
    "no JSON": ("hello", "not whole JSON"),
    "cut short": ('{"kind": "Tollbooth report", "form', "not whole JSON"),
    "deeply nested": ("[" * 100_000, "not whole JSON"),
    "a list": ("[1]", "from elsewhere"),
    "another program's": ('{"kind": "weather"}', "from elsewhere"),
    "not text": (b"\xff\xfe\x00", "not whole JSON"),
    "too large": (b" " * 6_000_000, "at most 5 MB"),
    "no format": ('{"kind": "Tollbooth report"}', "does not say its format"),
    "of a later version": ('{"kind": "Tollbooth report", "format": 9}', "later version"),
    "emptied": ('{"kind": "Tollbooth report", "format": 1}', "broken at made"),
}


def changed(report, **change) -> str:
    return json.dumps(json.loads(writing.as_json(report)) | change)


@pytest.mark.parametrize(("content", "said"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_what_is_no_report_is_refused_with_a_sentence(content, said):
    with pytest.raises(InputError, match=said):
        reading.read(content)


def test_a_report_opens_its_scenario_and_nothing_has_changed(report):
    found = reading.receive(load(), writing.as_json(report))

    assert found.opened.answer.verdict == report.verdict
    assert (found.opened.problems, found.opened.since) == ((), "")
    assert found.sent.page == "home"


def test_a_newer_catalog_says_what_changed_since(report):
    first, second = report.machines
    slower = first.model_copy(update={"same": first.same.model_copy(update={"decode_tok_s": 12.0})})
    old = report.model_copy(update={"catalog": "2020-01-01.00000000", "machines": (slower, second)})

    since = reading.receive(load(), writing.as_json(old)).opened.since

    assert since.startswith("The facts here are newer than the link's (2020-01-01.00000000")
    assert "M4 16 GB: the same 8B at 12.0 tok/s, now 1" in since


def test_a_report_whose_link_was_edited_says_so(report):
    link = report.link.replace("mac-mini-m4-pro-48", "mac-gone-48", 1)

    problems = reading.receive(load(), changed(report, link=link)).opened.problems

    assert "changed after it was made" in problems[0]
    assert "mac-gone-48" in problems[1]


def test_a_page_that_is_not_of_this_version_is_the_first_page(report):
    assert reading.receive(load(), changed(report, page="../x")).sent.page == "home"


def test_a_text_is_told_from_a_link():
    assert reading.is_report('\ufeff {"kind": 1}')
    assert not reading.is_report("https://x.org/?a=b")
