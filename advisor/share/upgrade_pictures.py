"""The pictures of an upgrade's report: the charts of its page, drawn to stand by themselves."""

from __future__ import annotations

from advisor.share import upgrade_charts
from advisor.share.pictures import WIDTH, Picture, speeds, svg
from advisor.share.report import Report
from advisor.units import GIB
from advisor.upgrade.answer import Upgrade
from advisor.upgrade.bill import amount_text

ROOM = WIDTH - 70  # what axes and their names leave
HEIGHT = 230


def upgrade_pictures(found: Upgrade, report: Report) -> list[Picture]:
    """Speeds by class, quality against speed, memory filled, cost where it is known."""
    return [speeds(report), _frontier(found), _memory(found), *_cost(found)]


def _frontier(found: Upgrade) -> Picture:
    task = _task(found)
    floors = [one.least_tok_s for one in found.workload.classes if one.scale == task]
    chart = upgrade_charts.frontier(found.sides, task, max(floors, default=None))
    said = []
    for side in found.sides:
        best = max(side.frontier[task], key=lambda fit: fit.quality, default=None)
        told = f"{best.pace.model} at {best.pace.decode_tok_s:.0f} tok/s" if best else "nothing"
        said.append(f"{side.name}: the best that fits is {told}")
    return Picture(
        f"Quality against speed, for {task}",
        svg(chart.properties(width=ROOM, height=HEIGHT), "frontier"),
        f"Models of which none that fits is both better and faster. {'; '.join(said)}.",
    )


def _task(found: Upgrade) -> str:
    """The task with the largest share of the requests, of those that have a frontier."""
    known = found.first.frontier
    ranked = sorted(
        zip(found.workload.shares, found.workload.classes, strict=True), key=lambda pair: -pair[0]
    )
    return next((one.scale for _, one in ranked if one.scale in known), next(iter(known)))


def _memory(found: Upgrade) -> Picture:
    chart = upgrade_charts.memory(found.sides)
    said = [
        f"{side.name}: {side.table.used_bytes / GIB:.1f} of {side.budget_bytes / GIB:.1f} GiB"
        for side in found.sides
    ]
    return Picture(
        "Memory, filled by the models that stay in it",
        svg(chart.properties(width=ROOM - 50, height=20 + 46 * len(found.sides)), "memory"),
        f"Resident models take, of what the GPU may use: {'; '.join(said)}.",
    )


def _cost(found: Upgrade) -> list[Picture]:
    known = [side.bill for side in found.sides if side.bill.per_mtok == side.bill.per_mtok]
    if not known:
        return []
    chart = upgrade_charts.cost(known, found.edits.duty)
    said = [f"{one.name}: {amount_text(one.per_mtok, one.currency)}" for one in known]
    hosted = amount_text(known[0].hosted_per_mtok, known[0].currency)
    return [
        Picture(
            "A million output tokens, by the hours at work",
            svg(chart.properties(width=ROOM, height=HEIGHT), "cost"),
            f"At {found.edits.duty:.0%} of all hours {'; '.join(said)}; hosted: {hosted}.",
        )
    ]
