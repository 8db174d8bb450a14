"""From an answer to a report: the engine's rows, the machines' facts, the runs behind them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from advisor import __version__
from advisor.advice import picks, routing_rule
from advisor.advice.machine_names import status_text
from advisor.advice.scenario import to_link
from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.estimate import accuracy
from advisor.share import said, sending
from advisor.share.answer import Answer, Side
from advisor.share.report import (
    Answered,
    Backing,
    Choice,
    HowRight,
    MachineReport,
    Price,
    Report,
    Request,
    Run,
)
from advisor.units import format_tokens

if TYPE_CHECKING:
    import pandas as pd


def report(
    catalog: Catalog,
    answer: Answer,
    *,
    page: str = "home",
    page_keys: Mapping[str, str] | None = None,
    made: datetime | None = None,
) -> Report:
    """The report of an answer; ``page`` and its keys are what the link in it opens."""
    asked = answer.scenario
    link, note = sending.sealed(catalog, answer, page_keys)
    return Report(
        made=made or datetime.now(UTC).replace(microsecond=0),
        tollbooth=__version__,
        catalog=said.version(catalog),
        page=page,
        link=link,
        link_note=note,
        scenario=to_link(asked),
        runtime_name=catalog.runtimes[asked.runtime].name,
        context_tokens=asked.context_tokens,
        least_tok_s=asked.least_tok_s,
        verdict=answer.verdict,
        claims=answer.claims,
        machines=tuple(_machine(catalog, answer, side) for side in answer.sides),
        requests=_requests(catalog, answer),
        routed_by=routing_rule.RULE,
        ordered_by=picks.RULE,
        how_right=_how_right(catalog, asked.runtime),
        evidence=_evidence(catalog, [side.machine for side in answer.sides], asked.runtime),
    )


def _machine(catalog: Catalog, answer: Answer, side: Side) -> MachineReport:
    machine, row = side.machine, side.same
    fits = answer.ranked
    fits = fits[(fits["machine_id"] == machine.id) & fits["meets"]]
    mac_id = machine.id.rpartition("-")[0]
    mac = catalog.mac(mac_id) if mac_id in catalog.mac_ids else None
    return MachineReport(
        id=machine.id,
        name=side.name,
        label=machine.label,
        status=status_text(catalog, machine).removeprefix(", "),
        chip=machine.chip.name,
        gpu_cores=machine.chip.gpu_cores,
        memory_gb=machine.memory_gb or 0,
        memory_bytes=machine.memory_bytes or 0,
        bandwidth_gb_per_s=machine.chip.bandwidth_gb_per_s,
        macos=machine.macos,
        in_use_bytes=machine.in_use_bytes,
        wired_limit_mib=machine.wired_limit_mib,
        gpu_limit_bytes=float(row["gpu_limit_bytes"]),
        budget_bytes=float(row["budget_bytes"]),
        assumed=machine.assumed,
        prices=tuple(
            Price(usd=price.usd, on=price.on, kind=price.kind)
            for price in (mac.prices if mac else ())
            if price.memory_gb == machine.memory_gb
        ),
        sources=tuple(
            Backing(url=one.url, seen=str(one.seen or ""), backs=one.backs)
            for one in (*machine.chip.sources, *(mac.sources if mac else ()))
        ),
        best=choice(catalog, side.best),
        fast=choice(catalog, side.fast),
        same=_choice(catalog, side.same),
        models=tuple(_choice(catalog, one) for _, one in fits.iterrows()),
    )


def choice(catalog: Catalog, row: pd.Series | None) -> Choice | None:
    """The engine's row as a part of a report; None where nothing was chosen."""
    return None if row is None else _choice(catalog, row)


def _choice(catalog: Catalog, row: pd.Series) -> Choice:
    known = {name: _plain(row[name]) for name in Choice.model_fields if name in row.index}
    score = picks.scores(catalog).get(row["model_id"])
    return Choice.model_validate(
        known | {"model": catalog.model(row["model_id"]).name, "score": score}
    )


def _requests(catalog: Catalog, answer: Answer) -> tuple[Request, ...]:
    found: dict[str, Request] = {}
    for route in answer.routes:
        one = route.request
        before = found[one.id].answers if one.id in found else ()
        now = _answered(choice(catalog, route.pick), route.machine_id)
        found[one.id] = Request(
            id=one.id,
            name=one.name,
            needs=f"{format_tokens(one.context_tokens)}, ≥ {one.least_tok_s:g} tok/s",
            answers=(*before, now),
        )
    return tuple(found.values())


def _answered(pick: Choice | None, machine_id: str) -> Answered:
    if pick is None:
        return Answered(machine_id=machine_id)
    known = pick.model_dump(include=set(Answered.model_fields) - {"basis"})
    return Answered(machine_id=machine_id, **known)


def _how_right(catalog: Catalog, runtime: str) -> HowRight:
    of, figures = accuracy.like(catalog, runtime, "")
    return HowRight(
        of=of.get("runtime", "") or "named runtimes",
        runs=int(figures["runs"]),
        median_error=figures["median_error"],
        inside_80=figures.get("coverage"),
    )


def _evidence(catalog: Catalog, machines: list[Machine], runtime: str) -> tuple[Run, ...]:
    """Public runs of the machines' chips, any bin, in this runtime, as printed and understood."""
    runs = catalog.runs
    chips = {chip.id for one in machines for chip in catalog.chip_families[one.chip.name]}
    rows = runs[
        runs["chip_id"].isin(chips)
        & (runs["runtime"] == runtime)
        & (runs["problem"].fillna("") == "")
    ]
    fields = [name for name in Run.model_fields if name in runs.columns]
    return tuple(
        Run.model_validate({name: _plain(row[name]) for name in fields})
        for row in rows.to_dict(orient="records")
    )


def _plain(value: Any) -> Any:
    """A cell as Python's own; what is not known is None."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value
