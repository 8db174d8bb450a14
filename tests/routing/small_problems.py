"""Small random instances, and every table of them tried: the oracle that the solver must equal."""

import itertools

import numpy as np

from advisor.routing.arrays import Candidates
from advisor.routing.problem import Problem, Solution
from advisor.routing.screen import usable_pairs, values


def small_problem(seed: int, **given: object) -> Problem:
    """Six variants of four models, two options, three classes; all numbers drawn."""
    draw = np.random.default_rng(seed)
    count, classes = 6, 3
    model = np.array([0, 0, 1, 1, 2, 3])
    weight = draw.uniform(1, 6, count)
    total = weight[:, None] + np.sort(draw.uniform(0.1, 3, (count, 2)), axis=1)
    can = draw.random((count, classes)) < 0.9
    load = weight / 5
    wait, pace = draw.uniform(0.1, 4, (count, classes)), draw.uniform(1, 30, (count, classes))
    meets = can & (wait < 3) & (pace < 25)
    quality = draw.uniform(0.1, 0.9, (count, classes))
    found = Candidates(
        model=model,
        model_id=np.array([f"m{m}" for m in model], dtype=object),
        quant_id=np.array([f"q{i}" for i in range(count)], dtype=object),
        kv_bits=np.full(count, 16),
        embedder=np.zeros(count, bool),
        option_context=np.array([1.0, 2.0]),
        option_slots=np.array([1.0, 1.0]),
        total_bytes=total * 1e9,
        weight_bytes=weight * 1e9,
        kv_bytes=(total - weight[:, None]) * 1e9,
        load_s=load,
        suits=np.array([[True, True], [False, True], [True, True]]),
        can=can,
        meets=meets,
        meets_cold=meets & (wait + load[:, None] < 3),
        reserve_bytes=draw.uniform(0, 1, (count, classes)) * 1e9,
        decode_tok_s=100 / pace,
        slow=np.full((count, classes), 1.2),
        fast=np.full((count, classes), 1 / 1.2),
        slow_start=np.full((count, classes), 1.3),
        fast_start=np.full((count, classes), 1 / 1.3),
        start_s=wait,
        ttft_s=wait,
        cold_s=wait + load[:, None],
        seconds=wait + pace,
        seconds_cold=wait + pace + load[:, None],
        busy_s=wait + pace,
        quality=quality,
        quality_low=quality - 0.1,
        quality_high=quality + 0.1,
        basis=np.where(draw.random((count, classes)) < 0.2, "estimated", "published").astype(
            object
        ),
        budget_bytes=draw.uniform(4, 14) * 1e9,
    )
    hosted, swap = bool(draw.random() < 0.5), bool(draw.random() < 0.4)
    shares = draw.dirichlet(np.ones(classes))
    settings = {
        "most_residents": int(draw.integers(1, 4)),
        "hosted": hosted,
        "swap": swap,
        "quality_step": 0.0,
        "seconds_step": 0.0,
        "rate_per_hour": shares * draw.uniform(20, 400),
    } | given
    return Problem(
        found=found,
        value=values(found, usable_pairs(found, settings["hosted"], settings["swap"])),
        shares=shares,
        most_busy_share=0.7,
        **settings,
    )


def goals(problem: Problem, found: Solution) -> tuple[float, ...]:
    """What a table reaches, best last goals last: met, answered, quality, seconds, models."""
    pairs = [(row, c, bool(found.on_demand[row])) for c, row in enumerate(found.answer) if row >= 0]
    return _goals(problem, pairs, int((found.option >= 0).sum()))


def best_by_trying(problem: Problem) -> tuple[float, ...]:
    """The goals of the best of all tables, each tried."""
    f, best = problem.found, None
    places = [
        (v, o, cold)
        for v in range(len(f))
        for o in range(f.total_bytes.shape[1])
        for cold in ((False, True) if problem.swap else (False,))
        if f.total_bytes[v, o] <= f.budget_bytes
    ]
    for count in range(problem.most_residents + 1):
        for chosen in itertools.combinations(places, count):
            if len({f.model[v] for v, _, _ in chosen}) < count:
                continue
            warm = sum(f.total_bytes[v, o] for v, o, cold in chosen if not cold)
            slot = max((f.total_bytes[v, o] for v, o, cold in chosen if cold), default=0.0)
            if warm + slot > f.budget_bytes:
                continue
            answers = [_answers(problem, chosen, c) for c in range(problem.value.shape[1])]
            for pairs in itertools.product(*answers):
                taken = [pair for pair in pairs if pair is not None]
                if not _holds(problem, taken, warm + slot):
                    continue
                reached = _goals(problem, taken, count)
                key = (*(-x for x in reached[:3]), *reached[3:])
                if best is None or key < best[0]:
                    best = (key, reached)
    assert best is not None
    return best[1]


def _answers(problem: Problem, chosen: tuple, c: int) -> list:
    f, found = problem.found, [None]
    for v, o, cold in chosen:
        floor = f.meets_cold if cold else f.meets
        allowed = floor[v, c] if problem.hosted else True
        if f.suits[c, o] and not np.isnan(problem.value[v, c]) and allowed:
            found.append((v, c, cold))
    return found


def _holds(problem: Problem, pairs: list, held: float) -> bool:
    f = problem.found
    reserve = sum(f.reserve_bytes[v, c] for v, c, cold in pairs if not cold)
    busy = sum(
        problem.rate_per_hour[c] * (f.busy_s[v, c] + (f.load_s[v] if cold else 0.0))
        for v, c, cold in pairs
    )
    return held + reserve <= f.budget_bytes and busy <= 3600 * problem.most_busy_share


def _goals(problem: Problem, pairs: list, models: int) -> tuple[float, ...]:
    f, s = problem.found, problem.shares
    return (
        round(sum(s[c] for v, c, cold in pairs if (f.meets_cold if cold else f.meets)[v, c]), 9),
        round(sum(s[c] for _, c, _ in pairs), 9),
        round(sum(s[c] * problem.value[v, c] for v, c, _ in pairs), 9),
        round(sum(s[c] * (f.seconds_cold if cold else f.seconds)[v, c] for v, c, cold in pairs), 9),
        models,
    )
