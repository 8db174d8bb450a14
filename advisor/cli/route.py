"""``advisor route``: which model answers what on one machine."""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import sys
from pathlib import Path
from typing import TextIO

from advisor.advice.this_machine import find
from advisor.catalog import Catalog, load
from advisor.errors import InputError
from advisor.routing import solve
from advisor.routing.candidates import DEFAULT_RUNTIME, Wishes
from advisor.routing.own_scores import read_scores
from advisor.routing.table import RoutingTable
from advisor.routing.workload import Workload, preset
from advisor.routing.workload_file import read_text, read_workload
from advisor.units import format_gib, format_tokens

DEFAULT_WORKLOAD = "personal-agent"


def route_machine(arguments: argparse.Namespace, out: TextIO) -> None:
    """Print the table of one machine as JSON or text. Raises ``InputError`` for bad input."""
    catalog = load()
    found, workload = routing_table(catalog, arguments)
    out.write(as_json(found) if arguments.json else as_text(found, workload))
    if arguments.export:
        from advisor.cli.route_export import export

        export(catalog, found, workload, arguments.export, arguments.output, sys.stderr)


def routing_table(catalog: Catalog, arguments: argparse.Namespace) -> tuple[RoutingTable, Workload]:
    """The table that the arguments ask for, and its workload."""
    machine = find(catalog, arguments.machine)
    workload = workload_of(catalog, arguments.workload or DEFAULT_WORKLOAD)
    wishes = Wishes(
        most_residents=arguments.models,
        swap=arguments.swap,
        keep=tuple(arguments.keep or ()),
        never=tuple(arguments.never or ()),
        own_scores=_own_scores(catalog, arguments.scores),
    )
    runtime = arguments.runtime or DEFAULT_RUNTIME
    return solve.table(catalog, machine, workload, runtime=runtime, wishes=wishes), workload


def _own_scores(catalog: Catalog, file: str | None) -> tuple[tuple[tuple[str, str], float], ...]:
    """A person's scores from a file; lines that are not understood are told on stderr."""
    if not file:
        return ()
    own = read_scores(catalog, read_text(Path(file)), file)
    for problem in own.problems:
        print(f"advisor: {problem}", file=sys.stderr)
    return own.scores


def workload_of(catalog: Catalog, text: str) -> Workload:
    """A workload by a preset's id, or from a file: TOML, CSV or JSON Lines."""
    path = Path(text)
    if path.suffix or "/" in text or text == "-":
        if not path.is_file():
            raise InputError(f"There is no file {text}. Give a workload's id or an existing file.")
        return read_workload(path)
    return preset(catalog, text)


def as_json(found: RoutingTable) -> str:
    """The table as one JSON object; what is not known is null."""
    data = dataclasses.asdict(found)
    data["machine"] = {"id": found.machine.id, "label": found.machine.label}
    data["used_bytes"] = found.used_bytes
    return json.dumps(_plain(data), indent=1) + "\n"


def as_text(found: RoutingTable, workload: Workload) -> str:
    """The table for a person."""
    machine, left = found.machine, found.budget_bytes - found.used_bytes - found.reserve_bytes
    lines = [
        f"{machine.label}: {workload.name} on {found.runtime}",
        f"{format_gib(found.used_bytes)} of {format_gib(found.budget_bytes)} resident, "
        f"{format_gib(found.reserve_bytes)} kept for prefixes, {format_gib(left)} left",
        "",
        f"{'class':12} {'share':>5} {'answered by':30} {'context':>8} {'tok/s':>13} "
        f"{'first token':>14} {'quality':>7}  why",
    ]
    for route in found.routes:
        pace = "" if math.isnan(route.decode_tok_s) else (
            f"{route.decode_low:.0f}-{route.decode_high:.0f}"
        )  # fmt: skip
        wait = "" if math.isnan(route.ttft_s) else f"{route.ttft_low:.1f}-{route.ttft_high:.1f} s"
        quality = "" if math.isnan(route.quality) else f"{route.quality:.2f}"
        mark = "" if route.quality_basis != "estimated" else "~"
        lines.append(
            f"{route.class_id:12} {route.share:5.0%} {route.resident or 'hosted':30} "
            f"{format_tokens(route.context_tokens):>8} {pace:>13} {wait:>14} "
            f"{mark + quality:>7}  {route.reason}"
        )
        if route.runner_up:
            lines.append(f"{'':19}next: {route.runner_up}")
        if route.flips:
            lines.append(f"{'':19}not settled {route.flips}")
    lines.append("")
    for resident in found.residents:
        kind = "loaded on demand" if resident.on_demand else "resident"
        lines.append(
            f"{resident.name:30} {kind}: {format_gib(resident.total_bytes)} with "
            f"{resident.slots} x {format_tokens(resident.context_tokens)} tokens, "
            f"loads in {resident.load_s:.1f} s"
        )
    lines += [f"! {problem}" for problem in found.problems]
    return "\n".join(lines).rstrip() + "\n"


def _plain(value: object) -> object:
    """What JSON can hold: NaN as null, tuples as lists."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
