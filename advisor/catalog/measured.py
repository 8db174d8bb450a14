"""What others measured: public runs, as printed and resolved, and observations to show."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from advisor.catalog.files import shown
from advisor.catalog.shapes import LINK_NOT_KEPT
from advisor.catalog.tables import REBUILD, read_csv
from advisor.errors import CatalogError

RUN_NUMBERS = {  # the largest value a public run may have; all are above 0 but the context
    "gpu_cores": 200,
    "memory_gb": 2048,
    "context_tokens": 10_000_000,
    "batch": 4096,
    "decode_tok_s": 20_000,
    "prefill_tok_s": 1_000_000,
    "ttft_s": 100_000,
    "peak_memory_gb": 2048,
    "file_size_gib": 4096,
}
RUN_COLUMNS = ("id", "chip", "gpu_cores", "memory_gb", "runtime", "runtime_version", "model",
               "quant", "context_tokens", "batch", "decode_tok_s", "prefill_tok_s", "ttft_s",
               "peak_memory_gb", "file_size_gib", "flash_attention", "source_kind", "source_url",
               "source_date", "confidence", "note")  # fmt: skip
OBSERVATIONS = {  # files of facts that are shown, not computed with -> columns they need
    "working_set.csv": (
        "chip", "memory_gb", "logged", "logged_unit", "bytes_exact", "macos", "rule_macos",
        "raised_limit_mib", "evidence", "source_url", "confidence", "note",
    ),
    "measured_memory.csv": (
        "chip", "memory_gb", "runtime", "model", "quant", "context_tokens", "kind", "value_gb",
        "source_url", "confidence", "note",
    ),
    "bandwidth_measured.csv": (
        "chip", "spec_gb_per_s", "measured_gb_per_s", "method", "source_url", "confidence", "note",
    ),
    "batched_decode.csv": (
        "chip", "memory_gb", "runtime", "engine", "model", "quant", "batch", "aggregate_tok_s",
        "source_url", "confidence", "note",
    ),
    "spec_decode.csv": (
        "chip", "memory_gb", "method", "model", "quant", "kind", "drafted_tokens",
        "accepted_tokens", "plain_tok_s", "speculative_tok_s", "round_steps", "source_url",
        "confidence", "note",
    ),
    "energy.csv": (
        "machine", "mac_id", "model", "model_id", "tok_per_s", "watts", "watts_kind", "source_url",
        "confidence", "note",
    ),
    "hosted_prices.csv": (
        "model_id", "model", "input_usd_per_mtok", "output_usd_per_mtok", "on", "basis",
        "source_url", "confidence", "note",
    ),
    "electricity.csv": (
        "place", "usd_per_kwh", "on", "what", "source_url", "confidence", "note",
    ),
}  # fmt: skip


def derived_runs(root: Path) -> pd.DataFrame:
    """Public runs resolved to ids (derived/runs.csv)."""
    columns = ("id", "chip_id", "model_id", "quant_id", "runtime", "decode_tok_s", "problem")
    return read_csv(root / "derived" / "runs.csv", root, columns, REBUILD)


def printed_runs(root: Path) -> pd.DataFrame:
    """All files of runs/ in one table, each row checked for numbers that cannot be."""
    paths = sorted(root.glob("runs/*.csv"))
    tables = [_run_file(path, root) for path in paths]
    if not tables:
        raise CatalogError(f"{root.name}/runs/ holds no file of measured runs.")
    table = pd.concat(tables, ignore_index=True)
    twice = table["id"].duplicated()
    if twice.any():
        row = table[twice].iloc[0]
        raise CatalogError(
            f"{root.name}/runs/{row['file']}.csv: the run {row['id']} is there twice."
        )
    return table


def _run_file(path: Path, root: Path) -> pd.DataFrame:
    table = read_csv(path, root, RUN_COLUMNS)
    where = shown(path, root)
    extra = [column for column in table.columns if column not in RUN_COLUMNS]
    if extra:
        raise CatalogError(f"{where}: unknown column {extra[0]!r}. Remove it.")
    for column in ("id", "chip", "runtime", "model", "source_url"):
        if table[column].isna().any():
            raise CatalogError(f"{where}: a row has no {column}. Fill it in.")
    wrong = ~table["confidence"].isin(["high", "medium", "low"])
    if wrong.any():
        raise CatalogError(f"{where}: confidence must be high, medium or low.")
    sure = table["source_url"].str.startswith(LINK_NOT_KEPT) & (table["confidence"] != "low")
    if sure.any():
        raise CatalogError(f"{where}: a run with {LINK_NOT_KEPT!r} must have confidence low.")
    for column, largest in RUN_NUMBERS.items():
        numbers = pd.to_numeric(table[column], errors="coerce")
        smallest_ok = numbers >= 0 if column == "context_tokens" else numbers > 0
        bad = table[column].notna() & ~(smallest_ok & (numbers <= largest))
        if bad.any():
            row = table[bad].iloc[0]
            raise CatalogError(
                f"{where}: run {row['id']} has {column} = {row[column]}, which cannot be. "
                "Correct or remove it."
            )
        table[column] = numbers.astype(float)
    return table.assign(file=path.stem)


def observations(root: Path, name: str) -> pd.DataFrame:
    """A file of observations such as ``working_set.csv``; each row has a source."""
    path = root / name
    table = read_csv(path, root, OBSERVATIONS[name])
    if table["source_url"].isna().any():
        raise CatalogError(f"{shown(path, root)}: a row has no source_url. Fill it in.")
    return table
