"""One published file for each model, quantization and channel, chosen from all printed sizes.

An exact size goes before a rounded one and an instruct model before its base. What is beyond any
file of the model is set aside with the reason, in ``derived/sizes_set_aside.csv``. A count of
bytes that is a whole number of MiB was never a file's size: such an estimate says that the file
exists, not how large it is (``size_known`` false).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd

from advisor.catalog import ollama_defaults
from advisor.catalog.load import Catalog
from advisor.catalog.name_parts import split
from advisor.catalog.name_rules import name_rules
from advisor.catalog.published_sizes import PublishedSize, published_sizes
from advisor.catalog.tables import ARTIFACTS_CSV
from advisor.units import GB

SET_ASIDE_CSV = Path("derived/sizes_set_aside.csv")
LARGEST_RATIO = 1.35  # computed sizes are right to a few per cent; pruned files lie below this
VISION_BYTES = 1.2 * GB  # the largest vision tower of a multimodal repository, at 16 bit
DIFFERENT = 1.02  # exact sizes further apart than this are not the same weights
SECOND_CHOICE = frozenset({"base", "text", "pt", "thinking", "think"})
OWNERS = ("mlx-community", "lmstudio-community", "ggml-org", "unsloth", "bartowski")


@dataclass(frozen=True)
class Bounds:
    """What a file of a model in a quantization may weigh [bytes]."""

    computed: float
    smallest: float
    largest: float


BoundsOf = Callable[[str, str], Bounds]


def build(root: Path) -> list[Path]:
    """Write the tables that follow from sizes/*.csv; returns their files.

    derived/models.csv and derived/weights.csv must be there.
    """
    written = []
    for path, text in made(Catalog(root)).items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        written.append(target)
    return written


def check(root: Path) -> list[str]:
    """A sentence a table that is not what the printed sizes and names give today."""
    return [
        f"{path} does not follow from sizes/ and the names. Run `advisor catalog build`."
        for path, text in made(Catalog(root)).items()
        if not (root / path).exists() or (root / path).read_text(encoding="utf-8") != text
    ]


def made(catalog: Catalog) -> dict[Path, str]:
    """The text of each table by its path under the catalog."""
    sizes = published_sizes(catalog)
    defaults = ollama_defaults.made(catalog, sizes)
    kept, aside = chosen(_with_defaults(sizes, defaults), bounds(catalog))
    return {
        ollama_defaults.FILE: _as_csv(ollama_defaults.COLUMNS, defaults),
        ARTIFACTS_CSV: _as_csv(
            (
                "model_id",
                "quant_id",
                "channel",
                "bytes",
                "exact",
                "size_known",
                "name",
                "source",
                "note",
            ),
            kept,
        ),
        SET_ASIDE_CSV: _as_csv(
            ("model_id", "quant_id", "channel", "bytes", "computed_bytes", "name", "reason"), aside
        ),
    }


def bounds(catalog: Catalog) -> BoundsOf:
    """What files may weigh, from the derived tables.

    A quantizer may leave the embeddings at 16 bit and a repository may hold a vision tower, so
    small and multimodal models are allowed that on top. A model that is released in 4 bit stays
    small whatever its label says.
    """
    table = pd.read_csv(catalog.root / "derived" / "weights.csv")
    by_mlx = dict(
        zip(
            zip(table["model_id"], table["quant_id"], strict=True),
            table["weight_bytes"],
            strict=True,
        )
    )
    shapes = catalog.shapes
    params = shapes["params"].to_dict()
    table_params = np.maximum(
        shapes["embedding_params"], shapes["vocab_size"] * shapes["hidden_size"]
    )
    beside = (2 * table_params).to_dict()
    for model_id in catalog.model_ids:
        if "vision" in catalog.model(model_id).tasks:
            beside[model_id] += VISION_BYTES
    born_small = set(name_rules(catalog.root).released_in_4_bit)

    @cache
    def bounds_of(model_id: str, quant_id: str) -> Bounds:
        bits = catalog.quants[quant_id].bits_per_weight
        if bits is None:
            computed = float(by_mlx[model_id, quant_id])
        else:
            computed = params[model_id] * bits / 8
        sizes = [computed, by_mlx[model_id, "mxfp4"]] if model_id in born_small else [computed]
        largest = max(*(size * LARGEST_RATIO for size in sizes), computed + beside[model_id])
        return Bounds(computed, min(sizes) / LARGEST_RATIO, largest)

    return bounds_of


def chosen(
    sizes: Iterable[PublishedSize], bounds_of: BoundsOf
) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """The representative of each model, quantization and channel, and what was set aside."""
    groups: dict[tuple[str, str, str], list[PublishedSize]] = {}
    aside = []
    for size in sizes:
        if size.problem or not size.quant_id or size.other_weights:
            continue  # no file of a model and quantization of the catalog
        limits = bounds_of(size.model_id, size.quant_id)
        if not limits.smallest <= size.size_bytes <= limits.largest:
            ratio = size.size_bytes / limits.computed
            reason = f"{ratio:.2f} x the computed size: mislabelled, pruned or holding other parts"
            computed = f"{limits.computed:.0f}"
            aside.append(_row(size) | {"computed_bytes": computed, "reason": reason})
        else:
            key = (size.model_id, size.quant_id, size.channel)
            groups.setdefault(key, []).append(size)
    kept = [_representative(groups[key]) for key in sorted(groups)]
    order = ("model_id", "quant_id", "channel", "name")
    return kept, sorted(aside, key=lambda row: [row[column] for column in order])


def _representative(sizes: list[PublishedSize]) -> dict[str, str]:
    exact = [size.size_bytes for size in sizes if size.exact]
    best = min(sizes, key=_preference)
    note = "" if best.exact else f"printed as {best.printed}"
    if best.is_estimate:
        note = "a whole number of MiB: an estimate"
    if exact and max(exact) > DIFFERENT * min(exact):
        middle = median(exact)
        best = min((s for s in sizes if s.exact), key=lambda s: abs(s.size_bytes - middle))
        note = f"the middle of {len(exact)} files of {min(exact):.0f} to {max(exact):.0f} bytes"
    note = "; ".join(text for text in (note, *best.assumed) if text)
    return _row(best) | {
        "exact": str(best.exact).lower(),
        "size_known": str(not best.is_estimate).lower(),
        "source": best.source_url,
        "note": note,
    }


def _preference(size: PublishedSize) -> tuple[object, ...]:
    said = set(split(size.name).readings[0])
    owner = size.name.partition("/")[0]
    return (
        size.is_estimate,
        bool(size.assumed),  # a mix that is only taken as this quantization
        size.step_bytes / size.size_bytes,
        bool(said & SECOND_CHOICE),
        OWNERS.index(owner) if owner in OWNERS else len(OWNERS),
        len(size.name),
        size.name,
    )


def _row(size: PublishedSize) -> dict[str, str]:
    return {
        "model_id": size.model_id,
        "quant_id": size.quant_id,
        "channel": size.channel,
        "bytes": f"{size.size_bytes:.0f}",
        "name": size.name,
    }


def _with_defaults(
    sizes: Iterable[PublishedSize], defaults: Iterable[dict[str, str]]
) -> list[PublishedSize]:
    """Ollama's tags without a quantization, now with it; they are what people pull."""
    quants = {row["tag"]: row["quant_id"] for row in defaults if row["quant_id"]}
    return [
        replace(size, quant_id=quants[size.name])
        if size.channel == "ollama" and size.name in quants
        else size
        for size in sizes
    ]


def _as_csv(columns: tuple[str, ...], rows: Iterable[dict[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
