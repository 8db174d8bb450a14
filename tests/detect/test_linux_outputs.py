"""What Linux computers say; an ARM one has no model name."""

from advisor.detect import linux_outputs

CPUINFO = (
    "processor\t: 0\nmodel name\t: AMD EPYC 7B13\n\nprocessor\t: 1\nmodel name\t: AMD EPYC 7B13\n"
)


def test_processor_and_cores():
    assert linux_outputs.processor(CPUINFO) == ("AMD EPYC 7B13", 2)
    assert linux_outputs.processor("processor\t: 0\nBogoMIPS\t: 50.00\n") == ("", 1)
    assert linux_outputs.processor(None) == ("", None)


def test_memory_in_use_is_what_is_not_available():
    meminfo = "MemTotal:       16384000 kB\nMemFree: 1 kB\nMemAvailable:   12288000 kB\n"

    assert linux_outputs.memory(meminfo) == (16_384_000 * 1024, 4_096_000 * 1024)
    assert linux_outputs.memory("MemTotal: 8 kB\n") == (8 * 1024, None)
    assert linux_outputs.memory(None) == (None, None)


def test_the_distribution_names_itself():
    assert (
        linux_outputs.distribution('PRETTY_NAME="Fedora Linux 42"\nID=fedora') == "Fedora Linux 42"
    )
    assert linux_outputs.distribution(None) == ""
