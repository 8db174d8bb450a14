"""Derive what mlx-lm knows about every model: one command builds the tables, one checks them.

``catalog/derived/models.csv`` holds a line a model (parameters, layers, cache bytes),
``catalog/derived/weights.csv`` a line a model and MLX quantization (bytes),
``catalog/derived/artifacts.csv`` a line a published file, ``catalog/derived/runs.csv`` a line a
public run with the ids it means. GGUF sizes are computed from measured bits per weight when the
catalog is loaded, not here.
"""

from __future__ import annotations

import csv
import io
import json
import multiprocessing
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from advisor.catalog import artifacts, resolve_runs
from advisor.errors import CatalogError

MODELS_CSV = Path("derived/models.csv")
WEIGHTS_CSV = Path("derived/weights.csv")
# One of each kind, all quick to build.
SAMPLE = (
    "bitnet-b1.58-2b-4t",  # packed, and not traced without a GPU
    "gemma-3-1b",  # sliding windows, a head that is dropped
    "gemma-3n-e2b",  # layers that share a cache, per-layer tables
    "gpt-oss-20b",  # experts, sliding windows, 8-bit routers
    "kimi-linear-48b-a3b",  # latent attention, recurrent state, experts
    "llama-3.1-8b",  # dense
    "llama-4-scout",  # chunked attention
    "qwen3.5-0.8b",  # recurrent state
)
# A process keeps what it built; a fresh one after this many models bounds memory under 1 GB.
MODELS_PER_PROCESS = 24


def build(root: Path, workers: int = 2) -> list[Path]:
    """Derive all buildable models, choose artifacts, resolve runs; returns the files written.

    Raises ``CatalogError`` naming the model that mlx-lm cannot build.
    """
    ids = [model_id for model_id, entry in _entries(root) if entry.get("buildable", True)]
    models, weights = _derive(root, ids, workers)
    written = []
    for path, rows in ((MODELS_CSV, models), (WEIGHTS_CSV, weights)):
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_as_csv(rows), encoding="utf-8")
        written.append(target)
    return [*written, *artifacts.build(root), resolve_runs.build(root)]


def check(root: Path, sample: Sequence[str] | None = SAMPLE, workers: int = 2) -> list[str]:
    """Sentences on every difference between the checked-in tables and a fresh derivation.

    sample   model ids to derive; None derives the whole catalog
    """
    entries = [(model_id, entry) for model_id, entry in _entries(root)]
    buildable = [model_id for model_id, entry in entries if entry.get("buildable", True)]
    problems = []
    stored_models = _read(root / MODELS_CSV)
    stored_weights = _read(root / WEIGHTS_CSV)
    have = {row["model_id"] for row in stored_models}
    for model_id in sorted(set(buildable) ^ have):
        where = "has no line in" if model_id in buildable else "is no buildable model but stands in"
        problems.append(f"{model_id} {where} {MODELS_CSV}. Run `advisor catalog build`.")
    chosen = [m for m in (buildable if sample is None else sample) if m in set(buildable)]
    models, weights = _derive(root, chosen, workers)
    for path, fresh, stored, keys in (
        (MODELS_CSV, models, stored_models, ("model_id",)),
        (WEIGHTS_CSV, weights, stored_weights, ("model_id", "quant_id")),
    ):
        lookup = {tuple(row[k] for k in keys): row for row in stored}
        for row in fresh:
            key = tuple(str(row[k]) for k in keys)
            old = lookup.get(key)
            if old is None:
                problems.append(f"{path} has no line for {' '.join(key)}.")
                continue
            problems += [
                f"{path}: {' '.join(key)} says {name} = {old.get(name)}, mlx-lm gives {value}."
                for name, value in row.items()
                if old.get(name) != str(value)
            ]
    return problems + artifacts.check(root) + resolve_runs.check(root)


def derive_model(entry: dict[str, Any], quants: list[dict[str, Any]]) -> tuple[dict, list[dict]]:
    """One model's line of models.csv and its lines of weights.csv, from its catalog entry."""
    from advisor import mlx

    config = entry["config"]
    shape = asdict(mlx.describe(config))
    cache = shape.pop("cache")
    window = cache["window_tokens"]
    cache["window_tokens"] = int(window) if window == int(window) else window
    line = {"model_id": entry["id"], **shape, **cache}
    weights = [
        {
            "model_id": entry["id"],
            "quant_id": quant["id"],
            **asdict(
                mlx.weigh(
                    config,
                    bits=None if quant["mode"] == "none" else int(quant["bits"]),
                    group_size=quant.get("group_size"),
                    mode=quant["mode"],
                )
            ),
        }
        for quant in quants
    ]
    return line, weights


def _derive_file(task: tuple[str, list[dict[str, Any]]]) -> tuple[dict, list[dict]]:
    path, quants = task
    entry = json.loads(Path(path).read_text(encoding="utf-8"))
    return derive_model(entry, quants)


def _derive(root: Path, ids: Sequence[str], workers: int) -> tuple[list[dict], list[dict]]:
    quants = _mlx_quants(root)
    tasks = [(str(root / "models" / f"{model_id}.json"), quants) for model_id in ids]
    models: list[dict] = []
    weights: list[dict] = []
    context = multiprocessing.get_context("spawn")
    # An executor, not a pool: it says so when a process dies, where a pool would start another.
    with ProcessPoolExecutor(
        workers, mp_context=context, max_tasks_per_child=MODELS_PER_PROCESS
    ) as pool:
        results = pool.map(_derive_file, tasks)
        for done, model_id in enumerate(ids, start=1):
            try:
                line, lines = next(results)
            except Exception as error:
                raise CatalogError(f"catalog/models/{model_id}.json: {error}") from error
            models.append(line)
            weights.extend(lines)
            if done % MODELS_PER_PROCESS == 0 or done == len(ids):
                print(f"{done} of {len(ids)} models derived", file=sys.stderr)
    return models, weights


def _entries(root: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((root / "models").glob("*.json")):
        yield path.stem, json.loads(path.read_text(encoding="utf-8"))


def _mlx_quants(root: Path) -> list[dict[str, Any]]:
    data = tomllib.loads((root / "quants.toml").read_text(encoding="utf-8"))
    return [quant for quant in data["quant"] if quant["format"] == "mlx"]


def _as_csv(rows: Iterable[dict[str, Any]]) -> str:
    rows = list(rows)
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        raise CatalogError(f"{path} is missing. Run `advisor catalog build`.")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
