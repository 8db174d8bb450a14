"""From what a person types (an id, or chip, cores and memory) to a ``Machine``.

Where the input leaves the chip's bin open, the full bin is taken, the others are kept in
``other_bins`` and ``assumed`` says so. Nothing is guessed beyond that: what does not exist is
an ``InputError`` that lists what does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.catalog.shapes import Chip, Mac, Machine
from advisor.errors import InputError, unknown
from advisor.units import GIB, MIB

if TYPE_CHECKING:
    from advisor.catalog.load import Catalog

DEFAULT_MACOS = 26
STATUS_ORDER = {"current": 0, "announced": 1, "discontinued": 2}


@dataclass(frozen=True)
class MachineOption:
    """A machine as a picker lists it."""

    id: str
    label: str  # "Mac mini M4 Pro (16-core GPU), 48 GB"
    status: str  # "current", "announced" or "discontinued"


def machine(
    catalog: Catalog,
    machine_id: str,
    *,
    macos: int | float | str | None = None,
    wired_limit_mib: float | None = None,
    in_use_gb: float | None = None,
) -> Machine:
    """The machine of a catalog id such as ``mac-mini-m4-pro-48``.

    ``wired_limit_mib`` is ``iogpu.wired_limit_mb`` [MiB]; ``in_use_gb`` what other programs
    hold [GiB]. Raises ``InputError`` for an unknown id or a setting that cannot be.
    """
    given = machine_id.strip().lower()
    if given == "this":
        raise InputError(
            "'this' is the Mac it is asked on, which the catalog alone does not know. "
            "Give an id such as mac-mini-m4-16, or chip, GPU cores and memory."
        )
    mac_id, _, size = given.rpartition("-")
    if mac_id not in catalog.mac_ids or not size.isdecimal():
        if given in catalog.mac_ids:
            sizes = _listed(catalog.mac(given).memory_gb)
            raise InputError(
                f"{given!r} needs its memory, as in {given}-N. It is sold with {sizes} GB."
            )
        raise unknown("machine", machine_id, catalog.machine_ids)
    mac = catalog.mac(mac_id)
    memory_gb = int(size)
    if memory_gb not in mac.memory_gb:
        raise InputError(
            f"{mac_id} is not sold with {memory_gb} GB. Its sizes: {_listed(mac.memory_gb)} GB."
        )
    chip = catalog.chip(mac.chip_of_memory[memory_gb])
    assumed = () if macos is not None else (f"macos={DEFAULT_MACOS}",)
    return Machine(
        id=given,
        label=machine_label(mac, chip, memory_gb),
        chip=chip,
        memory_gb=memory_gb,
        macos=macos_version(catalog, macos),
        wired_limit_mib=wired_limit(wired_limit_mib, memory_gb),
        in_use_bytes=in_use_bytes(in_use_gb, memory_gb),
        assumed=assumed,
    )


def machine_from_parts(
    catalog: Catalog,
    chip: str,
    gpu_cores: float | None = None,
    memory_gb: float | None = None,
    macos: int | float | str | None = None,
    *,
    wired_limit_mib: float | None = None,
    in_use_gb: float | None = None,
) -> Machine:
    """A machine by chip name as people write it ("Apple M4 Pro", "m4pro"), cores and memory.

    Without ``memory_gb`` it has speeds but no budget. Raises ``InputError`` for a chip, core
    count or memory size that does not exist.
    """
    bins = chip_bins(catalog, chip)
    family = bins[0].name
    size = None if memory_gb is None else _memory_size(memory_gb, bins)
    if gpu_cores is not None:
        cores = _whole(gpu_cores, "gpu_cores")
        counts = sorted({bin_.gpu_cores for bin_ in bins})
        if cores not in counts:
            raise InputError(f"No {family} has {cores} GPU cores. Its bins: {_listed(counts)}.")
        bins = tuple(bin_ for bin_ in bins if bin_.gpu_cores == cores)
    # A bin never sold with this size is out; where none was, the size says nothing.
    bins = tuple(bin_ for bin_ in bins if size in bin_.memory_gb) or bins
    full = max(bins, key=lambda bin_: (bin_.gpu_cores, bin_.bandwidth_gb_per_s, bin_.cpu_cores))
    others = tuple(
        bin_
        for bin_ in bins
        if (bin_.gpu_cores, bin_.bandwidth_gb_per_s) != (full.gpu_cores, full.bandwidth_gb_per_s)
    )
    assumed = []
    if others and any(bin_.gpu_cores != full.gpu_cores for bin_ in others):
        assumed.append(f"gpu_cores={full.gpu_cores}")
    elif others:
        assumed.append(f"bandwidth_gb_per_s={full.bandwidth_gb_per_s:g}")
    if macos is None:
        assumed.append(f"macos={DEFAULT_MACOS}")
    return Machine(
        id="",
        label=chip_label(full) + (f", {size} GB" if size else ""),
        chip=full,
        memory_gb=size,
        macos=macos_version(catalog, macos),
        wired_limit_mib=wired_limit(wired_limit_mib, size),
        in_use_bytes=in_use_bytes(in_use_gb, size),
        other_bins=others,
        assumed=tuple(assumed),
    )


def chip_bins(catalog: Catalog, text: str) -> tuple[Chip, ...]:
    """All bins of the chip a person names; an id such as ``m4-max-32`` names one bin."""
    given = re.sub(r"[^a-z0-9]", "", text.lower().replace("apple", ""))
    families = catalog.chip_families
    for name, bins in families.items():
        if re.sub(r"[^a-z0-9]", "", name.lower()) == given:
            return bins
    by_id = text.strip().lower()
    if by_id in catalog.chip_ids:
        return (catalog.chip(by_id),)
    raise unknown("chip", text, families)


def macos_version(catalog: Catalog, macos: int | float | str | None) -> int:
    """The major version of macOS: 26 from "26.2"; an unknown one is an ``InputError``."""
    if macos is None:
        return DEFAULT_MACOS
    known = catalog.memory_rules.macos_versions
    match = re.fullmatch(r"(?:macos\s*)?(\d{1,3})(?:\.\d+)*", str(macos).strip().lower())
    major = int(match.group(1)) if match else None
    if major not in known:
        raise InputError(
            f"macOS {macos} has no memory rule here. Known versions: {_listed(known)}."
        )
    return major


def machine_options(catalog: Catalog) -> list[MachineOption]:
    """Every machine of the catalog for pickers: newest current ones first, discontinued last."""
    macs = sorted(
        catalog.macs.values(), key=lambda mac: (STATUS_ORDER[mac.status], -mac.year, mac.id)
    )
    return [
        MachineOption(
            id=f"{mac.id}-{size}",
            label=machine_label(mac, catalog.chip(mac.chip_of_memory[size]), size),
            status=mac.status,
        )
        for mac in macs
        for size in mac.memory_gb
    ]


def machine_label(mac: Mac, chip: Chip, memory_gb: int) -> str:
    """ "Mac mini M4 Pro (16-core GPU), 48 GB"."""
    return f"{re.sub(r' [(][0-9]+[)]$', '', mac.name)} {chip_label(chip)}, {memory_gb} GB"


def chip_label(chip: Chip) -> str:
    """ "M4 Pro (16-core GPU)"."""
    return f"{chip.name} ({chip.gpu_cores}-core GPU)"


def wired_limit(limit_mib: float | None, memory_gb: int | None) -> int | None:
    """A wired limit [MiB] that can be; None: macOS's default. Else an ``InputError``."""
    if limit_mib is None:
        return None
    limit = _whole(limit_mib, "The wired limit")
    if limit <= 0:
        raise InputError(
            f"The wired limit must be above 0 MiB, not {limit}. Leave it out for macOS's default."
        )
    if memory_gb is not None and limit * MIB > memory_gb * GIB:
        raise InputError(
            f"A wired limit of {limit} MiB is more than the {memory_gb} GB of memory "
            f"({memory_gb * GIB // MIB} MiB). Give one below that."
        )
    return limit


