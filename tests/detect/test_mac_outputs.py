"""Each output as versions of macOS print it; what is missing or odd is None, never a guess."""

import json

import pytest

from advisor.detect import mac_outputs
from advisor.detect.mac_outputs import CoreClass

PROCESSORS = {
    "macOS 14, total:performance:efficiency": ("proc 8:4:4", 8),
    "macOS 15": ("proc 16:12:4", 16),
    "macOS 26, a fourth part": ("proc 18:6:0:12", 18),
    "macOS 26, an Ultra": ("proc 24:16:8:0", 24),
    "macOS 27, another order": ("proc 12:0:8:4", 12),
    "a virtual machine": (4, 4),
    "nothing": ("", None),
}


@pytest.mark.parametrize(("printed", "cores"), PROCESSORS.values(), ids=PROCESSORS)
def test_the_first_number_of_processors_is_the_total(printed, cores):
    text = json.dumps({"SPHardwareDataType": [{"number_processors": printed}]})

    assert mac_outputs.hardware(text).cpu_cores == cores


BROKEN = {
    "no output": None,
    "no JSON": "system_profiler: command failed",
    "cut off": '{ "SPHardwareDataType" : [ {',
    "another kind": '{"SPDisplaysDataType": []}',
    "a list": "[]",
    "no entries": '{"SPHardwareDataType": null, "SPDisplaysDataType": ["text"]}',
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_profiler_that_says_nothing_useful_leaves_its_facts_out(text):
    assert mac_outputs.hardware(text) == mac_outputs.Hardware()
    assert mac_outputs.gpu_cores(text) is None


def test_memory_is_what_apple_sells_in_binary():
    sizes = [("48 GB", 48 * 2**30), ("1 TB", 2**40), ("1,5 To", None)]
    for printed, memory in sizes:
        text = json.dumps({"SPHardwareDataType": [{"physical_memory": printed}]})

        assert mac_outputs.hardware(text).memory_bytes == memory


DISPLAYS = {
    "a string": ([{"sppci_cores": "10"}], 10),
    "an attached display first": ([{"sppci_model": "Display"}, {"sppci_cores": "20"}], 20),
    "Intel": ([{"sppci_model": "Radeon RX 580"}], None),
    "an odd value": ([{"sppci_cores": "ten"}], None),
}


@pytest.mark.parametrize(("entries", "cores"), DISPLAYS.values(), ids=DISPLAYS)
def test_gpu_cores_are_a_string_or_absent(entries, cores):
    assert mac_outputs.gpu_cores(json.dumps({"SPDisplaysDataType": entries})) == cores


VM_STAT = """Mach Virtual Memory Statistics: (page size of {page} bytes)
Pages free:                                    33762.
Pages wired down:                             106180.
Pages purgeable:                                5850.
"Translation faults":                    14110601914.
Anonymous pages:                              326288.
Pages occupied by compressor:                  24572.
"""


@pytest.mark.parametrize("page", [16384, 4096])
def test_memory_in_use_counts_wired_compressed_and_apps_but_not_purgeable(page):
    # By hand: 106180 + 24572 + 326288 - 5850 = 451190 pages.
    assert mac_outputs.memory_in_use_bytes(VM_STAT.format(page=page)) == 451_190 * page


@pytest.mark.parametrize("lost", ["Anonymous pages", "Pages wired down", "page size"])
def test_memory_in_use_is_not_told_where_a_part_is_missing(lost):
    text = "\n".join(line for line in VM_STAT.format(page=16384).splitlines() if lost not in line)

    assert mac_outputs.memory_in_use_bytes(text) is None
    assert mac_outputs.memory_in_use_bytes(None) is None


def test_sysctl_keeps_what_it_knows():
    text = "hw.memsize: 17179869184\nmachdep.cpu.brand_string: Apple M1\nno pair here\n"

    assert mac_outputs.sysctl(text) == {
        "hw.memsize": "17179869184", "machdep.cpu.brand_string": "Apple M1",
    }  # fmt: skip
    assert mac_outputs.sysctl(None) == {}


def test_cpu_kinds_go_by_their_names():
    keys = {
        "hw.nperflevels": "2",
        "hw.perflevel0.name": "Super", "hw.perflevel0.physicalcpu": "6",
        "hw.perflevel1.name": "Performance", "hw.perflevel1.physicalcpu": "12",
    }  # fmt: skip

    assert mac_outputs.cpu_classes(keys) == (CoreClass("Super", 6), CoreClass("Performance", 12))
    assert mac_outputs.cpu_classes({}) == ()


POWER = {
    "Now drawing from 'AC Power'\n": "mains",
    "Now drawing from 'Battery Power'\n -InternalBattery-0\t81%; discharging;": "battery",
    "No power information": "",
}


@pytest.mark.parametrize(("text", "source"), POWER.items())
def test_power_source(text, source):
    assert mac_outputs.power_source(text) == source


MODES = {
    " lowpowermode         1\n": True,
    " lowpowermode 0\n": False,
    " powermode            1": True,
    " powermode 2": False,
    " lowpowermode 0\n powermode 1": True,
    " womp 1": None,
}


@pytest.mark.parametrize(("text", "is_on"), MODES.items())
def test_low_power_mode_in_both_of_its_names(text, is_on):
    assert mac_outputs.low_power_mode(text) is is_on


def test_mlx_may_print_words_before_its_facts():
    assert mac_outputs.mlx_report('a warning\n{"mlx": "0.32.4"}\n') == {"mlx": "0.32.4"}
    assert mac_outputs.mlx_report("Traceback (most recent call last):\nValueError") == {}
    assert mac_outputs.mlx_report(None) == {}
