"""``advisor runs``: what was measured, carried from store to store, and which of it counts."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from advisor.advice import kept_runs, this_machine
from advisor.advice.run_machine import run_machine
from advisor.catalog import Catalog, load
from advisor.errors import InputError
from advisor.runs import Run, RunMachine, Store, jsonl, open_store
from advisor.runs.matching import match_again
from advisor.runs.run import as_fields


def runs_command(arguments: argparse.Namespace, out: TextIO) -> None:
    """Do what ``arguments.action`` says with the store that they name.

    Raises ``InputError`` for a store, a file or an id that cannot be used.
    """
    with open_store(arguments.store) as store:
        if arguments.action == "list":
            _list(store, out, as_json=arguments.json)
        elif arguments.action == "export":
            _export(store, arguments.file, out)
        elif arguments.action == "import":
            _import(store, arguments)
        else:
            _count(store, arguments.ids, used=arguments.action == "use")


def as_text(runs: Sequence[Run], place: str) -> str:
    """Runs for a person, a line each; ``place`` is where they are kept."""
    if not runs:
        return f"No run in {place}.\n"
    lines = [
        f"{'id':8} {'made (UTC)':16} {'kind':8} {'chip':10} {'runtime':10} {'model':30} "
        f"{'quant':9} {'context':>8} {'tok/s':>7} {'spread':>13} {'prefill':>8}  counts"
    ]
    for run in runs:
        model = run.model_id or f"{run.model} (unmatched)"
        decode = "" if run.decode_tok_s is None else f"{run.decode_tok_s:.1f}"
        spread = (
            "" if run.decode_low is None else f"{run.decode_low:.1f}-{run.decode_high or 0:.1f}"
        )
        prefill = "" if run.prefill_tok_s is None else f"{run.prefill_tok_s:.0f}"
        lines.append(
            f"{run.id[:8]} {run.created[:16].replace('T', ' ')} {run.kind:8} "
            f"{run.machine.chip[:10]:10} {run.runtime:10} {model[:30]:30} "
            f"{(run.quant_id or run.quant):9} {run.context_tokens:8} {decode:>7} {spread:>13} "
            f"{prefill:>8}  {_counts(run)}"
        )
    unmatched = sum(not run.is_matched for run in runs)
    lines.append(
        f"{len(runs)} run{'s' * (len(runs) != 1)} in {place}"
        + (
            f", {unmatched} of a model or quantization the catalog does not know."
            if unmatched
            else "."
        )
    )
    return "\n".join(lines) + "\n"


def _counts(run: Run) -> str:
    if not run.used:
        return "no, ignored"
    return "yes" if run.is_matched else "no, unmatched"


def _list(store: Store, out: TextIO, *, as_json: bool) -> None:
    match_again(load(), store)
    found = store.runs()
    if as_json:
        out.write(json.dumps([as_fields(run) for run in found], indent=2) + "\n")
    else:
        out.write(as_text(found, store.place))


def _export(store: Store, path: str, out: TextIO) -> None:
    found = store.runs()
    if path == "-":
        out.writelines(jsonl.lines(found))
        return
    try:
        Path(path).write_text("".join(jsonl.lines(found)), encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from error
    print(f"{len(found)} runs written to {path}.", file=sys.stderr)


def _import(store: Store, arguments: argparse.Namespace) -> None:
    path = arguments.file
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise InputError(f"{path} cannot be read: {reason}.") from error
    catalog = load()
    try:
        found = kept_runs.read(
            catalog,
            text,
            _measured_on(catalog, arguments),
            model=arguments.model,
            quant=arguments.quant,
        )
    except InputError as error:
        raise InputError(f"Nothing was imported from {path}. {error}") from error
    new = store.add_all(found)
    unmatched = sum(not run.is_matched for run in found)
    print(
        f"{new} new, {len(found) - new} known already"
        + (
            f", {unmatched} of a model the catalog does not know (kept, unmatched)"
            * bool(unmatched)
        )
        + f"; kept in {store.place}.",
        file=sys.stderr,
    )


def _measured_on(catalog: Catalog, arguments: argparse.Namespace) -> RunMachine:
    """The machine that another program's text is of: the chip that is given, or this computer."""
    if not arguments.chip:
        return run_machine(this_machine.detected())
    parts = (arguments.chip, arguments.gpu_cores, arguments.memory_gb, arguments.macos)
    given = catalog.machine_from_parts(*parts)
    return RunMachine(
        chip=given.chip.name,
        gpu_cores=None if arguments.gpu_cores is None else given.chip.gpu_cores,
        memory_gb=given.memory_gb,
        macos=arguments.macos or "",
    )


def _count(store: Store, ids: Sequence[str], *, used: bool) -> None:
    changed = store.set_used(None if list(ids) == ["all"] else ids, used)
    print(f"{changed} run{'s' * (changed != 1)} {'count' if used else 'ignored'}.", file=sys.stderr)
