"""Facts behind quality: which benchmarks make which scale, and the embedding models."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pydantic import Field

from advisor.catalog.files import check_backed, parse_list
from advisor.catalog.shapes import Fact, Source
from advisor.units import MB

if TYPE_CHECKING:
    from advisor.catalog import Catalog

EMBEDDER_FIGURES = ("weight_mb", "params_m", "dimensions", "max_context_tokens", "mteb")


class Scale(Fact):
    """What quality means for one class of request.

    anchor          the benchmark in whose units quality is told; with ``anchor_setting`` where
                    it has several releases
    reference_elo   for an anchor in elo: quality is the share of votes against such a model
    """

    id: str
    name: str
    note: str = ""
    anchor: str
    anchor_setting: str = ""
    reference_elo: float = Field(default=0.0, ge=0)
    elo: tuple[str, ...] = ()
    percent: tuple[str, ...] = ()


class Embedder(Fact):
    """An embedding model in the one quantization it is offered in."""

    id: str
    name: str
    hf_id: str
    ollama: str
    quant: str
    weight_mb: float = Field(gt=0)
    params_m: float = Field(gt=0)
    dimensions: int = Field(gt=0)
    max_context_tokens: int = Field(gt=0)
    mteb: float = Field(gt=0, lt=100)
    like: str
    sources: tuple[Source, ...] = Field(min_length=1)

    @property
    def weight_bytes(self) -> float:
        return self.weight_mb * MB


@lru_cache(maxsize=8)
def scales(catalog: Catalog) -> dict[str, Scale]:
    """The scales by id, in the file's order."""
    return parse_list(Scale, "scale", catalog.root / "quality" / "scales.toml", catalog.root)


@lru_cache(maxsize=8)
def embedders(catalog: Catalog) -> dict[str, Embedder]:
    """The embedding models by id; each figure is backed by a source."""
    path = catalog.root / "embedders.toml"
    found = parse_list(Embedder, "embedder", path, catalog.root)
    for embedder in found.values():
        where = f"{catalog.root.name}/embedders.toml, embedder {embedder.id}"
        check_backed(EMBEDDER_FIGURES, embedder.sources, where, known=set(EMBEDDER_FIGURES))
    return found
