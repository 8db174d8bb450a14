"""A table read from a solution: intervals, plain names, bytes that add up."""

from functools import cache

from advisor.catalog import load
from advisor.routing import solve
from advisor.routing.candidates import Wishes
from advisor.routing.workload import preset

ONE_48 = "mac-mini-m4-pro-48"


@cache
def table(machine_id: str, **wishes: object):
    catalog = load()
    asked = preset(catalog, "personal-agent")
    machine = catalog.machine(machine_id)
    return solve.table(catalog, machine, asked, wishes=Wishes(**wishes), robust=False)


def test_a_route_tells_its_interval_and_its_runner_up():
    for route in table(ONE_48).routes:
        if route.class_id != "embeddings":
            assert route.decode_low < route.decode_tok_s < route.decode_high
        assert route.ttft_low < route.ttft_s < route.ttft_high
        assert route.reason


def test_names_of_residents_are_plain_and_unique():
    names = [r.name for r in table(ONE_48, most_residents=5).residents]

    assert len(set(names)) == len(names)
    assert all(part.isalnum() for name in names for part in name.split("-"))


def test_parts_of_a_resident_are_its_weights_cache_and_buffers():
    for resident in table(ONE_48).residents:
        assert resident.weight_bytes > 0
        assert resident.kv_bytes >= 0
        assert resident.buffer_bytes > 0
