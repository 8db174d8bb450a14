"""The integer program: which candidates are resident, and which of them answers each class.

    y[v, o]  candidate v is kept in memory with option o (context, sequences)   binary
    z[v, o]  the same, loaded on demand; all such share one swap slot           binary
    x[v, c]  resident v answers class c;  w[v, c]  one loaded on demand does    binary

Subject to: a class has at most one answer, and it has room for the class; one quantization a
model; bytes of residents, kept prefixes and swap slot within the budget; GPU time within the busy
share; at most K models. Lexicographic: traffic that meets its floors, traffic answered, quality,
seconds, number of models, bytes. Solved to proof by HiGHS.

Source: the formulation follows AlpaServe (arXiv 2302.11665) and Melange (arXiv 2404.14527) for a
single machine; solver: Huangfu and Hall 2018, doi 10.1007/s12532-017-0130-5, through SciPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.routing import proof
from advisor.routing.problem import Problem, Solution

MB = 1e6


class Program:
    """Where each variable lies, the rows of the program, its goals, and its solver.

    answered   classes that must have an answer
    floors     classes whose floors every answer must meet; with a hosted fallback, all
    """

    def __init__(
        self,
        problem: Problem,
        answered: np.ndarray | None = None,
        floors: np.ndarray | None = None,
    ) -> None:
        self.p, f = problem, problem.found
        classes = np.zeros(problem.value.shape[1], dtype=bool)
        self.must_answer = classes if answered is None else answered
        free = ~(classes if floors is None else floors) & (not problem.hosted)
        usable = ~np.isnan(problem.value)
        self.y = np.argwhere(f.total_bytes <= f.budget_bytes)
        self.x = np.argwhere(usable & (f.meets | free))
        none = np.empty((0, 2), int)
        self.z = self.y if problem.swap else none
        self.w = np.argwhere(usable & (f.meets_cold | free)) if problem.swap else none
        sizes = [len(self.y), len(self.x), len(self.z), len(self.w), int(problem.swap)]
        self.starts = np.concatenate([[0], np.cumsum(sizes)])
        self.count = int(self.starts[-1])
        self.matrix, self.low, self.high = self._constraints()

    def minimise(self, cost: np.ndarray) -> tuple[np.ndarray, float]:
        """A proven best point and the gap of its proof; see ``proof.minimise``."""
        if not self.count and not self.p.pins:
            return np.empty(0), 0.0
        number = np.arange(self.count)
        answers = ((number >= self.starts[1]) & (number < self.starts[2])) | (
            (number >= self.starts[3]) & (number < self.starts[4])
        )
        free = number >= self.starts[4]
        return proof.minimise(cost, self.matrix, self.low, self.high, free=free, answers=answers)

    def keep(self, row: np.ndarray, most: float) -> None:
        """One more row: what an earlier goal reached is not given up again."""
        from scipy.sparse import csr_array, vstack

        self.matrix = vstack([self.matrix, csr_array(row[None, :])], format="csr")
        self.low, self.high = np.append(self.low, -np.inf), np.append(self.high, most)

    def _row(self, part: int, coefficients: np.ndarray) -> np.ndarray:
        row = np.zeros(self.count)
        row[self.starts[part] : self.starts[part + 1]] = coefficients
        return row

    def _pairs(self, warm: np.ndarray, cold: np.ndarray) -> np.ndarray:
        return self._row(1, warm[tuple(self.x.T)]) + self._row(3, cold[tuple(self.w.T)])

    def met(self) -> np.ndarray:
        f, s = self.p.found, self.p.shares[None, :]
        return -self._pairs(s * f.meets, s * f.meets_cold)

    def answered(self) -> np.ndarray:
        whole = np.broadcast_to(self.p.shares[None, :], self.p.value.shape)
        return -self._pairs(whole, whole)

    def quality(self) -> np.ndarray:
        value = np.nan_to_num(self.p.value) * self.p.shares[None, :]
        return -self._pairs(value, value)

    def seconds(self) -> np.ndarray:
        f, s = self.p.found, self.p.shares[None, :]
        return self._pairs(s * f.seconds, s * f.seconds_cold)

    def models(self) -> np.ndarray:
        """Models, and below one model's worth the share of the budget that is filled."""
        f = self.p.found
        size = 1 + 0.5 * np.minimum(f.total_bytes / f.budget_bytes, 1.0) / self.p.most_residents
        return self._row(0, size[tuple(self.y.T)]) + self._row(2, size[tuple(self.z.T)])

    def _constraints(self) -> tuple[Any, np.ndarray, np.ndarray]:
        from scipy.sparse import coo_array

        p, f = self.p, self.p.found
        rows: list[np.ndarray] = []
        columns: list[np.ndarray] = []
        data: list[np.ndarray] = []
        low: list[float] = []
        high: list[float] = []

        def add(column: np.ndarray, value: np.ndarray, most: float, least: float = -np.inf) -> None:
            rows.append(np.full(len(column), len(high)))
            columns.append(column)
            data.append(np.broadcast_to(value, column.shape).astype(float))
            low.append(least)
            high.append(most)

        y0, x0, z0, w0 = self.starts[:4]
        for c in range(p.value.shape[1]):
            at = np.concatenate(
                [x0 + np.flatnonzero(self.x[:, 1] == c), w0 + np.flatnonzero(self.w[:, 1] == c)]
            )
            if len(at):
                add(at, np.ones(1), 1.0, float(self.must_answer[c]))
        for pairs, first, places, start in (
            (self.x, x0, self.y, y0), (self.w, w0, self.z, z0)
        ):  # fmt: skip
            for number, (v, c) in enumerate(pairs):
                room = np.flatnonzero((places[:, 0] == v) & f.suits[c, places[:, 1]])
                at = np.concatenate([[first + number], start + room])
                add(at, np.concatenate([[1.0], -np.ones(len(room))]), 0.0)
        for model in np.unique(f.model):
            at = np.concatenate(
                [
                    y0 + np.flatnonzero(f.model[self.y[:, 0]] == model),
                    z0 + np.flatnonzero(f.model[self.z[:, 0]] == model),
                ]
            )
            if len(at) > 1:
                add(at, np.ones(1), 1.0)
        held = np.arange(y0, y0 + len(self.y))
        demand = np.arange(z0, z0 + len(self.z))
        bytes_y = f.total_bytes[tuple(self.y.T)] / MB
        kept = x0 + np.arange(len(self.x))
        reserve = f.reserve_bytes[tuple(self.x.T)] / MB
        slot = np.array([self.count - 1] if p.swap else [], int)
        add(
            np.concatenate([held, kept, slot]),
            np.concatenate([bytes_y, reserve, np.ones(len(slot))]),
            f.budget_bytes / MB,
        )
        for number, size in zip(demand, bytes_y, strict=False):
            add(np.array([number, slot[0]]), np.array([size, -1.0]), 0.0)
        add(np.concatenate([held, demand]), np.ones(1), float(p.most_residents))
        busy = f.busy_s * p.rate_per_hour[None, :]
        busy_cold = (f.busy_s + f.load_s[:, None]) * p.rate_per_hour[None, :]
        add(
            np.concatenate([kept, w0 + np.arange(len(self.w))]),
            np.concatenate([busy[tuple(self.x.T)], busy_cold[tuple(self.w.T)]]),
            3600.0 * p.most_busy_share,
        )
        for pin in p.pins:
            at = np.concatenate([held[pin[self.y[:, 0]]], demand[pin[self.z[:, 0]]]]).astype(int)
            add(at, -np.ones(1), -1.0)
        matrix = coo_array(
            (np.concatenate(data), (np.concatenate(rows), np.concatenate(columns))),
            shape=(len(high), self.count),
        ).tocsr()
        return matrix, np.array(low), np.array(high)

    def read(self, best: np.ndarray, gap: float) -> Solution:
        """A point of the program as choices."""
        f = self.p.found
        option, answer = np.full(len(f), -1), np.full(self.p.value.shape[1], -1)
        on_demand = np.zeros(len(f), dtype=bool)
        for places, part in ((self.y, 0), (self.z, 2)):
            for number in np.flatnonzero(best[self.starts[part] : self.starts[part + 1]] > 0.5):
                v, o = places[number]
                option[v], on_demand[v] = o, part == 2
        for pairs, part in ((self.x, 1), (self.w, 3)):
            for number in np.flatnonzero(best[self.starts[part] : self.starts[part + 1]] > 0.5):
                v, c = pairs[number]
                answer[c] = v
        return Solution(option, on_demand, answer, gap)
