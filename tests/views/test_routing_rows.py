"""Rows of the Routing page are the solver's tables, told for two machines."""

import pytest

from advisor.catalog import load
from advisor.routing import solve
from advisor.routing.workload import preset
from advisor.views import routing_rows

NAMES = ["M4 16 GB", "M4 Pro 48 GB"]


@pytest.fixture(scope="module")
def workload():
    return preset(load(), "personal-agent")


@pytest.fixture(scope="module")
def tables(workload):
    return [
        solve.table(load(), load().machine(name), workload, robust=False)
        for name in ("mac-mini-m4-16", "mac-mini-m4-pro-48")
    ]


def test_every_class_has_a_row_on_each_machine_with_the_tables_numbers(workload, tables):
    rows = routing_rows.classes(workload, tables, NAMES)

    assert len(rows) == 2 * len(workload.classes)
    first = rows[rows["machine"] == NAMES[0]]
    assert first["tok_s"].dropna().tolist() == [
        route.decode_tok_s for route in tables[0].routes if route.decode_tok_s == route.decode_tok_s
    ]
    assert rows["share"].sum() == pytest.approx(200)


def test_what_changes_is_told_in_the_sentence(workload, tables):
    rows = routing_rows.classes(workload, tables, NAMES)
    moved = rows.loc[rows["changes"], "class"].nunique()

    said = routing_rows.verdict(workload, tables, NAMES)

    assert said.startswith(f"On the M4 Pro 48 GB {moved} of {len(workload.classes)} classes")
    same = routing_rows.verdict(workload, [tables[0]] * 2, NAMES)
    assert "changes nothing" in same


def test_residents_fit_what_is_said(tables):
    rows = routing_rows.residents(tables, NAMES)

    assert len(rows) == sum(len(table.residents) for table in tables)
    assert "of 11.8 GiB resident" in routing_rows.room(tables[0])
