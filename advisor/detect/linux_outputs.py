"""What a Linux computer says of itself: enough to say what it is, and that it is no Mac."""

from __future__ import annotations

import re

from advisor.units import KIB


def processor(cpuinfo: str | None) -> tuple[str, int | None]:
    """The processor's name ("" where it has none, as on most ARM) and its number of cores."""
    text = cpuinfo or ""
    name = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    cores = len(re.findall(r"^processor\s*:", text, re.MULTILINE))
    return (name.group(1).strip() if name else ""), cores or None


def memory(meminfo: str | None) -> tuple[int | None, int | None]:
    """Memory and what of it is in use [bytes]; None where /proc/meminfo does not say."""
    found = dict(re.findall(r"^(\w+):\s+(\d+) kB$", meminfo or "", re.MULTILINE))
    if "MemTotal" not in found:
        return None, None
    total = int(found["MemTotal"]) * KIB
    available = found.get("MemAvailable")
    return total, None if available is None else total - int(available) * KIB


def distribution(release: str | None) -> str:
    """ "Debian GNU/Linux 12 (bookworm)", or "" where /etc/os-release does not say."""
    match = re.search(r'^PRETTY_NAME="?([^"\n]+)"?$', release or "", re.MULTILINE)
    return match.group(1) if match else ""
