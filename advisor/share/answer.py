"""What a scenario answers: the numbers of the first page, for all that is passed on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from advisor.advice import compare, picks, routing_rule
from advisor.advice.machine_names import short_names
from advisor.advice.scenario import DEFAULT, Scenario, machine, machines
from advisor.catalog.shapes import Machine
from advisor.estimate import plan
from advisor.upgrade import machines as upgrades

if TYPE_CHECKING:
    import pandas as pd

    from advisor.catalog import Catalog


@dataclass(frozen=True)
class Side:
    """One machine and what it runs: rows of the engine's table.

    best   the best model that fits, ``fast`` the best at the least speed asked for; None: none
    same   the model that everyone has measured, fitting or not
    """

    machine: Machine
    name: str
    best: pd.Series | None
    fast: pd.Series | None
    same: pd.Series


@dataclass(frozen=True)
class Answer:
    """A scenario answered. ``sides`` holds each machine once, the scenario's two first.

    ranked   the best quantization of each model and machine, best model first
    """

    scenario: Scenario
    sides: tuple[Side, ...]
    verdict: str
    claims: tuple[str, ...]
    routes: tuple[routing_rule.Route, ...]
    ranked: pd.DataFrame


def answer(catalog: Catalog, scenario: Scenario, more: Sequence[str] = ()) -> Answer:
    """The scenario's machines, and ``more`` of the catalog, compared.

    Raises ``InputError`` where a machine of ``more`` is unknown or cannot be as asked.
    """
    found = {one.id: one for one in machines(catalog, scenario)}
    for machine_id in more:
        found.setdefault(machine_id, further(catalog, scenario, machine_id))
    return answer_of(catalog, scenario, tuple(found.values()))


def further(catalog: Catalog, scenario: Scenario, text: str) -> Machine:
    """A machine beside the scenario's two: an id, or parts such as "m4-pro:48"."""
    if ":" in text:
        use = scenario.use_gb or None
        return upgrades.machine(catalog, text, macos=scenario.macos, in_use_gb=use)
    return machine(catalog, scenario, text)


def answer_of(catalog: Catalog, scenario: Scenario, chosen: Sequence[Machine]) -> Answer:
    """``chosen``, each once, compared as the scenario asks, whatever machines that names."""
    names = short_names(chosen)
    table = _table(catalog, scenario, chosen, scenario.context_tokens)
    same = plan.table(
        catalog,
        chosen,
        context_tokens=scenario.context_tokens,
        runtime=scenario.runtime,
        kv_bits=scenario.kv_bits,
        model_ids=(compare.REFERENCE_MODEL,),
        quant_ids=(compare.reference_quant(catalog, scenario.runtime),),
    )
    ranked = picks.best_quants(catalog, table)
    fast = picks.best_quants(catalog, table, scenario.least_tok_s)
    sides = tuple(
        Side(
            one,
            names[one.id],
            picks.best(ranked, one.id),
            picks.best(fast, one.id),
            same[same["machine_id"] == one.id].iloc[0],
        )
        for one in chosen
    )
    first, second = sides[0], sides[min(1, len(sides) - 1)]
    claims = compare.claims(first.same, second.same)
    pair, both = (first.machine.id, second.machine.id), (first.name, second.name)
    anywhere = replace(scenario, context_tokens=DEFAULT.context_tokens)
    routes = routing_rule.routes(
        catalog, list(names), lambda context: _table(catalog, anywhere, chosen, context)
    )
    return Answer(
        scenario,
        sides,
        compare.verdict(catalog, ranked, pair, both, claims),
        tuple(compare.sentences(catalog, claims, both)) if len(sides) > 1 else (),
        tuple(routes),
        ranked,
    )


def _table(
    catalog: Catalog, scenario: Scenario, chosen: Sequence[Machine], context_tokens: int
) -> pd.DataFrame:
    return plan.table(
        catalog,
        chosen,
        context_tokens=context_tokens,
        runtime=scenario.runtime,
        kv_bits=scenario.kv_bits,
    )
