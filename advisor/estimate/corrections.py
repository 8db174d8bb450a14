"""Corrections of predictions by runs of the same machine and engine, applied to any cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from advisor.estimate.arrays import arrays
from advisor.estimate.calibration import TYPICAL_OVERHEAD, Features, Known
from advisor.estimate.cases import Cases
from advisor.estimate.terms import model_keys

if TYPE_CHECKING:
    from advisor.catalog import Catalog
    from advisor.catalog.shapes import Machine

DENSE_KINDS = ("dense", "hybrid")


@dataclass(frozen=True)
class Correction:
    """What runs taught of one machine and engine; ``prefill`` where they say anything of it."""

    chip_ids: frozenset[str]
    runtime: int
    format: int
    decode: Known | None
    prefill: Known | None


@dataclass(frozen=True, slots=True)
class Effect:
    """On each case, flat: added to the log of seconds, width over the former, and if at all."""

    decode_shift: np.ndarray
    decode_width: np.ndarray
    prefill_shift: np.ndarray
    prefill_width: np.ndarray
    corrected: np.ndarray


def bins(machine: Machine) -> frozenset[str]:
    """The chip of a machine, or all that what was given leaves open."""
    return frozenset([machine.chip.id, *(chip.id for chip in machine.other_bins)])


@lru_cache(maxsize=4)
def _model_codes(catalog: Catalog) -> tuple[np.ndarray, np.ndarray]:
    """For each model: whether it has experts, and the code of its architecture."""
    keys = model_keys(catalog)
    names = sorted({architecture for _, architecture, _ in keys})
    experts = np.array([kind not in DENSE_KINDS for kind, _, _ in keys])
    return experts, np.array([names.index(architecture) for _, architecture, _ in keys])


def features(
    catalog: Catalog,
    variant: np.ndarray,
    overhead_share: np.ndarray,
    context_share: np.ndarray,
) -> Features:
    """What tells these cases apart, flat arrays of one length."""
    model = arrays(catalog).variants.model[variant]
    experts, architecture = _model_codes(catalog)
    return Features(
        overhead=overhead_share,
        context=context_share,
        kind=experts[model],
        architecture=architecture[model],
        model=model,
        variant=variant,
    )


def prefill_features(catalog: Catalog, variant: np.ndarray) -> Features:
    """The same for prompts, whose time has one part only."""
    return features(
        catalog, variant, np.full(len(variant), TYPICAL_OVERHEAD), np.zeros(len(variant))
    )


def effect(
    catalog: Catalog,
    corrections: Sequence[Correction],
    machines: Sequence[Machine],
    cases: Cases,
    seen: Features,
) -> Effect:
    """What the corrections do to flat cases on these machines.

    A machine whose bin is left open is taken as the one that was measured, where it may be.
    """
    size = len(cases.variant)
    found = Effect(
        decode_shift=np.zeros(size),
        decode_width=np.ones(size),
        prefill_shift=np.zeros(size),
        prefill_width=np.ones(size),
        corrected=np.zeros(size, dtype=bool),
    )
    formats = arrays(catalog).variants.format[cases.variant]
    for one in corrections:
        own = np.array([bool(bins(machine) & one.chip_ids) for machine in machines], dtype=bool)
        here = own[cases.machine]
        here &= (cases.runtime == one.runtime) & (formats == one.format)
        index = np.flatnonzero(here)
        if not len(index):
            continue
        if one.decode is not None:
            shift, width = one.decode.correction(seen.at(index))
            found.decode_shift[index], found.decode_width[index] = shift, width
            found.corrected[index] = True
        if one.prefill is not None:
            shift, width = one.prefill.correction(prefill_features(catalog, cases.variant[index]))
            found.prefill_shift[index], found.prefill_width[index] = shift, width
    return found
