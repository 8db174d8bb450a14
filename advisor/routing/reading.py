"""A solution read as a table that can be shown: residents, routes, and their words."""

from __future__ import annotations

import numpy as np

from advisor.catalog.shapes import Machine
from advisor.routing import reasons
from advisor.routing.arrays import Candidates
from advisor.routing.problem import Problem, Solution
from advisor.routing.table import Resident, Route, RoutingTable
from advisor.routing.workload import Workload


def table(
    machine: Machine,
    runtime: str,
    workload: Workload,
    problem: Problem,
    solution: Solution,
    flipped: list[str],
) -> RoutingTable:
    """The table that a solution is; ``flipped`` says for each class what else would answer."""
    found = problem.found
    rows = [int(row) for row in np.flatnonzero(solution.option >= 0)]
    names = _names(found, rows)
    residents = tuple(
        _resident(found, workload, solution, row, names[row])
        for row in sorted(rows, key=lambda r: -found.total_bytes[r, solution.option[r]])
    )
    reserve = sum(
        found.reserve_bytes[row, c]
        for c, row in enumerate(solution.answer)
        if row >= 0 and not solution.on_demand[row]
    )
    routes = tuple(
        _route(workload, problem, solution, c, names, flipped[c])
        for c in range(len(workload.classes))
    )
    return RoutingTable(
        machine=machine,
        runtime=runtime,
        workload_id=workload.id,
        residents=residents,
        routes=routes,
        budget_bytes=found.budget_bytes,
        reserve_bytes=float(reserve),
        gap=solution.gap,
        problems=tuple(reasons.problems(problem, workload, solution)),
    )


def _resident(
    found: Candidates, workload: Workload, solution: Solution, row: int, name: str
) -> Resident:
    option = solution.option[row]
    mine = [c for c, a in zip(workload.classes, solution.answer, strict=True) if a == row]
    embeds = bool(found.embedder[row])
    total = float(found.total_bytes[row, option])
    kv = float(found.kv_bytes[row, option])
    context = (
        max((c.context_tokens for c in mine), default=0)
        if embeds
        else int(found.option_context[option])
    )
    slots = max((c.concurrency for c in mine), default=1) if embeds else 0
    return Resident(
        name=name,
        model_id=str(found.model_id[row]),
        quant_id=str(found.quant_id[row]),
        kv_bits=int(found.kv_bits[row]),
        context_tokens=context,
        slots=slots or int(found.option_slots[option]),
        weight_bytes=float(found.weight_bytes[row]),
        kv_bytes=kv,
        buffer_bytes=total - float(found.weight_bytes[row]) - kv,
        load_s=float(found.load_s[row]),
        on_demand=bool(solution.on_demand[row]),
        embedder=embeds,
    )


def _route(
    workload: Workload,
    problem: Problem,
    solution: Solution,
    c: int,
    names: dict[int, str],
    flipped: str,
) -> Route:
    found, request, row = problem.found, workload.classes[c], int(solution.answer[c])
    nan = float("nan")
    share = float(problem.shares[c])
    if row < 0:
        return Route(
            request.id, "", share, request.context_tokens, nan, nan, nan, nan, nan, nan, nan,
            quality_basis="", meets_floors=False, reason=reasons.why_nothing(workload, c),
            runner_up="", robust=not flipped, flips=flipped,
        )  # fmt: skip
    speed, wait = float(found.decode_tok_s[row, c]), float(found.ttft_s[row, c])
    slow, fast = float(found.slow[row, c]), float(found.fast[row, c])
    cold = bool(solution.on_demand[row])
    return Route(
        class_id=request.id,
        resident=names[row],
        share=share,
        context_tokens=request.context_tokens,
        decode_tok_s=speed,
        decode_low=speed / slow,
        decode_high=speed / fast,
        ttft_s=wait,
        ttft_low=wait * float(found.fast_start[row, c]),
        ttft_high=wait * float(found.slow_start[row, c]),
        quality=float(found.quality[row, c]),
        quality_basis=str(found.basis[row, c]),
        meets_floors=bool((found.meets_cold if cold else found.meets)[row, c]),
        reason=reasons.why(problem, workload, solution, c),
        runner_up=reasons.runner_up(problem, workload, solution, c),
        robust=not flipped,
        flips=flipped,
    )


def _names(found: Candidates, rows: list[int]) -> dict[int, str]:
    """A short name for each resident: letters, digits and dashes."""
    return {
        row: "-".join(
            part
            for part in f"{found.model_id[row]}-{found.quant_id[row]}"
            .lower().replace("mlx-", "").replace(".", "-").replace("_", "-").split("-")
            if part
        )
        for row in rows
    }  # fmt: skip
