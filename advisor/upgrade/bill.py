"""The bill of one machine: what it costs a month and a million tokens, and when it pays back."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from advisor.catalog.shapes import Machine
from advisor.estimate.verdict import FITS
from advisor.routing.workload import Workload
from advisor.upgrade import edits as own
from advisor.upgrade import money
from advisor.upgrade.edits import Edits
from advisor.upgrade.gains import Pace
from advisor.upgrade.money import BreakEven, Costs, Work
from advisor.upgrade.prices import Figure, Hosted, Power

if TYPE_CHECKING:
    from advisor.catalog import Catalog

DUTIES = tuple(round(0.01 * 10 ** (step / 20), 4) for step in range(41))  # 1 % to all hours


@dataclass(frozen=True, slots=True)
class Bill:
    """What one machine costs; figures NaN where something is missing, never 0 for it.

    per_mtok         a million output tokens at the duty, all counted
    power_per_mtok   their electricity alone
    hosted_per_mtok  the same tokens hosted
    alone, whole     break-even of output tokens alone, and with the workload's prompts
    said             the break-evens in words, with their arithmetic
    curve            (duty, a million output tokens all counted), with prompts
    """

    machine_id: str
    name: str
    currency: str
    price: Figure | None
    power: Power
    kwh: Figure | None
    hosted: Hosted | None
    model: str
    decode_tok_s: float
    prompt_per_output: float
    price_per_month: float
    power_per_month: float
    per_mtok: float
    power_per_mtok: float
    hosted_per_mtok: float
    output_mtok_per_month: float
    alone: BreakEven
    whole: BreakEven
    missing: tuple[str, ...]
    said: tuple[str, ...]
    curve: tuple[tuple[float, float], ...]


def mix(workload: Workload) -> tuple[float, float]:
    """Prompt tokens for each output token, all of them and those no prefix cache holds."""
    asked = [
        (share, c) for share, c in zip(workload.shares, workload.classes, strict=True)
        if not c.embeds
    ]  # fmt: skip
    written = math.fsum(share * c.output_mean_tokens for share, c in asked)
    if not written:
        return 0.0, 0.0
    sent = math.fsum(share * c.prompt_mean_tokens for share, c in asked)
    fresh = math.fsum(share * c.prompt_mean_tokens * (1 - c.prefix_share) for share, c in asked)
    return sent / written, fresh / written


def bill(
    catalog: Catalog,
    machine: Machine,
    name: str,
    pace: Pace,
    edits: Edits,
    workload: Workload,
    today: date,
) -> Bill:
    """The bill of a machine for the tokens of one model."""
    costs = own.costs(catalog, machine, edits)
    if pace.verdict != FITS:
        # What a machine cannot run has no cost there.
        pace = replace(pace, decode_tok_s=math.nan, prefill_tok_s=math.nan)
    sent, fresh = mix(workload)
    alone = Work(pace.decode_tok_s)
    whole = Work(pace.decode_tok_s, pace.prefill_tok_s, sent, fresh)
    known = costs.load_w is not None and costs.kwh is not None
    away = costs.hosted_out
    runs = pace.verdict == FITS
    found = [
        money.break_even(costs, work) if runs else BreakEven(money.UNKNOWN)
        for work in (alone, whole)
    ]
    subject = _Subject(name, pace, edits, own.hosted(catalog, edits))
    return Bill(
        machine_id=machine.id,
        name=name,
        currency=edits.currency,
        price=own.price(catalog, machine, edits),
        power=own.power(catalog, machine, edits),
        kwh=own.electricity(catalog, edits),
        hosted=subject.hosted,
        model=pace.model,
        decode_tok_s=pace.decode_tok_s,
        prompt_per_output=sent,
        price_per_month=money.price_per_month(costs),
        power_per_month=money.power_per_month(costs, edits.duty),
        per_mtok=money.per_mtok(costs, whole, edits.duty),
        power_per_mtok=(
            money.electricity_per_mtok(costs.load_w or 0, costs.kwh or 0, whole)
            if known else math.nan
        ),
        hosted_per_mtok=(
            math.nan if away is None else money.hosted_per_mtok(costs.hosted_in, away, whole)
        ),
        output_mtok_per_month=money.output_mtok_per_month(whole, edits.duty),
        alone=found[0],
        whole=found[1],
        missing=costs.missing,
        said=tuple(_sentences(subject, costs, (alone, whole), found, today)),
        curve=tuple((duty, money.per_mtok(costs, whole, duty)) for duty in DUTIES),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Subject:
    name: str
    pace: Pace
    edits: Edits
    hosted: Hosted | None

    def text(self, value: float) -> str:
        return amount_text(value, self.edits.currency)


def _sentences(
    subject: _Subject,
    costs: Costs,
    works: tuple[Work, Work],
    found: list[BreakEven],
    today: date,
) -> list[str]:
    """Output tokens alone first; the workload's prompts where they have any."""
    if subject.pace.verdict != FITS:
        return [f"{subject.name} has no room for {subject.pace.model} in 4 bit at this context."]
    first = _sentence(subject, costs, works[0], found[0], today)
    said = [f"{subject.name}, answers of {subject.pace.model} alone. {first}"]
    if works[1].prompt_per_output and found[1].kind != money.UNKNOWN:
        second = _sentence(subject, costs, works[1], found[1], today)
        said.append(
            f"With this workload's {works[1].prompt_per_output:.1f} prompt tokens for each token "
            f"of an answer ({works[1].fresh_per_output:.1f} not cached). {second}"
        )
    return said


