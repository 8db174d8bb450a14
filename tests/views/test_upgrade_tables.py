"""What stands in the page's tables; what is missing is asked for."""

from dataclasses import replace

from advisor.upgrade import changes
from advisor.upgrade.bill import Bill
from advisor.upgrade.changes import Answer, Change
from advisor.upgrade.money import UNKNOWN, BreakEven
from advisor.upgrade.prices import Figure, Power
from advisor.views import upgrade_tables

NAN = float("nan")
EMPTY = Bill(
    machine_id="x", name="M9 1 GB", currency="$", price=None, power=Power(None, None), kwh=None,
    hosted=None, model="A", decode_tok_s=10, prompt_per_output=0, price_per_month=NAN,
    power_per_month=NAN, per_mtok=NAN, power_per_mtok=NAN, hosted_per_mtok=NAN,
    output_mtok_per_month=1, alone=BreakEven(UNKNOWN), whole=BreakEven(UNKNOWN),
    missing=(), said=(), curve=(),
)  # fmt: skip


def test_what_is_missing_is_asked_for():
    lines = upgrade_tables.bill_lines(EMPTY)

    assert "Price not known (enter it)" in lines
    assert "At work: not known, enter the watts" in lines
    assert not any("million" in line for line in lines)


def test_a_figure_stands_with_its_date():
    paid = replace(EMPTY, price=Figure(799, "2026-06-25", "launch list", "https://x"))

    assert r"Price 799 \$ (launch list, 2026-06-25)" in upgrade_tables.bill_lines(paid)


def test_an_answer_says_its_interval_and_room():
    told = Answer("A", "mlx-4bit", 0.5, "estimated", 20, 18, 22, 2, 1.8, 2.2, 10_000, True)

    assert upgrade_tables._answer(told) == (
        "A, mlx-4bit  \nquality about 0.50, 18–22 tok/s, first token 1.8–2.2 s, room for 9K"
    )
    assert upgrade_tables._answer(replace(told, model="")) == "a hosted model"


def test_a_change_has_its_badge():
    told = Answer("A", "mlx-4bit", 0.5, "published", 20, 18, 22, 2, 1.8, 2.2, 8192, True)
    change = Change("x", "X", 1.0, False, told, told, changes.LOST)

    assert upgrade_tables._badge(change) == ":red-badge[no longer answered here]"
