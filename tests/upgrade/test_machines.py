"""Machines by id or in parts; what is wrong costs a sentence, not the rest."""

import pytest

from advisor.catalog import load
from advisor.errors import InputError
from advisor.upgrade import machines


@pytest.fixture(scope="module")
def catalog():
    return load()


def test_parts_are_the_machine_of_its_id(catalog):
    parts = machines.machine(catalog, "M4 Pro:16:48")
    whole = catalog.machine("mac-mini-m4-pro-48")

    assert parts.id == "m4 pro:16:48"
    assert (parts.chip.id, parts.memory_gb) == (whole.chip.id, whole.memory_gb)


def test_parts_may_be_written_with_dashes_as_a_link_has_them(catalog):
    assert machines.machine(catalog, "m4-max:32:36").chip.id == "m4-max-32"


def test_the_same_machine_twice_is_said_and_the_rest_stays(catalog):
    first, others, problems = machines.chosen(
        catalog, "mac-mini-m4-16", ["mac-mini-m4-16", "mac-mini-m4-pro-48", "mac-mini-m9-16"]
    )

    assert first.id == "mac-mini-m4-16"
    assert [machine.id for machine in others] == ["mac-mini-m4-pro-48"]
    assert problems[0].startswith("mac-mini-m4-16 is there twice")
    assert "No machine is called 'mac-mini-m9-16'" in problems[1]


def test_a_machine_alone_has_nothing_to_be_compared_with(catalog):
    with pytest.raises(InputError, match="no second machine"):
        machines.chosen(catalog, "mac-mini-m4-16", ["mac-mini-m4-16"])


def test_at_most_three_others(catalog):
    ids = [f"mac-mini-m4-pro-{size}" for size in (24, 48, 64)] + ["mac-mini-m6-16"]

    _, others, problems = machines.chosen(catalog, "mac-mini-m4-16", ids)

    assert len(others) == 3
    assert "at most 3" in problems[0]


def test_what_is_no_longer_made_is_marked(catalog):
    assert "used or refurbished" in machines.mark(catalog, catalog.machine("mac-mini-m4-16"))
    assert machines.mark(catalog, machines.machine(catalog, "m4:16")) == ""


def test_memory_alone_changes_the_memory_alone(catalog):
    machine = catalog.machine("mac-mini-m4-16")

    more = machines.with_memory(catalog, machine, 48)

    assert (more.chip.id, more.memory_gb) == (machine.chip.id, 48)
    assert more.label == "M4 with 48 GB"


def test_on_the_m6_memory_decides_the_bandwidth(catalog):
    more = machines.with_memory(catalog, catalog.machine("mac-mini-m6-16"), 24)

    assert more.chip.bandwidth_gb_per_s == 170


def test_a_chip_alone_keeps_the_memory(catalog):
    other = machines.with_chip(catalog.machine("mac-mini-m4-16"), catalog.chip("m4-pro-16"))

    assert (other.chip.bandwidth_gb_per_s, other.memory_gb) == (273, 16)


def test_a_mac_is_found_by_its_machine_only(catalog):
    assert machines.mac_of(catalog, catalog.machine("mac-mini-m4-16")).id == "mac-mini-m4"
    assert machines.mac_of(catalog, machines.machine(catalog, "m4:16")) is None
