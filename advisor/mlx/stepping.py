"""Decode steps and prompts timed as mlx-lm runs them: its own ``generate_step``, our own clock.

Tokens are random, so that the router of a mixture of experts sees different ones. Each step
still pays for the head and for the choice of the likeliest token. ``generate_step`` runs one
step ahead of what it yields: from one token to the next passes the time of one step, but what
came before the first token is none.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from advisor.mlx import models, synthetic


@dataclass(frozen=True)
class Interval:
    """One step: time that passed, and processor time of this process [s]."""

    wall_s: float
    cpu_s: float


def decode(
    model: Any, caches: Sequence[Any], depth: int, vocab_size: int, steps: int
) -> list[Interval]:
    """Times of ``steps`` single tokens at a depth; the caches are set back to it first."""
    import mlx.core as mx
    from mlx_lm.generate import generate_step

    synthetic.rewind(caches, depth)

    def sampler(scores: Any) -> Any:
        likeliest = mx.argmax(scores, axis=-1)
        return (likeliest + mx.random.randint(0, vocab_size, likeliest.shape)) % vocab_size

    times, last = [], None
    steps_ahead = generate_step(
        mx.random.randint(0, vocab_size, (1,)), model, prompt_cache=list(caches),
        max_tokens=steps + 1, sampler=sampler,
    )  # fmt: skip
    for _ in steps_ahead:
        now = (time.perf_counter(), time.process_time())
        if last is not None:
            times.append(Interval(now[0] - last[0], now[1] - last[1]))
        last = now
    return times


def prefill(model: Any, vocab_size: int, tokens: int) -> Interval:
    """Time from a prompt of random tokens to the first token, with an empty cache."""
    import mlx.core as mx
    from mlx_lm.generate import generate_step

    prompt = mx.random.randint(0, vocab_size, (tokens,))
    mx.eval(prompt)
    caches = models.fresh_caches(model)
    start = (time.perf_counter(), time.process_time())
    for _ in generate_step(prompt, model, prompt_cache=caches, max_tokens=0):
        pass
    return Interval(time.perf_counter() - start[0], time.process_time() - start[1])
