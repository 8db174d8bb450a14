import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.errors import InputError
from advisor.routing.exports.sets import expand, expressions, maximal_sets


def sets(*texts):
    return [frozenset(text.split()) for text in texts]


def test_an_embedder_with_either_coder_and_the_big_one_alone_are_two_sets():
    footprints = {"embed": 1, "coder1": 11, "coder2": 11, "big": 20}

    found = maximal_sets(footprints, 20)

    assert set(found) == set(sets("embed coder1", "embed coder2", "big"))
    assert sorted(expressions(found)) == ["big", "embed & (coder1 | coder2)"]


def test_both_coders_at_once_where_there_is_room():
    assert sorted(
        expressions(maximal_sets({"embed": 1, "coder1": 9, "coder2": 10, "big": 20}, 20))
    ) == ["big", "coder1 & coder2 & embed"]


def test_two_that_fit_alone_and_not_together_are_never_both_resident():
    assert set(maximal_sets({"a": 6, "b": 7}, 12)) == set(sets("a", "b"))


def test_what_is_kept_is_in_every_set():
    footprints = {"always": 4, "one": 6, "two": 7, "huge": 9}

    assert set(maximal_sets(footprints, 12, keep=["always"])) == set(
        sets("always one", "always two")
    )


def test_nothing_fits_where_even_the_kept_ones_do_not():
    assert maximal_sets({"always": 4}, 3, keep=["always"]) == []


def test_more_models_than_can_be_combined_are_a_sentence():
    with pytest.raises(InputError, match="too many to combine"):
        maximal_sets({f"m{n}": 1 for n in range(17)}, 4)


@given(
    st.lists(st.integers(1, 30), min_size=1, max_size=7),
    st.integers(1, 60),
)
def test_exactly_the_sets_that_fit_and_cannot_grow(sizes, limit):
    footprints = {f"m{place}": size for place, size in enumerate(sizes)}
    fits = [
        frozenset(names)
        for count in range(1, len(sizes) + 1)
        for names in itertools.combinations(footprints, count)
        if sum(footprints[name] for name in names) <= limit
    ]
    maximal = {one for one in fits if not any(one < other for other in fits)}

    found = maximal_sets(footprints, limit)

    assert len(found) == len(maximal)
    assert set(found) == maximal
    written = [one for text in expressions(found) for one in expand(text)]
    assert len(written) == len(maximal)
    assert set(written) == maximal


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("(a | b) & (c | d)", ["a c", "a d", "b c", "b d"]),
        ("a&b", ["a b"]),
        ("a | b & c", ["a", "b c"]),
    ],
)
def test_expressions_stand_for_sets_as_in_the_reference(expression, expected):
    assert expand(expression) == sets(*expected)


@pytest.mark.parametrize("expression", ["", "a &", "(a | b", "a b", "a & %", "& a"])
def test_an_expression_that_cannot_be_read_is_a_sentence(expression):
    with pytest.raises(InputError, match="The set"):
        expand(expression)
