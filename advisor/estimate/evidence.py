"""Which public runs the fit may learn from, and why the others are set aside: rules, no names.

A run enters with what the catalog knows of it: exact bytes, the chip's bandwidth, its keys.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pandas as pd

from advisor.estimate import decode, prefill
from advisor.estimate.arrays import arrays
from advisor.estimate.terms import NARROW, PLAIN, TURBO, ChipKey, VariantKey, variant_keys
from advisor.units import GB

if TYPE_CHECKING:
    from advisor.catalog import Catalog

Values = TypeVar("Values", pd.Series, np.ndarray)
# No run reads its bytes faster than the chip's memory delivers them; a little room for rounding.
ROOFLINE_ROOM = 1.03
DEFAULT_CONTEXT_TOKENS = 512
# A run's peak stays within this of its weights and cache; one above it ran something else.
MOST_PEAK_SHARE = 1.5
PEAK_ROOM_BYTES = 4 * GB


@dataclass(frozen=True)
class Evidence:
    """Runs as arrays, a row each; ``aside`` lists the runs not used with their reason."""

    runs: pd.DataFrame
    chip: list[ChipKey]
    runtime: list[str]
    variant: list[VariantKey]
    machine_of: np.ndarray  # code of source x runtime x chip: who measured where with what
    source: np.ndarray
    bandwidth: np.ndarray  # bytes/s
    layers: np.ndarray
    vocab_size: np.ndarray
    weight_read_bytes: np.ndarray  # with the state a step moves
    cache_read_bytes: np.ndarray
    cache_form: list[str]  # of ``terms.CACHE_FORMS``
    attended_width: np.ndarray  # query width x positions attended to, over all layers
    step_s: np.ndarray
    flops_per_token: np.ndarray
    gpu_cores: np.ndarray
    peak_flop_s: np.ndarray
    aside: pd.DataFrame

    def __len__(self) -> int:
        return len(self.runs)


def decode_evidence(catalog: Catalog) -> Evidence:
    """Runs with a decode speed that physics and their sources allow to be learnt from."""
    runs = catalog.runs.reset_index(drop=True)
    rows = _known(catalog, runs)
    reason = pd.Series("", index=runs.index)
    batch = runs["batch"].fillna(1)

    def set_aside(which: pd.Series, why: str) -> None:
        reason[which & (reason == "")] = why

    set_aside(runs["problem"].fillna("") != "", "not understood")
    set_aside(runs["decode_tok_s"].isna(), "no decode speed")
    set_aside(runs["confidence"] == "low", "low confidence")
    set_aside(batch > 1, "more than one sequence")
    set_aside(
        runs["runtime_version"].fillna("").str.startswith("LocalScore"),
        "a mean over nine prompt and answer lengths",
    )
    peak = runs["peak_memory_gb"] * GB
    held = rows["weight_bytes"] + rows["cache_read_bytes"]
    set_aside(
        heavier_than_named(peak, held), "its peak memory is that of a larger model than it names"
    )
    use = reason == ""
    picked = rows.loc[use]
    roofline = (picked["weight_read_bytes"] + picked["cache_read_bytes"]) / picked["bandwidth"]
    fast = picked.index[1.0 / runs.loc[picked.index, "decode_tok_s"] * ROOFLINE_ROOM < roofline]
    reason[fast] = "faster than the chip's memory can deliver the bytes"
    use = reason == ""
    aside = runs.loc[~use, ["id", "source_url"]].assign(reason=reason[~use])
    kept, rows = runs[use].reset_index(drop=True), rows[use].reset_index(drop=True)
    keys = variant_keys(catalog)
    chips = {chip_id: ChipKey.of(chip) for chip_id, chip in catalog.chips.items()}
    who = kept["file"] + "|" + kept["runtime"] + "|" + kept["chip_id"]
    return Evidence(
        runs=kept,
        chip=[chips[chip_id] for chip_id in kept["chip_id"]],
        runtime=list(kept["runtime"]),
        variant=[keys[row] for row in rows["variant"].astype(int)],
        machine_of=pd.factorize(who)[0],
        source=kept["file"].to_numpy(),
        bandwidth=rows["bandwidth"].to_numpy(),
        layers=rows["layers"].to_numpy(),
        vocab_size=rows["vocab_size"].to_numpy(),
        weight_read_bytes=rows["weight_read_bytes"].to_numpy(),
        cache_read_bytes=rows["cache_read_bytes"].to_numpy(),
        cache_form=list(rows["cache_form"]),
        attended_width=rows["attended_width"].to_numpy(),
        step_s=1.0 / kept["decode_tok_s"].to_numpy(),
        flops_per_token=rows["flops_per_token"].to_numpy(),
        gpu_cores=rows["gpu_cores"].to_numpy(),
        peak_flop_s=rows["peak_flop_s"].to_numpy(),
        aside=aside,
    )


def heavier_than_named(peak_bytes: Values, held_bytes: Values) -> Values:
    """Whether a peak is that of a larger model than the run names; False where it is not known."""
    return peak_bytes > MOST_PEAK_SHARE * held_bytes + PEAK_ROOM_BYTES


# "kv=kv-q8", "kv=tq3.5bit", "q8_0 KV cache": how sources note a cache under 16 bits.
CACHE_BITS = re.compile(r"\bkv=(?:kv-?q?|(tq))(\d+(?:\.\d+)?)|\bq(\d+)(?:_0)? KV\b")


def _stated_caches(printed: pd.DataFrame) -> dict[str, tuple[float, str]]:
    """Bits of a cache element and its form by run id, as the source notes; else 16 and plain."""
    found = {}
    for run_id, note in zip(printed["id"], printed["note"].fillna(""), strict=True):
        match = CACHE_BITS.search(note)
        bits = float(match[2] or match[3]) if match else 16.0
        form = PLAIN if bits >= 16 else TURBO if match and match[1] else NARROW
        found[run_id] = (bits, form)
    return found


def _known(catalog: Catalog, runs: pd.DataFrame) -> pd.DataFrame:
    """The facts behind each understood run; NaN for the others."""
    facts = arrays(catalog)
    v = facts.variants
    understood = runs["problem"].fillna("") == ""
    rows = pd.DataFrame(index=runs.index)
    known = runs[understood]
    variant = np.array(
        [catalog.variant_index(m, q) for m, q in zip(known.model_id, known.quant_id, strict=True)],
        dtype=int,
    )
    chip = pd.Index(catalog.chip_ids).get_indexer(pd.Index(known["chip_id"]))
    context = known["context_tokens"].fillna(DEFAULT_CONTEXT_TOKENS).to_numpy(dtype=float)
    batch = known["batch"].fillna(1).to_numpy(dtype=float)
    windowed = np.minimum(context, v.window_tokens[variant])
    caches = _stated_caches(catalog.printed_runs)
    bits = np.array([caches[run_id][0] for run_id in known["id"]])
    cache = (
        (bits / 16)
        * batch
        * (
            v.full_bytes_per_token[variant] * v.full_readers[variant] * context
            + v.latent_bytes_per_token[variant] * context
            + v.sliding_bytes_per_token[variant] * v.sliding_readers[variant] * windowed
        )
    )
    attended = v.attention_width[variant] * context + v.sliding_width[variant] * windowed
    weights = decode.read_weight_bytes(
        dense_read_bytes=v.dense_read_bytes[variant],
        expert_bytes=v.expert_bytes[variant],
        expert_share=v.expert_share[variant],
        batch=batch,
    ) + decode.fixed_cache_read_bytes(state_bytes=v.state_bytes[variant], batch=batch)
    values = {
        "variant": variant,
        "bandwidth": facts.bandwidth_bytes_per_s[chip],
        "layers": v.layers[variant],
        "vocab_size": v.vocab_size[variant],
        "weight_bytes": v.weight_bytes[variant],
        "weight_read_bytes": weights,
        "cache_read_bytes": cache,
        "cache_form": [caches[run_id][1] for run_id in known["id"]],
        "attended_width": batch * attended,
        "context": context,
        "flops_per_token": prefill.prompt_flops_per_token(
            active_params=v.active_params[variant],
            attention_width=v.attention_width[variant],
            prompt_tokens=np.maximum(context, 1),
        ),
        "gpu_cores": facts.gpu_cores[chip],
        "peak_flop_s": facts.peak_flop_s[chip],
    }
    for name, column in values.items():
        rows.loc[known.index, name] = column
    return rows
