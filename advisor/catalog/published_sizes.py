"""Sizes of published files as their sources print them: ``sizes/<source>.csv``."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.catalog.files import read_text, shown
from advisor.catalog.name_parts import split
from advisor.catalog.names import resolve, resolve_model
from advisor.errors import CatalogError
from advisor.units import GB, GIB, KIB, MB, MIB

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.catalog.load import Catalog

COLUMNS = ("name", "format", "quant", "size", "unit", "source_url")
UNIT_BYTES = {"bytes": 1, "KiB": KIB, "MiB": MIB, "GiB": GIB, "MB": MB, "GB": GB, "TB": 1000 * GB}
RUNTIME_OF_CHANNEL = {"mlx": "mlx-lm", "gguf": "llama.cpp", "ollama": "ollama"}


@dataclass(frozen=True)
class PublishedSize:
    """One published file or repository.

    size_bytes   as printed, in bytes
    step_bytes   what it is rounded to; 0 where it is exact [bytes]
    printed      the figure and unit, to compare sizes that are rounded alike
    """

    name: str
    channel: str
    quant: str
    printed: str
    size_bytes: float
    step_bytes: float
    source_url: str
    model_id: str
    quant_id: str
    problem: str
    assumed: tuple[str, ...]
    other_weights: bool

    @property
    def exact(self) -> bool:
        return self.step_bytes == 0

    @property
    def is_estimate(self) -> bool:
        """A count of bytes that was made from a round number."""
        return self.printed.endswith("bytes") and not self.exact


def published_sizes(catalog: Catalog) -> list[PublishedSize]:
    """Every printed size with the model and quantization it means, or why not."""
    sizes = []
    for path in sorted(catalog.root.glob("sizes/*.csv")):
        reader = csv.DictReader(io.StringIO(read_text(path, catalog.root)))
        if tuple(reader.fieldnames or ()) != COLUMNS:
            where = shown(path, catalog.root)
            raise CatalogError(f"{where}: its columns must be {', '.join(COLUMNS)}.")
        sizes += [_size(catalog, row, path) for row in reader]
    return sizes


def _size(catalog: Catalog, row: dict[str, str], path: Path) -> PublishedSize:
    where = f"{shown(path, catalog.root)}, {row['name']}"
    unit, channel = row["unit"], row["format"]
    if unit not in UNIT_BYTES:
        raise CatalogError(f"{where}: unit {unit!r} is not one of {', '.join(UNIT_BYTES)}.")
    if channel not in RUNTIME_OF_CHANNEL:
        raise CatalogError(f"{where}: format {channel!r} is not mlx, gguf or ollama.")
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", row["size"]) or float(row["size"]) == 0:
        raise CatalogError(f"{where}: size {row['size']!r} is no number above 0.")
    if channel == "ollama" and not row["quant"] and not split(row["name"]).quant:
        found = resolve_model(catalog, row["name"])  # its quantization is told by its size, later
    else:
        found = resolve(catalog, row["name"], row["quant"], RUNTIME_OF_CHANNEL[channel])
    return PublishedSize(
        name=row["name"],
        channel=channel,
        quant=row["quant"],
        printed=f"{row['size']} {unit}",
        size_bytes=float(row["size"]) * UNIT_BYTES[unit],
        step_bytes=_step_bytes(row["size"], unit),
        source_url=row["source_url"],
        model_id=found.model_id,
        quant_id=found.quant_id,
        problem=found.problem,
        assumed=found.assumed,
        other_weights=found.other_weights,
    )


def _step_bytes(size: str, unit: str) -> float:
    """What a printed size is rounded to [bytes].

    A count of bytes that is a whole number of MiB or MB was itself made from a rounded size. A
    figure such as 14.0 GB is a whole one that a table printed with a point.
    """
    if unit == "bytes":
        steps = [step for step in (GIB, GB, MIB, MB) if int(float(size)) % step == 0]
        return float(steps[0]) if steps else 0.0
    whole, _, decimals = size.partition(".")
    if unit in ("MB", "GB", "TB") and decimals == "0" and len(whole) > 1:
        return float(UNIT_BYTES[unit])
    return UNIT_BYTES[unit] / 10 ** len(decimals)
