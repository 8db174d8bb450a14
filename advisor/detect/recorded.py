"""Recorded outputs in place of a computer: the fake of ``system.Commands``, and how to make one.

A recording is a text as a terminal shows it: ``$ command``, then what it printed. Lines before
the first command say where it is from. ``$TOLLBOOTH_RECORDED`` names a recording that stands
in for this computer, so that a Mac can be looked at where there is none.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from advisor.detect import system
from advisor.detect.system import Commands, SystemCommands, shown
from advisor.errors import InputError

VARIABLE = "TOLLBOOTH_RECORDED"
PROMPT = "$ "
# What a recording keeps of outputs that also name a Mac, its owner or what it runs.
PROFILER_KEYS = (
    "_name", "boot_rom_version", "chip_type", "cpu_type", "machine_model", "machine_name",
    "number_processors", "physical_memory", "spdisplays_mtlgpufamilysupport", "sppci_cores",
    "sppci_model",
)  # fmt: skip
POWER_LINES = re.compile(r"^Now drawing from .*|^\s*(?:lowpowermode|powermode)\s.*", re.MULTILINE)


class RecordedCommands:
    """Answers a command with its recorded output.

    A command that was recorded with fewer arguments (``sysctl``) answers for all that begin
    with it. One that was not recorded is missing, as it would be on that computer.
    """

    def __init__(self, outputs: dict[str, str]) -> None:
        self.outputs = outputs

    def run(self, argv: tuple[str, ...]) -> str | None:
        asked = shown(argv) + " "
        found = [command for command in self.outputs if asked.startswith(command + " ")]
        return self.outputs[max(found, key=len)] or None if found else None


def read(path: Path) -> RecordedCommands:
    """The recording of a file. Raises ``InputError`` where there is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The recording {path} cannot be read: {error}.") from error
    outputs: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        if line.startswith(PROMPT):
            lines = outputs.setdefault(line.removeprefix(PROMPT).strip(), [])
        else:
            lines.append(line)
    if not outputs:
        raise InputError(f"The recording {path} holds no command: a line such as '$ vm_stat'.")
    return RecordedCommands({command: "".join(lines) for command, lines in outputs.items()})


def transcript(commands: Commands) -> str:
    """A recording of what a computer says, less what names it or its owner."""
    asked = dict.fromkeys((system.UNAME, *system.OF_MAC, *system.OF_LINUX))
    printed = ((argv, commands.run(argv)) for argv in asked)
    return "".join(
        f"{PROMPT}{shown(argv)}\n{_kept(argv, text).rstrip()}\n" for argv, text in printed if text
    )


def _kept(argv: tuple[str, ...], text: str) -> str:
    if argv[0] == "pmset":
        return "\n".join(POWER_LINES.findall(text))
    if argv[0] != "system_profiler":
        return text
    try:
        found = json.loads(text)[argv[1]]
        entries = [{key: entry[key] for key in PROFILER_KEYS if key in entry} for entry in found]
    except (ValueError, KeyError, TypeError):
        return ""
    return json.dumps({argv[1]: entries}, indent=2)


def this_computer() -> Commands:
    """The commands of this computer, or of the recording that stands in for it."""
    path = os.environ.get(VARIABLE)
    return read(Path(path)) if path else SystemCommands()
