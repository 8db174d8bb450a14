"""A calibration: points chosen for this computer, measured one by one, each kept as it ends.

The store knows no measuring and the measuring knows no store; here they meet, for the page and
the command line alike. A run is on the disk before the next point starts, so whatever ends a
calibration, finished runs are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from advisor.advice import kept_runs, this_machine
from advisor.advice.run_machine import run_machine
from advisor.bench import guard, point, whole
from advisor.bench.point import Point
from advisor.bench.runner import Event, Runner
from advisor.catalog import Catalog
from advisor.detect import Detected
from advisor.errors import InputError
from advisor.runs import Run, Store

# What a point takes beside its repeats: to start, to compile, to build.
AROUND_S = 4.0


@dataclass(frozen=True)
class Happened:
    """An event of the calibration, and the runs that were kept by it."""

    event: Event
    kept: tuple[Run, ...] = ()


class Calibration:
    """Measures points and keeps what they give."""

    def __init__(
        self,
        catalog: Catalog,
        store: Store,
        points: Sequence[Point],
        *,
        found: Detected | None = None,
        runner: Runner | None = None,
    ) -> None:
        self._catalog = catalog
        self._store = store
        self._machine = run_machine(found or this_machine.detected())
        self._runner = runner or Runner(points)
        self.points = tuple(points)

    def cancel(self) -> None:
        """Stop now; what is finished stays."""
        self._runner.cancel()

    def events(self) -> Iterator[Happened]:
        """What happens, until all points are done or cancelled."""
        events = self._runner.events()
        try:
            for event in events:
                found = event.measurement
                kept = kept_runs.runs_of(self._catalog, found, self._machine) if found else ()
                if kept:
                    self._store.add_all(kept)
                yield Happened(event, kept)
        finally:
            events.close()  # type: ignore[attr-defined]


def choose(
    catalog: Catalog,
    found: Detected,
    *,
    models: Sequence[str] = (),
    quants: Sequence[str] = (),
    on_disk: Sequence[str] = (),
    quick: bool = False,
) -> list[Point]:
    """The points to measure on this computer: ``models`` by slices, ``on_disk`` whole and by
    slices, without either the quick ones.

    Raises ``InputError`` for what cannot be measured, and without MLX.
    """
    if not found.mlx_backend:
        raise InputError(
            "MLX does not run on this computer, and measuring needs it. Install mlx-lm as the "
            "README says; it runs on Macs with Apple silicon and on Linux."
        )
    metal = found.mlx_backend == "metal"
    points: list[Point] = []
    if models or not on_disk:
        points += point.chosen(catalog, models, quants, quick=quick or not models, metal=metal)
    for model in on_disk:
        one = whole.of(model, quick=quick, metal=metal)
        points += [one, whole.slices_of(one)]
    return [replace(one, most_bytes=most_bytes(found)) for one in points]


def most_bytes(found: Detected) -> int | None:
    """What a run may take of this Mac's memory [bytes]; None: what the system says is free."""
    if not found.is_mac or found.memory_bytes is None or found.in_use_bytes is None:
        return None
    free = found.memory_bytes - found.in_use_bytes
    limit = found.metal_limit_bytes or found.memory_bytes
    return int(max(0, min(free, limit)) * guard.USABLE_SHARE)


def expected_s(points: Sequence[Point]) -> float:
    """About how long the points take [s]."""
    return sum(one.limit_s + AROUND_S for one in points)
