"""``advisor detect``: what this computer is, and whether predictions can be about it."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from advisor.advice import this_machine
from advisor.catalog import Catalog, load
from advisor.detect import Detected, machine, this_computer
from advisor.detect.recorded import transcript
from advisor.errors import InputError
from advisor.units import GIB, format_gib


def detect_computer(arguments: argparse.Namespace, out: TextIO) -> None:
    """Print what this computer is as text or JSON, or write a recording of what it says.

    Raises ``InputError`` where the recording cannot be written.
    """
    if arguments.record:
        _record(Path(arguments.record), out)
        return
    catalog = load()
    found = this_machine.detected()
    facts = as_facts(catalog, found)
    out.write(json.dumps(facts, indent=2) + "\n" if arguments.json else as_text(found, facts))


def as_facts(catalog: Catalog, found: Detected) -> dict[str, Any]:
    """What was detected, with what follows from it; names carry units, null is not known.

    ``chip_id`` is the catalog's bin, ``problem`` a sentence where predictions cannot be about
    this computer.
    """
    limit = this_machine.gpu_limit(catalog, found)
    chip_id = problem = label = ""
    assumed: tuple[str, ...] = ()
    try:
        this = machine(catalog, found)
        chip_id, label, assumed = this.chip.id, this.label, this.assumed
    except InputError as error:
        problem = str(error)
    return {
        **asdict(found),
        "is_mac": found.is_mac,
        "description": found.describe(),
        "memory_gb": None if found.memory_bytes is None else round(found.memory_bytes / GIB),
        "gpu_limit_bytes": limit.bytes if limit else None,
        "gpu_limit_told_by": limit.told_by if limit else None,
        "chip_id": chip_id or None,
        "label": label or None,
        "assumed": list(assumed),
        "problem": problem,
    }


def as_text(found: Detected, facts: dict[str, Any]) -> str:
    """The same for a person: a line a fact, what is missing at the end."""
    kinds = ", ".join(f"{kind.cores} {kind.name.lower()}" for kind in found.cpu_classes)
    cores = [
        f"{found.gpu_cores}-core GPU" if found.gpu_cores else "",
        f"{found.cpu_cores} CPU cores" + (f" ({kinds})" if kinds else "")
        if found.cpu_cores
        else "",
    ]
    memory = "" if found.memory_bytes is None else format_gib(found.memory_bytes)
    in_use = "" if found.in_use_bytes is None else f"{format_gib(found.in_use_bytes)} in use now"
    limit = facts["gpu_limit_bytes"]
    if found.wired_limit_mib:
        wired = f"iogpu.wired_limit_mb is set to {found.wired_limit_mib} MiB"
    else:
        wired = "no wired limit is set" if found.is_mac else ""
    mode = {True: "low power mode on", False: "low power mode off", None: ""}[found.low_power_mode]
    mlx = f"mlx {found.mlx_version}" if found.mlx_version else "not installed"
    lines = {
        "Computer": [found.describe()],
        "Chip": [found.chip, *cores],
        "Memory": [memory, in_use],
        "System": [f"{found.system} {found.version}"],
        "GPU limit": [f"{format_gib(limit)} ({facts['gpu_limit_told_by']})", wired]
        if limit
        else [],
        "Power": [found.power_source, mode],
        "MLX": [
            mlx,
            f"mlx-lm {found.mlx_lm_version}" if found.mlx_lm_version else "",
            f"backend {found.mlx_backend}" if found.mlx_backend else "",
        ],
        "Catalog": [facts["chip_id"] or "", "; ".join(facts["assumed"])],
    }
    texts = {name: ", ".join(part for part in parts if part) for name, parts in lines.items()}
    shown = [f"{name:10} {text}" for name, text in texts.items() if text]
    return "\n".join([*shown, *found.missing, *filter(None, [facts["problem"]])]) + "\n"


def _record(path: Path, out: TextIO) -> None:
    text = transcript(this_computer())
    if path == Path("-"):
        out.write(text)
        return
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"The recording {path} cannot be written: {error.strerror}.") from error
