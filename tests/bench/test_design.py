"""Slices add up to the whole exactly, within few layers, and with little noise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.bench import design

PATTERNS = {  # kinds of layers in order, as published models have them
    "dense, 28": "a" * 28,
    "first three dense, 61": "aaa" + "b" * 58,
    "sliding, 34: two left over": "aaaaab" * 5 + "aaaa",
    "hybrid, 48": "aaab" * 12,
    "irregular, 52": "mEmEm*E" * 7 + "mEm",
    "short": "aab",
}
ONE_BYTE = dict.fromkeys("abmE*", 1)


def chosen(pattern: str, most_bytes: float = 1e9) -> design.Design:
    counts = {kind: pattern.count(kind) for kind in dict.fromkeys(pattern)}
    found = design.best(
        counts, design.compositions(pattern), most_bytes=most_bytes, bytes_of=ONE_BYTE
    )
    assert found is not None
    return found


def total(found: design.Design, weights: tuple[float, ...], outside: float, of: dict) -> float:
    times = [outside + sum(of[kind] * n for kind, n in one.counts) for one in found.slices]
    return sum(weight * time for weight, time in zip(weights, times, strict=True))


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_times_of_slices_add_up_to_the_time_of_the_whole(pattern):
    of = {"a": 3.0, "b": 5.0, "m": 1.0, "E": 7.0, "*": 2.0}
    found = chosen(pattern)

    assert total(found, found.weights, 11.0, of) == pytest.approx(11 + sum(of[k] for k in pattern))


@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_no_slice_has_more_than_six_layers(pattern):
    assert max(one.layers for one in chosen(pattern).slices) <= 6


def test_a_dense_model_is_told_by_two_and_six_layers():
    found = chosen("a" * 28)

    assert [one.layers for one in found.slices] == [2, 6]
    # by hand: t(28) = t(2) + 26 / 4 * (t(6) - t(2))
    assert found.weights == pytest.approx((-5.5, 6.5))


def test_embedding_and_head_come_from_the_same_slices():
    found = chosen("a" * 28)

    assert total(found, found.outside, 11.0, {"a": 3.0}) == pytest.approx(11)


def test_a_model_of_few_layers_is_its_own_slice():
    found = chosen("aab")

    assert [one.layers for one in found.slices] == [3]
    assert found.weights == pytest.approx((1,))


def test_heavy_layers_make_slices_shorter():
    found = chosen("a" * 28, most_bytes=4)

    assert [one.layers for one in found.slices] == [2, 4]


def test_there_is_no_design_where_nothing_may_be_built():
    assert design.best({"a": 9}, design.compositions("a" * 9), most_bytes=0,
                       bytes_of=ONE_BYTE) is None  # fmt: skip


def test_shared_layers_are_weighed_once():
    two, six = (design.slice_of("aaaaaab", range(n)) for n in (2, 6))

    assert design.layer_bytes([two, six], {"a": 10, "b": 1}) == 60


PERIODS = {"aaaa": (0, 1), "abababa": (0, 2), "caaab" + "aaab" * 3: (1, 4), "abc": (2, 1)}


@pytest.mark.parametrize(("pattern", "found"), list(PERIODS.items())[:3])
def test_first_layers_stand_apart_from_the_period(pattern, found):
    assert design.period_of(pattern) == found


def test_whole_periods_are_at_most_three_and_one_holds_what_is_left_over():
    sizes = [one.layers for one in design.periods("aaaaaaab" * 4 + "aa")]

    assert sizes == [8, 10, 16, 24]


def test_layers_without_a_period_give_no_periods():
    assert list(design.periods("abcdefghijklmn")) == []


@given(st.integers(7, 120))
def test_twice_the_layers_take_twice_the_time_of_layers(layers):
    found, double = chosen("a" * layers), chosen("a" * 2 * layers)
    of = {"a": 3.0}

    longer = total(double, double.weights, 11.0, of) - total(found, found.weights, 11.0, of)

    assert longer == pytest.approx(3.0 * layers)
