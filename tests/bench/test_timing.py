"""Repeats end when they agree or time is up, and what disturbs them is noted once."""

import pytest

from advisor.bench import guard, samples
from advisor.bench.timing import MOST_REPEATS, Timed


def timed(models=1, events=None):
    heard = [] if events is None else events
    return Timed([None] * models, [1.0] * models, 512, True,
                 lambda kind, **fields: heard.append((kind, fields)))  # fmt: skip


def test_repeats_that_agree_stop_early():
    wall, _ = timed()._repeat(lambda index: (1.0, 1.0), 60)

    assert len(wall[0]) == samples.FEWEST_REPEATS


def test_repeats_that_never_agree_stop_at_a_limit():
    times = iter(range(1, 1000))
    wall, _ = timed()._repeat(lambda index: (float(next(times) % 7 + 1),) * 2, 60)

    assert len(wall[0]) == MOST_REPEATS


@pytest.mark.parametrize(("limit_s", "repeats"), [(1.2, 3), (0.5, 2)])
def test_time_that_is_up_leaves_three_repeats_and_two_where_it_is_long_up(
    monkeypatch, limit_s, repeats
):
    clock = iter(range(1000))  # the start is 0, the first repeat ends at 1, and so on
    monkeypatch.setattr("advisor.bench.timing.time.perf_counter", lambda: float(next(clock)))
    monkeypatch.setattr(guard.SleepWatch, "slept_s", lambda self: 0.0)
    times = iter([1.0, 5.0, 9.0, 2.0])
    monkeypatch.setattr(guard.SleepWatch, "__init__", lambda self: None)
    wall, _ = timed()._repeat(lambda index: (next(times),) * 2, limit_s)

    assert len(wall[0]) == repeats


def test_models_take_turns():
    order = []
    timed(models=3)._repeat(lambda index: order.append(index) or (1.0, 1.0), 60)

    assert order == [0, 1, 2] * 3


def test_a_repeat_in_which_the_computer_slept_is_thrown_away(monkeypatch):
    slept = iter([0.0, 100.0, 0.0, 0.0])
    monkeypatch.setattr(guard.SleepWatch, "slept_s", lambda self: next(slept))
    once = timed()
    times = iter([1.0, 50.0, 1.0, 1.0])

    wall, _ = once._repeat(lambda index: (next(times), 1.0), 60)

    assert wall == [[1.0, 1.0, 1.0]]
    assert once.warnings == ["The computer slept for 100 s; that repeat was thrown away."]


@pytest.mark.parametrize("times", [2, 5])
def test_a_warning_is_told_once(times):
    events = []
    once = timed(events=events)
    for _ in range(times):
        once._note("Hot.")

    assert events == [("warning", {"text": "Hot."})]
