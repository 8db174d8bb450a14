"""The routing tables of two machines as rows to show: the same numbers as ``advisor route``."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from advisor.routing.table import Route, RoutingTable
from advisor.routing.workload import Workload
from advisor.units import format_gib, format_tokens

HOSTED = "hosted"


def classes(
    workload: Workload, tables: Sequence[RoutingTable], names: Sequence[str]
) -> pd.DataFrame:
    """A row a class and machine: what answers it, how fast, how well, and what comes next."""
    rows = []
    for number, wanted in enumerate(workload.classes):
        routes = [table.routes[number] for table in tables]
        moves = len({answer(table, route) for table, route in zip(tables, routes, strict=True)}) > 1
        for name, table, route in zip(names, tables, routes, strict=True):
            rows.append(
                {
                    "class": wanted.name,
                    "share": route.share * 100,
                    "machine": name,
                    "answer": answer(table, route),
                    "changes": moves,
                    "context": format_tokens(route.context_tokens),
                    "tok_s": _number(route.decode_tok_s),
                    "tok_s_range": _range(route.decode_low, route.decode_high, "%.0f"),
                    "first_token": _range(route.ttft_low, route.ttft_high, "%.1f", " s"),
                    "quality": _number(route.quality),
                    "quality_basis": route.quality_basis,
                    "floors": "kept" if route.meets_floors else "not kept",
                    "why": route.reason,
                    "next": route.runner_up,
                    "close_call": _close(route.flips),
                }
            )
    return pd.DataFrame(rows)


def answer(table: RoutingTable, route: Route) -> str:
    """ "qwen3-8b, mlx-4bit", or "hosted"."""
    if not route.resident:
        return HOSTED
    found = next(one for one in table.residents if one.name == route.resident)
    return f"{found.model_id}, {found.quant_id}"


def residents(tables: Sequence[RoutingTable], names: Sequence[str]) -> pd.DataFrame:
    """A row a model in memory: its bytes, its room and how long it loads."""
    rows = [
        {
            "machine": name,
            "model": f"{one.model_id}, {one.quant_id}",
            "held": "on demand" if one.on_demand else "resident",
            "memory": format_gib(one.total_bytes),
            "room": f"{one.slots} × {format_tokens(one.context_tokens)} tokens",
            "load_s": one.load_s,
        }
        for name, table in zip(names, tables, strict=True)
        for one in table.residents
    ]
    return pd.DataFrame(rows, columns=["machine", "model", "held", "memory", "room", "load_s"])


def room(table: RoutingTable) -> str:
    """ "26.9 of 37.4 GiB resident, 0.8 kept for prefixes, 9.8 left"."""
    left = table.budget_bytes - table.used_bytes - table.reserve_bytes
    return (
        f"{format_gib(table.used_bytes)} of {format_gib(table.budget_bytes)} resident, "
        f"{format_gib(table.reserve_bytes)} kept for prefixes, {format_gib(left)} left"
    )


def verdict(workload: Workload, tables: Sequence[RoutingTable], names: Sequence[str]) -> str:
    """One sentence: how many classes change their model from the first machine to the second."""
    rows = classes(workload, tables, names)
    moved = rows.loc[rows["changes"], "class"].drop_duplicates().tolist()
    every = len(workload.classes)
    if not moved:
        return f"All {every} classes keep their model: the {names[1]} changes nothing here."
    stay = "" if len(moved) == every else f"; {every - len(moved)} stay"
    return f"On the {names[1]} {len(moved)} of {every} classes get another model{stay}."


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _range(low: float, high: float, form: str, unit: str = "") -> str:
    return "" if math.isnan(low) else f"{form % low}–{form % high}{unit}"


def _close(flips: str) -> str:
    """ "not settled if …" in softer words; "" where the choice holds."""
    return f"Close call {flips}" if flips else ""
