"""``this`` is the Mac it is asked on: looked at once, its own limit first, else a sentence."""

from pathlib import Path

import pytest

from advisor.advice import this_machine
from advisor.advice.this_machine import METAL, SYSCTL, TABLE, GpuLimit, find, gpu_limit
from advisor.catalog import load
from advisor.detect import look
from advisor.detect.recorded import RecordedCommands, read
from advisor.errors import InputError

RECORDED = Path(__file__).resolve().parents[1] / "recorded"
CATALOG = load()


@pytest.fixture
def on(monkeypatch):
    def stand_in(name: str) -> None:
        monkeypatch.setenv("TOLLBOOTH_RECORDED", str(RECORDED / f"{name}.txt"))

    return stand_in


def test_this_is_the_mac_it_is_asked_on(on):
    on("m4-pro-48-macos-26")

    machine = find(CATALOG, " This ")

    assert (machine.id, machine.chip.id, machine.memory_gb) == ("this", "m4-pro-16", 48)


def test_another_id_is_the_catalogs():
    assert find(CATALOG, "mac-mini-m4-16", macos=15) == CATALOG.machine("mac-mini-m4-16", macos=15)


def test_another_macos_is_what_would_be(on):
    on("m4-pro-48-macos-26")

    before = find(CATALOG, "this", macos="15")

    assert (before.macos, before.default_limit_bytes) == (15, None)
    assert find(CATALOG, "this", macos="26.2").default_limit_bytes == 40_200_896_512


def test_elsewhere_this_is_refused_in_a_sentence(on):
    on("debian-12")

    with pytest.raises(InputError, match=r"'this' is a computer with Debian .*from it\. Give"):
        find(CATALOG, "this")


def test_a_list_names_it_by_its_system(on):
    on("m4-pro-48-macos-26")
    assert this_machine.name() == "This Mac"
    on("debian-12")
    assert this_machine.name() == "This computer"


LIMITS = {
    "m4-pro-48-macos-26": GpuLimit(40_200_896_512, METAL),
    "m5-max-128-raised-macos-26": GpuLimit(124_518 * 2**20, METAL),
    "m4-max-48-macos-15": GpuLimit(36 * 2**30, TABLE),
    "m3-ultra-512-macos-27": GpuLimit(464 * 2**30, TABLE),
    "intel-macos-13": None,
    "virtual-macos-26": None,
    "debian-12": None,
}


@pytest.mark.parametrize(("name", "limit"), LIMITS.items(), ids=LIMITS)
def test_the_gpu_limit_says_who_tells_it(name, limit):
    assert gpu_limit(CATALOG, look(read(RECORDED / f"{name}.txt"))) == limit


def test_without_mlx_a_wired_limit_is_told_by_sysctl():
    outputs = dict(read(RECORDED / "m5-max-128-raised-macos-26.txt").outputs)
    del outputs["python -m advisor.mlx.device"]

    found = look(RecordedCommands(outputs))

    assert gpu_limit(CATALOG, found) == GpuLimit(124_518 * 2**20, SYSCTL)


def test_a_computer_is_looked_at_once_until_asked_again(monkeypatch):
    looked = []
    monkeypatch.setattr(this_machine, "look", lambda commands: looked.append(1) or len(looked))
    this_machine.look_again()

    assert [this_machine.detected(), this_machine.detected()] == [1, 1]
    assert this_machine.seen().at.tzinfo is not None
    this_machine.look_again()
    assert this_machine.detected() == 2

    this_machine.look_again()
