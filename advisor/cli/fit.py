"""``advisor fit``: every model and quantization on one machine."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, TextIO

from advisor.advice.exports import public
from advisor.advice.this_machine import find, with_own_runs
from advisor.catalog import Catalog, load
from advisor.catalog.shapes import Machine
from advisor.errors import InputError
from advisor.estimate import plan
from advisor.estimate.verdict import FITS, VERDICTS
from advisor.units import GB, format_gib, format_tokens

if TYPE_CHECKING:
    import pandas as pd

JSON_DIGITS = 15


def fit_machine(arguments: argparse.Namespace, out: TextIO) -> None:
    """Print the table of one machine as JSON or text. Raises ``InputError`` for bad input."""
    catalog = load()
    machine = machine_of(catalog, arguments)
    table = plan.table(
        catalog,
        [machine],
        context_tokens=arguments.context,
        runtime=arguments.runtime,
        kv_bits=arguments.kv_bits,
    )
    if arguments.json:
        out.write(as_json(table) + "\n")
    else:
        out.write(as_text(table, machine))


def machine_of(catalog: Catalog, arguments: argparse.Namespace) -> Machine:
    """The machine the arguments mean: an id, or a chip in parts."""
    settings = {"wired_limit_mib": arguments.wired_limit_mb, "in_use_gb": arguments.in_use_gb}
    if arguments.machine and arguments.chip:
        raise InputError("Give either a machine id or --chip, not both.")
    if arguments.machine:
        if arguments.gpu_cores is not None or arguments.memory_gb is not None:
            raise InputError(
                "--gpu-cores and --memory-gb belong to --chip; a machine id already says them."
            )
        return find(catalog, arguments.machine, macos=arguments.macos, **settings)
    if not arguments.chip:
        raise InputError('Give a machine id such as mac-mini-m4-16, or --chip "M4 Pro".')
    if arguments.memory_gb is None:
        raise InputError("--chip needs --memory-gb to say what fits.")
    parts = (arguments.chip, arguments.gpu_cores, arguments.memory_gb, arguments.macos)
    return with_own_runs(catalog, catalog.machine_from_parts(*parts, **settings))


def as_json(table: pd.DataFrame) -> str:
    """The table as a JSON array, a row an object; what is not known is null."""
    return str(public(table).to_json(orient="records", double_precision=JSON_DIGITS))


def as_text(table: pd.DataFrame, machine: Machine) -> str:
    """The table for a person: what fits first, the largest first.

    A model that cannot hold the context comes last and is not counted, whatever its memory says.
    """
    can_hold = table["context_problem"] == ""
    table = table.assign(
        too_long=~can_hold,
        rank=table["verdict"].map(VERDICTS.index),
        change=table["change"].where(can_hold, table["context_problem"]),
    ).sort_values(["too_long", "rank", "total_bytes"], ascending=[True, True, False], kind="stable")
    fitting = ((table["verdict"] == FITS) & ~table["too_long"]).sum()
    in_use = f", {format_gib(machine.in_use_bytes)} in use" if machine.in_use_bytes else ""
    lines = [
        f"{machine.label}, macOS {machine.macos}{in_use}: {fitting} of {len(table)} fit at "
        f"a context of {format_tokens(table['context_tokens'].iloc[0])} tokens",
        f"{'model':34} {'quant':9} {'runtime':13} {'GB':>6} {'verdict':11} {'room':>8} "
        f"{'tok/s':>6} {'80 % interval':>15} {'first token':>11}  change",
    ]
    for row in table.itertuples():
        low_high = f"{row.decode_low:.1f}-{row.decode_high:.1f}"
        lines.append(
            f"{row.model_id:34} {row.quant_id:9} {row.runtime:13} {row.weight_bytes / GB:6.1f} "
            f"{row.verdict:11} {format_tokens(row.max_context_tokens):>8} "
            f"{row.decode_tok_s:6.1f} {low_high:>15} {row.ttft_s:9.1f} s  {row.change}".rstrip()
        )
    return "\n".join(lines) + "\n"
