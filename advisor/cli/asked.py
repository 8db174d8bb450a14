"""What a line of a CSV file asks: machine, variant, runtime, context; or what is not understood."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from advisor.advice.this_machine import find, with_own_runs
from advisor.catalog import Catalog
from advisor.catalog.names import resolve
from advisor.catalog.shapes import Machine
from advisor.detect import THIS
from advisor.errors import InputError
from advisor.estimate import plan
from advisor.estimate.cases import Cases

DEFAULT_CONTEXT_TOKENS = 512


@dataclass
class Row:
    """What one line of the file asks, or the parts of it that are not understood."""

    machine: Machine | None = None
    variant: int = 0
    runtime: int = 0
    context_tokens: float = 0
    batch: float = 1
    assumed: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def understand(catalog: Catalog, cells: Mapping[str, str]) -> Row:
    """One line's question. Nothing raises: what is not understood is in ``problems``."""
    row = Row()
    gpu_cores = _number(cells, "gpu_cores", row)
    memory_gb = _number(cells, "memory_gb", row)
    try:
        macos = cells.get("macos", "").strip() or None
        if cells["chip"].strip().lower() == THIS:
            row.machine = _this(catalog, gpu_cores, memory_gb, macos)
        else:
            given = catalog.machine_from_parts(cells["chip"], gpu_cores, memory_gb, macos)
            row.machine = with_own_runs(catalog, given)
    except InputError as error:
        row.problems.append(str(error))
    else:
        row.assumed += row.machine.assumed
    found = resolve(
        catalog, cells["model"], cells["quant"], cells["runtime"], cells.get("note", "")
    )
    row.assumed += found.assumed
    if found.problem:
        row.problems.append(found.problem)
    else:
        row.variant = catalog.variant_index(found.model_id, found.quant_id)
        row.runtime = catalog.runtime_ids.index(cells["runtime"].strip().lower())
    row.context_tokens = _count(
        cells, "context_tokens", row, DEFAULT_CONTEXT_TOKENS, 0, plan.MOST_CONTEXT_TOKENS
    )
    row.batch = _count(cells, "batch", row, 1, 1, plan.MOST_BATCH)
    if not row.problems:
        most = int(catalog.shapes["max_context_tokens"].iat[row.variant // len(catalog.quant_ids)])
        if most and row.context_tokens > most:
            row.assumed.append(f"context past the model's own maximum of {most}")
    return row


def _this(
    catalog: Catalog, gpu_cores: float | None, memory_gb: float | None, macos: str | None
) -> Machine:
    """The Mac it is asked on; what the row says of it besides must be so."""
    machine = find(catalog, THIS, macos=macos)
    for name, given, told in (
        ("gpu_cores", gpu_cores, machine.chip.gpu_cores),
        ("memory_gb", memory_gb, machine.memory_gb),
    ):
        if given is not None and given != told:
            raise InputError(f"{name} is {told} on this Mac, not {given:g}")
    return machine


def machines_of(rows: Sequence[Row]) -> list[Machine]:
    """The machine of each row. By identity: equal ones are kept apart, which costs nothing."""
    return [row.machine for row in rows if row.machine is not None]


def cases_of(rows: Sequence[Row]) -> Cases:
    """The rows without a problem as flat cases, one a row, each on its own machine."""
    return Cases(
        machine=np.arange(len(rows)),
        variant=np.array([row.variant for row in rows]),
        runtime=np.array([row.runtime for row in rows]),
        # A context of 0 times the first token, which reads an almost empty cache.
        context_tokens=np.maximum([row.context_tokens for row in rows], 1.0),
        kv_bits=np.array(16),
        batch=np.array([row.batch for row in rows]),
    )


def _number(cells: Mapping[str, str], name: str, row: Row) -> float | None:
    """A cell as a number; None where it is blank. What is no number is a problem of the row."""
    text = cells.get(name, "").strip()
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        row.problems.append(f"{name} {text!r} is not a number")
        return None
    return value


def _count(
    cells: Mapping[str, str], name: str, row: Row, default: int, least: int, most: int
) -> float:
    """A cell as a whole number in its range; where it is blank, the default and a word of it."""
    if not cells.get(name, "").strip():
        row.assumed.append(f"{name}={default}")
        return default
    value = _number(cells, name, row)
    if value is None:
        return default
    if value != int(value) or not least <= value <= most:
        row.problems.append(
            f"{name} must be a whole number from {least} to {most:,}, not {value:g}"
        )
    return value
