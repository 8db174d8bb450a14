"""A recording answers as the computer did, and holds nothing that names its owner."""

import json

import pytest

from advisor.detect import look, recorded, system
from advisor.detect.recorded import RecordedCommands, read, this_computer, transcript
from advisor.errors import InputError

PERSONAL = {
    ("uname", "-srm"): "Darwin 25.2.0 arm64\n",
    system.HARDWARE: json.dumps(
        {"SPHardwareDataType": [{"chip_type": "Apple M4", "serial_number": "C02SECRET"}]}
    ),
    system.DISPLAYS: json.dumps(
        {"SPDisplaysDataType": [{"sppci_cores": "10", "spdisplays_ndrvs": [{"_name": "My TV"}]}]}
    ),
    system.POWER: "Now drawing from 'AC Power'\n -InternalBattery-0 (id=22806627)\t100%;\n",
    system.POWER_MODE: " sleep 1 (sleep prevented by MyApp)\n lowpowermode         0\n",
}


class Printed:
    def run(self, argv):
        return PERSONAL.get(argv)


def test_a_recording_says_the_same_and_names_nobody(tmp_path):
    text = transcript(Printed())
    path = tmp_path / "mac.txt"
    path.write_text("A line that says where it is from.\n" + text)

    assert look(read(path)) == look(Printed())
    for secret in ("SECRET", "My TV", "22806627", "MyApp"):
        assert secret not in text


def test_a_command_recorded_short_answers_for_the_longer_one():
    commands = RecordedCommands({"sysctl": "short", "sysctl hw.model": "longer", "sysc": "other"})

    assert commands.run(("sysctl", "hw.model", "hw.memsize")) == "longer"
    assert commands.run(("sysctl", "hw.memsize")) == "short"
    assert commands.run(("vm_stat",)) is None


def test_the_variable_puts_a_recording_in_this_computers_place(tmp_path, monkeypatch):
    path = tmp_path / "mac.txt"
    path.write_text("$ uname -srm\nDarwin 1.0 arm64\n")
    monkeypatch.setenv(recorded.VARIABLE, str(path))

    assert this_computer().run(system.UNAME) == "Darwin 1.0 arm64\n"


@pytest.mark.parametrize("text", [None, "no command here\n"], ids=["no file", "no command"])
def test_what_is_no_recording_is_said(tmp_path, text):
    path = tmp_path / "mac.txt"
    if text is not None:
        path.write_text(text)

    with pytest.raises(InputError, match=r"The recording .*mac\.txt"):
        read(path)
