"""The shape of a report: all it says is there, what a later version adds is left out."""

import json

import pytest
from pydantic import ValidationError

from advisor.share.report import Report


def test_a_report_comes_back_from_its_own_json(report):
    assert Report.model_validate_json(report.model_dump_json()) == report


def test_what_a_later_version_adds_is_left_out(report):
    data = json.loads(report.model_dump_json()) | {"weather": "fine"}

    assert Report.model_validate(data) == report


@pytest.mark.parametrize("change", [
    {"machines": []}, {"verdict": "x" * 3000}, {"context_tokens": "many"}, {"made": "yesterday"},
    {"kind": "a cookbook"}, {"least_tok_s": float("inf")},
])  # fmt: skip
def test_what_cannot_be_is_refused(report, change):
    with pytest.raises(ValidationError):
        Report.model_validate(json.loads(report.model_dump_json()) | change)
