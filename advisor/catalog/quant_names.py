"""From a quantization as people write it to one of the catalog, by what a runtime can run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from advisor.catalog.name_rules import NAMES_FILE, QuantTexts, name_rules
from advisor.errors import CatalogError

if TYPE_CHECKING:
    from advisor.catalog.load import Catalog
    from advisor.catalog.shapes import Runtime

NO_DEFAULT_FORMAT = "other"  # many programs under one id: which format it runs is not known


@dataclass(frozen=True)
class FoundQuant:
    """A quantization, or the reason why the text means none."""

    quant_id: str = ""
    problem: str = ""
    assumed: str = ""
    needs_model: bool = False  # only a known model could tell


@dataclass(frozen=True)
class QuantNames:
    """Every text of every quantization, by format and letters."""

    plain: dict[tuple[str, str], str]  # (format, letters) -> quant id
    special: dict[tuple[str, str], tuple[tuple[QuantTexts, str], ...]]
    several: dict[tuple[str, str], tuple[str, ...]]
    formats: dict[str, str]  # quant id -> format

    def find(self, text: str, runtime: Runtime, model_id: str, format_: str) -> FoundQuant:
        """The quantization ``text`` means where ``runtime`` runs a file of ``format_``.

        format_   "mlx", "gguf", or "" where nothing but the text says
        """
        letters, said = _letters(text)
        if said and format_ and said != format_:
            return FoundQuant(problem=f"quant {text!r} contradicts the {format_} in the model name")
        wanted = said or format_
        formats = [each for each in runtime.formats if wanted in ("", each)]
        if not formats:
            return FoundQuant(problem=f"{runtime.id} does not run {wanted} files (quant {text!r})")
        found: list[FoundQuant] = []
        for each in formats:
            hit = self._in_format(letters, each, runtime.id, model_id)
            if hit is None:
                continue
            if hit[1]:  # meant for this very runtime
                return hit[0]
            found.append(hit[0])
        if not found:
            return FoundQuant(problem=self._why_not(text, letters, runtime))
        if any(hit.problem for hit in found) or (
            len(found) > 1
            and runtime.id == NO_DEFAULT_FORMAT
            and not all(self._is_16_bit(hit.quant_id) for hit in found)
        ):
            could = [name for hit in found for name in (hit.quant_id or hit.problem).split(", ")]
            return FoundQuant(problem=f"quant {text!r} could be {_either(could)}")
        if len(found) > 1:
            first = found[0].quant_id
            return FoundQuant(
                first,
                assumed=f"{text} is taken as {first}, the {formats[0]} one of the two formats",
            )
        return found[0]

    def _in_format(
        self, letters: str, format_: str, runtime_id: str, model_id: str
    ) -> tuple[FoundQuant, bool] | None:
        key = (format_, letters)
        for entry, quant_id in self.special.get(key, ()):
            if entry.runtime in ("", runtime_id) and (not entry.models or model_id in entry.models):
                return FoundQuant(quant_id, assumed=entry.assumed), bool(entry.runtime)
        if key in self.plain:
            return FoundQuant(self.plain[key]), False
        if key in self.several:
            return FoundQuant(problem=", ".join(self.several[key])), False
        return None

    def _why_not(self, text: str, letters: str, runtime: Runtime) -> str:
        elsewhere = [each for each in ("mlx", "gguf") if (each, letters) in self.plain]
        if elsewhere and elsewhere[0] not in runtime.formats:
            return (
                f"quant {text!r} is of the {elsewhere[0]} format, which {runtime.id} does not run"
            )
        return f"quant {text!r} is not in the catalog"

    def _is_16_bit(self, quant_id: str) -> bool:
        return quant_id in ("bf16", "F16", "BF16")


@lru_cache(maxsize=8)
def quant_names(catalog: Catalog) -> QuantNames:
    """The index of a catalog's quantization texts."""
    rules = name_rules(catalog.root)
    plain: dict[tuple[str, str], str] = {}
    for quant in catalog.quants.values():
        for text in (quant.id, *quant.aliases):
            key = (quant.format, _letters(text)[0])
            if plain.setdefault(key, quant.id) != quant.id:
                raise CatalogError(
                    f"{catalog.root.name}/quants.toml: {text!r} stands for {plain[key]} "
                    f"and for {quant.id}. Correct one."
                )
    special: dict[tuple[str, str], list[tuple[QuantTexts, str]]] = {}
    where = f"{catalog.root.name}/{NAMES_FILE}"
    for entry in rules.quant:
        for text, quant_id in zip(entry.texts, entry.quants, strict=True):
            _require_quant(catalog, quant_id, where)
            special.setdefault((entry.format, _letters(text)[0]), []).append((entry, quant_id))
    several: dict[tuple[str, str], tuple[str, ...]] = {}
    for group in rules.several:
        for quant_id in group.could_be:
            _require_quant(catalog, quant_id, where)
        several.update({(group.format, _letters(text)[0]): group.could_be for text in group.texts})
    return QuantNames(
        plain,
        {key: tuple(sorted(value, key=lambda pair: not pair[0].runtime))
         for key, value in special.items()},
        several,
        {quant.id: quant.format for quant in catalog.quants.values()},
    )  # fmt: skip


def _require_quant(catalog: Catalog, quant_id: str, where: str) -> None:
    if quant_id not in catalog.quants:
        raise CatalogError(f"{where}: {quant_id!r} is not in quants.toml. Correct one of them.")


def _letters(text: str) -> tuple[str, str]:
    """The letters and digits of a quantization text, and the format it names, if any.

    ``MLX 4-bit, group 64`` is 4bit of mlx: 64 is the group every plain MLX quantization has.
    """
    letters = re.sub(r"[^a-z0-9]", "", text.lower()).replace("bits", "bit")
    format_ = ""
    for name in ("mlx", "gguf"):
        if letters.startswith(name) or letters.endswith(name):
            letters, format_ = letters.removeprefix(name).removesuffix(name), name
    letters = re.sub(r"(?<=bit)(?:gs|group|g)(?=[0-9]+$)", "g", letters)
    return letters.removesuffix("g64"), format_


def _either(names: list[str]) -> str:
    return ", ".join(names[:-1]) + f" or {names[-1]}"
