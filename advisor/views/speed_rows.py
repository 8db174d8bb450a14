"""The numbers of the Speed page: curves over context, public runs beside them, tolls.

Every curve comes from ``plan.answer``, the code path of all tables. Pure: no Streamlit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from advisor.advice.exports import public
from advisor.catalog.shapes import Machine
from advisor.estimate import plan
from advisor.estimate.cases import Cases
from advisor.estimate.evidence import DEFAULT_CONTEXT_TOKENS
from advisor.units import format_tokens
from advisor.views.charts import LEFT_TOKENS, PARTS

if TYPE_CHECKING:
    from advisor.catalog import Catalog

STEPS_A_DOUBLING = 4


@dataclass(frozen=True)
class Asked:
    """What is drawn: every machine with every choice (model, quantization), one runtime."""

    machines: tuple[Machine, ...]
    choices: tuple[tuple[str, str], ...]
    runtime: str
    kv_bits: int
    most_tokens: int  # right end of the curves


def curves(catalog: Catalog, asked: Asked) -> pd.DataFrame:
    """The engine's table along each curve: from ``LEFT_TOKENS`` to where it no longer fits.

    A curve ends at its context room, at the model's own maximum or at ``most_tokens``;
    ``ends`` marks a last point where memory is what ends it. One that never fits has no row.
    """
    at_once = at(catalog, asked, asked.most_tokens)
    room = np.nan_to_num(at_once["max_context_tokens"].to_numpy(dtype=float))
    own = catalog.shapes["max_context_tokens"].reindex(at_once["model_id"]).to_numpy()
    own = np.where(own > 0, own, np.inf)
    last = np.minimum(np.minimum(room, own), asked.most_tokens)
    grids = [grid(int(end)) for end in last]
    lengths = [len(points) for points in grids]
    if not sum(lengths):
        return at_once.iloc[:0].assign(ends=np.array([], dtype=bool))
    cases = _cases(catalog, asked)
    found = Cases(
        machine=np.repeat(cases.machine, lengths),
        variant=np.repeat(cases.variant, lengths),
        runtime=np.repeat(cases.runtime, lengths),
        context_tokens=np.concatenate(grids),
        kv_bits=cases.kv_bits,
        batch=cases.batch,
    )
    table = plan.frame(catalog, asked.machines, found, plan.answer(catalog, asked.machines, found))
    by_memory = np.repeat((room < own) & (room < asked.most_tokens), lengths)
    return table.assign(ends=by_memory & (table["context_tokens"] == np.repeat(last, lengths)))


def at(catalog: Catalog, asked: Asked, context_tokens: int) -> pd.DataFrame:
    """The engine's table of everything asked, at one context: a row a curve."""
    cases = _cases(catalog, asked, context_tokens)
    return plan.frame(catalog, asked.machines, cases, plan.answer(catalog, asked.machines, cases))


def grid(last_tokens: int) -> np.ndarray:
    """Contexts from ``LEFT_TOKENS`` to ``last_tokens`` in equal steps of a log scale."""
    if last_tokens < LEFT_TOKENS:
        return np.array([], dtype=int)
    steps = int(np.ceil(np.log2(last_tokens / LEFT_TOKENS) * STEPS_A_DOUBLING))
    points = LEFT_TOKENS * 2.0 ** (np.arange(steps + 1) / STEPS_A_DOUBLING)
    whole = np.unique(np.round(points).astype(int))
    return np.append(whole[whole < last_tokens], last_tokens)


