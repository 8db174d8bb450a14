"""Reading a catalog file strictly: a broken one is a sentence that names file, field and cure."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from advisor.catalog.shapes import Chip, Fact, Mac, MemoryRules, Model, Source
from advisor.errors import CatalogError

FactT = TypeVar("FactT", bound=Fact)
RESTORE = "Restore it from the repository."
# What a thing is called needs no source: these are part of its name.
IDENTITY = {"id", "name", "generation", "year", "released", "sources", "aliases", "tasks"}


def shown(path: Path, root: Path) -> str:
    """The path as a person knows it: ``catalog/chips/m5-10.toml``."""
    return f"{root.name}/{path.relative_to(root).as_posix()}"


def read_text(path: Path, root: Path, if_missing: str = RESTORE) -> str:
    """The whole file as text; it must be UTF-8."""
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise CatalogError(f"{shown(path, root)} is missing. {if_missing}") from None
    except OSError as error:
        raise CatalogError(f"{shown(path, root)} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise CatalogError(
            f"{shown(path, root)}: byte {error.start} is not UTF-8. Save the file as UTF-8."
        ) from error


def read_toml(path: Path, root: Path) -> dict[str, Any]:
    """The file's TOML as a dictionary."""
    try:
        return tomllib.loads(read_text(path, root))
    except tomllib.TOMLDecodeError as error:
        raise CatalogError(f"{shown(path, root)} is not valid TOML: {error}.") from error


def read_json(path: Path, root: Path) -> dict[str, Any]:
    """The file's JSON as a dictionary."""
    try:
        data = json.loads(read_text(path, root))
    except json.JSONDecodeError as error:
        raise CatalogError(f"{shown(path, root)} is not valid JSON: {error}.") from error
    if not isinstance(data, dict):
        raise CatalogError(f"{shown(path, root)} must hold one JSON object.")
    return data


def parse(shape: type[FactT], data: dict[str, Any], where: str) -> FactT:
    """``data`` as a fact of ``shape``: no unknown field, no text where a number belongs."""
    try:
        # Strict validation takes lists for tuples and text for dates only from JSON.
        return shape.model_validate_json(json.dumps(data, default=str), strict=True)
    except ValidationError as error:
        raise CatalogError(f"{where}: {first_problem(error, shape)}") from error


def parse_file(shape: type[FactT], path: Path, root: Path) -> FactT:
    """One fact from one file whose name is its id, each figure backed by a source."""
    read = read_json if path.suffix == ".json" else read_toml
    where = shown(path, root)
    fact = parse(shape, read(path, root), where)
    if getattr(fact, "id", path.stem) != path.stem:
        raise CatalogError(
            f"{where}: id is {fact.id!r}, the file's name says {path.stem!r}. Make them the same."  # type: ignore[attr-defined]
        )
    if isinstance(fact, Chip | Mac | MemoryRules | Model):
        check_backed(figures(fact), fact.sources, where, known=set(shape.model_fields))
    return fact


def parse_list(shape: type[FactT], key: str, path: Path, root: Path) -> dict[str, FactT]:
    """Facts of a ``[[key]]`` list by id, in the file's order; an id may come once."""
    data = read_toml(path, root)
    where = shown(path, root)
    if set(data) != {key} or not isinstance(data[key], list):
        raise CatalogError(f"{where}: expected a list of [[{key}]] and nothing else.")
    facts: dict[str, FactT] = {}
    for number, entry in enumerate(data[key], start=1):
        name = (
            entry.get("id", f"number {number}") if isinstance(entry, dict) else f"number {number}"
        )
        fact = parse(shape, entry, f"{where}, {key} {name}")
        if name in facts:
            raise CatalogError(f"{where}: the {key} {name!r} is there twice. Remove one.")
        facts[name] = fact
    return facts


def figures(fact: Fact) -> list[str]:
    """The fields of a fact that hold figures, as a source's ``backs`` names them.

    Prices are named with their date (``prices 2024-10``): a new price needs a new source.
    """
    names: list[str] = []
    for name in type(fact).model_fields:
        value = getattr(fact, name)
        if name in IDENTITY or value is None or isinstance(value, bool | str):
            continue
        if name == "prices":
            names += dict.fromkeys(f"prices {price.on}" for price in value)
        elif value:
            names.append(name)
    return names


def check_backed(
    needed: Sequence[str], sources: Iterable[Source], where: str, *, known: set[str]
) -> None:
    """Raise ``CatalogError`` unless each figure has a source and each source a figure."""
    backed = {name for source in sources for name in source.backs}
    for name in needed:
        if name not in backed:
            raise CatalogError(
                f"{where}: no source backs {name}. Add it to the 'backs' of a [[sources]] entry."
            )
    for name in sorted(backed):
        if name not in needed and name not in known:
            raise CatalogError(
                f"{where}: a source backs {name!r}, which is no figure of this file."
            )


def first_problem(error: ValidationError, shape: type[Fact]) -> str:
    """The first thing wrong with what was given, as the end of a sentence."""
    problem = error.errors()[0]
    field = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "extra_forbidden":
        known = ", ".join(shape.model_fields) if len(problem["loc"]) == 1 else "see the README"
        return f"unknown field {field!r}. Known fields: {known}."
    if problem["type"] == "missing":
        return f"the field {field!r} is missing. Add it."
    message = problem["msg"].removeprefix("Value error, ")
    place = f"{field}: " if field else ""
    given = "" if isinstance(problem["input"], dict | list) else f" (given {problem['input']!r})"
    return f"{place}{message[0].lower()}{message[1:]}{given}."
