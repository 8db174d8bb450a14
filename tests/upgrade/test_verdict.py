"""The rule of the verdict, on made-up changes whose outcome can be told by hand."""

from dataclasses import replace

from advisor.upgrade import changes
from advisor.upgrade.changes import Answer, Change
from advisor.upgrade.verdict import verdict

NAMES, SIZES = ("old", "new"), (16, 48)
GOOD = Answer("A", "mlx-4bit", 0.5, "published", 20, 18, 22, 2, 1.8, 2.2, 8192, True)
SLOW = replace(GOOD, keeps_floors=False)


def change(what: str, share: float, *, gain: float = 0.0, simple: bool = False) -> Change:
    before = SLOW if what == changes.HOME else GOOD
    after = SLOW if what == changes.LOST else replace(GOOD, quality=0.5 + gain)
    return Change(what, what, share, simple, before, after, what)


def test_newly_kept_floors_are_worth_it():
    found = verdict([change(changes.HOME, 0.1), change(changes.SAME, 0.9)], NAMES, SIZES)

    assert found.worth
    assert "newly answers 10% of your requests" in found.sentence


def test_better_answers_to_demanding_requests_are_worth_it():
    found = verdict([change(changes.BETTER, 1.0, gain=0.1)], NAMES, SIZES)

    assert found.worth
    assert "quality +0.10 in the mean" in found.sentence


def test_better_answers_to_simple_requests_are_not():
    found = verdict([change(changes.BETTER, 1.0, gain=0.2, simple=True)], NAMES, SIZES)

    assert not found.worth
    assert "16 GB is enough" in found.sentence


def test_more_speed_alone_is_not():
    found = verdict([change(changes.FASTER, 1.0)], NAMES, SIZES)

    assert found.sentence.startswith("Don't: the old already keeps every floor")
    assert any(reason.startswith("Only faster") for reason in found.reasons)


def test_a_small_gain_on_few_requests_is_not():
    found = verdict(
        [change(changes.SAME, 0.97, simple=True), change(changes.BETTER, 0.03, gain=0.3)],
        NAMES, SIZES,
    )  # fmt: skip

    assert not found.worth


def test_a_lost_class_is_a_reason_against():
    found = verdict(
        [change(changes.LOST, 0.1), change(changes.BETTER, 0.9, gain=0.2)], NAMES, SIZES
    )

    assert not found.worth
    assert "no longer keeps the floors" in found.sentence
