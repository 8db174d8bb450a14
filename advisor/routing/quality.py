"""How well a model in a quantization answers each class of request, 0 to 1, and how sure that is.

A quality of q on a scale means: on its anchor benchmark the model would score q (see
``catalog/quality/scales.toml``). Qualities of two scales are not compared with each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from advisor.catalog.files import parse_list
from advisor.catalog.shapes import Fact, Source
from advisor.errors import CatalogError
from advisor.estimate.arrays import FORMATS, arrays
from advisor.routing import equating
from advisor.routing.quant_loss import REFERENCE_PARAMS, WIDTH, loss, losses
from advisor.routing.scales import Scale, scales

if TYPE_CHECKING:
    import pandas as pd

    from advisor.catalog import Catalog

PUBLISHED, ESTIMATED, YOURS = "published", "estimated", "yours"
INTERVAL = 1.2815515655446004  # standard deviations of an 80 % interval
LEAST_SCORES = 4  # a column with fewer models cannot be tied to the others
EDGE = 0.02  # a percentage is kept this far from 0 and 1, where its logit has no end
LOGITS_PER_ELO = float(np.log(10) / 400)
WIDEN_ESTIMATE = 1.25  # beyond the spread of models with scores: those without are less like them

Own = Mapping[tuple[str, str], float]  # (scale, model) -> a person's own quality, 0 to 1


class Native(Fact):
    """A model that was trained and scored in these quantizations."""

    id: str
    quants: tuple[str, ...] = Field(min_length=1)
    sources: tuple[Source, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Quality:
    """Quality by model, at full precision, with its 80 % interval; ``basis`` by model."""

    mid: np.ndarray
    low: np.ndarray
    high: np.ndarray
    basis: np.ndarray


@dataclass(frozen=True, slots=True)
class Evidence:
    """The scores behind a scale: a column a benchmark and setting, in logits."""

    columns: tuple[str, ...]
    scores: np.ndarray
    anchor: int


def of_models(catalog: Catalog, scale_id: str, own: Own | None = None) -> Quality:
    """The quality of every buildable model on one scale, in the order of ``catalog.model_ids``.

    own   a person's own scores replace what is published, and are taken as exact
    """
    found = _of_models(catalog, scale_id)
    mine = {m: q for (scale, m), q in (own or {}).items() if scale == scale_id}
    if not mine:
        return found
    mid, low, high, basis = (a.copy() for a in (found.mid, found.low, found.high, found.basis))
    for model_id, value in mine.items():
        at = catalog.model_ids.index(model_id)
        mid[at] = low[at] = high[at] = value
        basis[at] = YOURS
    return Quality(mid, low, high, basis)


def of_variants(catalog: Catalog, quality: Quality, variant: np.ndarray) -> Quality:
    """The quality of variants (rows of ``catalog.variants``): a model's, less what bits cost."""
    v = arrays(catalog).variants
    model, quant = v.model[variant], v.quant[variant]
    at_reference = np.array(list(losses(catalog).values()))[quant]
    reference = np.array([REFERENCE_PARAMS[f] for f in FORMATS])[v.format[variant]]
    params = catalog.shapes["params"].to_numpy(dtype=float)[model]
    lost = np.where(_native(catalog)[model, quant], 0.0, loss(at_reference, params, reference))
    return Quality(
        mid=quality.mid[model] * (1 - lost),
        low=quality.low[model] * (1 - np.clip(lost * (1 + WIDTH), 0, 1)),
        high=quality.high[model] * (1 - lost * (1 - WIDTH)),
        basis=quality.basis[model],
    )


