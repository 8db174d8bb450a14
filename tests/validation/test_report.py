"""One report for page, terminal and README."""

import json

import pytest

from advisor.catalog import load
from advisor.estimate import accuracy
from advisor.validation.report import report


@pytest.fixture(scope="module")
def found():
    return report(load())


def test_it_is_plain_numbers(found):
    assert json.loads(json.dumps(found)) == found


def test_every_dimension_counts_every_named_run_once(found):
    for name, rows in found["by"].items():
        assert sum(row["runs"] for row in rows) == found["decode"]["named runtimes"]["runs"], name


def test_prefill_of_accelerators_stands_apart(found):
    prompts = found["prefill"]

    assert prompts["with neural accelerators"]["runs"] > 30
    assert prompts["all"]["runs"] > prompts["dense"]["runs"]
    assert prompts["all"]["coverage"] > 0.75


def test_the_slices_are_those_of_the_estimates(found):
    assert found["decode"] == accuracy.by_slice(load())
