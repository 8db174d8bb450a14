"""Every fact as a table with its sources: what the Sources page shows and gives to download.

Pure: a catalog in, a data frame out. ``source`` is one link to click (or words where no link was
kept), ``more_sources`` the others, ``confidence`` how sure the figures are that a row is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from advisor.catalog.shapes import Source
from advisor.estimate.budget import default_gpu_limit_bytes
from advisor.units import GB, MIB

if TYPE_CHECKING:
    from advisor.catalog import Catalog

WEAKEST = ("low", "medium", "high")


@dataclass(frozen=True)
class Section:
    """One table of the page."""

    id: str
    name: str
    what: str  # a sentence on what stands in it
    table: Callable[[Catalog], pd.DataFrame]


IN_TABLES = {True: "yes", False: "when asked for", "published": "where a file is published"}


def sourced(sources: Sequence[Source], *main: str) -> dict[str, str]:
    """Link, further links, confidence, dates and notes of the sources of one row.

    main   the fields a row is about: its confidence is theirs, that of the best source of the
           least sure one; ``low_for`` names all fields that only sources of low confidence back
    """
    sure: dict[str, int] = {}
    for source in sources:
        for field in source.backs:
            sure[field] = max(sure.get(field, 0), WEAKEST.index(source.confidence))
    about = [sure[field] for field in main if field in sure] or list(sure.values())
    ordered = sorted(sources, key=lambda s: (not set(main) & set(s.backs), s.url[:4] != "http"))
    urls = list(dict.fromkeys(source.url for source in ordered))
    return {
        "confidence": WEAKEST[min(about)] if about else "",
        "source": next(iter(urls), ""),
        "more_sources": "; ".join(urls[1:]),
        "low_for": ", ".join(field for field, at in sure.items() if at == 0),
        "seen": ", ".join(sorted({str(source.seen) for source in sources if source.seen})),
        "source_note": "; ".join(dict.fromkeys(s.note for s in ordered if s.note)),
    }


def chips(catalog: Catalog) -> pd.DataFrame:
    """A row a chip bin."""
    return pd.DataFrame(
        [
            {
                "chip": chip.name,
                "gpu_cores": chip.gpu_cores,
                "cpu_cores": chip.cpu_cores,
                "bandwidth_gb_per_s": chip.bandwidth_gb_per_s,
                "memory_gb": _listed(chip.memory_gb),
                "neural_accelerators": "yes" if chip.neural_accelerators else "no",
                "gpu_clock_mhz": chip.gpu_clock_mhz,
                "fp16_tflops_measured": chip.fp16_tflops_measured,
                "released": chip.released,
                **sourced(chip.sources, "bandwidth_gb_per_s", "gpu_cores"),
                "chip_id": chip.id,
            }
            for chip in sorted(
                catalog.chips.values(), key=lambda c: (c.generation, c.bandwidth_gb_per_s)
            )
        ]
    )


def macs(catalog: Catalog) -> pd.DataFrame:
    """A row a Mac with its newest known price by memory."""
    rows = []
    for mac in sorted(catalog.macs.values(), key=lambda mac: (-mac.year, mac.id)):
        newest = {price.memory_gb: price for price in sorted(mac.prices, key=lambda p: p.on)}
        rows.append(
            {
                "mac": mac.name,
                "mac_id": mac.id,
                "chips": _listed(mac.chips),
                "memory_gb": _listed(mac.memory_gb),
                "status": mac.status,
                "newest_list_price_usd": ", ".join(
                    f"{size} GB: {price.usd:,} ({price.on})" for size, price in newest.items()
                ),
                "idle_w": mac.idle_w,
                "max_w": mac.max_w,
                "note": "; ".join(text for text in (mac.status_note, mac.note) if text),
                **sourced(mac.sources, "bins", "memory_gb"),
            }
        )
    return pd.DataFrame(rows)


def prices(catalog: Catalog) -> pd.DataFrame:
    """Every dated list price; an old one stays beside the new."""
    return pd.DataFrame(
        [
            {
                "mac": mac.name,
                "mac_id": mac.id,
                "memory_gb": price.memory_gb,
                "usd": price.usd,
                "on": price.on,
                "kind": price.kind,
                "ssd_gb": price.ssd_gb,
                **sourced(_backing(mac.sources, "prices", price.on)),
            }
            for mac in sorted(catalog.macs.values(), key=lambda mac: (-mac.year, mac.id))
            for price in mac.prices
        ]
    )


def models(catalog: Catalog) -> pd.DataFrame:
    """A row a model, those that mlx-lm cannot build with the reason."""
    rows = []
    for model in sorted(catalog.models.values(), key=lambda model: model.name.lower()):
        row: dict[str, object] = {
            "model": model.name,
            "family": model.family,
            "tasks": ", ".join(model.tasks),
        }
        if model.id in catalog.shapes.index:
            shape = catalog.shapes.loc[model.id]
            row |= {
                "params_b": shape["params"] / 1e9,
                "active_params_b": shape["active_params"] / 1e9,
                "layers": shape["layers"],
                "kind": shape["kind"],
                "max_context_tokens": shape["max_context_tokens"] or None,
                "cache_bytes_per_token": sum(
                    shape[f"{layers}_bytes_per_token"] for layers in ("full", "latent", "sliding")
                ),
                "state_bytes": shape["state_bytes"],
            }
        note = (model.not_buildable_because, model.note)
        row |= {"note": "; ".join(text for text in note if text)}
        card = {"released": model.released, "license": model.license, "hub_id": model.hf_id}
        rows.append(row | sourced(model.sources, "config") | card)
    return pd.DataFrame(rows)


def quants(catalog: Catalog) -> pd.DataFrame:
    """A row a quantization."""
    return pd.DataFrame(
        [
            {
                "quantization": quant.id,
                "format": quant.format,
                "bits": quant.bits,
                "bits_per_weight": quant.bits_per_weight,
                "group_size": quant.group_size,
                "mode": quant.mode,
                "in_tables": IN_TABLES[quant.listed],
                "also_called": ", ".join(quant.aliases),
                "note": quant.note,
            }
            for quant in catalog.quants.values()
        ]
    )


def sizes(catalog: Catalog) -> pd.DataFrame:
    """Published files beside the size computed for the same model and quantization."""
    table = catalog.artifacts
    computed = catalog.variants.set_index(["model_id", "quant_id"])["weight_bytes"] / GB
    keys = pd.MultiIndex.from_frame(table[["model_id", "quant_id"]])
    return pd.DataFrame(
        {
            "model_id": table["model_id"],
            "quantization": table["quant_id"],
            "channel": table["channel"],
            "published_gb": (table["bytes"] / GB).where(table["size_known"].astype(bool)),
            "computed_gb": computed.reindex(keys).to_numpy(),
            "exact": table["exact"].map({True: "to the byte", False: "as printed"}),
            "name": table["name"],
            "source": table["source"],
            "note": table["note"],
        }
    )


def scores(catalog: Catalog) -> pd.DataFrame:
    """Published scores by which picks are ordered."""
    return catalog.scores.rename(columns={"source_url": "source"})


def limits(catalog: Catalog) -> pd.DataFrame:
    """What macOS lets the GPU use by default, by memory size and version, in MiB."""
    rules = catalog.memory_rules
    memory = sorted({size for chip in catalog.chips.values() for size in chip.memory_gb})
    table = pd.DataFrame({"memory_gb": memory})
    for rule in rules.gpu_limit:
        table[f"macos_{rule.macos_from}_to_{rule.macos_to}_mib"] = [
            default_gpu_limit_bytes(rules, size, rule.macos_from) / MIB for size in memory
        ]
    return table.assign(**sourced(_backing(rules.sources, "gpu_limit")))


def observed(name: str) -> Callable[[Catalog], pd.DataFrame]:
    """A file of observations, its links under ``source``."""

    def table(catalog: Catalog) -> pd.DataFrame:
        return catalog.observations(name).rename(columns={"source_url": "source"})

    return table


def _backing(sources: Iterable[Source], *words: str) -> list[Source]:
    """The sources that back a field, or all where none says so."""
    every = list(sources)
    named = [s for s in every if any(all(word in back for word in words) for back in s.backs)]
    loose = [s for s in every if any(words[0] in back for back in s.backs)]
    return named or loose or every


def _listed(values: Iterable[object]) -> str:
    return ", ".join(str(value) for value in values)
