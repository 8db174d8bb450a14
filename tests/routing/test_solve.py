"""Tables of real machines: within the budget, honest where nothing fits, pins obeyed."""

from functools import cache

import pytest

from advisor.catalog import load
from advisor.errors import InputError
from advisor.routing import solve
from advisor.routing.candidates import Wishes
from advisor.routing.workload import Workload, preset

ONE_MODEL_16, ONE_48 = "mac-mini-m4-16", "mac-mini-m4-pro-48"


@cache
def asked(name: str = "personal-agent") -> Workload:
    return preset(load(), name)


def table(machine_id: str, workload: Workload | None = None, in_use_gb=None, **wishes: object):
    catalog = load()
    machine = catalog.machine(machine_id, in_use_gb=in_use_gb)
    return solve.table(catalog, machine, workload or asked(), wishes=Wishes(**wishes), robust=False)


@pytest.mark.parametrize("machine_id", [ONE_MODEL_16, ONE_48, "macbook-air-m5-16"])
@pytest.mark.parametrize("swap", [False, True])
def test_a_table_is_proved_and_never_over_its_budget(machine_id, swap):
    found = table(machine_id, swap=swap)

    assert found.used_bytes + found.reserve_bytes <= found.budget_bytes
    assert found.gap <= 1e-6
    assert sum(route.share for route in found.routes) == pytest.approx(1)
    assert {r.resident for r in found.routes if r.resident} <= {r.name for r in found.residents}


def test_what_other_programs_hold_is_not_given_away():
    free, busy = table(ONE_MODEL_16), table(ONE_MODEL_16, in_use_gb=9)

    assert busy.budget_bytes == 7 * 2**30  # 16 - 9 GiB
    assert busy.used_bytes + busy.reserve_bytes <= 7 * 2**30 < free.used_bytes


def test_more_at_once_shrinks_what_fits_or_costs_quality():
    many = asked().model_copy(
        update={"classes": tuple(c.model_copy(update={"concurrency": 8}) for c in asked().classes)}
    )
    few, crowded = table(ONE_48), table(ONE_48, many)

    def met_quality(found):
        return sum(r.share * r.quality for r in found.routes if r.meets_floors)

    assert crowded.used_bytes + crowded.reserve_bytes <= crowded.budget_bytes
    assert met_quality(crowded) <= met_quality(few) + 0.01


def test_more_memory_is_never_worse():
    def met(found):
        return sum(r.share for r in found.routes if r.meets_floors)

    sizes = [table(f"mac-mini-m4-{gb}") for gb in (16, 24, 32)]

    assert [met(t) for t in sizes] == sorted(met(t) for t in sizes)


def test_a_coding_agent_with_100k_prompts_is_hosted_on_16_gb_and_says_why():
    found = table(ONE_MODEL_16, asked("coding-agent"))

    assert found.routes[0].resident == ""
    assert "hosted" in found.routes[0].reason
    assert any("A hosted model answers it." in said for said in found.problems)


def test_without_a_hosted_fallback_the_best_that_fits_answers_below_its_floors():
    local = asked("coding-agent").model_copy(update={"hosted": False})
    found = table(ONE_48, local)

    assert found.routes[0].resident != ""
    assert not found.routes[0].meets_floors


def test_pins_are_obeyed():
    kept = table(ONE_48, keep=("llama-3.1-8b mlx-4bit",))
    best = table(ONE_48).residents[0].model_id
    without = table(ONE_48, never=(best,))

    assert ("llama-3.1-8b", "mlx-4bit") in {(r.model_id, r.quant_id) for r in kept.residents}
    assert best not in {r.model_id for r in without.residents}


def test_an_unknown_pin_names_the_nearest():
    with pytest.raises(InputError, match=r"Nearest: llama-3\.1-8b"):
        table(ONE_48, keep=("lama-3.1-8b",))


def test_the_frontier_never_falls_with_more_models():
    catalog = load()
    points = solve.frontier(catalog, catalog.machine(ONE_MODEL_16), asked())
    met = [p.met_share for p in points]

    assert [p.residents for p in points] == [1, 2, 3, 4, 5]
    assert met == sorted(met)
    assert points[-1].quality >= points[1].quality - 0.02


def test_a_number_of_models_that_cannot_be_is_said():
    with pytest.raises(InputError, match="1 to 5 models, not 9"):
        table(ONE_48, most_residents=9)


def test_a_busy_machine_answers_less_or_with_less():
    rush = asked("chat").model_copy(update={"requests_per_hour": 1500.0})
    calm, busy = table(ONE_48, asked("chat")), table(ONE_48, rush)

    def answered(found):
        return sum(r.share * r.quality for r in found.routes if r.meets_floors)

    assert all(r.meets_floors for r in calm.routes)
    assert answered(busy) < answered(calm)
