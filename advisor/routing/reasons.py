"""Words for a table: why this one, what comes next and at what cost, what breaks and mends it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from advisor.routing.floors import sure_quality
from advisor.routing.problem import Problem, Solution
from advisor.routing.workload import RequestClass, Workload
from advisor.units import format_gib, format_tokens


def why(problem: Problem, workload: Workload, solution: Solution, c: int) -> str:
    """Why the class's model was chosen, in a sentence."""
    found, request, row = problem.found, workload.classes[c], solution.answer[c]
    value = np.where(_alone(problem, c), problem.value[:, c], np.nan)
    if not found.meets[row, c] and not solution.on_demand[row]:
        return f"the best that fits, though below a floor ({_floors(request)})"
    best = int(np.nanargmax(value))
    models = len(np.unique(found.model[~np.isnan(value)]))
    if problem.value[row, c] >= value[best] - problem.quality_step:
        return f"best of {models} models that keep {_floors(request)}"
    name = f"{found.model_id[best]} {found.quant_id[best]}"
    if found.model[best] == found.model[row]:
        return f"best model; {found.quant_id[best]} would leave too little room for the others"
    return f"best beside the others; {name} would be better, but not in the same memory"


def why_nothing(workload: Workload, c: int) -> str:
    """Why a class has no model here."""
    if workload.hosted:
        return "no model on this machine keeps its floors: hosted"
    return "no model on this machine can answer it"


def runner_up(problem: Problem, workload: Workload, solution: Solution, c: int) -> str:
    """The next best model for a class beside the same others, and what it would cost."""
    found, row = problem.found, int(solution.answer[c])
    alone = int((solution.answer == row).sum()) == 1
    held = np.where(
        solution.option >= 0,
        found.total_bytes[np.arange(len(found)), np.maximum(solution.option, 0)],
        0.0,
    )
    spare = held[row] if alone else 0.0
    room = found.budget_bytes - held.sum() + spare - _reserves(problem, solution)
    room += found.reserve_bytes[row, c]
    # A resident that has room for the class costs nothing more, one that has not is made larger.
    has_room = (solution.option >= 0) & found.suits[c, np.maximum(solution.option, 0)]
    grown = np.maximum(_option_bytes(problem, c) - held, 0.0)
    more = np.where(has_room, 0.0, grown) + found.reserve_bytes[:, c]
    fits = (more <= room) & (found.model != found.model[row]) & ~np.isnan(problem.value[:, c])
    if not fits.any():
        return "none that keeps the floors fits beside the others"
    best = int(np.argmax(np.where(fits, problem.value[:, c], -np.inf)))
    cost = [f"quality {found.quality[best, c] - found.quality[row, c]:+.2f}"]
    if not np.isnan(found.decode_tok_s[best, c]):
        cost.append(f"{found.decode_tok_s[best, c] - found.decode_tok_s[row, c]:+.0f} tok/s")
    cost.append(f"first token {found.ttft_s[best, c] - found.ttft_s[row, c]:+.1f} s")
    change = more[best] - spare - found.reserve_bytes[row, c]
    cost.append(f"{'+' if change >= 0 else '-'}{format_gib(abs(change))}")
    guess = " (estimated)" if found.basis[best, c] == "estimated" else ""
    return f"{found.model_id[best]} {found.quant_id[best]}: {', '.join(cost)}{guess}"


def problems(problem: Problem, workload: Workload, solution: Solution) -> Iterator[str]:
    """A sentence for each class that does not meet its floors here: which breaks, what mends it."""
    found = problem.found
    for c, request in enumerate(workload.classes):
        row = solution.answer[c]
        cold = row >= 0 and solution.on_demand[row]
        if row >= 0 and (found.meets_cold if cold else found.meets)[row, c]:
            continue
        hosted = " A hosted model answers it." if workload.hosted and row < 0 else ""
        yield f"{request.name}: {_breaks(problem, request, c)}{hosted}"


