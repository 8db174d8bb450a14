"""What a million tokens cost at home and hosted, and when, if ever, a Mac pays for itself.

Plain arithmetic on what is given. A Mac is bought once, uses power idle and at work, and writes
tokens only while it works; ``duty`` is the part of all hours in which it does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

MONTH_S = 365.25 / 12 * 86400
J_PER_KWH = 3.6e6
MTOK = 1e6

NEVER, NOT_IN_LIFE, AT_MORE, PAYS, UNKNOWN, PERHAPS = (
    "never", "not in its life", "at more duty", "pays", "unknown", "depends on its watts",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Work:
    """How fast tokens are written, and what comes with each.

    decode_tok_s, prefill_tok_s   of one request at a time [tokens/s]
    prompt_per_output   prompt tokens that a hosted model is sent for each token of the answer
    fresh_per_output    those of them that this machine must process: the rest is cached
    """

    decode_tok_s: float
    prefill_tok_s: float = math.inf
    prompt_per_output: float = 0.0
    fresh_per_output: float = 0.0

    @property
    def busy_s(self) -> float:
        """Seconds at work for each token of an answer."""
        return 1 / self.decode_tok_s + self.fresh_per_output / self.prefill_tok_s


@dataclass(frozen=True, slots=True)
class Costs:
    """What is paid; None is not known. Money is in one currency, whichever.

    price                     of the machine
    idle_w, load_w            at the wall [W]
    kwh                       a kWh
    hosted_in, hosted_out     a million prompt and output tokens, hosted
    life_years, duty          how long it is kept; the part of all hours it works, 0 to 1
    load_is_most              ``load_w`` is an upper bound
    """

    price: float | None
    idle_w: float | None
    load_w: float | None
    kwh: float | None
    hosted_in: float | None
    hosted_out: float | None
    life_years: float = 4.0
    duty: float = 0.1
    load_is_most: bool = False

    @property
    def missing(self) -> tuple[str, ...]:
        """What a break-even needs and is not known."""
        named = {
            "the price": self.price,
            "watts at idle": self.idle_w,
            "watts at work": self.load_w,
            "the price of a kWh": self.kwh,
            "a hosted price": self.hosted_out,
        }
        return tuple(name for name, value in named.items() if value is None)


@dataclass(frozen=True, slots=True)
class BreakEven:
    """When a machine has cost less than the same tokens hosted.

    kind    NEVER: each token costs more at home; NOT_IN_LIFE: not even at work day and night;
            AT_MORE: not at this duty; PAYS: after ``months``; PERHAPS: the watts decide;
            UNKNOWN: something is missing
    duty    the least duty that pays within its life; NaN where none does
    """

    kind: str
    months: float = math.nan
    duty: float = math.nan


def electricity_per_mtok(load_w: float, kwh: float, work: Work) -> float:
    """What the power for a million output tokens, and the prompts before them, costs."""
    return load_w * work.busy_s * MTOK / J_PER_KWH * kwh


def hosted_per_mtok(hosted_in: float | None, hosted_out: float, work: Work) -> float:
    """What a million output tokens, and the prompts before them, cost hosted.

    Without a price for prompts they count nothing.
    """
    return hosted_out + work.prompt_per_output * (hosted_in or 0.0)


def output_mtok_per_month(work: Work, duty: float) -> float:
    """Million output tokens a month at a duty."""
    return duty * MONTH_S / work.busy_s / MTOK


def power_per_month(costs: Costs, duty: float) -> float:
    """Electricity of a month: idle, and at work for its share of the hours. NaN: not known."""
    if costs.idle_w is None or costs.load_w is None or costs.kwh is None:
        return math.nan
    mean_w = duty * costs.load_w + (1 - duty) * costs.idle_w
    return mean_w * MONTH_S / J_PER_KWH * costs.kwh


def price_per_month(costs: Costs) -> float:
    """The price spread over its life. NaN: not known."""
    return math.nan if costs.price is None else costs.price / (costs.life_years * 12)


def per_mtok(costs: Costs, work: Work, duty: float) -> float:
    """A million output tokens at home, all counted: price, idle, work. NaN: not known."""
    whole = price_per_month(costs) + power_per_month(costs, duty)
    return whole / output_mtok_per_month(work, duty) if duty > 0 else math.inf


def break_even(costs: Costs, work: Work) -> BreakEven:
    """When the machine has cost less than hosted, at its duty and at any."""
    if costs.load_w is None or costs.hosted_out is None or costs.kwh is None:
        return BreakEven(UNKNOWN)
    at_home = electricity_per_mtok(costs.load_w, costs.kwh, work)
    away = hosted_per_mtok(costs.hosted_in, costs.hosted_out, work)
    if at_home >= away:
        # An upper bound proves nothing, unless idling alone already costs as much.
        sure = not costs.load_is_most or (
            costs.idle_w is not None and electricity_per_mtok(costs.idle_w, costs.kwh, work) >= away
        )
        return BreakEven(NEVER if sure else PERHAPS)
    if costs.missing:
        return BreakEven(UNKNOWN)
    price = costs.price or 0.0
    life_months = costs.life_years * 12
    idle = power_per_month(costs, 0.0)

    def saved(duty: float) -> float:
        """Money a month that is not spent on hosted tokens, less power."""
        return output_mtok_per_month(work, duty) * away - power_per_month(costs, duty)

    slope = saved(1.0) + idle
    duty = (price / life_months + idle) / slope if slope > 0 else math.inf
    if duty > 1:
        best = saved(1.0)
        return BreakEven(NOT_IN_LIFE, months=price / best if best > 0 else math.inf)
    if costs.duty < duty:
        return BreakEven(AT_MORE, duty=duty)
    return BreakEven(PAYS, months=price / saved(costs.duty), duty=duty)


def watts_that_break_even(costs: Costs, work: Work) -> float:
    """Watts at work below which a token costs less at home than hosted. NaN: not known."""
    if costs.kwh is None or costs.hosted_out is None:
        return math.nan
    away = hosted_per_mtok(costs.hosted_in, costs.hosted_out, work)
    return away / electricity_per_mtok(1.0, costs.kwh, work)
