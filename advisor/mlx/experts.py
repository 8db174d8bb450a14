"""How many experts a model really uses: a router that favours a few would flatter the time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from advisor.mlx import models


def touched(model: Any, vocab_size: int, *, enough: int, tokens: int = 17) -> int:
    """Different experts that random tokens use, in the layer that uses the fewest; 0 without.

    Each token is a decode step of its own, as in the timed runs; no more are run than show
    ``enough`` experts.
    """
    import mlx.core as mx

    caches = models.fresh_caches(model)
    seen: dict[int, set[int]] = {}
    with _recorded() as used:
        for _ in range(tokens):
            token = mx.random.randint(0, vocab_size, (1, 1))
            mx.eval(model(token, cache=caches))
            for owner, indices in used:
                seen.setdefault(owner, set()).update(indices.flatten().tolist())
            used.clear()
            if not seen or min(map(len, seen.values())) >= enough:
                break
    return min(map(len, seen.values()), default=0)


@contextlib.contextmanager
def _recorded() -> Iterator[list[tuple[int, Any]]]:
    """Yields the (layer, expert numbers) of every call of an expert layer."""
    from mlx_lm.models.switch_layers import QuantizedSwitchLinear, SwitchLinear

    used: list[tuple[int, Any]] = []
    originals = {kind: kind.__call__ for kind in (QuantizedSwitchLinear, SwitchLinear)}

    def watched(original: Any) -> Any:
        def call(self: Any, x: Any, indices: Any, *rest: Any, **named: Any) -> Any:
            used.append((id(self), indices))
            return original(self, x, indices, *rest, **named)

        return call

    for kind, original in originals.items():
        kind.__call__ = watched(original)
    try:
        yield used
    finally:
        for kind, original in originals.items():
            kind.__call__ = original
