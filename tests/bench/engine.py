"""The engine: the whole table of one machine, and a grid of a million cells."""

from collections.abc import Iterator

import numpy as np

from advisor.catalog import load
from advisor.estimate import plan
from advisor.estimate.cases import Cases
from tests.bench.clock import line, median_s

MACHINES = ("mac-mini-m4-16", "mac-mini-m4-pro-48")


def table() -> Iterator[str]:
    catalog = load()
    machine = catalog.machine(MACHINES[0])
    rows = len(plan.table(catalog, [machine]))
    seconds = median_s(lambda: plan.table(catalog, [machine]))
    yield line("whole-catalog table, one machine: rows", f"{rows:,}", ">= 2,500")
    yield line("whole-catalog table, one machine: warm", f"{seconds * 1e3:.1f} ms", "<= 20 ms")


def grid() -> Iterator[str]:
    catalog = load()
    machines = [catalog.machine(name) for name in MACHINES]
    cases = Cases(
        machine=np.arange(2)[None, :, None],
        variant=np.arange(5000)[:, None, None],
        runtime=np.array(1),
        context_tokens=np.linspace(512, 131072, 100)[None, None, :],
        kv_bits=np.array(16),
        batch=np.array(1),
    )
    shape = plan.decode_grid(catalog, machines, cases).shape
    seconds = median_s(lambda: plan.decode_grid(catalog, machines, cases))
    bandwidth, read = np.full(shape, 273e9), np.random.default_rng(1).uniform(1e9, 5e10, shape)
    bare = median_s(lambda: bandwidth / read)
    cells = int(np.prod(shape))
    yield line(f"grid of {cells:,} cells", f"{cells / seconds / 1e6:.0f} M/s", ">= 2 M/s")
    yield line("grid over the bare division of arrays of its size", f"{seconds / bare:.1f} x",
               "goal <= 5 x")  # fmt: skip
