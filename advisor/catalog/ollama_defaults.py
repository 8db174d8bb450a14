"""Which quantization Ollama's tags without one hold, where their size says so.

``llama3.1:8b`` weighs 4.9 GB and so does ``llama3.1:8b-instruct-q4_K_M``, and no other
quantization of it: the tag is Q4_K_M. Where none or more than one has its size, it stays open.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from advisor.catalog.files import read_text, shown
from advisor.catalog.name_parts import split, words
from advisor.catalog.name_rules import name_rules
from advisor.catalog.quant_names import FoundQuant
from advisor.errors import CatalogError

if TYPE_CHECKING:
    from advisor.catalog.load import Catalog
    from advisor.catalog.published_sizes import PublishedSize

FILE = Path("derived/ollama_defaults.csv")
COLUMNS = ("tag", "model_id", "quant_id", "told_by", "could_be", "bytes", "source")
BY_SIZE, BY_RELEASE = "its size", "how it was released"


@dataclass(frozen=True)
class DefaultTag:
    """A tag without a quantization; ``quant_id`` "" where its size leaves it open."""

    model_id: str
    quant_id: str
    told_by: str
    could_be: tuple[str, ...]


def made(catalog: Catalog, sizes: Iterable[PublishedSize]) -> list[dict[str, str]]:
    """A row a tag without a quantization: the one of its size, or all that have it."""
    named: dict[tuple[str, str, str], set[str]] = {}
    unnamed = []
    for size in sizes:
        if size.channel != "ollama" or not size.model_id:
            continue
        if size.quant or split(size.name).quant:
            if size.quant_id:
                key = (_library(size.name), size.model_id, size.printed)
                named.setdefault(key, set()).add(size.quant_id)
        else:
            unnamed.append(size)
    rules = name_rules(catalog.root)
    released = {tag: entry.quant for entry in rules.ollama_tag for tag in entry.tags}
    rows = []
    for size in sorted(unnamed, key=lambda each: each.name):
        quants = sorted(named.get((_library(size.name), size.model_id, size.printed), ()))
        told_by = BY_RELEASE if size.name in released else BY_SIZE
        if size.name in released:
            quants = [released[size.name]]
        is_told = len(quants) == 1 and quants[0] in rules.ollama_default_quants
        rows.append(
            {
                "tag": size.name,
                "model_id": size.model_id,
                "quant_id": quants[0] if is_told else "",
                "told_by": told_by if is_told else "",
                "could_be": " ".join(quants) if len(quants) > 1 else "",
                "bytes": f"{size.size_bytes:.0f}",
                "source": size.source_url,
            }
        )
    return rows


def _library(tag: str) -> str:
    return tag.partition(":")[0]


def find(catalog: Catalog, tag: str, model_id: str) -> FoundQuant:
    """What a tag without quantization holds; without a tag, what the model's own ones hold."""
    by_tag, by_model = _defaults(catalog)
    if tag:
        is_mlx = split(tag).format == "mlx"  # not the GGUF file of the tag without -mlx
        known = [] if is_mlx or words(tag) not in by_tag else [by_tag[words(tag)]]
        what = f"quant of Ollama's tag {tag!r}"
    else:
        known = by_model.get(model_id, [])
        what = "quant of Ollama's default tag"
    quants = {each.quant_id for each in known}
    if len(quants) == 1 and "" not in quants:
        quant_id, told_by = known[0].quant_id, known[0].told_by
        return FoundQuant(quant_id, assumed=f"Ollama's default tag is {quant_id}, by {told_by}")
    could_be = sorted({*quants, *(quant for each in known for quant in each.could_be)} - {""})
    if len(could_be) > 1:
        why = f"could be {' or '.join(could_be)}, by its size"
    elif known:
        why = "is not known: no named tag has its size"
    else:
        why = "is not known: its size is not in the catalog"
    return FoundQuant(problem=f"{what} {why}", needs_model=True)


@lru_cache(maxsize=8)
def _defaults(
    catalog: Catalog,
) -> tuple[dict[tuple[str, ...], DefaultTag], dict[str, list[DefaultTag]]]:
    """The tags by their words, and each model's tags that name no variant of it."""
    path = catalog.root / FILE
    if not path.exists():  # before the first build
        return {}, {}
    where = shown(path, catalog.root)
    reader = csv.DictReader(io.StringIO(read_text(path, catalog.root)))
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise CatalogError(f"{where}: its columns must be {', '.join(COLUMNS)}.")
    variants = set(name_rules(catalog.root).same_shape_words)
    by_tag: dict[tuple[str, ...], DefaultTag] = {}
    by_model: dict[str, dict[bool, list[DefaultTag]]] = {}
    for row in reader:
        could_be = tuple(row["could_be"].split())
        tag = DefaultTag(row["model_id"], row["quant_id"], row["told_by"], could_be)
        for quant_id in filter(None, (tag.quant_id, *could_be)):
            if quant_id not in catalog.quants:
                raise CatalogError(f"{where}: {quant_id!r} is not in quants.toml.")
        said = words(row["tag"])
        by_tag[said] = tag
        is_variant = not variants.isdisjoint(said)  # 27b-it-qat is not what 27b means
        by_model.setdefault(tag.model_id, {}).setdefault(is_variant, []).append(tag)
    return by_tag, {model: tags.get(False) or tags[True] for model, tags in by_model.items()}
