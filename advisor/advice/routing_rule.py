"""A first routing table by a rule that fits in a sentence; an optimiser comes later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.advice import picks

if TYPE_CHECKING:
    import pandas as pd

    from advisor.catalog import Catalog


@dataclass(frozen=True)
class RequestClass:
    """A kind of request: how long its context grows and how fast an answer must come."""

    id: str
    name: str
    context_tokens: int
    least_tok_s: float


CLASSES = (
    RequestClass("short", "Short, simple", 1024, 50),
    RequestClass("chat", "Chat", 8192, 20),
    RequestClass("code", "Code", 16384, 15),
    RequestClass("long", "Long document", 32768, 10),
)
RULE = (
    "Each kind of request goes to the best-ranked model that holds its context and reaches its "
    "least speed. Each is judged alone: models are not resident together."
)


@dataclass(frozen=True)
class Route:
    """What answers one class on one machine; ``pick`` None: nothing reaches the floor."""

    request: RequestClass
    machine_id: str
    pick: pd.Series | None


def routes(
    catalog: Catalog,
    machine_ids: Sequence[str],
    table_at: Callable[[int], pd.DataFrame],
) -> list[Route]:
    """The routes of each class and machine.

    table_at   the engine's table of these machines at a context
    """
    found = []
    for request in CLASSES:
        table = table_at(request.context_tokens)
        ranked = picks.best_quants(catalog, table, request.least_tok_s)
        for machine_id in machine_ids:
            found.append(Route(request, machine_id, picks.best(ranked, machine_id)))
    return found
