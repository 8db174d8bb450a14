"""Which quantization Ollama's tags without one hold, where their size says so.

``llama3.1:8b`` weighs 4.9 GB and so does ``llama3.1:8b-instruct-q4_K_M``, and no other
quantization of it: the tag is Q4_K_M. Where no size or more than one is equal, it stays unknown.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
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
COLUMNS = ("tag", "model_id", "quant_id", "bytes", "source")


def made(catalog: Catalog, sizes: Iterable[PublishedSize]) -> list[dict[str, str]]:
    """The rows of the table: tags without a quantization whose size is that of one named tag."""
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
    only = {tag: entry for entry in rules.ollama_tag for tag in entry.tags}
    rows = []
    for size in sorted(unnamed, key=lambda each: each.name):
        quants = named.get((_library(size.name), size.model_id, size.printed), set())
        if size.name in only:
            quants = {only[size.name].quant}
        if len(quants) == 1 and quants <= set(rules.ollama_default_quants):
            rows.append(
                {
                    "tag": size.name,
                    "model_id": size.model_id,
                    "quant_id": next(iter(quants)),
                    "bytes": f"{size.size_bytes:.0f}",
                    "source": size.source_url,
                }
            )
    return rows


def _library(tag: str) -> str:
    return tag.partition(":")[0]


def find(catalog: Catalog, tag: str, model_id: str) -> FoundQuant:
    """What a tag without quantization holds; without a tag, what those of the model hold."""
    by_tag, by_model = _defaults(catalog)
    if tag:
        is_mlx = split(tag).format == "mlx"  # not the GGUF file of the tag without -mlx
        quant_id = "" if is_mlx else by_tag.get(words(tag), "")
        what = f"Ollama's tag {tag!r}"
    else:
        quants = by_model.get(model_id, frozenset())
        quant_id = next(iter(quants)) if len(quants) == 1 else ""
        what = "the quant of Ollama's default tag"
    if not quant_id:
        problem = f"{what} is not known: no named tag has its size alone"
        return FoundQuant(problem=problem, needs_model=True)
    return FoundQuant(quant_id, assumed=f"Ollama's default tag is {quant_id}, by its size")


@lru_cache(maxsize=8)
def _defaults(
    catalog: Catalog,
) -> tuple[dict[tuple[str, ...], str], dict[str, frozenset[str]]]:
    path = catalog.root / FILE
    if not path.exists():  # before the first build
        return {}, {}
    reader = csv.DictReader(io.StringIO(read_text(path, catalog.root)))
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise CatalogError(
            f"{shown(path, catalog.root)}: its columns must be {', '.join(COLUMNS)}."
        )
    by_tag: dict[tuple[str, ...], str] = {}
    by_model: dict[str, set[str]] = {}
    for row in reader:
        if row["quant_id"] not in catalog.quants:
            raise CatalogError(
                f"{shown(path, catalog.root)}: {row['quant_id']!r} is not in quants.toml."
            )
        by_tag[words(row["tag"])] = row["quant_id"]
        by_model.setdefault(row["model_id"], set()).add(row["quant_id"])
    return by_tag, {model: frozenset(quants) for model, quants in by_model.items()}
