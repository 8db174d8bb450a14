"""``advisor upgrade``: what another machine would buy, and whether it is worth it."""

from __future__ import annotations

import argparse
import json
import math
import sys
from typing import TextIO

from advisor.catalog import Catalog, load
from advisor.cli.route import DEFAULT_WORKLOAD, workload_of
from advisor.errors import InputError
from advisor.estimate import plan
from advisor.routing.candidates import DEFAULT_RUNTIME
from advisor.upgrade import answer, bill, edits, essay, machines
from advisor.upgrade.answer import Target, Upgrade
from advisor.upgrade.changes import Answer
from advisor.upgrade.data import as_data
from advisor.upgrade.edits import Edits
from advisor.upgrade.gains import Asked
from advisor.upgrade.what_if import WhatIf


def upgrade_machine(arguments: argparse.Namespace, out: TextIO) -> None:
    """Print the answer as text or JSON. Raises ``InputError`` for bad input."""
    catalog = load()
    found, problems = asked_for(catalog, arguments)
    for problem in problems:
        print(f"advisor: {problem}", file=sys.stderr)
    if arguments.html or arguments.markdown:
        from advisor.cli.report_files import write_report

        write_report(catalog, found, html=arguments.html, markdown=arguments.markdown)
        return
    out.write(json.dumps(as_data(found), indent=1) + "\n" if arguments.json else as_text(found))


def asked_for(catalog: Catalog, arguments: argparse.Namespace) -> tuple[Upgrade, list[str]]:
    """The answer that the arguments ask for, and a sentence for each machine left out."""
    plan.check_numbers(context_tokens=arguments.context)
    first, *others = arguments.machines
    start, targets, problems = machines.chosen(catalog, first, others, macos=arguments.macos)
    workload = workload_of(catalog, arguments.workload or DEFAULT_WORKLOAD)
    asked = Asked(
        context_tokens=arguments.context,
        runtime=arguments.runtime or DEFAULT_RUNTIME,
        least_tok_s=arguments.least,
    )
    found = answer.upgrade(catalog, start, targets, workload, asked=asked, edits=_edits(arguments))
    return found, problems


def _edits(arguments: argparse.Namespace) -> Edits:
    hosted: list[float | None] = [None, None]
    if arguments.hosted:
        parts = arguments.hosted.split("/")
        if len(parts) != 2:
            raise InputError(
                f"--hosted is prompts/answers a million tokens, as in 0.02/0.04, not "
                f"{arguments.hosted[:40]!r}."
            )
        hosted = [*(edits.amount(part, "The hosted price") for part in parts)]
    return Edits(
        currency=arguments.currency or Edits.currency,
        price=edits.by_machine(arguments.price, "The price"),
        idle_w=edits.by_machine(arguments.idle_watts, "The watts at idle"),
        load_w=edits.by_machine(arguments.watts, "The watts at work"),
        kwh=arguments.kwh,
        hosted_in=hosted[0],
        hosted_out=hosted[1],
        life_years=arguments.life,
        duty=arguments.duty,
        model_id=arguments.model or Edits.model_id,
    )


def as_text(found: Upgrade) -> str:
    """The answer for a person: verdicts first, then what changes, then money."""
    lines = [f"From {found.first.machine.label}, for {found.workload.name}"]
    for target in found.targets:
        lines += ["", *_target(found, target)]
    lines += ["", f"What more memory would add to the {found.first.name}:"]
    lines += [f"  {_what_if(one)}" for one in found.more]
    lines += ["", "Money"]
    for side in found.sides:
        price = side.bill.price
        told = "price not known" if price is None else (
            f"{bill.amount_text(price.value, side.bill.currency)} ({price.what}"
            + (f", {price.on})" if price.on else ")")
        )  # fmt: skip
        lines += [f"  {side.name}: {told}"] + [f"    {said}" for said in side.bill.said]
    return "\n".join(lines) + "\n"


def _target(found: Upgrade, target: Target) -> list[str]:
    side = target.side
    mark = f" ({side.mark})" if side.mark else ""
    lines = [
        f"To {side.machine.label}{mark}",
        f"  {target.verdict.sentence}",
        f"  {bill.in_short(side.bill)}",
        *(f"  - {reason}" for reason in target.verdict.reasons),
        "  What the money buys",
        *(f"  - {said}" for said in target.essay.said),
        f"  - {side.moe.model}, a mixture of experts that reads few of its weights, decodes "
        f"{found.moe_factor(target):.1f} × as fast.",
        "  Memory alone, the chip alone, both",
        *(f"    {_what_if(one)}" for one in target.alone),
        "  Newly fits, best first",
    ]
    for task in target.newly_fits:
        best = ", ".join(f"{fit.pace.model} {fit.quality:.2f}" for fit in task.best[:3])
        before = task.best_before
        was = f" (now {before.pace.model} {before.quality:.2f})" if before else ""
        lines.append(f"    {task.task:10} {best or 'nothing'}{was}")
    lines.append("  The routing table")
    for change in target.changes:
        lines.append(
            f"    {change.name:18} {change.share:4.0%}  {change.what}: "
            f"{_answer(change.before)} → {_answer(change.after)}"
        )
    return lines


def _what_if(one: WhatIf) -> str:
    sold = "" if one.sold else ", not sold"
    return f"{one.label}{sold}: {one.newly} more models fit; {essay.best_text(one)}"


def _answer(found: Answer) -> str:
    if not found.model:
        return "hosted"
    pace = "" if math.isnan(found.decode_tok_s) else (
        f", {found.decode_tok_s:.0f} tok/s, first token {found.ttft_s:.1f} s"
    )  # fmt: skip
    return f"{found.model} {found.quant_id}, quality {found.quality:.2f}{pace}"
