"""How the routing table changes from one machine to another, class by class."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.estimate import plan
from advisor.routing.table import Resident, Route, RoutingTable
from advisor.routing.workload import Workload

if TYPE_CHECKING:
    from advisor.catalog import Catalog

# Answers these ask for are short or looked up: a model that keeps the floors is enough for them.
SIMPLE_SCALES = ("short", "embeddings")
SAME_QUALITY = 0.005  # below what a table of two digits shows
HOME, BETTER, WORSE, FASTER, OTHER, SAME, AWAY, LOST = (
    "newly answered here", "better answers", "less good answers", "faster", "another model",
    "no change", "hosted on both", "no longer answered here",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """What answers a class on one machine; "" for the model where a hosted one does.

    room_tokens   the longest context that this model alone would have room for
    """

    model: str
    quant_id: str
    quality: float
    basis: str
    decode_tok_s: float
    decode_low: float
    decode_high: float
    ttft_s: float
    ttft_low: float
    ttft_high: float
    room_tokens: float
    keeps_floors: bool


@dataclass(frozen=True, slots=True)
class Change:
    """One class of request on both machines, and what changes in a word."""

    class_id: str
    name: str
    share: float
    simple: bool
    before: Answer
    after: Answer
    what: str

    @property
    def quality_gain(self) -> float:
        """On the class's own scale; NaN where one of the two has no answer here."""
        return self.after.quality - self.before.quality


def changes(
    catalog: Catalog, workload: Workload, before: RoutingTable, after: RoutingTable
) -> tuple[Change, ...]:
    """A change for each class of the workload, in its order."""
    first, second = _answers(catalog, before), _answers(catalog, after)
    found = []
    for request, share in zip(workload.classes, workload.shares, strict=True):
        a, b = first[request.id], second[request.id]
        simple = request.scale in SIMPLE_SCALES
        found.append(Change(request.id, request.name, share, simple, a, b, _what(a, b)))
    return tuple(found)


def _what(a: Answer, b: Answer) -> str:
    if not a.model and not b.model:
        return AWAY
    if b.keeps_floors and not a.keeps_floors:
        return HOME
    if a.keeps_floors and not b.keeps_floors:
        return LOST
    gain = b.quality - a.quality
    if gain > SAME_QUALITY:
        return BETTER
    if gain < -SAME_QUALITY:
        return WORSE
    # Apart only where the 80 % intervals are.
    if b.decode_low > a.decode_high or b.ttft_high < a.ttft_low:
        return FASTER
    return SAME if (a.model, a.quant_id) == (b.model, b.quant_id) else OTHER


def _answers(catalog: Catalog, table: RoutingTable) -> dict[str, Answer]:
    residents = {resident.name: resident for resident in table.residents}
    rooms = _rooms(catalog, table)
    return {
        route.class_id: _answer(catalog, route, residents.get(route.resident), rooms)
        for route in table.routes
    }


def _answer(
    catalog: Catalog, route: Route, resident: Resident | None, rooms: dict[tuple[str, str], float]
) -> Answer:
    model, quant = "", ""
    if resident is not None:
        known = resident.model_id in catalog.model_ids
        model = catalog.model(resident.model_id).name if known else resident.model_id
        quant = resident.quant_id
    key = ("", "") if resident is None else (resident.model_id, resident.quant_id)
    return Answer(
        model=model,
        quant_id=quant,
        quality=route.quality,
        basis=route.quality_basis,
        decode_tok_s=route.decode_tok_s,
        decode_low=route.decode_low,
        decode_high=route.decode_high,
        ttft_s=route.ttft_s,
        ttft_low=route.ttft_low,
        ttft_high=route.ttft_high,
        room_tokens=rooms.get(key, math.nan),
        keeps_floors=resident is not None and route.meets_floors,
    )


def _rooms(catalog: Catalog, table: RoutingTable) -> dict[tuple[str, str], float]:
    """The longest context each resident would have room for, alone in memory."""
    chosen = [r for r in table.residents if not r.embedder]
    if not chosen:
        return {}
    rows = plan.table(
        catalog,
        [table.machine],
        runtime=table.runtime,
        model_ids=sorted({r.model_id for r in chosen}),
        quant_ids=sorted({r.quant_id for r in chosen}),
        kv_bits=chosen[0].kv_bits,
    )
    keys = zip(rows["model_id"], rows["quant_id"], strict=True)
    return dict(zip(keys, rows["max_context_tokens"].astype(float), strict=True))
