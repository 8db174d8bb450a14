"""A table says why this one, what comes next at what cost, and what breaks."""

import pytest

from advisor.catalog import load
from advisor.routing import solve
from advisor.routing.workload import preset


def table(workload, machine_id="mac-mini-m4-16"):
    catalog = load()
    return solve.table(catalog, catalog.machine(machine_id), workload, robust=False)


def only(name: str, **changed: object):
    workload = preset(load(), name)
    first = workload.classes[0].model_copy(update=changed)
    return workload.model_copy(update={"classes": (first,)})


BREAKS = {
    "first token": ({"most_ttft_s": 0.001}, "the first token takes"),
    "pace": ({"least_tok_s": 5000.0}, "decodes faster than"),
    "quality": ({"least_quality": 0.99}, "no model that fits reaches a quality of 0.99"),
    "context": ({"prompt_p90_tokens": 2e7}, "no model of the catalog"),
}


@pytest.mark.parametrize(("changed", "said"), BREAKS.values(), ids=BREAKS)
def test_the_floor_that_breaks_is_named_with_what_would_mend_it(changed, said):
    found = table(only("chat", **changed))

    assert len(found.problems) == 1
    assert said in found.problems[0]
    assert "mend it" in found.problems[0] or "Lower" in found.problems[0] or (
        "Shorten" in found.problems[0]
    )  # fmt: skip


def test_a_floor_lowered_to_what_is_said_is_met():
    strict = table(only("chat", most_ttft_s=0.01))
    said = strict.problems[0]
    floor = float(said.split("A floor of ")[1].split(" s")[0])

    assert table(only("chat", most_ttft_s=floor)).problems == ()
    assert len(table(only("chat", most_ttft_s=0.9 * floor)).problems) == 1


def test_why_and_the_runner_up_are_told():
    found = table(preset(load(), "chat"))

    assert found.routes[0].reason.startswith("best of ")
    assert "quality " in found.routes[0].runner_up
    assert "tok/s" in found.routes[0].runner_up


@pytest.mark.parametrize("machine_id", ["mac-mini-m4-16", "mac-mini-m4-24", "mac-mini-m4-pro-48"])
def test_no_measured_runner_up_that_fits_is_better_than_what_was_chosen(machine_id):
    for route in table(preset(load(), "personal-agent"), machine_id).routes:
        if ": quality " in route.runner_up and "(estimated)" not in route.runner_up:
            gain = float(route.runner_up.split(": quality ")[1].split(",")[0])
            assert gain <= 0.01, route  # a step of quality may have gone for seconds
