"""Public runs, prediction constants and how the speeds were fitted, as tables to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from advisor.estimate import coefficients, fitted_constants
from advisor.views import source_tables as facts
from advisor.views.source_tables import Section, sourced

if TYPE_CHECKING:
    from advisor.catalog import Catalog


def runs(catalog: Catalog) -> pd.DataFrame:
    """Every public run as its source prints it, with what it was understood as."""
    table = catalog.runs
    known = table["problem"].fillna("") == ""
    return pd.DataFrame(
        {
            "chip": table["chip"],
            "runtime": table["runtime"],
            "model": table["model"],
            "quantization": table["quant"],
            "context_tokens": table["context_tokens"],
            "decode_tok_s": table["decode_tok_s"],
            "prefill_tok_s": table["prefill_tok_s"],
            "ttft_s": table["ttft_s"],
            "confidence": table["confidence"],
            "date": table["source_date"],
            "source": table["source_url"],
            "understood_as": (table["model_id"] + " " + table["quant_id"]).where(known, ""),
            "problem": table["problem"].fillna(""),
            "gpu_cores": table["gpu_cores"],
            "memory_gb": table["memory_gb"],
            "version": table["runtime_version"],
            "batch": table["batch"],
            "peak_memory_gb": table["peak_memory_gb"],
            "id": table["id"],
        }
    )


def run_sources(catalog: Catalog) -> pd.DataFrame:
    """A row a source of public runs: how many, how sure, of what and when."""
    table = catalog.runs
    rows = []
    for file, group in table.groupby("file", sort=False):
        sure = group["confidence"].value_counts()
        links = group["source_url"].value_counts()
        dates = group["source_date"].dropna().astype(str)
        rows.append(
            {
                "source_name": file,
                "runs": len(group),
                "understood": int((group["problem"].fillna("") == "").sum()),
                "high": int(sure.get("high", 0)),
                "medium": int(sure.get("medium", 0)),
                "low": int(sure.get("low", 0)),
                "models": group["model"].nunique(),
                "chips": ", ".join(group["chip"].value_counts().index),
                "runtimes": ", ".join(group["runtime"].value_counts().index),
                "first": dates.min() if len(dates) else "",
                "last": dates.max() if len(dates) else "",
                "links": len(links),
                "source": links.index[0],
            }
        )
    return pd.DataFrame(rows).sort_values("runs", ascending=False, ignore_index=True)


def constants(catalog: Catalog) -> pd.DataFrame:
    """The constants of memory_rules.toml, and those of the fit that ``fitted`` does not hold."""
    rules = catalog.memory_rules
    rows = []
    for name, value in rules:
        if isinstance(value, int | float):
            backing = [source for source in rules.sources if name in source.backs]
            rows.append({"constant": name, "value": value, **sourced(backing, name)})
    fitted = coefficients.load(catalog)
    own = {
        "half_speed_tokens": (fitted.half_speed_tokens, "a prompt this long is read at half speed"),
        "ssd_bytes_per_s": (fitted.ssd_bytes_per_s, "loading a model that is not in memory"),
    }
    source = {"confidence": "", "source": "catalog/derived/speed.json"}
    rows += [
        {"constant": name, "value": value, **source, "source_note": note}
        for name, (value, note) in own.items()
    ]
    return pd.DataFrame(rows)


SECTIONS = (
    Section("chips", "Chips", "Bins of Apple's chips: GPU cores, or memory on the M6, decide the "
            "bandwidth that decides decode speed.", facts.chips),
    Section("macs", "Macs", "Macs with the memory they are sold with, status and newest list "
            "price.", facts.macs),
    Section("prices", "Prices", "Dated list prices; a new price is a new row and the old one "
            "stays.", facts.prices),
    Section("models", "Models", "Models with what mlx-lm builds from their configuration; those it "
            "cannot build are known, with the reason.", facts.models),
    Section("quants", "Quantizations", "GGUF bits per weight are measured over whole files; MLX "
            "sizes come from mlx-lm itself.", facts.quants),
    Section("sizes", "Published sizes", "Sizes of published files beside the computed ones; the "
            "verdict uses the published one where it is known.", facts.sizes),
    Section("sources", "Run sources", "Who measured: a row a source of public runs. Runs of low "
            "confidence are kept and marked, and not learnt from.", run_sources),
    Section("runs", "Public runs", "Every public run as its source prints it, and what it was "
            "understood as.", runs),
    Section("limits", "GPU limit", "What macOS lets the GPU use by default (MiB), by the rule "
            "that the observations support.", facts.limits),
    Section("observed", "GPU limit, seen", "Observations behind the rule, as logged.",
            facts.observed("working_set.csv")),
    Section("memory", "Memory, seen", "Memory that runs were seen to use; kinds are not "
            "comparable with each other.", facts.observed("measured_memory.csv")),
    Section("bandwidth", "Bandwidth, seen", "Bandwidth reached by tests that only move memory.",
            facts.observed("bandwidth_measured.csv")),
    Section("energy", "Energy", "Power while decoding.", facts.observed("energy.csv")),
    Section("hosted", "Hosted prices", "What hosted endpoints charge for a million tokens, dated; "
            "the cheapest may be quantized, limited in rate or train on what they are sent.",
            facts.observed("hosted_prices.csv")),
    Section("scores", "Scores", "Published scores of models; picks are ordered by one of them.",
            facts.scores),
    Section("constants", "Constants", "Constants of memory and speed.", constants),
    Section("fitted", "Fitted", "What was fitted on the public runs: the scores that apply to a "
            "case add up to its term.", fitted_constants.table),
)  # fmt: skip