@lru_cache(maxsize=64)
def _of_models(catalog: Catalog, scale_id: str) -> Quality:
    scale = scales(catalog)[scale_id]
    found = evidence(catalog, scale)
    told = equating.ability(found.scores, found.anchor, *_features(catalog))
    width = INTERVAL * told.deviation * np.where(told.measured, 1.0, WIDEN_ESTIMATE)
    shift = scale.reference_elo * LOGITS_PER_ELO

    def share(logit: np.ndarray) -> np.ndarray:
        return 1 / (1 + np.exp(shift - logit))

    return Quality(
        mid=share(told.mean),
        low=share(told.mean - width),
        high=share(told.mean + width),
        basis=np.where(told.measured, PUBLISHED, ESTIMATED).astype(object),
    )


def evidence(catalog: Catalog, scale: Scale) -> Evidence:
    """The scores of a scale's benchmarks; raises ``CatalogError`` without the anchor's."""
    table = catalog.scores
    table = table[table["benchmark"].isin([*scale.elo, *scale.percent])]
    table = table[table["model_id"].isin(catalog.model_ids) & (table["confidence"] != "low")]
    names = table["benchmark"] + _setting(table)
    elo = table["benchmark"].isin(scale.elo)
    share = np.clip(table["score"] / 100, EDGE, 1 - EDGE)
    logits = np.where(elo, table["score"] * LOGITS_PER_ELO, np.log(share / (1 - share)))
    wide = (
        table.assign(column=names, logit=logits)
        .pivot_table(index="model_id", columns="column", values="logit", aggfunc="median")
        .reindex(list(catalog.model_ids))
    )
    wide = wide.loc[:, wide.notna().sum() >= LEAST_SCORES]
    anchor = scale.anchor + (f" · {scale.anchor_setting}" if scale.anchor_setting else "")
    if anchor not in wide.columns:
        raise CatalogError(
            f"{catalog.root.name}/scores.csv: the scale {scale.id!r} is told in units of "
            f"{anchor!r}, which has fewer than {LEAST_SCORES} scores. Restore them."
        )
    columns = tuple(wide.columns)
    return Evidence(columns, wide.to_numpy(dtype=float), columns.index(anchor))


def _setting(table: pd.DataFrame) -> pd.Series:
    """What keeps scores of one benchmark apart: its release, and thinking or not."""
    setting = table["setting"].fillna("").astype(str)
    release = setting.str.extract(r"(release \d{4}-\d{2}-\d{2})", expand=False)
    thinking = setting.str.contains(r"(?<!non-)(?<!no )thinking", case=False, regex=True)
    return release.map(" · {}".format, na_action="ignore").fillna("") + thinking.map(
        {True: " · thinking", False: ""}
    )


@lru_cache(maxsize=8)
def _features(catalog: Catalog) -> tuple[np.ndarray, np.ndarray]:
    """What size and age say (parameters, active ones, release), and the family of each model."""
    shapes = catalog.shapes
    facts = [catalog.models[model_id] for model_id in catalog.model_ids]
    size = np.log(shapes["params"].to_numpy(dtype=float) / 8e9)
    active = np.log(shapes["active_params"].to_numpy(dtype=float) / 8e9)
    years = np.array([_year(fact.released) for fact in facts])
    years = np.where(np.isnan(years), np.nanmedian(years), years) - 2025
    families = sorted({fact.family for fact in facts})
    family = np.array([families.index(fact.family) for fact in facts])
    return np.column_stack([size, active, years, np.minimum(size, 0)]), family


def _year(released: str) -> float:
    """ "2025-04" as 2025.25; NaN where not known."""
    parts = released.split("-")
    if not parts[0].isdigit():
        return float("nan")
    return int(parts[0]) + (int(parts[1]) - 1) / 12 if len(parts) > 1 else int(parts[0]) + 0.5


@lru_cache(maxsize=8)
def _native(catalog: Catalog) -> np.ndarray:
    found = np.zeros((len(catalog.model_ids), len(catalog.quant_ids)), dtype=bool)
    path = catalog.root / "quality" / "native_quants.toml"
    for native in parse_list(Native, "native", path, catalog.root).values():
        if native.id in catalog.model_ids:
            row = catalog.model_ids.index(native.id)
            found[row, [catalog.quant_ids.index(q) for q in native.quants]] = True
    return found
