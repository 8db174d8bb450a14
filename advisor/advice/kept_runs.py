"""From measurements to runs that are kept: of this computer, or what other programs printed.

A measurement holds several depths and prompts of one model; each becomes a run of its own, so
that a depth can be left out, compared or carried alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from advisor.bench import imports
from advisor.bench.measurement import Measurement, PromptAt, StepAt
from advisor.catalog import Catalog
from advisor.runs import jsonl
from advisor.runs.matching import matched
from advisor.runs.run import Run, RunMachine, new

APPLE = "Apple "
# Of a measurement, what a run keeps in its settings.
HOW_IT_WAS_MADE = (
    "how", "slices", "layers", "outside_s", "experts_touched", "weight_bytes", "dtype", "device",
    "metal", "mlx_version",
)  # fmt: skip


def runs_of(
    catalog: Catalog, measured: Measurement, machine: RunMachine, *, created: str | None = None
) -> tuple[Run, ...]:
    """A run for each depth and each prompt of a measurement, matched with the catalog.

    Raises ``InputError`` where a figure cannot be one of a run.
    """
    moment = {"created": created} if created else {}
    return tuple(
        matched(catalog, new(**_shared(catalog, measured, machine), **moment, **point))
        for point in _points(measured)
    )


def read(
    catalog: Catalog, text: str, machine: RunMachine, *, model: str = "", quant: str = ""
) -> list[Run]:
    """The runs of a text: an export of runs, or what another program printed, by ``machine``.

    Where llama-bench names another Apple chip than the machine's, the run is that chip's.
    Raises ``InputError`` that says what is not understood; then no run is.
    """
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    if not first or jsonl.FORMAT in first:
        return [matched(catalog, run) for run in jsonl.read(lines)]
    return [
        run
        for measured in imports.read(text, model=model, quant=quant)
        for run in runs_of(catalog, measured, _machine_of(measured, machine))
    ]


def _machine_of(measured: Measurement, machine: RunMachine) -> RunMachine:
    chip = measured.device.removeprefix(APPLE)
    if not measured.device.startswith(APPLE) or chip == machine.chip:
        return machine
    return RunMachine(chip=chip, is_mac=True)


def _shared(catalog: Catalog, measured: Measurement, machine: RunMachine) -> dict[str, Any]:
    return {
        "kind": measured.kind,
        "machine": machine,
        "runtime": measured.runtime,
        "runtime_version": measured.runtime_version,
        "model": measured.model,
        "quant": measured.quant_id,
        "peak_memory_bytes": measured.peak_memory_bytes or None,
        "warnings": measured.warnings,
        "catalog_digest": catalog.digest,
    }


def _points(measured: Measurement) -> Iterator[dict[str, Any]]:
    """Fields of each depth, then of each prompt, whose spread is in its settings."""
    made = {name: getattr(measured, name) for name in HOW_IT_WAS_MADE}
    made = {name: value for name, value in made.items() if value not in ("", (), None)}
    for step in measured.steps:
        yield {
            "context_tokens": step.context_tokens,
            "decode_tok_s": step.decode_tok_s,
            **dict(zip(("decode_low", "decode_high"), _rates(1, step), strict=True)),
            "samples": step.samples,
            "settings": {**made, "repeats": step.repeats, "slices_s": step.slices_s},
        }
    for prompt in measured.prompts:
        spread = zip(
            ("prefill_low", "prefill_high"), _rates(prompt.prompt_tokens, prompt), strict=True
        )
        yield {
            "context_tokens": prompt.prompt_tokens,
            "prompt_tokens": prompt.prompt_tokens,
            "prefill_tok_s": prompt.prefill_tok_s,
            "settings": {**made, "repeats": prompt.repeats, **dict(spread)},
        }


def _rates(tokens: int, point: StepAt | PromptAt) -> tuple[float | None, float | None]:
    """The slow and the fast end of an interval [tok/s]; None where the samples do not bound it."""
    low, high = (
        tokens / seconds if 0 < seconds < math.inf else None
        for seconds in (point.high_s, point.low_s)
    )
    return low, high
