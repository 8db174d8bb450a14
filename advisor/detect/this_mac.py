"""From what was detected to a ``Machine`` of the catalog: the real limit, the memory in use."""

from __future__ import annotations

from advisor.catalog import Catalog
from advisor.catalog.machines import chip_bins, chip_label, in_use_bytes, wired_limit
from advisor.catalog.shapes import Chip, Machine
from advisor.detect.detected import Detected
from advisor.errors import InputError
from advisor.units import GIB

THIS = "this"
ANOTHER = "Give an id such as mac-mini-m4-16, or chip, GPU cores and memory."


def machine(
    catalog: Catalog,
    found: Detected,
    *,
    wired_limit_mib: float | None = None,
    in_use_gb: float | None = None,
) -> Machine:
    """The Mac that was detected, as it is now; settings that are given go before what it says.

    ``wired_limit_mib`` [MiB], ``in_use_gb`` [GiB]. Raises ``InputError`` with what it is where
    predictions cannot be about it: no Mac, a chip or a bin that the catalog does not hold.
    """
    if not found.is_mac:
        raise InputError(
            f"'{THIS}' is {found.describe()}: predictions for Macs don't come from it. {ANOTHER}"
        )
    if found.memory_bytes is None:
        raise InputError(f"This Mac does not tell its memory ({' '.join(found.missing)}) {ANOTHER}")
    memory_gb = round(found.memory_bytes / GIB)
    chip, others = _bin(catalog, found, memory_gb)
    macos, assumed = rules_version(catalog, found.version)
    if any(other.gpu_cores != chip.gpu_cores for other in others):
        assumed = (f"gpu_cores={chip.gpu_cores}", *assumed)
    limit = wired_limit(wired_limit_mib, memory_gb)
    in_use = (found.in_use_bytes or 0) if in_use_gb is None else in_use_bytes(in_use_gb, memory_gb)
    return Machine(
        id=THIS,
        label=f"This Mac: {chip_label(chip)}, {memory_gb} GB",
        chip=chip,
        memory_gb=memory_gb,
        macos=macos,
        wired_limit_mib=limit or found.wired_limit_mib,
        in_use_bytes=in_use,
        other_bins=others,
        assumed=assumed,
        # Under a wired limit Metal reports that one; macOS's own is then not known.
        default_limit_bytes=None if found.wired_limit_mib else found.metal_limit_bytes,
    )


def _bin(catalog: Catalog, found: Detected, memory_gb: int) -> tuple[Chip, tuple[Chip, ...]]:
    """The chip bin this Mac has, and those that what it says leaves open."""
    try:
        bins = chip_bins(catalog, found.chip)
    except InputError as error:
        raise InputError(
            f"This is {found.describe()}, which the catalog does not hold yet: add it as "
            f"catalog/README.md says. {error}"
        ) from error
    if found.gpu_cores is not None:
        counts = sorted({bin_.gpu_cores for bin_ in bins})
        if found.gpu_cores not in counts:
            raise InputError(
                f"This Mac's {bins[0].name} has {found.gpu_cores} GPU cores, a bin that the "
                f"catalog does not hold (it has {', '.join(map(str, counts))}): add it as "
                "catalog/README.md says."
            )
        bins = tuple(bin_ for bin_ in bins if bin_.gpu_cores == found.gpu_cores)
    # What tells bins of one core count apart; where nothing matches, it says nothing.
    bins = tuple(bin_ for bin_ in bins if memory_gb in bin_.memory_gb) or bins
    bins = tuple(bin_ for bin_ in bins if bin_.cpu_cores == found.cpu_cores) or bins
    full = max(bins, key=lambda bin_: (bin_.gpu_cores, bin_.bandwidth_gb_per_s, bin_.cpu_cores))
    return full, tuple(
        bin_
        for bin_ in bins
        if (bin_.gpu_cores, bin_.bandwidth_gb_per_s) != (full.gpu_cores, full.bandwidth_gb_per_s)
    )


def rules_version(catalog: Catalog, version: str) -> tuple[int, tuple[str, ...]]:
    """The major version whose memory rules hold, and a word where that is another one."""
    known = catalog.memory_rules.macos_versions
    major = version.partition(".")[0]
    if not major.isdecimal():
        newest = max(known)
        return newest, (f"macos={newest} (not told)",)
    nearest = min(known, key=lambda rule: (abs(rule - int(major)), rule))
    if nearest == int(major):
        return nearest, ()
    return nearest, (f"macos={nearest} (no memory rule for {version})",)
