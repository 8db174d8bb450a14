"""``advisor calibrate``: measure models on this computer, keep the runs, say how they were made."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from advisor.advice import calibration, kept_runs, this_machine
from advisor.advice.calibration import Calibration, Happened
from advisor.advice.run_machine import run_machine
from advisor.bench import llama_bench, point, whole
from advisor.bench.measurement import Measurement
from advisor.bench.runner import Event
from advisor.catalog import Catalog, load
from advisor.errors import InputError
from advisor.runs import Run, Store, open_store
from advisor.runs.run import as_fields

NO_MAC = "It is no Mac: the figures are its own, and no Mac's prediction comes from them."


def calibrate(arguments: argparse.Namespace, out: TextIO) -> None:
    """Measure and keep the runs.

    Stages and results go to ``out`` as text; with ``--json`` the runs do, and the stages to
    standard error. Raises ``InputError`` for what cannot be measured, or where nothing was.
    """
    catalog = load()
    said = sys.stderr if arguments.json else out
    with open_store(arguments.store) as store:
        if arguments.gguf:
            kept = _by_llama_bench(catalog, store, arguments, said)
        else:
            kept = _measured(catalog, store, arguments, said)
        if arguments.json:
            out.write(json.dumps([as_fields(run) for run in kept], indent=2) + "\n")
        said.write(f"{len(kept)} runs kept in {store.place}.\n")


def _measured(
    catalog: Catalog, store: Store, arguments: argparse.Namespace, said: TextIO
) -> list[Run]:
    found = this_machine.detected()
    points = calibration.choose(
        catalog, found, models=arguments.model or (), quants=arguments.quant or (),
        on_disk=arguments.whole or (), quick=arguments.quick,
    )  # fmt: skip
    said.write(f"{found.describe()[0].upper()}{found.describe()[1:]}.\n")
    if not found.is_mac:
        said.write(f"{NO_MAC}\n")
    said.write(f"{len(points)} points, about {calibration.expected_s(points):.0f} s.\n")
    running = Calibration(catalog, store, points, found=found)
    kept: list[Run] = []
    done: list[Measurement] = []
    last = ""
    for happened in running.events():
        for line in lines(happened, len(points)):
            said.write(line + "\n")
            said.flush()
        kept += happened.kept
        done += [happened.event.measurement] if happened.event.measurement else []
        last = happened.event.text or last
    for line in differences(done):
        said.write(line + "\n")
    if not kept:
        raise InputError(f"Nothing was measured. {last}")
    return kept


def lines(happened: Happened, total: int) -> Iterator[str]:
    """What an event says to a person."""
    event = happened.event
    label = event.point.label if event.point else ""
    if event.kind == "waiting":
        yield event.text
    elif event.kind == "start":
        yield f"[{event.number + 1}/{total}] {label}"
    elif event.kind == "stage":
        yield f"    {event.text} …"
    elif event.kind == "numbers":
        yield f"    {_numbers(event)}"
    elif event.kind in ("warning", "refused", "failed", "timed_out", "cancelled"):
        yield f"    {event.kind.replace('_', ' ')}: {event.text}"
    elif event.measurement:
        yield f"    {event.measurement.how}"


def differences(found: Sequence[Measurement]) -> Iterator[str]:
    """How far the slices of a model on disk are from the whole model."""
    for sliced in found:
        for one in found:
            if (sliced.kind, one.kind, sliced.model) == (point.SLICE, point.WHOLE, one.model):
                parts = [f"{share:+.1%} at {context}"
                         for context, share in whole.difference(sliced, one).items()]  # fmt: skip
                yield f"Slices of {one.model} against the whole model: {', '.join(parts)} tokens."


def _numbers(event: Event) -> str:
    fields = event.fields
    if "decode_tok_s" in fields:
        spread = (fields["high_s"] - fields["low_s"]) / 2 / fields["step_s"]
        return (
            f"{fields['decode_tok_s']:8.1f} tok/s ± {spread:.0%} at {fields['context_tokens']} "
            f"tokens ({fields['repeats']} repeats)"
        )
    return f"{fields['prefill_tok_s']:8.1f} tok/s for a prompt of {fields['prompt_tokens']} tokens"


def _by_llama_bench(
    catalog: Catalog, store: Store, arguments: argparse.Namespace, said: TextIO
) -> list[Run]:
    """Runs of GGUF files, which llama-bench measures now."""
    this = this_machine.detected()
    depths, prompts = point.lengths(quick=arguments.quick, metal=this.is_mac)
    kept: list[Run] = []
    for name in arguments.gguf:
        said.write(f"llama-bench runs {name} …\n")
        said.flush()
        found = llama_bench.measure(Path(name).expanduser(), depths, prompts)
        runs = kept_runs.runs_of(catalog, found, run_machine(this))
        store.add_all(runs)
        for run in runs:
            speed = (f"{run.decode_tok_s:.1f} tok/s" if run.decode_tok_s
                     else f"{run.prefill_tok_s:.0f} tok/s prefill")  # fmt: skip
            known = "" if run.is_matched else " (not in the catalog: kept, unmatched)"
            said.write(f"    {run.model} {run.quant} at {run.context_tokens}: {speed}{known}\n")
        kept += runs
    return kept
