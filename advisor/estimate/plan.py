"""The composer: what is asked (machines, variants, contexts) becomes one table of answers.

Every page, the command line and every export read these numbers, so one key has one number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from advisor.catalog.shapes import Machine
from advisor.errors import InputError, unknown
from advisor.estimate import batching, coefficients, prefill, speed
from advisor.estimate.arrays import FORMATS, arrays
from advisor.estimate.budget import budgets
from advisor.estimate.capacity import cache_notes, capacity, context_problems
from advisor.estimate.cases import Cases
from advisor.estimate.corrections import Correction, effect, in_order
from advisor.units import MIB

if TYPE_CHECKING:
    import pandas as pd

    from advisor.catalog import Catalog

DEFAULT_CONTEXT_TOKENS = 8192
DEFAULT_RUNTIME = {"mlx": "mlx-lm", "gguf": "llama.cpp"}
KV_BITS = (16, 8, 4)
MOST_CONTEXT_TOKENS = 16 * MIB
MOST_BATCH = 4096

Answer = dict[str, np.ndarray]


def answer(
    catalog: Catalog,
    machines: Sequence[Machine],
    cases: Cases,
    corrections: Sequence[Correction] = (),
) -> Answer:
    """Every column of the table for broadcastable cases; see the package glossary for units.

    The interval of a machine whose bin is left open (``other_bins``) covers all its bins.
    corrections   what runs taught (``learning``), beside what the machines carry (``taught``)
    """
    found = _answer(catalog, tuple(machines), cases, corrections)
    for other in _other_bins(machines):
        also = _answer(catalog, other, cases, corrections)
        for name in ("decode", "prefill", "ttft"):
            low, high = f"{name}_low", f"{name}_high"
            found[low] = np.minimum(found[low], also[low])
            found[high] = np.maximum(found[high], also[high])
    return found


def decode_grid(catalog: Catalog, machines: Sequence[Machine], cases: Cases) -> np.ndarray:
    """Only ``decode_tok_s`` of ``answer``, for large grids: put contexts on their own axis.

    What does not depend on the context is computed once; the rest is done in place.
    """
    if any(machine.taught for machine in machines):
        return answer(catalog, machines, cases)["decode_tok_s"]
    facts = arrays(catalog)
    terms = speed.step_terms(catalog, coefficients.load(catalog), _chips(catalog, machines), cases)
    v = facts.variants
    context = np.asarray(cases.context_tokens, dtype=float)
    slope = terms.growing_s * cases.batch
    step = np.empty(np.broadcast_shapes(slope.shape, context.shape))
    np.multiply(slope, context, out=step)
    windows = terms.sliding_s * cases.batch
    _add_windows(step, windows, context, v.window_tokens[cases.variant])
    step += terms.overhead_s + terms.weights_s
    return np.divide(1.0, step, out=step)


def _add_windows(
    step: np.ndarray, windows: np.ndarray, context: np.ndarray, window_tokens: np.ndarray
) -> None:
    """Add the seconds that sliding layers cost, in place; rows without any are left out."""
    if not windows.any():
        return
    tokens = np.broadcast_to(window_tokens, windows.shape)
    by_row = windows.ndim == step.ndim > 0 and len(windows) == len(step)
    if by_row and (context.ndim < step.ndim or len(context) == 1):
        rows = np.flatnonzero(windows.reshape(len(windows), -1).any(axis=1))
        step[rows] += windows[rows] * np.minimum(context, tokens[rows])
    else:
        step += windows * np.minimum(context, tokens)


def cross(
    catalog: Catalog,
    machines: Sequence[Machine],
    *,
    context_tokens: int = DEFAULT_CONTEXT_TOKENS,
    runtime: str | None = None,
    model_ids: Sequence[str] | None = None,
    quant_ids: Sequence[str] | None = None,
    kv_bits: int = 16,
    batch: int = 1,
    listed_only: bool = True,
) -> Cases:
    """Machines x variants, flat: what ``table`` asks. Raises ``InputError`` for bad input."""
    check_numbers(context_tokens=context_tokens, kv_bits=kv_bits, batch=batch)
    v = arrays(catalog).variants
    keep = v.listed.copy() if listed_only and quant_ids is None else np.ones(len(v.model), bool)
    if runtime is not None:
        if runtime not in catalog.runtimes:
            raise unknown("runtime", runtime, catalog.runtime_ids)
        _check_runs(catalog, runtime, quant_ids or ())
        # A runtime's first format is the one it is used for; the others answer when named.
        main = FORMATS.index(catalog.runtimes[runtime].formats[0])
        keep &= (v.format == main) | (quant_ids is not None)
    keep &= _chosen("model", model_ids, catalog.model_ids, v.model)
    keep &= _chosen("quantization", quant_ids, catalog.quant_ids, v.quant)
    variant = np.flatnonzero(keep)
    if runtime is None:
        default = np.array([catalog.runtime_ids.index(DEFAULT_RUNTIME[f]) for f in FORMATS])
        chosen = default[v.format[variant]]
    else:
        chosen = np.full(len(variant), catalog.runtime_ids.index(runtime))
    count = len(machines)
    return Cases(
        machine=np.repeat(np.arange(count), len(variant)),
        variant=np.tile(variant, count),
        runtime=np.tile(chosen, count),
        context_tokens=np.array(context_tokens),
        kv_bits=np.array(kv_bits),
        batch=np.array(batch),
    )


def table(catalog: Catalog, machines: Sequence[Machine], **asked: object) -> pd.DataFrame:
    """The table of machines x variants; ``asked`` as for ``cross``. A row a choice."""
    cases = cross(catalog, machines, **asked)  # type: ignore[arg-type]
    return frame(catalog, machines, cases, answer(catalog, machines, cases))


def frame(
    catalog: Catalog, machines: Sequence[Machine], cases: Cases, found: Answer
) -> pd.DataFrame:
    """Flat cases and their answer as a data frame, with ids and the change that would fit."""
    import pandas as pd

    from advisor.estimate.changes import nearest_change

    facts = arrays(catalog)
    v = facts.variants
    rows = len(cases.variant)

    def flat(values: np.ndarray) -> np.ndarray:
        return np.broadcast_to(values, (rows,))

    models = np.array(catalog.model_ids, dtype=object)
    quants = np.array(catalog.quant_ids, dtype=object)
    ids = np.array([machine.id for machine in machines], dtype=object)
    runtimes = np.array(catalog.runtime_ids, dtype=object)
    columns = {
        "machine_id": ids[cases.machine],
        "model_id": models[v.model[cases.variant]],
        "quant_id": quants[v.quant[cases.variant]],
        "runtime": runtimes[cases.runtime],
        "context_tokens": flat(cases.context_tokens),
        "kv_bits": flat(cases.kv_bits),
        "batch": flat(cases.batch),
        **{name: flat(values) for name, values in found.items()},
    }
    columns["change"] = nearest_change(catalog, machines, cases, found)
    columns["context_problem"] = context_problems(facts, cases)
    columns["cache_note"] = cache_notes(facts, cases)
    return pd.DataFrame(columns)


def check_numbers(*, context_tokens: float, kv_bits: int = 16, batch: int = 1) -> None:
    """Raises ``InputError`` for a context, cache width or batch that cannot be."""
    if not 1 <= context_tokens <= MOST_CONTEXT_TOKENS:
        raise InputError(
            f"The context must be 1 to {MOST_CONTEXT_TOKENS:,} tokens, not {context_tokens:,}."
        )
    if kv_bits not in KV_BITS:
        raise InputError(f"The cache has 16, 8 or 4 bits an element, not {kv_bits}.")
    if not 1 <= batch <= MOST_BATCH:
        raise InputError(f"The batch must be 1 to {MOST_BATCH}, not {batch}.")


def _answer(
    catalog: Catalog,
    machines: tuple[Machine, ...],
    cases: Cases,
    corrections: Sequence[Correction],
) -> Answer:
    facts, fitted = arrays(catalog), coefficients.load(catalog)
    chips = _chips(catalog, machines)
    terms = speed.step_terms(catalog, fitted, chips, cases)
    room = budgets(catalog.memory_rules, machines)
    found = capacity(facts, catalog.memory_rules, room, cases)
    v, at = facts.variants, cases.variant
    context, batch = cases.context_tokens, cases.batch
    window = np.minimum(context, v.window_tokens[at])
    read_kv = batch * (terms.growing_read_bytes * context + terms.sliding_read_bytes * window)
    kv_s = batch * (terms.growing_s * context + terms.sliding_s * window)
    overhead_s, weights_s = terms.overhead_s, terms.weights_s
    step_s = overhead_s + weights_s + kv_s
    log_width = speed.log_half_width(fitted.widths, facts, chips, cases)
    log_prefill_width = speed.log_half_width(fitted.prefill_widths, facts, chips, cases)
    prefill_tok_s = speed.prefill_rate(facts, fitted, chips, cases)
    basis = np.array("predicted", dtype=object)
    corrections = in_order(corrections, machines)
    if corrections:
        learned = effect(catalog, corrections, machines, cases, overhead_s / step_s, kv_s / step_s)
        factor = np.exp(learned.decode_shift)
        overhead_s, weights_s, kv_s = overhead_s * factor, weights_s * factor, kv_s * factor
        step_s = step_s * factor
        log_width = log_width * learned.decode_width
        prefill_tok_s = prefill_tok_s * np.exp(-learned.prefill_shift)
        log_prefill_width = log_prefill_width * learned.prefill_width
        basis = np.where(learned.corrected, "calibrated", "predicted").astype(object)
    width, prefill_width = np.exp(log_width), np.exp(log_prefill_width)
    prompt_s = context / prefill_tok_s
    found |= {
        "read_weight_bytes": terms.read_weight_bytes,
        "read_kv_bytes": read_kv,
        "overhead_s": overhead_s,
        "weights_s": weights_s,
        "kv_s": kv_s,
        "step_s": step_s,
        "streams_s": terms.streams_s,
        "decode_tok_s": 1.0 / step_s,
        "aggregate_tok_s": batching.aggregate_tok_s(step_s=step_s, batch=batch),
        "decode_low": 1.0 / (step_s * width),
        "decode_high": width / step_s,
        "prefill_tok_s": prefill_tok_s,
        "prefill_low": prefill_tok_s / prefill_width,
        "prefill_high": prefill_tok_s * prefill_width,
        "ttft_s": prefill.ttft_s(prompt_s=prompt_s, step_s=step_s),
        "ttft_low": prefill.ttft_s(prompt_s=prompt_s / prefill_width, step_s=step_s / width),
        "ttft_high": prefill.ttft_s(prompt_s=prompt_s * prefill_width, step_s=step_s * width),
        "load_s": found["weight_bytes"] / fitted.ssd_bytes_per_s,
        "basis": basis,
        "runs": _run_counts(catalog, machines)[cases.machine, cases.runtime],
    }
    return found


def _chips(catalog: Catalog, machines: Sequence[Machine]) -> np.ndarray:
    position = {chip_id: index for index, chip_id in enumerate(catalog.chip_ids)}
    return np.array([position[machine.chip.id] for machine in machines], dtype=int)


def _other_bins(machines: Sequence[Machine]) -> list[tuple[Machine, ...]]:
    """The same machines with each bin the input leaves open, one set for each."""
    from dataclasses import replace

    most = max((len(machine.other_bins) for machine in machines), default=0)
    return [
        tuple(
            replace(m, chip=m.other_bins[index], other_bins=()) if index < len(m.other_bins) else m
            for m in machines
        )
        for index in range(most)
    ]


def _run_counts(catalog: Catalog, machines: tuple[Machine, ...]) -> np.ndarray:
    """Public runs behind each (machine's chip family, runtime)."""
    counts = coefficients.load(catalog).run_counts
    return np.array(
        [
            [counts.get(machine.chip.name, {}).get(runtime, 0) for runtime in catalog.runtime_ids]
            for machine in machines
        ],
        dtype=int,
    )


def _check_runs(catalog: Catalog, runtime: str, quant_ids: Sequence[str]) -> None:
    formats = catalog.runtimes[runtime].formats
    for quant_id in quant_ids:
        quant = catalog.quants.get(quant_id)
        if quant is not None and quant.format not in formats:
            raise InputError(
                f"{runtime} does not run {quant_id}: it is of the {quant.format} format. "
                f"Choose one of the {' or '.join(formats)} format."
            )


def _chosen(
    what: str, asked: Sequence[str] | None, known: tuple[str, ...], index: np.ndarray
) -> np.ndarray:
    if asked is None:
        return np.ones(len(index), dtype=bool)
    for name in asked:
        if name not in known:
            raise unknown(what, name, known)
    return np.isin(index, [known.index(name) for name in asked])
