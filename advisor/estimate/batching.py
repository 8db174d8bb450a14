"""Several sequences decoded together: weights are read once for all, the rest is paid by each.

A step of B sequences reads the experts that any of them chose, each sequence's own cache, and
costs each further sequence a share of the single step for its arithmetic, sampling and serving.
"""

from __future__ import annotations

import numpy as np


def streams_s(*, single_step_s: np.ndarray, batch: np.ndarray, stream_share: float) -> np.ndarray:
    """Seconds that the sequences beyond the first add to a step, beside experts and cache.

    single_step_s   overhead and weights of a step of one sequence [s]
    stream_share    what a further sequence costs, as a share of that; fitted (``options``)
    """
    return (batch - 1) * stream_share * single_step_s


def aggregate_tok_s(*, step_s: np.ndarray, batch: np.ndarray) -> np.ndarray:
    """Tokens per second of all sequences together; each of them gets ``1 / step_s``."""
    return batch / step_s
