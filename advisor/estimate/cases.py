"""What is asked of the engine: arrays of indices into the catalog's tables, broadcastable.

A case is machine × variant (model in one quantization) × runtime × context × cache width × batch.
Rows and machines and contexts on different axes make a grid without copying: every formula
broadcasts, and terms that do not depend on the context are computed once.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Cases:
    """Arrays that broadcast against each other.

    machine         index into the list of machines given with them [int]
    variant         index into ``catalog.variants`` [int]
    runtime         index into ``catalog.runtime_ids`` [int]
    context_tokens  tokens in the cache when a token is decoded [int or float]
    kv_bits         bits of a cache element: 16, 8 or 4
    batch           sequences decoded together, 1 or more
    """

    machine: np.ndarray
    variant: np.ndarray
    runtime: np.ndarray
    context_tokens: np.ndarray
    kv_bits: np.ndarray
    batch: np.ndarray
