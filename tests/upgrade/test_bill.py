"""The bill says when a Mac pays back, and shows how that was reckoned."""

from dataclasses import replace
from datetime import date

import pytest

from advisor.upgrade import bill, money
from advisor.upgrade.edits import Edits

TODAY = date(2026, 12, 1)


@pytest.fixture(scope="module")
def billed(catalog, workload, minis, found):
    def make(edits: Edits, side: int = 0, **pace):
        own = found.sides[side]
        told = replace(own.reference, **pace)
        return bill.bill(catalog, minis[side], own.name, told, edits, workload, TODAY)

    return make


def test_never_is_said_with_its_arithmetic(billed):
    """20.89 tok/s at 30.1 W: 13.3 h, .4 kWh, .072 USD; hosted .04."""
    found = billed(Edits(), decode_tok_s=20.89)

    assert found.alone.kind == money.NEVER
    assert "Break-even: never, whatever the machine costs" in found.said[0]
    assert "0.072 USD of electricity (30.1 W for 13 h at 0.18 USD a kWh)" in found.said[0]
    assert "0.04 USD hosted, 2026-09-03" in found.said[0]


def test_prompts_of_the_workload_are_reckoned_beside_it(billed, workload):
    sent, fresh = bill.mix(workload)
    found = billed(Edits())

    assert sent > fresh > 0
    assert f"{sent:.1f} prompt tokens for each token of an answer" in found.said[1]
    assert "never within 4 years" in found.said[1]


def test_the_mix_by_hand(workload):
    """One class: half of 100 prompt tokens cached, 50 answer tokens, no spread."""
    one = workload.classes[1].model_copy(
        update={"prompt_p50_tokens": 100, "prompt_p90_tokens": 100, "output_p50_tokens": 50,
                "output_p90_tokens": 50, "prefix_share": 0.5}
    )  # fmt: skip

    assert bill.mix(workload.model_copy(update={"classes": (one,)})) == pytest.approx((2, 1))


def test_an_upper_bound_says_below_which_watts(billed):
    found = billed(Edits(), side=1)

    assert found.alone.kind == money.PERHAPS
    assert "never at 140 W, which is an upper bound" in found.said[0]
    assert "measure, and enter the watts" in found.said[0]


def test_a_date_where_it_pays(billed):
    found = billed(Edits(hosted_out=50.0, duty=1.0))

    assert found.alone.kind == money.PAYS
    assert "Break-even: after" in found.said[0]
    assert "2027" in found.said[0] or "2026" in found.said[0]


def test_a_duty_where_more_hours_would_pay(billed):
    found = billed(Edits(hosted_out=2.0, duty=0.01))

    assert found.alone.kind == money.AT_MORE
    assert f"from {found.alone.duty:.0%} on" in found.said[0]


def test_what_is_missing_is_asked_for(billed):
    found = billed(Edits(currency="€"))

    assert found.alone.kind == money.UNKNOWN
    assert "the price and the price of a kWh and a hosted price are missing" in found.said[0]
    assert found.per_mtok != found.per_mtok  # not a number, never 0
    assert "not known" in bill.in_short(found)


def test_what_does_not_fit_costs_nothing_there(billed):
    found = billed(Edits(), verdict="no")

    assert found.said == ("M4 16 GB has no room for Llama-3.1-8B in 4 bit at this context.",)
    assert found.power_per_mtok != found.power_per_mtok


def test_more_hours_make_a_token_cheaper(billed):
    costs = [cost for _, cost in billed(Edits()).curve]

    assert costs == sorted(costs, reverse=True)
    assert billed(Edits()).curve[-1][0] == 1.0


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.072, "0.072 USD"), (0.04, "0.04 USD"),
     (0.119, "0.12 USD"), (1.254, "1.25 USD"), (1799, "1,799 USD"),
     (float("nan"), "not known")],
)  # fmt: skip
def test_money_as_text(value, text):
    assert bill.amount_text(value, "USD") == text
