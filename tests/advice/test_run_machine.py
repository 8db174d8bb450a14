"""A run's machine is a kind of machine."""

from pathlib import Path

from advisor.advice.run_machine import run_machine
from advisor.detect import look
from advisor.detect.recorded import read
from advisor.runs import RunMachine

RECORDED = Path(__file__).resolve().parents[1] / "recorded"


def test_a_mac_is_filed_by_chip_cores_memory_and_macos():
    assert run_machine(look(read(RECORDED / "m4-pro-48-macos-26.txt"))) == RunMachine(
        chip="M4 Pro", gpu_cores=16, memory_gb=48, macos="26.2", label="MacBook Pro (Mac16,8)"
    )


def test_another_computer_is_filed_as_no_mac():
    found = run_machine(look(read(RECORDED / "debian-12.txt")))

    # 16384000 KiB are 15.6 GiB.
    assert (found.is_mac, found.chip, found.memory_gb, found.macos) == (
        False, "Intel(R) Xeon(R) Processor", 15.6, "",
    )  # fmt: skip
