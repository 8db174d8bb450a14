"""Does it fit: one of four words, and the wired limit that would change the answer."""

from __future__ import annotations

import numpy as np

FITS, RAISE_LIMIT, PAGES, NO = "fits", "raise_limit", "pages", "no"
VERDICTS = (FITS, RAISE_LIMIT, PAGES, NO)


def verdict(
    *,
    total_bytes: np.ndarray,
    budget_bytes: np.ndarray,
    unused_bytes: np.ndarray,
    raised_bytes: np.ndarray,
    paging_bytes: np.ndarray,
    runs_on_mlx: np.ndarray,
) -> np.ndarray:
    """The verdict of each case; "" where the memory size is not known.

    fits          inside the budget
    raise_limit   inside what is free once the wired limit is raised to ``raised_bytes``
    pages         MLX grants the memory while the machine crawls
    no            none of these; llama.cpp fails above the limit
    """
    total = np.asarray(total_bytes)
    choices = [
        np.isnan(budget_bytes),
        total <= budget_bytes,
        (total <= raised_bytes) & (total <= unused_bytes),
        runs_on_mlx & (total <= paging_bytes),
    ]
    return np.select(
        np.broadcast_arrays(*choices), ["", FITS, RAISE_LIMIT, PAGES], default=NO
    ).astype(object)
