"""From a name as people write it to one model of the catalog, or to what is not understood."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from advisor.catalog.files import read_json
from advisor.catalog.name_parts import NameParts, words
from advisor.catalog.name_rules import NAMES_FILE, NameRules, name_rules
from advisor.errors import CatalogError

if TYPE_CHECKING:
    from advisor.catalog.load import Catalog


@dataclass(frozen=True)
class ModelNames:
    """Every name of every model, by its words."""

    by_words: dict[tuple[str, ...], tuple[str, ...]]  # more than one id: the name is ambiguous
    by_tag: dict[tuple[str, ...], str]  # what Ollama means by a tag, go before the plain names
    other_weights: frozenset[tuple[str, ...]]  # names of another model of the same shape
    not_buildable: frozenset[str]
    same_shape: frozenset[str]
    makers: frozenset[str]

    def find(self, parts: NameParts) -> tuple[tuple[str, ...], bool]:
        """The ids the name may mean, and whether it names other weights of that shape.

        No id where the name is unknown, several where it leaves open which it means.
        """
        found: dict[str, None] = {}
        others = []
        for reading in parts.readings:
            for spelling in self._spellings(reading):
                ids = self.by_words.get(spelling, ())
                if parts.is_tag and spelling in self.by_tag:
                    ids = (self.by_tag[spelling],)
                if ids:
                    found.update(dict.fromkeys(ids))
                    others.append(spelling in self.other_weights)
                    break
        return tuple(found), bool(others) and all(others)

    def _spellings(self, name: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The name whole, then without a maker in front, then without words of no weight."""
        fewer = [name]
        if len(name) > 1 and name[0] in self.makers:
            fewer.append(name[1:])
        plain = [tuple(word for word in each if word not in self.same_shape) for each in fewer]
        return fewer + plain


@lru_cache(maxsize=8)
def model_names(catalog: Catalog) -> ModelNames:
    """The index of a catalog's names; two models with one name are a ``CatalogError``."""
    rules = name_rules(catalog.root)
    same_shape = frozenset(rules.same_shape_words)
    index: dict[tuple[str, ...], tuple[str, ...]] = {}
    not_buildable = set()
    plain_names: dict[tuple[str, ...], set[str]] = {}
    for path in sorted(catalog.root.glob("models/*.json")):
        entry = read_json(path, catalog.root)
        if not entry.get("buildable", True):
            not_buildable.add(path.stem)
        owner, _, hub_name = str(entry.get("hf_id", "")).rpartition("/")
        for name in (path.stem, str(entry.get("name", "")), hub_name, *entry.get("aliases", ())):
            for spelling in (words(name), words(f"{owner.rpartition('/')[2]} {name}")):
                if spelling:
                    _add(index, spelling, path.stem, name)
                    plain = tuple(word for word in spelling if word not in same_shape)
                    plain_names.setdefault(plain, set()).add(path.stem)
    for plain, ids in plain_names.items():
        # What the words of no weight leave is a name of its own only where it is one model's.
        index.setdefault(plain, tuple(sorted(ids)))
    by_tag, others = _add_rules(
        index, rules, {path.stem for path in catalog.root.glob("models/*.json")}, catalog
    )
    return ModelNames(
        index, by_tag, others, frozenset(not_buildable), same_shape, frozenset(rules.makers)
    )


def _add(
    index: dict[tuple[str, ...], tuple[str, ...]], spelling: tuple[str, ...], model: str, name: str
) -> None:
    if index.setdefault(spelling, (model,)) != (model,):
        raise CatalogError(
            f"The name {name!r} stands for {index[spelling][0]} and for {model}. "
            f"Correct one of the two in models/ or {NAMES_FILE}."
        )


def _add_rules(
    index: dict[tuple[str, ...], tuple[str, ...]],
    rules: NameRules,
    known: set[str],
    catalog: Catalog,
) -> tuple[dict[tuple[str, ...], str], frozenset[tuple[str, ...]]]:
    """Add the rules' names to ``index``; returns the tags and the names of other weights."""
    mentioned = [alias.model for alias in rules.alias]
    mentioned += [model for entry in rules.ambiguous for model in entry.could_be]
    for model in mentioned:
        if model not in known:
            raise CatalogError(
                f"{catalog.root.name}/{NAMES_FILE}: no file models/{model}.json. "
                "Correct the id or add the model."
            )
    same_shape = set(rules.same_shape_words)
    others: set[tuple[str, ...]] = set()
    by_tag: dict[tuple[str, ...], str] = {}
    for alias in rules.alias:
        for name in alias.names:
            if ":" in name:
                by_tag[words(name)] = alias.model
            if alias.tags_only:
                continue
            _add(index, words(name), alias.model, name)
            plain = tuple(word for word in words(name) if word not in same_shape)
            if alias.other_weights:
                others.update({words(name)} if plain in index else {words(name), plain})
            index.setdefault(plain, (alias.model,))
    for entry in rules.ambiguous:
        index[words(entry.name)] = entry.could_be
    return by_tag, frozenset(others)
