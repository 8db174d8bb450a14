"""Which quantization Ollama's tags without one hold, where their size says so.

``llama3.1:8b`` weighs 4.9 GB and so does ``llama3.1:8b-instruct-q4_K_M``, and no other
quantization of it: the tag is Q4_K_M. Where no size or more than one is equal, it stays unknown.
"""

from __future__ import annotations

import csv
import io
from functools import lru_cache
from typing import TYPE_CHECKING

from advisor.catalog.files import read_text, shown
from advisor.catalog.name_parts import words
from advisor.catalog.quant_names import FoundQuant
from advisor.errors import CatalogError

if TYPE_CHECKING:
    from advisor.catalog.load import Catalog

FILE = "ollama_defaults.csv"
COLUMNS = ("tag", "model_id", "quant_id", "bytes", "source")


def find(catalog: Catalog, tag: str, model_id: str) -> FoundQuant:
    """What a tag without quantization holds; without a tag, what those of the model hold."""
    by_tag, by_model = _defaults(catalog)
    if tag:
        quant_id = by_tag.get(words(tag), "")
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
