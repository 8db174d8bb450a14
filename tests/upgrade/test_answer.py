"""The essay's pair answered whole, against what is published of it."""

from dataclasses import replace
from datetime import date

import pytest

from advisor.errors import InputError
from advisor.estimate import plan
from advisor.routing import solve
from advisor.upgrade.answer import upgrade
from advisor.upgrade.edits import Edits


def test_the_same_dense_model_is_about_twice_as_fast(found):
    """Published pairs of M4 and M4 Pro runs: 1.8 to 2.3 times."""
    assert 1.8 <= found.targets[0].dense_factor <= 2.3


def test_a_small_active_mixture_of_experts_gains_clearly_less(found):
    assert found.moe_factor(found.targets[0]) < found.targets[0].dense_factor - 0.2


def test_speeds_are_the_engines(catalog, found, minis):
    (row,) = plan.table(
        catalog, minis[1:], runtime="mlx-lm", model_ids=["llama-3.1-8b"], quant_ids=["mlx-4bit"]
    ).to_dict("records")

    shown = found.targets[0].side.reference
    assert (shown.decode_tok_s, shown.ttft_s) == (row["decode_tok_s"], row["ttft_s"])


def test_the_first_machine_is_not_a_target(found):
    assert [side.machine.id for side in found.sides] == ["mac-mini-m4-16", "mac-mini-m4-pro-48"]
    assert [target.side.machine.id for target in found.targets] == ["mac-mini-m4-pro-48"]


def test_a_discontinued_one_is_marked(found):
    assert "no longer made" in found.targets[0].side.mark


def test_short_prompts_alone_do_not_need_more_than_16_gb(catalog, workload, minis):
    short = tuple(c for c in workload.classes if c.id == "short")
    only = workload.model_copy(update={"classes": short})

    verdict = upgrade(catalog, minis[0], minis[1:], only).targets[0].verdict

    assert not verdict.worth
    assert verdict.sentence.startswith("Don't: for short, simple requests 16 GB is enough.")
    assert any("count them as chat" in reason for reason in verdict.reasons)


def test_tables_that_are_kept_are_not_solved_again(catalog, workload, minis, found, monkeypatch):
    monkeypatch.setattr(solve, "table", None)
    kept = {side.machine.id: side.table for side in found.sides}

    again = upgrade(catalog, minis[0], minis[1:], workload, route=lambda m: kept[m.id],
                    today=date(2026, 12, 1))  # fmt: skip

    assert again == found


def test_figures_that_cannot_be_are_refused_before_any_work(catalog, workload, minis):
    with pytest.raises(InputError, match="price of mac-mini-m4-16 must be above 0"):
        upgrade(catalog, minis[0], minis[1:], workload, edits=Edits(price={"mac-mini-m4-16": 0.0}))


def test_a_machine_without_memory_has_no_upgrade(catalog, workload, minis):
    with pytest.raises(InputError, match="needs the memory size"):
        upgrade(catalog, replace(minis[0], memory_gb=None), minis[1:], workload)
