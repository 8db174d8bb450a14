"""Random weights that are born quantized: a model to time, without a download.

What a matrix product costs does not depend on the numbers, so any finite ones do; but the
router of a mixture of experts must send tokens to many experts, so the bits are random, not
zero, and all of them (a 32-bit ``randint`` leaves the low ones zero). No 16-bit copy of the
weights ever exists and big arrays are made in pieces, so the peak stays near the size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from advisor.mlx import layers as layer_kinds

PIECE_BYTES = 32 * 1024 * 1024
# Of the float that an mxfp4, mxfp8 or nvfp4 group shares; 2 ** (121 - 127) keeps sums finite.
SHARED_EXPONENT = 121

Pool = dict[tuple[str, ...], Any]


def fill(model: Any, pool: Pool, dtype: Any) -> None:
    """Give a lazy model random weights in place, taking from ``pool`` what it already holds.

    Models cut from one config share a pool: a layer of a kind, and all that stands outside the
    layers, is made once.
    """
    import mlx.core as mx

    modules = dict(model.named_modules())
    for path, key, lazy in _arrays(model):
        if key not in pool:
            owner_path, _, name = path.rpartition(".")
            pool[key] = _random(modules.get(owner_path), name, lazy, _kept(model, path, dtype))
            mx.eval(pool[key])
            mx.clear_cache()
        _put(model, modules, path, pool[key])
    model.eval()


def missing_bytes(model: Any, pool: Pool, dtype: Any) -> int:
    """Bytes that ``fill`` would add to the pool; nothing is evaluated [bytes]."""
    return sum(bytes_of(lazy, _kept(model, path, dtype)) for path, key, lazy in _arrays(model)
               if key not in pool)  # fmt: skip


def bytes_by_kind(model: Any, dtype: Any) -> tuple[int, dict[str, int]]:
    """Bytes outside the layers, and of one layer of each kind; nothing is evaluated [bytes]."""
    outside = 0
    inside: dict[str, int] = {}
    for path, key, lazy in _arrays(model):
        size = bytes_of(lazy, _kept(model, path, dtype))
        if key[0] == "outside":
            outside += size
        elif key[1] == "0":
            inside[key[0]] = inside.get(key[0], 0) + size
    return outside, inside


def bytes_of(lazy: Any, dtype: Any) -> int:
    """Bytes of an array once its floats are of the dtype."""
    import mlx.core as mx

    floats = mx.issubdtype(lazy.dtype, mx.floating)
    return int(math.prod(lazy.shape) * (dtype.size if floats else lazy.dtype.size))


def _arrays(model: Any) -> Iterator[tuple[str, tuple[str, ...], Any]]:
    """Path, key in the pool, and lazy array of every parameter.

    The key of an array of a layer is the kind, how many of that kind stand before it, and the
    path within the layer.
    """
    from mlx.utils import tree_flatten

    kinds = layer_kinds.kinds(model)
    starts = {
        f"{path}.": (kinds[place], str(kinds[:place].count(kinds[place])))
        for path, place in layer_kinds.paths(model).items()
    }
    for path, array in tree_flatten(model.parameters()):
        start = next((start for start in starts if path.startswith(start)), None)
        if start is None:
            yield path, ("outside", path), array
        else:
            yield path, (*starts[start], path.removeprefix(start)), array


def _kept(model: Any, path: str, dtype: Any) -> Any:
    """The dtype of an array: what the model keeps in float32 stays."""
    import mlx.core as mx

    return dtype if getattr(model, "cast_predicate", lambda _path: True)(path) else mx.float32


def _put(model: Any, modules: dict[str, Any], path: str, array: Any) -> None:
    owner_path, _, name = path.rpartition(".")
    if owner_path in modules:
        modules[owner_path][name] = array
    else:  # an array in a list of arrays
        model.load_weights([(path, array)], strict=False)


def _random(owner: Any, name: str, lazy: Any, dtype: Any) -> Any:
    import mlx.core as mx

    shape = lazy.shape
    if lazy.dtype == mx.uint32:
        return _pieces(shape, mx.uint32, _bits)
    if lazy.dtype == mx.uint8:
        if name == "scales":
            return mx.full(shape, SHARED_EXPONENT, dtype=mx.uint8)
        return _pieces(shape, mx.uint8, lambda part: mx.random.randint(0, 256, part, mx.uint8))
    if not mx.issubdtype(lazy.dtype, mx.floating):
        return mx.zeros(shape, dtype=lazy.dtype)
    if owner is not None and "scales" in owner and name in ("scales", "biases"):
        width = owner.weight.shape[-1] * 32 // owner.bits
        most = math.sqrt(3 / width)
        return mx.full(shape, 2 * most / (2**owner.bits - 1) if name == "scales" else -most, dtype)
    if len(shape) >= 2:
        spread = 1 / math.sqrt(shape[-1])
        return _pieces(shape, dtype, lambda part: mx.random.normal(part, dtype, scale=spread))
    return mx.ones(shape, dtype) if name in ("weight", "global_scale") else mx.zeros(shape, dtype)


def _bits(shape: tuple[int, ...]) -> Any:
    import mlx.core as mx

    halves = (*shape[:-1], 2 * shape[-1])
    return mx.random.randint(0, 1 << 16, halves, dtype=mx.uint16).view(mx.uint32)


def _pieces(shape: tuple[int, ...], dtype: Any, make: Any) -> Any:
    """An array made in pieces along its first two axes, so that what making takes is small."""
    import mlx.core as mx

    rows = math.prod(shape[:-1])
    step = max(1, PIECE_BYTES // (shape[-1] * dtype.size))
    if rows <= step:
        return make(tuple(shape))
    whole = mx.zeros((rows, shape[-1]), dtype=dtype)
    mx.eval(whole)
    for start in range(0, rows, step):
        whole[start : start + step] = make((min(step, rows - start), shape[-1]))
        mx.eval(whole)
    return whole.reshape(shape)