def in_use_bytes(in_use_gb: float | None, memory_gb: int | None) -> int:
    """Memory in use [bytes] from GiB; more than there is, or below 0, is an ``InputError``."""
    if in_use_gb is None:
        return 0
    if not (math.isfinite(in_use_gb) and in_use_gb >= 0):
        raise InputError(f"Memory in use must be 0 GB or more, not {in_use_gb}.")
    if memory_gb is not None and in_use_gb >= memory_gb:
        raise InputError(
            f"Memory in use ({in_use_gb:g} GB) must be less than the {memory_gb} GB of memory."
        )
    return round(in_use_gb * GIB)


def _memory_size(memory_gb: float, bins: tuple[Chip, ...]) -> int:
    size = _whole(memory_gb, "memory_gb")
    sizes = sorted({option for bin_ in bins for option in bin_.memory_gb})
    if size not in sizes:
        raise InputError(
            f"No Mac with {bins[0].name} has {size} GB of memory. Its sizes: {_listed(sizes)} GB."
        )
    return size


def _whole(value: float, what: str) -> int:
    if not math.isfinite(value) or value != int(value):
        raise InputError(f"{what} must be a whole number, not {value}.")
    return int(value)


def _listed(values: Iterable[object]) -> str:
    return ", ".join(str(value) for value in values)
