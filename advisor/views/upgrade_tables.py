"""Tables of the Upgrade page: class by class, one change alone, what newly fits, the bills."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from advisor.advice.words import seconds_range
from advisor.units import KIB, format_tokens
from advisor.upgrade import essay
from advisor.upgrade.answer import Target, Upgrade
from advisor.upgrade.bill import Bill, amount_text
from advisor.upgrade.changes import AWAY, BETTER, HOME, LOST, SAME, WORSE, Answer, Change
from advisor.upgrade.gains import Fit
from advisor.upgrade.what_if import WhatIf
from advisor.views.plain import plain

COLOURS = {HOME: "green", BETTER: "blue", WORSE: "orange", LOST: "red", SAME: "gray", AWAY: "gray"}


def changes(found: Upgrade, target: Target) -> None:
    """A row a class: what answers it on both, and what changes in a word."""
    rows = [
        {
            "Request": f"**{plain(change.name)}** {change.share:.0%}  \n{_badge(change)}",
            found.first.name: _answer(change.before),
            target.side.name: _answer(change.after),
        }
        for change in target.changes
    ]
    st.table(pd.DataFrame(rows), hide_index=True, border="horizontal")


def _badge(change: Change) -> str:
    return f":{COLOURS.get(change.what, 'blue')}-badge[{change.what}]"


def _answer(told: Answer) -> str:
    if not told.model:
        return "a hosted model"
    mark = "about " if told.basis == "estimated" else ""
    parts = [f"quality {mark}{told.quality:.2f}"]
    if not math.isnan(told.decode_tok_s):
        parts.append(f"{told.decode_low:.0f}–{told.decode_high:.0f} tok/s")
    waits = {"ttft_low": told.ttft_low, "ttft_high": told.ttft_high}
    parts.append(f"first token {seconds_range(waits)}")
    if not math.isnan(told.room_tokens):
        parts.append(f"room for {format_tokens(told.room_tokens // KIB * KIB)}")
    return f"{told.model}, {told.quant_id}  \n{', '.join(parts)}"


def mixture(found: Upgrade, target: Target) -> str:
    """The mixture of experts apart: fewer of its weights are read, so bandwidth buys less."""
    moe = target.side.moe
    return (
        f"{moe.model}, a mixture of experts, decodes {found.moe_factor(target):.1f} × as fast "
        f"({found.first.moe.decode_tok_s:.0f} → {moe.decode_tok_s:.0f} tok/s, were there room): "
        "it reads few of its weights for a token."
    )


def what_ifs(machines: Sequence[WhatIf]) -> None:
    """A row a machine, sold or not: what newly fits, the best, and the same 8B."""
    rows = [
        {
            "With": one.label + ("" if one.sold else " :gray-badge[not sold]"),
            "Newly fit": f"{one.newly}",
            "Best": essay.best_text(one),
            "Same 8B": f"{one.reference.decode_tok_s:.0f} tok/s",
        }
        for one in machines
    ]
    st.table(pd.DataFrame(rows), hide_index=True, border="horizontal")


def newly_fits(target: Target) -> None:
    """A row a task: the best so far and the best that newly fit."""
    rows = [
        {
            "Task": f"**{task.task}**",
            "Best so far": "nothing" if task.best_before is None else _fit(task.best_before),
            "Newly, best first": "  \n".join(_fit(fit) for fit in task.best[:3]) or "nothing",
        }
        for task in target.newly_fits
    ]
    st.table(pd.DataFrame(rows), hide_index=True, border="horizontal")
    count = max(task.count for task in target.newly_fits)
    st.caption(
        f"{count} models newly fit, each in the widest quantization that fits. Quality: what it "
        "would score on the task's own scale, 0 to 1."
    )


def _fit(fit: Fit) -> str:
    mark = "about " if fit.basis == "estimated" else ""
    return (
        f"{fit.pace.model}, {fit.pace.quant_id}: {mark}{fit.quality:.2f}, "
        f"{fit.pace.decode_tok_s:.0f} tok/s"
    )


def bills(found: Upgrade) -> None:
    """What each machine costs, and when it pays back, in words with the arithmetic."""
    for column, side in zip(st.columns(len(found.sides)), found.sides, strict=True):
        with column.container(border=True, height="stretch"):
            st.markdown("  \n".join(bill_lines(side.bill)))
            for said in side.bill.said:
                st.markdown(plain(said))
    st.caption(
        "One request at a time. Cheapest hosted endpoints may be quantized, limited in rate or "
        "train on what they are sent; what stays at home is privacy, work offline, a wait that "
        "does not vary, and no rate limit."
    )


def bill_lines(paid: Bill) -> list[str]:
    """Price, power and the cost of a month and of a million tokens; what is missing is asked."""

    def text(value: float) -> str:
        return plain(amount_text(value, paid.currency))

    price, load, idle = paid.price, paid.power.load, paid.power.idle
    told = "enter it" if price is None else ", ".join(filter(None, (price.what, price.on)))
    lines = [
        f"**{paid.name}**",
        f"Price {'not known' if price is None else text(price.value)} ({told})",
        "At work: " + ("not known, enter the watts" if load is None
                       else f"{load.value:g} W ({plain(load.what)})"),
        f"Idle: {'not known, enter the watts' if idle is None else f'{idle.value:g} W'}",
        f"A month: {text(paid.price_per_month)} of its price, "
        f"{text(paid.power_per_month)} of power",
    ]  # fmt: skip
    if paid.per_mtok == paid.per_mtok:
        lines.append(
            f"A million tokens of {paid.model}: **{text(paid.per_mtok)}** here, "
            f"**{text(paid.hosted_per_mtok)}** hosted"
        )
    return lines
