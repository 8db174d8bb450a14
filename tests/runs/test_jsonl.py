"""Runs survive JSON Lines exactly; a line that cannot be used is named."""

import json

import pytest

from advisor.errors import InputError
from advisor.runs import jsonl
from tests.runs.examples import a_run


def test_runs_come_back_exactly():
    runs = [a_run(), a_run(batch=2, used=False, model_id="", kind="imported")]

    text = "".join(jsonl.lines(runs))

    assert jsonl.read(text.splitlines()) == runs
    assert text.count("\n") == 2


def test_blank_lines_and_none_at_all_are_fine():
    assert jsonl.read(["", *jsonl.lines([a_run()]), "  \n"]) == [a_run()]
    assert jsonl.read([]) == []


def line(**changed) -> str:
    return json.dumps({**json.loads(next(iter(jsonl.lines([a_run()])))), **changed})


BAD = {
    "no JSON": ("{", r"Line 2: it is no JSON"),
    "a list": ("[]", "Line 2: it is no run"),
    "another format": ('{"format": "other"}', "Line 2: it is no run"),
    "a newer version": (
        line(version=2),
        "Line 2: it has version 2, this Tollbooth reads 1; update",
    ),
    "a bad field": (line(batch=0), "Line 2: batch: "),
    "deep nesting": ("[" * 100_000, "Line 2: it is no JSON"),
}


@pytest.mark.parametrize(("bad", "said"), BAD.values(), ids=BAD)
def test_the_first_line_that_cannot_be_used_is_named(bad, said):
    with pytest.raises(InputError, match=said):
        jsonl.read([line(), bad, line()])
