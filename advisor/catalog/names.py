"""How people name a model and a quantization, and which of the catalog they mean.

A name means one model or it is unknown: words are compared whole, so another size, version or
fine-tune never matches. Where something had to be assumed, ``assumed`` says what.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from advisor.catalog import ollama_defaults
from advisor.catalog.model_names import model_names
from advisor.catalog.name_parts import NameParts, split
from advisor.catalog.name_rules import name_rules
from advisor.catalog.quant_names import FoundQuant, quant_names

if TYPE_CHECKING:
    from advisor.catalog.load import Catalog
    from advisor.catalog.shapes import Runtime


@dataclass(frozen=True)
class Resolved:
    """What a name means. With a problem, the ids that were understood are still there.

    problem   "" or the parts not understood, ``model 'X' is not in the catalog; quant is empty``
    assumed   what was taken for granted, to show beside any figure that follows from it
    other_weights    the name is another model's of the same shape, not the model's own
    """

    model_id: str = ""
    quant_id: str = ""
    problem: str = ""
    assumed: tuple[str, ...] = ()
    other_weights: bool = False


@lru_cache(maxsize=8192)
def resolve(catalog: Catalog, model: str, quant: str, runtime: str, note: str = "") -> Resolved:
    """The model and quantization that a row names, as its runtime would read them.

    note   a row's remark; ``source name: qwen3.5:9b-mlx`` in it says which tag a default tag was
    """
    parts = split(model)
    found = resolve_model(catalog, model)
    program, runtime_problem = _runtime(catalog, runtime)
    if program is None:
        return Resolved(found.model_id, "", _joined(found.problem, runtime_problem), found.assumed)
    of_quant = _quant_of_row(catalog, parts, quant, program, found.model_id, model, note)
    if of_quant.needs_model and not found.model_id:
        of_quant = FoundQuant()  # the model is what is not understood
    assumed = tuple(text for text in (*found.assumed, of_quant.assumed) if text)
    problem = _joined(found.problem, of_quant.problem)
    return Resolved(found.model_id, of_quant.quant_id, problem, assumed, found.other_weights)


@lru_cache(maxsize=8192)
def resolve_model(catalog: Catalog, text: str) -> Resolved:
    """The model a name means, whatever quantization it also names."""
    shown = text.strip()
    if not shown:
        return Resolved(problem="model is empty")
    names = model_names(catalog)
    ids, other_weights = names.find(split(text))
    if not ids:
        return Resolved(problem=f"model {shown!r} is not in the catalog")
    if len(ids) > 1:
        return Resolved(problem=f"model {shown!r} could be {' or '.join(ids)}")
    if ids[0] in names.not_buildable:
        problem = f"model {shown!r} is known but mlx-lm cannot build it"
        return Resolved(ids[0], problem=problem)
    if other_weights:
        assumed = (f"{shown} is taken as {ids[0]}, whose shape it has",)
        return Resolved(ids[0], assumed=assumed, other_weights=True)
    return Resolved(ids[0])


def resolve_quant(catalog: Catalog, text: str, runtime: str, model_id: str = "") -> Resolved:
    """The quantization a text means to a runtime; some texts mean one for some models only."""
    if not text.strip():
        return Resolved(model_id, problem="quant is empty")
    program, problem = _runtime(catalog, runtime)
    if program is None:
        return Resolved(model_id, problem=problem)
    found = quant_names(catalog).find(text.strip(), program, model_id, "")
    assumed = (found.assumed,) if found.assumed else ()
    return Resolved(model_id, found.quant_id, found.problem, assumed)


def _runtime(catalog: Catalog, text: str) -> tuple[Runtime | None, str]:
    wanted = text.strip().lower()
    if not wanted:
        return None, "runtime is empty"
    for runtime in catalog.runtimes.values():
        if wanted in (runtime.id.lower(), runtime.name.lower()):
            return runtime, ""
    known = ", ".join(catalog.runtimes)
    return None, f"runtime {text.strip()!r} is not one of {known}"


def _quant_of_row(
    catalog: Catalog,
    parts: NameParts,
    quant: str,
    runtime: Runtime,
    model_id: str,
    model: str,
    note: str,
) -> FoundQuant:
    quants = quant_names(catalog)
    text = quant.strip()
    in_name, format_ = parts.quant, parts.format
    if text.lower() in _default_texts(catalog) or (parts.is_tag and not text):
        if runtime.id == "ollama" and not in_name:
            tag = _tag_in(note) or (model.strip() if parts.is_tag else "")
            in_name = split(tag).quant
            if not in_name:
                return ollama_defaults.find(catalog, tag, model_id)
        text = ""
    if not text:
        if not in_name:
            return FoundQuant(problem="quant is empty")
        return quants.find(in_name, runtime, model_id, format_)
    in_column = quants.find(text, runtime, model_id, format_)
    if not in_name or in_column.problem:
        return in_column
    same_format = quants.formats[in_column.quant_id]
    if quants.find(in_name, runtime, model_id, same_format).quant_id == in_column.quant_id:
        return in_column
    return FoundQuant(problem=f"the model name says {in_name!r}, the quant column {text!r}")


def _tag_in(note: str) -> str:
    """The Ollama tag that a remark gives as the source's own name of the model, or ""."""
    match = re.search(r"source name: (\S+:\S+?)(?:;|$)", note)
    return match.group(1) if match else ""


@lru_cache(maxsize=8)
def _default_texts(catalog: Catalog) -> frozenset[str]:
    return frozenset(text.lower() for text in name_rules(catalog.root).default_texts)


def _joined(*problems: str) -> str:
    return "; ".join(problem for problem in problems if problem)
