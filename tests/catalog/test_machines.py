"""What a person types about a Mac becomes the Mac that exists, or a sentence that says why not."""

import pytest

from advisor.catalog import load
from advisor.errors import InputError
from advisor.units import GIB

CATALOG = load()

MACHINES = {  # id -> chip id, GB/s; bandwidth by Apple's specification pages
    "mac-mini-m4-16": ("m4-10", 120),
    "mac-mini-m4-pro-48": ("m4-pro-16", 273),
    "mac-mini-m4-pro-20c-48": ("m4-pro-20", 273),
    "mac-mini-m6-16": ("m6-16gb", 153),
    "mac-mini-m6-24": ("m6-24gb", 170),
    "mac-mini-m5-pro-48": ("m5-pro-16", 307),
    "mac-studio-m4-max-36": ("m4-max-32", 410),
    "mac-studio-m4-max-64": ("m4-max-40", 546),
    "macbook-air-m5-16": ("m5-8", 153),
    "macbook-neo-8": ("a18-pro-5", 60),
}


@pytest.mark.parametrize(("machine_id", "expected"), MACHINES.items(), ids=MACHINES)
def test_an_id_means_one_bin_and_its_bandwidth(machine_id, expected):
    chip = CATALOG.machine(machine_id).chip

    assert (chip.id, chip.bandwidth_gb_per_s) == expected


def test_a_label_says_mac_bin_and_memory():
    label = CATALOG.machine("mac-mini-m4-pro-48").label

    assert label == "Mac mini M4 Pro (16-core GPU), 48 GB"


@pytest.mark.parametrize("name", ["M4 Pro", "m4pro", "Apple M4 Pro", " apple m4-pro "])
def test_a_chip_is_known_as_people_write_it(name):
    assert CATALOG.machine_from_parts(name, 16, 48).chip.id == "m4-pro-16"


PARTS = {  # chip, cores, memory -> bin, other bins, assumed (macOS given)
    "cores decide": (("M3 Max", 30, None), "m3-max-30", (), ()),
    "memory decides the M6": (("M6", None, 16), "m6-16gb", (), ()),
    "memory decides the M6, cores given": (("M6", 12, 32), "m6-24gb", (), ()),
    "36 GB comes with 32 cores only": (("M4 Max", None, 36), "m4-max-32", (), ()),
    "open: the full bin": (("M4 Max", None, None), "m4-max-40", ("m4-max-32",), ("gpu_cores=40",)),
    "open M6": (("M6", None, None), "m6-24gb", ("m6-16gb",), ("bandwidth_gb_per_s=170",)),
    "CPU cores alone leave nothing open": (("M4", 8, 16), "m4-8", (), ()),
    "an id names its bin": (("m3-max-30", None, 36), "m3-max-30", (), ()),
    "cores before memory": (("M1 Max", 24, 64), "m1-max-24", (), ()),
}


@pytest.mark.parametrize(("given", "bin_", "others", "assumed"), PARTS.values(), ids=PARTS)
def test_parts_give_the_bin_and_what_they_leave_open(given, bin_, others, assumed):
    machine = CATALOG.machine_from_parts(*given, macos=26)

    assert machine.chip.id == bin_
    assert tuple(chip.id for chip in machine.other_bins) == others
    assert machine.assumed == assumed


def test_macos_26_is_assumed_and_said():
    machine = CATALOG.machine_from_parts("M4", 10, 16)

    assert machine.macos == 26
    assert machine.assumed == ("macos=26",)


@pytest.mark.parametrize(
    ("given", "major"), [("26.2", 26), ("macOS 15.7.5", 15), (27, 27), (13.7, 13)]
)
def test_a_point_release_counts_as_its_major_version(given, major):
    assert CATALOG.machine("mac-mini-m4-16", macos=given).macos == major


def test_memory_in_use_is_counted_in_gib():
    assert CATALOG.machine("mac-mini-m4-16", in_use_gb=9).in_use_bytes == 9 * GIB


def test_without_memory_a_machine_has_no_bytes():
    assert CATALOG.machine_from_parts("M4 Pro", 16).memory_bytes is None


REFUSED = {  # what is asked -> words of the sentence
    "unknown id": (lambda: CATALOG.machine("mac-mini-m9-16"), "No machine is called"),
    "size not sold": (lambda: CATALOG.machine("mac-mini-m4-17"), "16, 24, 32 GB"),
    "no size": (lambda: CATALOG.machine("mac-mini-m4-pro"), "24, 48, 64 GB"),
    "this": (lambda: CATALOG.machine("this"), "the Mac it is asked on"),
    "unknown chip": (lambda: CATALOG.machine_from_parts("M4 Ultra"), "No chip is called"),
    "empty chip": (lambda: CATALOG.machine_from_parts(""), "No chip is called"),
    "cores": (lambda: CATALOG.machine_from_parts("M4 Pro", 18), "16, 20"),
    "half a core": (lambda: CATALOG.machine_from_parts("M4 Pro", 16.5), "whole number"),
    "memory 17": (lambda: CATALOG.machine_from_parts("M4", 10, 17), "16, 24, 32 GB"),
    "memory 0": (lambda: CATALOG.machine_from_parts("M4", 10, 0), "16, 24, 32 GB"),
    "memory nan": (lambda: CATALOG.machine_from_parts("M4", 10, float("nan")), "whole number"),
    "old macOS": (lambda: CATALOG.machine("mac-mini-m4-16", macos=12), "13, 14, 15, 26, 27"),
    "no such macOS": (lambda: CATALOG.machine("mac-mini-m4-16", macos="20"), "13, 14, 15, 26, 27"),
    "macOS in words": (lambda: CATALOG.machine("mac-mini-m4-16", macos="Tahoe"), "Known versions"),
    "limit 0": (lambda: CATALOG.machine("mac-mini-m4-16", wired_limit_mib=0), "above 0 MiB"),
    "limit above memory": (
        lambda: CATALOG.machine("mac-mini-m4-16", wired_limit_mib=16385), "16384 MiB"
    ),
    "negative use": (lambda: CATALOG.machine("mac-mini-m4-16", in_use_gb=-1), "0 GB or more"),
    "all in use": (lambda: CATALOG.machine("mac-mini-m4-16", in_use_gb=16), "less than the 16 GB"),
}  # fmt: skip


@pytest.mark.parametrize(("ask", "words"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_exist_is_refused_in_a_sentence(ask, words):
    with pytest.raises(InputError) as error:
        ask()

    assert words in str(error.value)
    assert str(error.value).endswith((".", "…"))


def test_pickers_list_every_machine_current_ones_first():
    options = CATALOG.machine_options
    statuses = [option.status for option in options]

    assert [option.id for option in options] == CATALOG.machine_ids
    assert options[0].id == "mac-mini-m5-pro-24"
    assert statuses == sorted(statuses)  # "current" < "discontinued"
