"""From measured runs of one person's machine to corrections, engine by engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from advisor.catalog.shapes import Machine
from advisor.estimate import calibration, coefficients, plan
from advisor.estimate.arrays import arrays
from advisor.estimate.cases import Cases
from advisor.estimate.corrections import Correction, bins, features, prefill_features

if TYPE_CHECKING:
    from advisor.catalog import Catalog


@dataclass(frozen=True)
class Lesson:
    """What runs taught: corrections, and which runs were too odd to be used."""

    corrections: tuple[Correction, ...]
    odd: np.ndarray
    ratio: np.ndarray  # measured over predicted tokens per second


def learn(
    catalog: Catalog,
    machines: Sequence[Machine],
    cases: Cases,
    decode_tok_s: np.ndarray,
    prefill_tok_s: np.ndarray | None = None,
) -> Lesson:
    """Learn from runs, one a case: flat arrays; NaN where a speed was not measured.

    Runs of one chip and engine teach only of that chip and engine, against what is predicted
    without any run.
    """
    plain = [replace(machine, taught=()) for machine in machines]
    found = plan.answer(catalog, plain, cases)
    fitted = coefficients.load(catalog)
    size = len(cases.variant)

    def flat(values: np.ndarray) -> np.ndarray:
        return np.broadcast_to(values, (size,))

    seen = features(
        catalog,
        cases.variant,
        flat(found["overhead_s"] / found["step_s"]),
        flat(found["kv_s"] / found["step_s"]),
    )
    decode_error = np.log(flat(found["decode_tok_s"]) / decode_tok_s)
    prompts = np.full(size, np.nan) if prefill_tok_s is None else prefill_tok_s
    prefill_error = np.log(flat(found["prefill_tok_s"]) / prompts)
    chips = np.array([bins(machine) for machine in machines], dtype=object)[cases.machine]
    formats = arrays(catalog).variants.format[cases.variant]
    keys = list(zip(chips, flat(cases.runtime).tolist(), formats.tolist(), strict=True))
    odd = np.zeros(size, dtype=bool)
    corrections = []
    for key in dict.fromkeys(keys):
        here = np.array([other == key for other in keys])
        timed = np.flatnonzero(here & np.isfinite(decode_error))
        decode = prefill = None
        if len(timed):
            decode = calibration.learn(fitted.spread, seen.at(timed), decode_error[timed])
            odd[timed[~decode.used]] = True
            decode = decode if decode.used.any() else None
        read = np.flatnonzero(here & np.isfinite(prefill_error) & ~odd)
        if len(read):
            prefill = calibration.learn(
                fitted.prefill_spread,
                prefill_features(catalog, cases.variant[read]),
                prefill_error[read],
            )
        chip_ids, runtime, format_ = key
        corrections.append(Correction(chip_ids, runtime, format_, decode, prefill))
    return Lesson(tuple(corrections), odd, np.exp(-decode_error))
