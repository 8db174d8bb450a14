"""A detected Mac becomes a machine with its own limit and memory in use, or a clear sentence."""

from dataclasses import replace

import pytest

from advisor.catalog import load
from advisor.detect import machine
from advisor.errors import InputError
from advisor.estimate.budget import budgets, gpu_limit_bytes, raised_limit_bytes

CATALOG = load()
RULES = CATALOG.memory_rules
MIB, GIB = 2**20, 2**30
# chip bin, memory [GB], macOS whose rules hold, GPU limit [bytes]: Metal's, the wired limit, or
# by hand from the rule of that macOS.
MACHINES = {
    "m4-pro-48-macos-26": ("m4-pro-16", 48, 26, 40_200_896_512),
    "m5-max-128-raised-macos-26": ("m5-max-40", 128, 26, 124_518 * MIB),
    "m4-max-48-macos-15": ("m4-max-40", 48, 15, 36 * GIB),  # three quarters
    "neo-8-macos-26": ("a18-pro-5", 8, 26, 5_726_633_984),
    "m1-16-macos-13": ("m1-8", 16, 13, 11_453_251_584),
    "m3-ultra-512-macos-27": ("m3-ultra-80", 512, 27, 464 * GIB),  # all but 48 GiB
}


@pytest.mark.parametrize(("name", "facts"), MACHINES.items(), ids=MACHINES)
def test_a_recorded_mac_is_a_machine_with_its_real_limit(recorded, name, facts):
    this = machine(CATALOG, recorded(name))

    assert facts == (this.chip.id, this.memory_gb, this.macos, gpu_limit_bytes(RULES, this))
    assert this.id == "this"


def test_memory_in_use_now_counts_against_the_budget(recorded):
    this = machine(CATALOG, recorded("m4-pro-48-macos-26"))

    (budget,) = budgets(RULES, (this,)).budget

    # The GPU limit is smaller than what the 6.9 GiB in use leave.
    assert this.in_use_bytes == 451_190 * 16_384
    assert budget == 40_200_896_512
    crowded = replace(recorded("m4-pro-48-macos-26"), in_use_bytes=20 * GIB)
    assert budgets(RULES, (machine(CATALOG, crowded),)).budget[0] == 28 * GIB


def test_a_limit_that_metal_tells_goes_before_the_rule(recorded):
    found = replace(recorded("m4-pro-48-macos-26"), metal_limit_bytes=39 * GIB)

    this = machine(CATALOG, found)

    assert gpu_limit_bytes(RULES, this) == 39 * GIB
    # 48 less the 8 that are left to macOS is still above it.
    assert raised_limit_bytes(RULES, this) == 40 * GIB


def test_what_is_given_goes_before_what_is_detected(recorded):
    this = machine(CATALOG, recorded("m4-pro-48-macos-26"), wired_limit_mib=38_000, in_use_gb=2)

    assert gpu_limit_bytes(RULES, this) == 38_000 * MIB
    assert this.in_use_bytes == 2 * GIB
    with pytest.raises(InputError, match="must be less than the 48 GB"):
        machine(CATALOG, recorded("m4-pro-48-macos-26"), in_use_gb=48)


def test_a_bin_that_is_not_told_is_assumed_full_and_said(recorded):
    this = machine(CATALOG, recorded("m1-16-macos-13"))

    assert this.assumed == ("gpu_cores=8",)
    assert [chip.id for chip in this.other_bins] == ["m1-7"]


def test_memory_decides_the_bandwidth_of_an_m6(recorded):
    m6 = replace(
        recorded("m4-pro-48-macos-26"), chip="Apple M6", gpu_cores=12, cpu_cores=12,
        metal_limit_bytes=None,
    )  # fmt: skip

    bandwidths = [
        machine(CATALOG, replace(m6, memory_bytes=size * GIB)).chip.bandwidth_gb_per_s
        for size in (16, 24)
    ]

    assert bandwidths == [153, 170]


def test_a_macos_without_rules_takes_the_nearest_and_says_so(recorded):
    found = replace(recorded("m4-pro-48-macos-26"), version="29.1")

    this = machine(CATALOG, found)

    assert this.macos == 27
    assert this.assumed == ("macos=27 (no memory rule for 29.1)",)


REFUSED = {
    "Linux": ("debian-12", {}, "'this' is a computer with Debian .* don't come from it"),
    "Intel": ("intel-macos-13", {}, "'this' is a Mac with an Intel processor"),
    "a virtual Mac": ("virtual-macos-26", {}, "'this' is a virtual Mac"),
    "a Mac never seen": ("never-seen-macos-29", {}, r"Apple M9 Pro \(Mac21,3\), which the catalog"),
    "a bin never seen": ("m4-pro-48-macos-26", {"gpu_cores": 18}, "18 GPU cores, a bin"),
    "no memory told": ("m4-pro-48-macos-26", {"memory_bytes": None}, "does not tell its memory"),
    "no chip told": ("m4-pro-48-macos-26", {"chip": ""}, "a chip that it does not name"),
}


@pytest.mark.parametrize(("name", "changed", "said"), REFUSED.values(), ids=REFUSED)
def test_what_predictions_cannot_be_about_is_said(recorded, name, changed, said):
    with pytest.raises(InputError, match=said):
        machine(CATALOG, replace(recorded(name), **changed))
