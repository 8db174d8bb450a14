"""The fitted numbers as arrays, aligned with the catalog's chips, runtimes and variants.

A term's score is chip[chip, format] + variant[variant] + runtime[runtime, class of variant]:
three look-ups. Made from catalog/derived/speed.json, which ``advisor catalog build`` fits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from advisor.errors import CatalogError
from advisor.estimate.arrays import FORMATS
from advisor.estimate.calibration import Spread
from advisor.estimate.terms import (
    FACTORS,
    NARROW,
    TERMS,
    ChipKey,
    Factors,
    VariantKey,
    generation_label,
    variant_keys,
)

if TYPE_CHECKING:
    from advisor.catalog import Catalog

SPEED_JSON = "derived/speed.json"


@dataclass(frozen=True, slots=True)
class Term:
    """One term's scores [-]; see the module's first lines."""

    start: float
    chip: np.ndarray  # [chip, format]
    variant: np.ndarray  # [variant]
    runtime: np.ndarray  # [runtime, class]
    narrow: np.ndarray  # [format]: what a quantized cache adds, over one of 16 bits

    def score(
        self,
        chip: np.ndarray,
        runtime: np.ndarray,
        variant: np.ndarray,
        format_: np.ndarray,
        class_: np.ndarray,
    ) -> np.ndarray:
        """The sum for broadcastable index arrays; format and class are those of the variants."""
        return (
            self.start
            + self.variant[variant]
            + self.chip[chip, format_]
            + self.runtime[runtime, class_]
        )


@dataclass(frozen=True, slots=True)
class Widths:
    """Logarithms of the 80 % interval's logarithmic half-width: they add up [-]."""

    chip_runtime: np.ndarray  # [chip, runtime]: tier, generation, engine, how many measured them
    model_runtime: np.ndarray  # [model, runtime]: kind, and whether anyone measured it there
    depth: float  # see ``decode.depth``


@dataclass(frozen=True, slots=True)
class Coefficients:
    """Everything fitted, when, and on which data."""

    terms: dict[str, Term]
    variant_class: np.ndarray
    widths: Widths
    prefill_widths: Widths
    spread: Spread
    prefill_spread: Spread
    half_speed_tokens: float
    ssd_bytes_per_s: float
    run_counts: dict[str, dict[str, int]]  # chip name -> runtime -> runs in the fit
    fitted_on: str
    data_digest: str


@lru_cache(maxsize=8)
def load(catalog: Catalog) -> Coefficients:
    """The coefficients of a catalog. Raises ``CatalogError`` for a missing or broken file."""
    path = catalog.root / SPEED_JSON
    where = f"{catalog.root.name}/{SPEED_JSON}"
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return _from_stored(catalog, stored)
    except FileNotFoundError as error:
        raise CatalogError(f"{where} is missing. Run 'advisor catalog build'.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise CatalogError(
            f"{where} cannot be used ({type(error).__name__}: {error}). "
            "Restore it, or run 'advisor catalog build'."
        ) from error


def _from_stored(catalog: Catalog, stored: dict[str, Any]) -> Coefficients:
    keys = variant_keys(catalog)
    classes = sorted({(key.kind, key.quant_class) for key in keys})
    class_of = {pair: index for index, pair in enumerate(classes)}
    variant_class = np.array([class_of[key.kind, key.quant_class] for key in keys])
    sample = {pair: key for key in keys for pair in [(key.kind, key.quant_class)]}
    distinct = list(dict.fromkeys(keys))
    position = {key: index for index, key in enumerate(distinct)}
    at = np.array([position[key] for key in keys])
    chips = [ChipKey.of(chip) for chip in catalog.chips.values()]
    terms = {}
    for term in TERMS:
        known = {(factor, label): value for factor, label, value in stored["scores"][term]}
        factors = FACTORS[term]

        def of(name: str, label: str, known: dict[tuple[str, str], float] = known) -> float:
            return known.get((name, label), 0.0)

        by_variant = np.array(
            [sum(of(name, label(key)) for name, label, _ in factors.variant) for key in distinct]
        )
        terms[term] = Term(
            start=float(stored["start"][term]),
            chip=np.array(
                [
                    [
                        sum(of(n, label(chip, fmt)) for n, label, _ in factors.chip)
                        for fmt in FORMATS
                    ]
                    for chip in chips
                ]
            ),
            variant=by_variant[at],
            narrow=np.array([_narrow(factors, of, distinct, fmt) for fmt in FORMATS]),
            runtime=np.array(
                [
                    [
                        sum(of(n, label(runtime, sample[pair])) for n, label, _ in factors.runtime)
                        for pair in classes
                    ]
                    for runtime in catalog.runtime_ids
                ]
            ),
        )
    return Coefficients(
        terms=terms,
        variant_class=variant_class,
        widths=_widths(catalog, stored, stored["widths"]),
        prefill_widths=_widths(catalog, stored, stored["prefill_widths"]),
        spread=Spread(**stored["spread"]),
        prefill_spread=Spread(**stored["prefill_spread"]),
        half_speed_tokens=float(stored["half_speed_tokens"]),
        ssd_bytes_per_s=float(stored["ssd_bytes_per_s"]),
        run_counts=stored["run_counts"],
        fitted_on=stored["fitted_on"],
        data_digest=stored["data_digest"],
    )


def _narrow(
    factors: Factors, of: Callable[[str, str], float], keys: Sequence[VariantKey], fmt: str
) -> float:
    """What a quantized cache adds to the score of variants of a format."""
    key = next(key for key in keys if key.format == fmt)
    return sum(of(name, label(NARROW, key)) for name, label, _ in factors.cache)


def _widths(catalog: Catalog, stored: dict[str, Any], width: dict[str, Any]) -> Widths:
    runtimes = catalog.runtime_ids
    known = width["known"]
    chips = []
    for chip in catalog.chips.values():
        key = ChipKey.of(chip)
        own = width["tier"][key.tier] + width["generation"][generation_label(key)]
        sources = stored["sources"].get(key.name, {})
        own += 0.0 if sources else known["chip unseen"]
        few = {0: known["no source"], 1: known["one source"]}
        chips.append(
            [own + width["runtime"][name] + few.get(sources.get(name, 0), 0.0) for name in runtimes]
        )
    seen = [set(stored["models"][name]) for name in runtimes]
    models = [
        [width["kind"][kind] + (0.0 if model in of else known["model unseen"]) for of in seen]
        for model, kind in zip(catalog.model_ids, catalog.shapes["kind"], strict=True)
    ]
    return Widths(np.array(chips) + width["start"], np.array(models), float(width["depth"]))