def public_runs(catalog: Catalog, asked: Asked) -> pd.DataFrame:
    """Public runs of the same chip family, runtime, model and quantization, one sequence.

    ``drawn_tokens`` is where a point stands: a run that does not state its context stands at
    512, one below the left edge at the edge; ``context`` says what the source gives.
    """
    runs = catalog.runs
    families = list(dict.fromkeys(machine.chip.name for machine in asked.machines))
    choice = pd.MultiIndex.from_frame(runs[["model_id", "quant_id"]]).isin(list(asked.choices))
    keep = (
        choice
        & (runs["problem"].fillna("") == "")
        & runs["chip"].isin(families)
        & (runs["runtime"] == asked.runtime)
        & (runs["batch"].fillna(1) == 1)
        & (runs["decode_tok_s"].notna() | runs["ttft_s"].notna())
    )
    found = runs[keep]
    stated = found["context_tokens"]
    return pd.DataFrame(
        {
            "id": found["id"],
            "model_id": found["model_id"],
            "quant_id": found["quant_id"],
            "chip": found["chip"],
            "bin": [
                chip if pd.isna(cores) else f"{chip} ({cores:.0f}-core GPU)"
                for chip, cores in zip(found["chip"], found["gpu_cores"], strict=True)
            ],
            "context_tokens": stated,
            "drawn_tokens": stated.fillna(DEFAULT_CONTEXT_TOKENS).clip(lower=LEFT_TOKENS),
            "context": [
                f"not stated, drawn at {DEFAULT_CONTEXT_TOKENS}"
                if pd.isna(tokens)
                else f"{tokens:,.0f} tokens"
                for tokens in stated
            ],
            "decode_tok_s": found["decode_tok_s"],
            "ttft_s": found["ttft_s"],
            "confidence": found["confidence"],
            "low_confidence": found["confidence"] == "low",
            "runtime_version": found["runtime_version"],
            "file": found["file"],
            "source_url": found["source_url"],
            "source_date": found["source_date"],
        }
    ).reset_index(drop=True)


def named(
    catalog: Catalog, table: pd.DataFrame, names: Mapping[str, str], *, quants: bool
) -> pd.DataFrame:
    """The table with ``model``, ``machine`` and ``series`` as the charts write them.

    names    machine id -> short name
    quants   whether the quantization belongs in the name of a model
    """
    of_model = {model_id: catalog.model(model_id).name for model_id in table["model_id"].unique()}
    rows = zip(table["model_id"], table["quant_id"], table["machine_id"], strict=True)
    made = [
        (of_model[model] + (f" {quant}" if quants else ""), names[machine])
        for model, quant, machine in rows
    ]
    return table.assign(
        model=[model for model, _ in made],
        machine=[machine for _, machine in made],
        series=[m if len(names) == 1 else f"{m}, {machine}" for m, machine in made],
    )


def toll_parts(table: pd.DataFrame) -> pd.DataFrame:
    """Milliseconds of one token by what is paid for, stacked; a row a curve and part."""
    columns = dict(zip(PARTS, ("weights_s", "kv_s", "overhead_s"), strict=True))
    found = []
    for row in table.to_dict("records"):
        start = 0.0
        for part, column in columns.items():
            ms = row[column] * 1e3
            found.append((row["series"], part, ms, start, start + ms))
            start += ms
    return pd.DataFrame(found, columns=["series", "part", "ms", "start", "end"])


def no_room_text(row: Mapping[str, object]) -> str:
    """Why a curve is missing or short, in a sentence."""
    tokens = float(str(row["max_context_tokens"]))
    if tokens >= LEFT_TOKENS:
        return f"{row['series']} ends at {format_tokens(tokens)} tokens: memory is full there."
    change = f" Nearest change: {row['change']}." if row["change"] else ""
    return f"{row['series']} does not fit at all.{change}"


def download(table: pd.DataFrame) -> bytes:
    """The curves as CSV under the command line's names."""
    return public(table).to_csv(index=False).encode()


def _cases(catalog: Catalog, asked: Asked, context_tokens: int = 1) -> Cases:
    """Machines x choices, flat."""
    plan.check_numbers(context_tokens=context_tokens, kv_bits=asked.kv_bits)
    variants = [catalog.variant_index(model, quant) for model, quant in asked.choices]
    count = len(asked.machines)
    size = count * len(variants)
    return Cases(
        machine=np.repeat(np.arange(count), len(variants)),
        variant=np.tile(np.array(variants, dtype=int), count),
        runtime=np.full(size, catalog.runtime_ids.index(asked.runtime)),
        context_tokens=np.array(context_tokens),
        kv_bits=np.array(asked.kv_bits),
        batch=np.array(1),
    )
