"""Runs, errors and constants as the catalog and the fit hold them."""

import pytest

from advisor.catalog import load
from advisor.views import source_runs


@pytest.fixture(scope="module")
def catalog():
    return load()


@pytest.mark.parametrize("section", source_runs.SECTIONS, ids=lambda section: section.id)
def test_every_section_has_a_table(catalog, section):
    table = section.table(catalog)

    assert len(table) > 5
    assert table.columns.is_unique
    assert section.what.endswith(".")


def test_ids_are_unique():
    ids = [section.id for section in source_runs.SECTIONS]

    assert len(set(ids)) == len(ids)


def test_sources_account_for_every_run(catalog):
    sources = source_runs.run_sources(catalog)

    assert sources["runs"].sum() == len(catalog.runs) == len(source_runs.runs(catalog))
    by_confidence = sources[["high", "medium", "low"]].sum(axis=1)
    assert (by_confidence == sources["runs"]).all()
    assert (sources["understood"] <= sources["runs"]).all()


def test_constants_name_their_source(catalog):
    constants = source_runs.constants(catalog).set_index("constant")

    assert constants.at["os_reserve_gib", "value"] == 8
    assert constants.at["os_reserve_gib", "confidence"] == "low"
    assert (constants["source"] != "").all()
