"""The best table by goals in order: floors, then quality, then seconds, then fewer models.

Each goal is solved to proof over the candidates that can matter for it, and what it reached is
kept for those after it.
"""

from __future__ import annotations

import numpy as np

from advisor.routing.problem import SLACK, Problem, Solution
from advisor.routing.program import Program
from advisor.routing.screen import needed


def optimum(problem: Problem) -> Solution:
    """The best table; positions are those of the problem's candidates.

    Raises ``InputError`` where the pins fit no table.
    """
    pinned = np.zeros(len(problem.found), dtype=bool)
    for pin in problem.pins:
        pinned |= pin
    busy = _busy_may_bind(problem)

    def rows_for(value: np.ndarray, time: bool) -> np.ndarray:
        return needed(
            problem.found, value, problem.most_residents, pinned,
            swap=problem.swap, time=time, busy=busy,
        )  # fmt: skip

    rows = rows_for(problem.value, time=False)
    if not len(rows) and not problem.pins:
        return _nothing(problem)
    best, gap = _best_quality(Program(problem.take(rows)))
    answer = np.where(best.answer >= 0, rows[best.answer], -1)
    value = _good_enough(problem, answer)
    rows = rows_for(value, time=True)
    if not len(rows):
        return _nothing(problem)
    floors = _meets(problem, answer, best)
    program = Program(problem.take(rows, value), answer >= 0, floors)
    point, more = program.minimise(program.seconds())
    gap = max(gap, more)
    least = float(program.seconds() @ point)
    program.keep(program.seconds(), least * (1 + problem.seconds_step) + SLACK)
    point, more = program.minimise(program.models())
    return _whole(problem, rows, program.read(point, max(gap, more)))


def _best_quality(program: Program) -> tuple[Solution, float]:
    """The best quality among tables that meet most floors and answer most.

    Quality alone is tried first: where its best table also meets all that can be met, none is
    better in the goals before it.
    """
    point, gap = program.minimise(program.quality())
    for goal in (program.met(), program.answered()):
        most = _ceiling(program, goal)
        if goal @ point > most + SLACK:
            reached, more = program.minimise(goal)
            program.keep(goal, float(goal @ reached) + SLACK)
            point, last = program.minimise(program.quality())
            gap = max(gap, more, last)
    return program.read(point, gap), gap


def _ceiling(program: Program, goal: np.ndarray) -> float:
    """The best a goal could be, were each class free to choose by itself."""
    best = np.zeros(program.p.value.shape[1])
    for pairs, part in ((program.x, 1), (program.w, 3)):
        costs = goal[program.starts[part] : program.starts[part + 1]]
        np.minimum.at(best, pairs[:, 1], costs)
    return float(best.sum())


def _good_enough(problem: Problem, answer: np.ndarray) -> np.ndarray:
    """Pairs as good as the best table's, within a step; classes it leaves open stay open."""
    value = np.full_like(problem.value, np.nan)
    for c, chosen in enumerate(answer):
        if chosen >= 0:
            least = problem.value[chosen, c] - problem.quality_step - SLACK
            good = problem.value[:, c] >= least
            value[good, c] = problem.value[good, c]
    return value


def _meets(problem: Problem, answer: np.ndarray, best: Solution) -> np.ndarray:
    """Classes whose floors the best table meets."""
    f = problem.found
    found = np.zeros(len(answer), dtype=bool)
    for c, chosen in enumerate(answer):
        if chosen >= 0:
            cold = best.on_demand[best.answer[c]]
            found[c] = (f.meets_cold if cold else f.meets)[chosen, c]
    return found


def _busy_may_bind(problem: Problem) -> bool:
    """Whether any choice at all could ask for more GPU time than there is."""
    f = problem.found
    each = f.busy_s + (f.load_s[:, None] if problem.swap else 0.0)
    most = np.where(np.isnan(problem.value), 0.0, each).max(axis=0, initial=0.0)
    return bool((most * problem.rate_per_hour).sum() > 3600 * problem.most_busy_share)


def _whole(problem: Problem, rows: np.ndarray, found: Solution) -> Solution:
    """A solution over some candidates as one over all."""
    option = np.full(len(problem.found), -1)
    on_demand = np.zeros(len(problem.found), dtype=bool)
    option[rows], on_demand[rows] = found.option, found.on_demand
    answer = np.where(found.answer >= 0, rows[found.answer], -1)
    return Solution(option, on_demand, answer, found.gap)


def _nothing(problem: Problem) -> Solution:
    count = len(problem.found)
    return Solution(
        option=np.full(count, -1),
        on_demand=np.zeros(count, dtype=bool),
        answer=np.full(problem.value.shape[1], -1),
        gap=0.0,
    )
