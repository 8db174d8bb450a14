"""Corrections of predictions by runs of the same machine and engine, applied to any cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
# Of what is one Mac's own, the share that another Mac of the same person is taken to have.
# Public measurers of several chips (seven with the engine named, on 2 to 14 chips): the line
# through their errors on one chip and on another has a slope of 0.1. With a quarter the median
# error is no larger than with none; with a half the mean grows by a sixth.
CARRIED_SHARE = 0.25


@dataclass(frozen=True)
class Correction:
    """What runs taught of one machine and engine; ``prefill`` where they say anything of it.

    ``carried`` names the chip that the runs are of where it is carried over to other Macs.
    """

    chip_ids: frozenset[str]
    runtime: int
    format: int
    decode: Known | None
    prefill: Known | None
    carried: str = ""

    def on_other_macs(self, chip: str) -> Correction:
        """The same for Macs of the same person that were not measured; ``chip`` was.

        What is the measured Mac's own, whatever it runs, moves them by ``CARRIED_SHARE``; what
        models or kinds have of their own stays. Their interval is never narrower than without
        runs, nor than the measured Mac's. For Macs of one person and engine; where the measured
        chip stands out itself, the share is too much.
        """
        return replace(self, chip_ids=frozenset(), carried=chip)


@dataclass(frozen=True, slots=True)
class Effect:
    """On each case: added to the log of seconds, width over the former, and if at all."""

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


def in_order(
    corrections: Sequence[Correction], machines: Sequence[Machine]
) -> tuple[Correction, ...]:
    """Given corrections and those that the machines carry, each once.

    Where several are of one case the last holds: a Mac's own runs before what is given, that
    before what is carried over.
    """
    taught = {id(one): one for machine in machines for one in machine.taught}.values()
    return (
        *(one for one in taught if one.carried),
        *corrections,
        *(one for one in taught if not one.carried),
    )


def effect(
    catalog: Catalog,
    corrections: Sequence[Correction],
    machines: Sequence[Machine],
    cases: Cases,
    overhead_share: np.ndarray,
    context_share: np.ndarray,
) -> Effect:
    """What the corrections do to cases on these machines, in the shape of the shares.

    A machine whose bin is left open is taken as the one that was measured, where it may be.
    What a machine carries itself (``taught``) is of no other.
    """
    shape = np.broadcast_shapes(
        overhead_share.shape, context_share.shape, np.shape(cases.machine),
        np.shape(cases.variant), np.shape(cases.runtime),
    )  # fmt: skip

    def flat(values: np.ndarray) -> np.ndarray:
        return np.broadcast_to(values, shape).ravel()

    machine, variant, runtime = flat(cases.machine), flat(cases.variant), flat(cases.runtime)
    seen = features(catalog, variant, flat(overhead_share), flat(context_share))
    size = len(variant)
    decode_shift, prefill_shift = np.zeros(size), np.zeros(size)
    decode_width, prefill_width = np.ones(size), np.ones(size)
    corrected = np.zeros(size, dtype=bool)
    formats = arrays(catalog).variants.format[variant]
    owned = {id(one) for each in machines for one in each.taught}
    for one in corrections:
        own = [
            bool(one.carried or bins(each) & one.chip_ids)
            and (id(one) not in owned or any(one is mine for mine in each.taught))
            for each in machines
        ]
        here = np.array(own, dtype=bool)[machine]
        here &= (runtime == one.runtime) & (formats == one.format)
        index = np.flatnonzero(here)
        if not len(index):
            continue
        if one.decode is not None:
            decode_shift[index], decode_width[index] = _moved(one, one.decode, seen.at(index))
            corrected[index] = True
        if one.prefill is not None:
            prompts = prefill_features(catalog, variant[index])
            prefill_shift[index], prefill_width[index] = _moved(one, one.prefill, prompts)
    found = (decode_shift, decode_width, prefill_shift, prefill_width, corrected)
    return Effect(*(values.reshape(shape) for values in found))


def _moved(one: Correction, known: Known, cases: Features) -> tuple[np.ndarray, np.ndarray]:
    shift, width = known.correction(cases)
    if not one.carried:
        return shift, width
    return np.full(len(shift), CARRIED_SHARE * known.offset), np.maximum(width, 1.0)
