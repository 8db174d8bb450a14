"""Charts hold the answer's numbers, are told to a screen reader, and read in grey."""

from dataclasses import replace
from datetime import date
from itertools import pairwise

import pytest

from advisor.catalog import load
from advisor.routing.workload import preset
from advisor.share import upgrade_charts
from advisor.upgrade.answer import upgrade


@pytest.fixture(scope="module")
def found():
    catalog = load()
    machines = [catalog.machine(m) for m in ("mac-mini-m4-16", "mac-mini-m4-pro-48")]
    return upgrade(catalog, machines[0], machines[1:], preset(catalog, "short-only"),
                   today=date(2026, 12, 1))  # fmt: skip


def rows(spec: dict) -> list[dict]:
    return [row for data in spec["datasets"].values() for row in data]


def luminance(colour: str) -> float:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_every_chart_has_a_description(found):
    sides = found.sides
    for chart in (
        upgrade_charts.pace(found.first, found.targets[0]),
        upgrade_charts.frontier(sides, "chat", 20),
        upgrade_charts.cost([side.bill for side in sides], 0.1),
        upgrade_charts.memory(sides),
    ):
        assert len(chart.to_dict()["description"]) > 20


def test_paces_are_the_routes_speeds(found):
    spec = upgrade_charts.pace(found.first, found.targets[0]).to_dict()

    shown = {(row["machine"], row["class"]): row["tok_s"] for row in rows(spec)}
    for change in found.targets[0].changes:
        assert shown["M4 16 GB", change.name] == change.before.decode_tok_s
        assert shown["M4 Pro 48 GB", change.name] == change.after.decode_tok_s


def test_a_floor_is_drawn_where_there_is_one(found):
    with_floor = upgrade_charts.frontier(found.sides, "chat", 20).to_dict()
    without = upgrade_charts.frontier(found.sides, "chat", None).to_dict()

    assert any(row.get("said") == "floor 20 tok/s" for row in rows(with_floor))
    assert len(with_floor["layer"]) == len(without["layer"]) + 2


def test_the_hosted_price_stands_beside_the_costs(found):
    spec = upgrade_charts.cost([side.bill for side in found.sides], 0.1).to_dict()

    hosted = found.first.bill.hosted_per_mtok
    assert any(row.get("said") == f"hosted {hosted:.3g}" for row in rows(spec))


def test_a_hosted_price_that_is_not_known_is_not_drawn(found):
    paid = replace(found.first.bill, hosted_per_mtok=float("nan"))

    spec = upgrade_charts.cost([paid], 0.1).to_dict()

    assert not any("said" in row for row in rows(spec))
    assert f"A million tokens ({paid.currency})" in str(spec)


def test_the_parts_of_a_memory_add_up_to_it(found):
    for side in found.sides:
        parts = upgrade_charts.filled(side)
        assert sum(size for *_, size in parts) == pytest.approx(side.machine.memory_bytes)
        for (_, _, start, size), (_, _, following, _) in pairwise(parts):
            assert following == pytest.approx(start + size)


def test_two_machines_differ_in_grey():
    """Neighbours by 40 of 255 at least; dashes and shapes tell the rest apart."""
    first, second = map(luminance, upgrade_charts.COLOURS[:2])

    assert abs(first - second) > 40
    assert len(set(map(str, upgrade_charts.DASHES))) == len(upgrade_charts.COLOURS)
    assert len(set(upgrade_charts.SHAPES)) == len(upgrade_charts.COLOURS)
