"""What the commands of macOS print, read: text in, values out, None where it does not say.

The outputs differ between versions of macOS: ``number_processors`` has three orders of its
parts, core counts are strings, keys are missing on older or Intel Macs. Only what all versions
mean alike is used. Source: recorded outputs of macOS 13 to 27, ``tests/recorded/``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from advisor.units import GIB, MIB

MEMORY_UNITS = {"MB": MIB, "GB": GIB, "TB": 1024 * GIB}
# What stays in memory while a model runs: apps less what they would give up, the system, and
# what is compressed. Files that are only cached can go, so they do not count.
IN_USE = ("Anonymous pages", "Pages wired down", "Pages occupied by compressor")
GIVEN_UP = "Pages purgeable"


@dataclass(frozen=True)
class CoreClass:
    """CPU cores of one kind: "Performance", "Efficiency", since the M5 also "Super"."""

    name: str
    cores: int


@dataclass(frozen=True)
class Hardware:
    """The hardware overview of ``system_profiler``; "" or None for what it lacks."""

    chip: str = ""  # "Apple M4 Pro"; an Intel Mac's processor
    model_name: str = ""  # "MacBook Pro"
    model_identifier: str = ""  # "Mac16,8"
    memory_bytes: int | None = None
    cpu_cores: int | None = None


def sysctl(text: str | None) -> dict[str, str]:
    """Keys and values of ``sysctl key …``; keys this macOS lacks are missing."""
    pairs = (line.partition(":") for line in (text or "").splitlines())
    return {key.strip(): value.strip() for key, colon, value in pairs if colon}


def hardware(text: str | None) -> Hardware:
    """``system_profiler SPHardwareDataType -json``.

    Of ``number_processors`` only the total is used: "proc 16:12:4" is total:performance:
    efficiency, later versions have four parts in two further orders, a virtual machine and an
    Intel Mac have a number.
    """
    (entry, *_) = _entries(text, "SPHardwareDataType") or [{}]
    processors = re.search(r"\d+", str(entry.get("number_processors", "")))
    return Hardware(
        chip=str(entry.get("chip_type") or entry.get("cpu_type") or ""),
        model_name=str(entry.get("machine_name") or ""),
        model_identifier=str(entry.get("machine_model") or ""),
        memory_bytes=_memory_bytes(str(entry.get("physical_memory", ""))),
        cpu_cores=int(processors.group()) if processors else None,
    )


def gpu_cores(text: str | None) -> int | None:
    """GPU cores from ``system_profiler SPDisplaysDataType -json``; None on an Intel Mac."""
    for entry in _entries(text, "SPDisplaysDataType"):
        cores = number(str(entry.get("sppci_cores", "")))
        if cores:
            return cores
    return None


def cpu_classes(keys: Mapping[str, str]) -> tuple[CoreClass, ...]:
    """CPU cores by kind, from ``hw.perflevelN``: the name counts, an index means nothing."""
    found = []
    for level in range(number(keys.get("hw.nperflevels")) or 0):
        name = keys.get(f"hw.perflevel{level}.name")
        cores = number(keys.get(f"hw.perflevel{level}.physicalcpu"))
        if name and cores:
            found.append(CoreClass(name, cores))
    return tuple(found)


def memory_in_use_bytes(text: str | None) -> int | None:
    """Memory that other programs hold [bytes], from ``vm_stat``; None where it does not say.

    Anonymous less purgeable, wired, and what the compressor occupies: what Activity Monitor
    shows as Memory Used. The page size is that of the first line.
    """
    size = re.search(r"page size of (\d+) bytes", text or "")
    pages = {
        name: int(count)
        for name, count in re.findall(r'^"?([^":]+)"?:\s+(\d+)\.?\s*$', text or "", re.MULTILINE)
    }
    if not size or any(name not in pages for name in IN_USE):
        return None
    used = sum(pages[name] for name in IN_USE) - pages.get(GIVEN_UP, 0)
    return used * int(size.group(1))


def power_source(text: str | None) -> str:
    """ "mains", "battery", or "" where ``pmset -g batt`` does not say."""
    match = re.search(r"drawing from '(AC|Battery|UPS) Power'", text or "")
    return {"AC": "mains", "Battery": "battery", "UPS": "battery"}[match.group(1)] if match else ""


def low_power_mode(text: str | None) -> bool | None:
    """Whether ``pmset -g`` says low power mode is on; None where it says nothing of it.

    ``lowpowermode 1``, or on Macs with three modes ``powermode 1`` (2 is high power).
    """
    found = re.findall(r"^\s*(?:lowpowermode|powermode)\s+(\d+)", text or "", re.MULTILINE)
    return "1" in found if found else None


def number(text: str | None) -> int | None:
    """A whole number, or None where the text is none."""
    return int(text) if text and re.fullmatch(r"\d{1,18}", text.strip()) else None


def mlx_report(text: str | None) -> dict[str, Any]:
    """What ``advisor.mlx.device`` printed; empty where it could not run.

    MLX may print words of its own before it: the last line counts.
    """
    lines = (text or "").strip().splitlines()
    try:
        found = json.loads(lines[-1]) if lines else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _entries(text: str | None, kind: str) -> list[dict[str, Any]]:
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return []
    entries = found.get(kind) if isinstance(found, dict) else None
    return [entry for entry in entries or [] if isinstance(entry, dict)]


def _memory_bytes(text: str) -> int | None:
    match = re.fullmatch(r"(\d+)\s*(MB|GB|TB)", text.strip())
    return int(match.group(1)) * MEMORY_UNITS[match.group(2)] if match else None
