"""The catalog's CSV files as data frames, and the table of every model x quantization."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from advisor.catalog.files import read_text, shown
from advisor.errors import CatalogError

if TYPE_CHECKING:
    from advisor.catalog.load import Catalog

ARTIFACTS_CSV = Path("derived/artifacts.csv")
REBUILD = "Run 'advisor catalog build'."
SHAPE_COLUMNS = ("model_id", "params", "embedding_params", "expert_params", "experts",
                 "experts_per_token")  # fmt: skip
WEIGHT_COLUMNS = ("model_id", "quant_id", "weight_bytes", "dense_read_bytes", "expert_bytes")
ARTIFACT_COLUMNS = ("model_id", "quant_id", "channel", "bytes", "exact", "size_known", "name",
                    "source", "note")  # fmt: skip
SCORE_COLUMNS = ("model_id", "model_as_published", "benchmark", "score", "setting",
                 "source_url", "confidence")  # fmt: skip


def read_csv(
    path: Path, root: Path, columns: tuple[str, ...], cure: str = "Correct or restore it."
) -> pd.DataFrame:
    """A CSV file that has at least ``columns``; an empty cell is missing, all else is kept."""
    text = read_text(path, root, cure)
    try:
        table = pd.read_csv(io.StringIO(text), keep_default_na=False, na_values=[""])
    except (pd.errors.ParserError, pd.errors.EmptyDataError) as error:
        raise CatalogError(
            f"{shown(path, root)} is not a valid CSV file: {error}. {cure}"
        ) from error
    if isinstance(table.index, pd.MultiIndex) or table.index.dtype == object:
        raise CatalogError(f"{shown(path, root)}: a row has more cells than the header. {cure}")
    missing = [column for column in columns if column not in table.columns]
    if missing:
        raise CatalogError(f"{shown(path, root)}: the column {missing[0]!r} is missing. {cure}")
    return table


def shapes(root: Path) -> pd.DataFrame:
    """derived/models.csv indexed by model_id, sorted."""
    path = root / "derived" / "models.csv"
    table = read_csv(path, root, SHAPE_COLUMNS, REBUILD)
    if table["model_id"].duplicated().any():
        raise CatalogError(f"{shown(path, root)}: a model is there twice. {REBUILD}")
    return table.set_index("model_id").sort_index()


def variants(catalog: Catalog) -> pd.DataFrame:
    """A row a buildable model x quantization, models outside, quantizations inside.

    weight_bytes          all text weights: made by mlx-lm, or parameters x bits per weight / 8
                          for GGUF, which holds to a few per cent [bytes]
    dense_read_bytes      what every token reads: all but experts and unread embeddings; of a
                          GGUF with a published file, in proportion to that file [bytes]
    expert_bytes          all routed experts together [bytes]
    read_weight_bytes     read for one token of one sequence: dense + experts x top_k / E [bytes]
    published_bytes       size of a published artifact of that format, NaN unknown [bytes]
    published_ollama_bytes    size of Ollama's own file, NaN unknown [bytes]
    vision_bytes          the vision tower inside a published MLX artifact, 0 if none [bytes]
    """
    shape, quants = catalog.shapes, list(catalog.quants.values())
    n_models, n_quants = len(shape), len(quants)
    gguf_bits = np.array([quant.bits_per_weight or np.nan for quant in quants])

    def per_model(column: str) -> np.ndarray:
        return shape[column].to_numpy(dtype=float)[:, None]

    params, experts = per_model("params"), per_model("expert_params")
    unread = per_model("embedding_params")
    bytes_per_weight = gguf_bits[None, :] / 8
    computed = {
        "weight_bytes": params * bytes_per_weight,
        "dense_read_bytes": (params - experts - unread) * bytes_per_weight,
        "expert_bytes": experts * bytes_per_weight,
    }
    weights = _weights(catalog)
    for name, values in computed.items():
        values[weights["model_ix"], weights["quant_ix"]] = weights[name]
    _require_complete(catalog, computed["weight_bytes"])

    published = _published(catalog)
    _read_as_published(computed, published["hub"], gguf_bits)

    expert_count = per_model("experts")
    share = np.divide(per_model("experts_per_token"), expert_count,
                      out=np.zeros_like(expert_count), where=expert_count > 0)  # fmt: skip
    model_ix = np.repeat(np.arange(n_models), n_quants)
    quant_ix = np.tile(np.arange(n_quants), n_models)
    table = pd.DataFrame(
        {
            "model_id": np.repeat(shape.index.to_numpy(), n_quants),
            "quant_id": np.tile(np.array(catalog.quant_ids, dtype=object), n_models),
            "model_ix": model_ix,
            "quant_ix": quant_ix,
            "format": np.tile(np.array([quant.format for quant in quants], object), n_models),
            **{name: values.ravel() for name, values in computed.items()},
        }
    )
    read = computed["dense_read_bytes"] + computed["expert_bytes"] * share
    table["read_weight_bytes"] = read.ravel()
    table["published_bytes"] = published["hub"]
    table["published_ollama_bytes"] = published["ollama"]
    excess = published["hub"].reshape(n_models, n_quants) - computed["weight_bytes"]
    on_mlx = np.array([quant.format == "mlx" for quant in quants])
    tower = _vision_bytes(catalog, np.where(on_mlx, excess, np.nan))
    table["vision_bytes"] = np.where(on_mlx, tower[:, None], 0.0).ravel()
    return table


def _read_as_published(
    computed: dict[str, np.ndarray], published: np.ndarray, gguf_bits: np.ndarray
) -> None:
    """What a token reads of a GGUF follows its published file, in place.

    A quantizer may leave most of a model as it was (gpt-oss's experts stay at 4 bit in every
    file), so a file's bytes, not its label, say what is read.
    """
    size = published.reshape(computed["weight_bytes"].shape)
    known = ~np.isnan(size) & ~np.isnan(gguf_bits)[None, :]
    factor = np.where(known, size / computed["weight_bytes"], 1.0)
    computed["dense_read_bytes"] *= factor
    computed["expert_bytes"] *= factor


def _vision_bytes(catalog: Catalog, excess: np.ndarray) -> np.ndarray:
    """Each model's vision tower [bytes], the same at every bit width; 0 if none is known.

    Where no figure is given it is what a published MLX artifact has more than the text weights
    (``excess``: model x quantization), at the least.
    """
    tower = np.zeros(len(excess))
    for row, model_id in enumerate(catalog.model_ids):
        model = catalog.models.get(model_id)
        more = excess[row][excess[row] > 0]
        if model is None:
            continue
        if model.vision_bytes is not None:
            tower[row] = model.vision_bytes
        elif "vision" in model.tasks and len(more):
            tower[row] = more.min()
    return tower


def _weights(catalog: Catalog) -> pd.DataFrame:
    path = catalog.root / "derived" / "weights.csv"
    table = read_csv(path, catalog.root, WEIGHT_COLUMNS, REBUILD)
    return _indexed(catalog, table, path)


def _indexed(catalog: Catalog, table: pd.DataFrame, path: Path) -> pd.DataFrame:
    """The table with ``model_ix`` and ``quant_ix``; an id that is not there is an error."""
    model_ix = pd.Index(catalog.model_ids).get_indexer(pd.Index(table["model_id"]))
    quant_ix = pd.Index(catalog.quant_ids).get_indexer(pd.Index(table["quant_id"]))
    for column, index in (("model_id", model_ix), ("quant_id", quant_ix)):
        if (index < 0).any():
            name = table[column].iloc[int(np.argmin(index))]
            raise CatalogError(
                f"{shown(path, catalog.root)}: {name!r} is no {column} of this catalog. {REBUILD}"
            )
    return table.assign(model_ix=model_ix, quant_ix=quant_ix)


def _require_complete(catalog: Catalog, weight_bytes: np.ndarray) -> None:
    holes = np.argwhere(~(weight_bytes > 0))
    if len(holes):
        model, quant = holes[0]
        raise CatalogError(
            f"{catalog.root.name}/derived/weights.csv: no weight bytes for "
            f"{catalog.model_ids[model]} in {catalog.quant_ids[quant]}. {REBUILD}"
        )


def _published(catalog: Catalog) -> dict[str, np.ndarray]:
    """Published bytes by variant row, NaN unknown; an exact size goes before a rounded one."""
    table = catalog.artifacts
    known = table["model_id"].isin(catalog.model_ids) & table["size_known"]
    table = _indexed(catalog, table[known], catalog.root / ARTIFACTS_CSV)
    table = table.sort_values("exact", ascending=False, kind="stable")
    row = table["model_ix"] * len(catalog.quant_ids) + table["quant_ix"]
    size = len(catalog.model_ids) * len(catalog.quant_ids)
    result = {}
    for name, chosen in (("hub", table["channel"] != "ollama"),
                         ("ollama", table["channel"] == "ollama")):  # fmt: skip
        values = np.full(size, np.nan)
        first = row[chosen].drop_duplicates()
        values[first] = table.loc[first.index, "bytes"]
        result[name] = values
    return result


def artifacts(root: Path) -> pd.DataFrame:
    """Published files: sizes are positive bytes, the channel is mlx, gguf or ollama."""
    path = root / ARTIFACTS_CSV
    table = read_csv(path, root, ARTIFACT_COLUMNS, REBUILD)
    if not (table["bytes"] > 0).all() or not table["channel"].isin(["mlx", "gguf", "ollama"]).all():
        raise CatalogError(
            f"{shown(path, root)}: bytes must be above 0 and channel one of mlx, gguf, ollama."
        )
    return table


def scores(root: Path) -> pd.DataFrame:
    """Published scores; the score is a number, the source is named."""
    path = root / "scores.csv"
    table = read_csv(path, root, SCORE_COLUMNS)
    if not pd.api.types.is_numeric_dtype(table["score"]) or table["score"].isna().any():
        raise CatalogError(f"{shown(path, root)}: a score is not a number. Correct the file.")
    return table
