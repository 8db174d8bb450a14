"""names.toml: what people call models and quantizations, as strict data."""

from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from advisor.catalog.files import parse, read_toml, shown
from advisor.catalog.shapes import Fact, Format

NAMES_FILE = "names.toml"


class Alias(Fact):
    """Names that mean one model, and why they may.

    ``other_weights``: they name another model of the same shape, trained further or beside it.
    ``tags_only``: they are Ollama tags that say nothing of a plain name with the same words.
    """

    model: str
    names: tuple[str, ...] = Field(min_length=1)
    other_weights: bool = False
    tags_only: bool = False
    why: str = Field(min_length=1)

    @model_validator(mode="after")
    def _only_tags(self) -> Self:
        if self.tags_only and not all(":" in name for name in self.names):
            raise ValueError("tags_only needs Ollama tags, written name:size")
        return self


class Ambiguous(Fact):
    """A name that leaves open which model it means."""

    name: str
    could_be: tuple[str, ...] = Field(min_length=2)


class QuantTexts(Fact):
    """Texts that mean a quantization in a format; text and quantization stand in pairs."""

    texts: tuple[str, ...] = Field(min_length=1)
    format: Format
    quants: tuple[str, ...]
    runtime: str = ""
    models: tuple[str, ...] = ()
    assumed: str = ""
    source: str = ""

    @model_validator(mode="after")
    def _in_pairs(self) -> Self:
        if len(self.texts) != len(self.quants):
            raise ValueError("texts and quants must have the same length")
        return self


class SeveralQuants(Fact):
    """Texts that leave open which quantization of a format they mean."""

    texts: tuple[str, ...] = Field(min_length=1)
    format: Format
    could_be: tuple[str, ...] = Field(min_length=2)


class OllamaTags(Fact):
    """Ollama's tags of a model that is published in one quantization only."""

    tags: tuple[str, ...] = Field(min_length=1)
    quant: str
    why: str = Field(min_length=1)
    source: str = Field(min_length=1)


class NameRules(Fact):
    """The whole file."""

    same_shape_words: tuple[str, ...]
    makers: tuple[str, ...]
    default_texts: tuple[str, ...]
    ollama_default_quants: tuple[str, ...]
    released_in_4_bit: tuple[str, ...] = ()
    alias: tuple[Alias, ...] = ()
    ambiguous: tuple[Ambiguous, ...] = ()
    quant: tuple[QuantTexts, ...] = ()
    several: tuple[SeveralQuants, ...] = ()
    ollama_tag: tuple[OllamaTags, ...] = ()


def name_rules(root: Path) -> NameRules:
    """The rules of names.toml; raises ``CatalogError`` where the file breaks its form."""
    path = root / NAMES_FILE
    return parse(NameRules, read_toml(path, root), shown(path, root))
