"""The claim is tested by the numbers of the pair, not asserted."""

from dataclasses import replace

import pytest

from advisor.upgrade import essay
from advisor.upgrade.answer import upgrade


def test_it_holds_for_the_essays_own_pair(found):
    tested = found.targets[0].essay

    assert tested.outcome == essay.HOLDS
    assert "the chip alone none" in tested.said[0]
    assert len(tested.said) == 4


def test_it_does_not_hold_where_no_memory_is_bought(catalog, workload, minis, found):
    same_size = upgrade(
        catalog, minis[0], [catalog.machine("mac-mini-m6-16")], workload,
        route=lambda machine: found.first.table,
    )  # fmt: skip

    tested = same_size.targets[0].essay
    assert tested.outcome == essay.NOT
    assert "what is bought is speed" in tested.said[0]


def test_it_holds_in_part_where_full_is_faster_too(catalog, found):
    target = found.targets[0]
    claims = replace(target.claims, filled=1.5)

    tested = essay.tested(catalog, claims, target.alone, ("old", "new"))

    assert tested.outcome == essay.PARTLY


def test_nothing_fast_enough_is_said(found):
    one = replace(found.targets[0].alone[0], best=None)

    assert essay.best_text(one) == "nothing is fast enough"


@pytest.mark.parametrize("index", [0, 1])
def test_a_best_is_named_with_its_speed(found, index):
    one = found.targets[0].alone[index]

    assert f"at {one.best.decode_tok_s:.0f} tok/s" in essay.best_text(one)
