"""Who is done when: a wait, then a steady pace."""

import pytest

from advisor.errors import InputError
from advisor.upgrade import race
from advisor.upgrade.race import Runner

SLOW = Runner("old", "A", 4, 3, 5, 20, 16, 25)
FAST = Runner("new", "A", 2, 1.5, 2.5, 40, 32, 50)


def test_an_answer_is_done_after_its_wait_and_its_tokens():
    """The first token comes with the wait's end: 4 s + 100 at 20 tok/s."""
    assert SLOW.done_s(101) == pytest.approx(9)
    assert SLOW.done_between_s(101) == pytest.approx((3 + 4, 5 + 100 / 16))


@pytest.mark.parametrize(("at_s", "tokens"), [(0, 0), (3.9, 0), (4, 1), (5, 21), (99, 101)])
def test_tokens_written_at_a_moment(at_s, tokens):
    assert SLOW.written(at_s, 101) == tokens


def test_a_cold_model_is_loaded_first(found):
    pace = found.first.reference

    warm, cold = race.runner(pace, "x"), race.runner(pace, "x", cold=True)

    assert cold.wait_s - warm.wait_s == pytest.approx(pace.load_s)
    assert cold.wait_low - warm.wait_low == pytest.approx(pace.load_s)
    assert warm.wait_s == pace.ttft_s


def test_a_clear_winner_is_named_with_both_times():
    """101 tokens: 4.5 s, at most 5.6; 9 s, at least 7."""
    assert race.outcome(SLOW, FAST, 101) == ("new is done after 4 s, old after 9 s (101 tokens).")


def test_overlapping_intervals_leave_it_open():
    near = Runner("near", "A", 4, 3, 5, 21, 17, 26)

    assert "may be the other way" in race.outcome(SLOW, near, 101)


@pytest.mark.parametrize("tokens", [0, -1, 10**9])
def test_lengths_that_cannot_be(tokens):
    with pytest.raises(InputError, match="An answer has 1 to"):
        race.check(tokens)
