"""The arithmetic of money, each expected value worked out by hand."""

import math
from dataclasses import replace

import pytest

from advisor.upgrade import money
from advisor.upgrade.money import Costs, Work

# 36 W at work, .25 a kWh: a million tokens at 10 tok/s take 100,000 s = 1 kWh = .25.
WORK = Work(decode_tok_s=10)
COSTS = Costs(
    price=480, idle_w=4, load_w=36, kwh=0.25, hosted_in=0.1, hosted_out=1.25, life_years=4, duty=0.5
)


def test_power_of_a_million_tokens():
    assert money.electricity_per_mtok(36, 0.25, WORK) == pytest.approx(0.25)


def test_an_m4_minis_million_tokens_of_an_8b_cost_more_than_hosted():
    """30.1 W at 20.89 tok/s and .18 USD: .072 USD; hosted .04 (published rows)."""
    work = Work(decode_tok_s=20.89)
    costs = Costs(799, 4, 30.1, 0.18, 0.02, 0.04)

    assert money.electricity_per_mtok(30.1, 0.18, work) == pytest.approx(0.072, abs=0.0005)
    assert money.break_even(costs, work).kind == money.NEVER


def test_prompts_count_on_both_sides():
    """Ten prompt tokens an output token, half of them cached; prefill 50 tok/s: .1 + .1 s."""
    work = Work(10, prefill_tok_s=50, prompt_per_output=10, fresh_per_output=5)

    assert work.busy_s == pytest.approx(0.2)
    assert money.electricity_per_mtok(36, 0.25, work) == pytest.approx(0.5)
    assert money.hosted_per_mtok(0.1, 1.25, work) == pytest.approx(1.25 + 10 * 0.1)


def test_a_month():
    """730.5 hours; half of them at 36 W, half at 4 W: 20 W = 14.61 kWh = 3.6525."""
    assert money.power_per_month(COSTS, 0.5) == pytest.approx(3.6525)
    assert money.price_per_month(COSTS) == pytest.approx(10)
    assert money.output_mtok_per_month(WORK, 0.5) == pytest.approx(13.149)
    assert money.per_mtok(COSTS, WORK, 0.5) == pytest.approx(13.6525 / 13.149)


def test_months_to_break_even():
    """At half the hours 13.149 million tokens x 1.25 = 16.43625, less 3.6525: 12.78375 a month."""
    found = money.break_even(COSTS, WORK)

    assert found.kind == money.PAYS
    assert found.months == pytest.approx(480 / 12.78375)


def test_the_duty_that_pays_back_within_the_life():
    """10 a month + .7305 idle, over 26.298 x 1.25 - 6.5745 + .7305 = 27.0285 at full duty."""
    found = money.break_even(COSTS, WORK)

    assert found.duty == pytest.approx(10.7305 / 27.0285)


def test_below_that_duty_it_does_not():
    found = money.break_even(replace(COSTS, duty=0.1), WORK)

    assert found.kind == money.AT_MORE
    assert math.isnan(found.months)


def test_day_and_night_may_not_be_enough():
    found = money.break_even(replace(COSTS, price=4800), WORK)

    assert found.kind == money.NOT_IN_LIFE
    assert found.months == pytest.approx(4800 / (26.298 * 1.25 - 6.5745))
    assert math.isnan(found.duty)


def test_an_upper_bound_of_watts_proves_no_never():
    """Hosted .1: at 36 W .25, at 4 W .028; below 14.4 W it is cheaper at home."""
    costs = Costs(480, 4, 36, 0.25, None, 0.1, load_is_most=True)

    assert money.break_even(costs, WORK).kind == money.PERHAPS
    assert money.watts_that_break_even(costs, WORK) == pytest.approx(14.4)


def test_an_upper_bound_is_enough_where_idling_alone_costs_as_much():
    costs = Costs(480, 20, 36, 0.25, None, 0.1, load_is_most=True)

    assert money.break_even(costs, WORK).kind == money.NEVER


@pytest.mark.parametrize("name", ["price", "idle_w", "load_w", "kwh", "hosted_out"])
def test_what_is_missing_is_not_zero(name):
    costs = replace(COSTS, **{name: None})

    assert money.break_even(costs, WORK).kind == money.UNKNOWN
    assert len(costs.missing) == 1
