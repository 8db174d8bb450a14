"""What runs of a computer that is no Mac say of what else it would run; of no Mac anything.

The catalog knows nothing of such a computer. Where arithmetic sets the pace, as on a processor,
a token takes a time for each weight it reads, whatever its bits; how long, the computer's own
runs say. They are weighed as a Mac's are (``calibration``): a starting point that is worth next
to nothing, which runs move, and with it what is like them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from advisor.estimate import calibration
from advisor.estimate.calibration import Known, Spread
from advisor.estimate.corrections import prefill_features

if TYPE_CHECKING:
    from advisor.catalog import Catalog

# Where it starts [s for each weight read], and how far off that may be: e^3 is twenty times.
# The other parts are wide on purpose: nothing public tells how such computers differ.
START_S = 1e-9
SPREAD = Spread(
    offset=3.0, overhead=0.0, context=0.0, kind=0.3, architecture=0.15, model=0.15, variant=0.1,
    noise=0.15,
)  # fmt: skip
EIGHTY_PER_CENT = 1.2816  # standard deviations on either side


@dataclass(frozen=True)
class Learnt:
    """What the runs of one computer and engine taught."""

    known: Known

    def decode_tok_s(
        self, catalog: Catalog, variant: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Speed of variants with a short context, and its 80 % interval [tok/s]."""
        cases = prefill_features(catalog, variant)
        shift, width = self.known.correction(cases)
        before = np.sqrt(calibration.own_variance(SPREAD, cases))
        half = np.exp(EIGHTY_PER_CENT * before * width)
        middle = 1.0 / (_start_s(catalog, variant) * np.exp(shift))
        return middle, middle / half, middle * half


def learn(catalog: Catalog, variant: np.ndarray, decode_tok_s: np.ndarray) -> Learnt:
    """Learn from runs of one computer and engine, one or more: flat arrays of one length."""
    log_error = np.log(1.0 / decode_tok_s / _start_s(catalog, variant))
    return Learnt(calibration.learn(SPREAD, prefill_features(catalog, variant), log_error))


def _start_s(catalog: Catalog, variant: np.ndarray) -> np.ndarray:
    """Seconds of a token before any run: a time for each weight that it reads."""
    model = variant // len(catalog.quant_ids)
    return catalog.shapes["read_params"].to_numpy(dtype=float)[model] * START_S
