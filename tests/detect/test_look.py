"""Recorded computers of many kinds, and the one the tests run on."""

import platform
import sys

import pytest

from advisor.detect import Detected, look
from advisor.detect.mac_outputs import CoreClass
from advisor.detect.recorded import RecordedCommands
from advisor.detect.system import SystemCommands

GIB = 2**30
# kind, macOS, chip, CPU cores, GPU cores, memory [GiB], wired limit [MiB], Metal's limit [bytes]
MACS = {
    "m4-max-48-macos-15": ("mac", "15.6", "Apple M4 Max", 16, 40, 48, None, None),
    "m4-pro-48-macos-26": ("mac", "26.2", "Apple M4 Pro", 12, 16, 48, None, 40_200_896_512),
    "m5-max-128-raised-macos-26": (
        "mac", "26.4", "Apple M5 Max", 18, 40, 128, 124_518, 130_566_586_368
    ),
    "m2-pro-32-macos-27": ("mac", "27.0", "Apple M2 Pro", 12, 19, 32, None, None),
    "m1-16-macos-13": ("mac", "13.7.8", "Apple M1", 8, None, 16, None, 11_453_251_584),
    "neo-8-macos-26": ("mac", "26.5.1", "Apple A18 Pro", 6, 5, 8, None, 5_726_633_984),
    "m3-ultra-512-macos-27": ("mac", "27.0", "Apple M3 Ultra", None, None, 512, None, None),
    "rosetta-m1-macos-14": ("mac", "14.6", "Apple M1", 8, 8, 16, None, None),
    "never-seen-macos-29": ("mac", "29.1", "Apple M9 Pro", 20, 24, 96, None, None),
    "intel-macos-13": ("intel-mac", "13.6", "8-Core Intel Core i7", 8, None, 32, None, None),
    "virtual-macos-26": ("virtual-mac", "26.2", "Apple M1 (Virtual)", 4, None, 8, None, None),
}  # fmt: skip


@pytest.mark.parametrize(("name", "facts"), MACS.items(), ids=MACS)
def test_a_recorded_mac_is_what_it_is(recorded, name, facts):
    found = recorded(name)

    assert facts == (
        found.kind, found.version, found.chip, found.cpu_cores, found.gpu_cores,
        found.memory_bytes / GIB, found.wired_limit_mib, found.metal_limit_bytes,
    )  # fmt: skip


def test_a_laptop_says_what_is_in_use_and_how_it_is_powered(recorded):
    found = recorded("m4-pro-48-macos-26")

    assert found.in_use_bytes == 451_190 * 16_384
    assert (found.power_source, found.low_power_mode) == ("battery", True)
    assert (found.model_name, found.model_identifier) == ("MacBook Pro", "Mac16,8")
    assert found.cpu_classes == (CoreClass("Performance", 8), CoreClass("Efficiency", 4))
    assert (found.mlx_version, found.mlx_lm_version) == ("0.32.4", "0.32.2")
    assert found.missing == ()


def test_memory_tags_do_not_count_twice(recorded):
    found = recorded("m5-max-128-raised-macos-26")

    assert found.in_use_bytes == 451_190 * 16_384
    assert (found.power_source, found.low_power_mode) == ("mains", False)


def test_what_is_not_told_gets_a_sentence_each(recorded):
    assert recorded("m4-max-48-macos-15").missing == (
        "`vm_stat` does not tell the memory in use.",
        "`python -m advisor.mlx.device` does not tell the GPU limit as Metal has it.",
    )


def test_a_mac_whose_commands_are_all_missing_is_still_a_mac():
    found = look(RecordedCommands({"uname -srm": "Darwin 25.2.0 arm64"}))

    assert (found.kind, found.chip, found.memory_bytes) == ("mac", "", None)
    assert len(found.missing) == 6


def test_linux_says_what_it_is(recorded):
    found = recorded("debian-12")

    assert (found.kind, found.is_mac) == ("other", False)
    assert found.memory_bytes == 16_384_000 * 1024
    assert (found.cpu_cores, found.mlx_backend) == (2, "cpu")
    assert found.describe() == (
        "a computer with Debian GNU/Linux 12 (bookworm) (Intel(R) Xeon(R) Processor, x86_64)"
    )


def test_a_computer_that_says_nothing_is_no_mac():
    found = look(RecordedCommands({}))

    assert found == Detected(
        kind="other", system="a system that it does not name", version="", architecture=""
    )


@pytest.mark.skipif(sys.platform != "linux", reason="looks at a Linux computer")
def test_this_linux_computer_is_found():
    found = look(SystemCommands())

    assert (found.kind, found.architecture) == ("other", platform.machine())
    assert found.memory_bytes > found.in_use_bytes > 0
    assert found.mlx_backend == "cpu"


@pytest.mark.mac
def test_this_mac_tells_everything():
    """Its recorded twin: ``test_a_laptop_says_what_is_in_use_and_how_it_is_powered``."""
    found = look(SystemCommands())

    assert found.is_mac
    assert found.missing == ()
    assert found.memory_bytes > found.metal_limit_bytes > 0
    assert found.memory_bytes > found.in_use_bytes > 0