def _breaks(problem: Problem, request: RequestClass, c: int) -> str:
    found, can = problem.found, problem.found.can[:, c]
    tokens = format_tokens(request.context_tokens)
    if not can.any():
        what = "reads images" if request.images else f"holds a context of {tokens} tokens"
        return f"no model of the catalog that this runtime runs {what}. Shorten its prompts."
    need = np.where(can, _least_bytes(problem, c), np.inf)
    fits = need <= found.budget_bytes
    if not fits.any():
        return (
            f"a context of {tokens} tokens takes at least {format_gib(need.min())} with its "
            f"model, and the budget is {format_gib(found.budget_bytes)}. Shorten its prompts, "
            "or take a machine with more memory."
        )
    if (fits & found.meets[:, c]).any():
        return (
            "models that keep its floors fit alone but not beside the others, or the GPU has no "
            "time left. Allow fewer models, fewer requests, or unpin one."
        )
    sure = sure_quality(found)
    useful = fits & (sure[:, c] >= request.least_quality)
    if not useful.any():
        return (
            f"no model that fits reaches a quality of {request.least_quality:g}; the best has "
            f"{np.max(sure[fits, c]):.2f}. Lower that floor, or take more memory."
        )
    wait = np.where(useful, found.ttft_s[:, c], np.inf)
    speed = np.where(useful, found.decode_tok_s[:, c], -np.inf)
    who = f" with a model of quality {request.least_quality:g}" if request.least_quality else ""
    said, cures = [], []
    paced = (speed >= request.least_tok_s) | (useful & np.isnan(found.decode_tok_s[:, c]))
    prompt = wait <= request.most_ttft_s
    if not prompt.any():
        said.append(
            f"the first token takes {wait.min():,.1f} s or more{who} "
            f"(floor {request.most_ttft_s:g} s)"
        )
    if not paced.any():
        said.append(
            f"no model{' of that quality' if who else ''} decodes faster than {speed.max():,.1f} "
            f"tok/s at its context (floor {request.least_tok_s:g})"
        )
    if not said:
        said.append(
            f"no model{' of that quality' if who else ''} keeps both "
            f"{request.least_tok_s:g} tok/s and a first token within {request.most_ttft_s:g} s"
        )
    if paced.any():
        cures.append(f"a floor of {_up(wait[paced].min())} s")
    if prompt.any():
        cures.append(f"a floor of {_down(speed[prompt].max())} tok/s")
    if not cures:
        quick = int(np.argmin(wait))
        cures.append(f"floors of {_up(wait[quick])} s and {_down(speed[quick])} tok/s")
    return f"{', and '.join(said)}. {' or '.join(cures).capitalize()} would mend it."


def _up(value: float) -> str:
    """A floor that the value keeps, in three digits at most."""
    return f"{np.ceil(value * 10) / 10:.1f}" if value < 10 else f"{np.ceil(value):.0f}"


def _down(value: float) -> str:
    return f"{np.floor(value * 10) / 10:.1f}" if value < 10 else f"{np.floor(value):.0f}"


def _alone(problem: Problem, c: int) -> np.ndarray:
    """Candidates that may answer the class and fit with nothing beside them."""
    usable = ~np.isnan(problem.value[:, c])
    return usable & (_least_bytes(problem, c) <= problem.found.budget_bytes)


def _least_bytes(problem: Problem, c: int) -> np.ndarray:
    """Bytes of each candidate that answers the class alone, its kept prefix included."""
    return _option_bytes(problem, c) + problem.found.reserve_bytes[:, c]


def _option_bytes(problem: Problem, c: int) -> np.ndarray:
    """Bytes of each candidate with the smallest option that has room for the class."""
    found = problem.found
    return np.where(found.suits[c][None, :], found.total_bytes, np.inf).min(axis=1)


def _reserves(problem: Problem, solution: Solution) -> float:
    rows = solution.answer
    return float(sum(problem.found.reserve_bytes[r, c] for c, r in enumerate(rows) if r >= 0))


def _floors(request: RequestClass) -> str:
    pace = f"{request.least_tok_s:g} tok/s and " if request.least_tok_s else ""
    return f"{pace}a first token within {request.most_ttft_s:g} s"