def _sentence(subject: _Subject, costs: Costs, work: Work, found: BreakEven, today: date) -> str:
    if found.kind == money.UNKNOWN:
        return f"Break-even not known: {_listed(costs.missing)} missing. Enter what you know."
    text, load, kwh = subject.text, costs.load_w or 0.0, costs.kwh or 0.0
    at_home = money.electricity_per_mtok(load, kwh, work)
    away = money.hosted_per_mtok(costs.hosted_in, costs.hosted_out or 0.0, work)
    on = f", {subject.hosted.on}" if subject.hosted and subject.hosted.on else ""
    power = (
        f"a million tokens take {text(at_home)} of electricity ({load:g} W for "
        f"{work.busy_s * 1e6 / 3600:,.0f} h at {text(kwh)} a kWh) and cost {text(away)} "
        f"hosted{on}"
    )
    if found.kind == money.NEVER:
        return f"Break-even: never, whatever the machine costs; {power}."
    if found.kind == money.PERHAPS:
        limit = money.watts_that_break_even(costs, work)
        return (
            f"Break-even: never at {load:g} W, which is an upper bound; {power}. Below "
            f"{limit:.0f} W a token would cost less here: measure, and enter the watts."
        )
    price, life = costs.price or 0.0, costs.life_years
    saving = _saved(costs, work, 1.0)
    if found.kind == money.NOT_IN_LIFE:
        years = found.months / 12
        how = (
            f"even at work day and night it saves {text(saving)} a month, so "
            f"{text(price)} take {years:,.0f} years"
            if math.isfinite(years)
            else "even at work day and night it uses more power than it saves"
        )
        return f"Break-even: never within {life:g} years; {how}; {power}."
    if found.kind == money.AT_MORE:
        return (
            f"Break-even: not at {costs.duty:.0%} of all hours, but from {found.duty:.0%} on "
            f"within {life:g} years; {power}."
        )
    when = today + timedelta(days=found.months * 365.25 / 12)
    return (
        f"Break-even: after {found.months:.0f} months, {when:%B %Y}, at {costs.duty:.0%} of all "
        f"hours; {text(price)} over {text(_saved(costs, work, costs.duty))} saved a month."
    )


def _saved(costs: Costs, work: Work, duty: float) -> float:
    away = money.hosted_per_mtok(costs.hosted_in, costs.hosted_out or 0.0, work)
    return money.output_mtok_per_month(work, duty) * away - money.power_per_month(
        replace(costs, duty=duty), duty
    )


def in_short(bill: Bill) -> str:
    """How the money stands, in a clause: "its price never comes back against a hosted model"."""
    return SHORT[bill.whole.kind].format(model=bill.model)


SHORT = {
    money.NEVER: "In money it never pays back: {model} costs less hosted than its electricity.",
    money.NOT_IN_LIFE: "In money it never pays back against {model} hosted within its life.",
    money.AT_MORE: "In money it pays back against {model} hosted only with more hours at work.",
    money.PAYS: "In money it pays back against {model} hosted.",
    money.PERHAPS: "Whether it pays back against {model} hosted depends on its watts.",
    money.UNKNOWN: "Whether it pays back against {model} hosted is not known: a figure is missing.",
}


def amount_text(value: float, currency: str) -> str:
    """ "0.072 USD", "0.04 USD", "1.25 USD", "1,799 USD"; "not known" for NaN."""
    if math.isnan(value):
        return "not known"
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f} {currency}"
    short = size >= 0.1 or round(size, 2) == round(size, 3)
    text = f"{value:.2f}" if short else f"{value:.3f}"
    return f"{text} {currency}"


def _listed(names: tuple[str, ...]) -> str:
    return (" and ".join(names) + (" are" if len(names) > 1 else " is")) if names else "nothing is"
