"""Speculative decoding: a round drafts tokens, checks them in one step, and keeps what agrees.

It pays where a check of several tokens costs little more than a step of one: dense models in
wide quantizations, few sequences. Source: Leviathan, Kalman and Matias, Fast Inference from
Transformers via Speculative Decoding (2023), theorem 3.8 and equation 1.
"""

from __future__ import annotations

import numpy as np

from advisor.estimate.decode import distinct_expert_share

NARROW_BITS = 4.5  # quantizations of fewer bits cost more to unpack for each token checked


def accepted_tokens(*, acceptance: np.ndarray, drafted_tokens: np.ndarray) -> np.ndarray:
    """Tokens a round yields on average, the one that the check itself gives included.

    acceptance   share of drafted tokens that agree, each alike, 0 to 1 [-]
    """
    a, drafted = np.asarray(acceptance, dtype=float), np.asarray(drafted_tokens, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        series = (1.0 - a ** (drafted + 1)) / (1.0 - a)
    return np.where(a >= 1.0, drafted + 1, series)


def round_steps(
    *,
    drafted_tokens: np.ndarray,
    expert_share: np.ndarray,
    experts_step_share: np.ndarray,
    draft_share: float,
    check_share: np.ndarray,
) -> np.ndarray:
    """What a round costs in plain steps: one check of all drafted tokens, and the drafting.

    expert_share         top_k / experts; 0 for a dense model
    experts_step_share   share of a plain step that goes into reading experts [-]
    draft_share          what drafting costs a round, in plain steps; fitted (``options``)
    check_share          what each further token checked costs, in plain steps; fitted
    """
    share = np.asarray(expert_share, dtype=float)
    touched = distinct_expert_share(share, np.asarray(drafted_tokens) + 1.0)
    more = np.divide(touched, share, out=np.ones_like(touched), where=share > 0) - 1.0
    return 1.0 + draft_share + experts_step_share * more + check_share * drafted_tokens


def speedup(*, accepted_tokens: np.ndarray, round_steps: np.ndarray) -> np.ndarray:
    """Tokens per second over those of plain decoding [-]; below 1 it is slower."""
    return accepted_tokens / round_steps
