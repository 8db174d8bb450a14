"""Which shorter models to time, and how their times add up to the whole model's.

A step's time is linear in the number of layers of each kind: t = outside + sum(n_k * t_k). With
the counts n of some slices as rows, weights w with ``sum(w * n) = n of the whole`` and
``sum(w) = 1`` give the whole model's time as ``sum(w * t)``: exact in the counts, and no time of
a single layer is ever needed. Noise of the slices' times grows with ``sum(w ** 2)``, so of the
designs that are exact the one with the least is taken.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

MOST_LAYERS = 6
MOST_PERIODS = 3
# A single layer may run unlike the same layer between others, so it is taken only if it must be.
FEWEST_LAYERS = 2
# Beyond this the whole time would be a small difference of big ones.
MOST_NOISE = 120.0
CLOSE = 1e-6


@dataclass(frozen=True)
class Slice:
    """A shorter model: numbers of the layers it takes from the whole, and their kinds.

    interval   what its config says instead of the whole config's interval of kinds
    """

    pick: tuple[int, ...]
    counts: tuple[tuple[str, int], ...]
    interval: int | None = None

    @property
    def layers(self) -> int:
        return sum(n for _, n in self.counts)


@dataclass(frozen=True)
class Design:
    """Slices, and the weight of each one's time in the time of the whole model.

    outside   weights that give the time of no layers at all: embedding and head; empty where
              the slices cannot tell
    """

    slices: tuple[Slice, ...]
    weights: tuple[float, ...]
    outside: tuple[float, ...] = ()

    @property
    def noise(self) -> float:
        """How much larger the whole time's error is than one slice's [-]."""
        return float(np.sqrt(np.sum(np.square(self.weights))))

    @property
    def cost(self) -> tuple[float, int]:
        """Noise in equal time (each slice takes a share of the repeats), then layers."""
        return self.noise * len(self.slices) ** 0.5, sum(one.layers for one in self.slices)


def slice_of(kinds: Sequence[str], pick: Iterable[int], interval: int | None = None) -> Slice:
    """The slice of the picked layers of a model whose layers have these kinds."""
    chosen = tuple(sorted(pick))
    counts = Counter(kinds[number] for number in chosen)
    return Slice(chosen, tuple(sorted(counts.items())), interval)


def compositions(kinds: Sequence[str], most: int = MOST_LAYERS) -> Iterator[Slice]:
    """Slices with the first few layers of each kind, at most ``most`` layers in all."""
    places: dict[str, list[int]] = {}
    for number, kind in enumerate(kinds):
        places.setdefault(kind, []).append(number)
    if len(kinds) <= most:
        yield slice_of(kinds, range(len(kinds)))
    ranges = [range(1, min(len(found), most) + 1) for found in places.values()]
    for numbers in itertools.product(*ranges):
        if sum(numbers) <= min(most, len(kinds)):
            taken = zip(places.values(), numbers, strict=True)
            yield slice_of(kinds, itertools.chain(*(found[:n] for found, n in taken)))


def periods(kinds: Sequence[str]) -> Iterator[Slice]:
    """Slices of one, two and three whole periods from the first layer on, first layers apart.

    One more holds a period and what is left over at the end, where something is.
    """
    first, period = period_of(kinds)
    if first > MOST_LAYERS or first + 2 * period > len(kinds):
        return
    left_over = (len(kinds) - first) % period
    ends = [first + n * period for n in range(1, MOST_PERIODS + 1)]
    if left_over:
        ends.insert(1, first + period + left_over)
    for end in ends:
        if end <= len(kinds):
            yield slice_of(kinds, range(end))


def period_of(kinds: Sequence[str]) -> tuple[int, int]:
    """How many first layers stand apart, and the length of the period that follows [layers]."""
    total = len(kinds)
    for first in range(total):
        for period in range(1, (total - first) // 2 + 1):
            if all(kinds[i] == kinds[i + period] for i in range(first, total - period)):
                return first, period
    return 0, total


def best(
    whole: Mapping[str, int],
    slices: Iterable[Slice],
    *,
    most_bytes: float,
    bytes_of: Mapping[str, int],
) -> Design | None:
    """The exact design with the least noise whose layers weigh at most ``most_bytes``.

    bytes_of   weight of one layer of each kind; slices share their layers, so a design weighs
               the most layers of each kind that one of its slices has [bytes]
    None where no slices add up to the whole.
    """
    rows: dict[tuple[tuple[str, int], ...], Slice] = {}
    for one in slices:
        if one.layers >= min(FEWEST_LAYERS, sum(whole.values())):
            rows.setdefault(one.counts, one)
    light = [one for one in rows.values() if layer_bytes([one], bytes_of) <= most_bytes]
    designs = [
        design
        for size in range(1, len(whole) + 2)
        for chosen in itertools.combinations(light, size)
        if layer_bytes(chosen, bytes_of) <= most_bytes
        and (design := _design(whole, chosen)) is not None
    ]
    found = min(designs, key=lambda design: design.cost, default=None)
    return with_outside(found, whole) if found else None


def layer_bytes(slices: Iterable[Slice], bytes_of: Mapping[str, int]) -> int:
    """Bytes of the layers that slices need together when they share them [bytes]."""
    most: Counter[str] = Counter()
    for one in slices:
        most |= Counter(dict(one.counts))
    return sum(bytes_of[kind] * n for kind, n in most.items())


def _design(whole: Mapping[str, int], chosen: Sequence[Slice]) -> Design | None:
    rows = np.array([[1.0, *(dict(one.counts).get(kind, 0) for kind in whole)] for one in chosen])
    weights = _solved(rows, np.array([1.0, *whole.values()]))
    if len(weights) == 0 or np.any(np.abs(weights) < CLOSE):
        return None
    design = Design(tuple(chosen), tuple(float(weight) for weight in weights))
    return design if design.noise <= MOST_NOISE else None


def with_outside(design: Design, whole: Mapping[str, int]) -> Design:
    """The design with the weights of embedding and head, where its slices tell them."""
    rows = np.array(
        [[1.0, *(dict(one.counts).get(kind, 0) for kind in whole)] for one in design.slices]
    )
    outside = _solved(rows, np.array([1.0, *(0.0 for _ in whole)]))
    return replace(design, outside=tuple(float(weight) for weight in outside))


def _solved(rows: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Weights of the rows that give the target exactly; empty where none do."""
    weights, *_ = np.linalg.lstsq(rows.T, target, rcond=None)
    exact = np.max(np.abs(rows.T @ weights - target)) <= CLOSE * max(1.0, target.max())
    return weights if exact else np.array([])
