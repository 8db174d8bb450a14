"""Models on disk: a folder of weights, or a hub id whose files are in the hub's cache."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from advisor.errors import InputError
from advisor.mlx import backend, models
from advisor.mlx.backend import Backend

WEIGHTS = "*.safetensors"


def find(model: str) -> Path:
    """The folder of a model: one that is given, or the hub's newest snapshot of an id.

    Nothing is downloaded. Raises ``InputError`` where it is not on this disk, or not whole.
    """
    folder = Path(model).expanduser()
    if not folder.is_dir():
        folder = _snapshot(model)
    if not (folder / "config.json").is_file():
        raise InputError(f"{folder} holds no config.json, so it is no model for mlx-lm.")
    if not list(folder.glob(WEIGHTS)):
        raise InputError(
            f"{folder} holds no weights ({WEIGHTS}). Download the model again, or choose a folder "
            "with weights for MLX."
        )
    missing = [path.name for path in folder.glob(WEIGHTS) if not path.exists()]
    if missing:
        raise InputError(
            f"The hub's cache of {model} is broken: {missing[0]} points to a file that is gone. "
            f"Download it again with `hf download {model}`."
        )
    return folder


def config(folder: Path) -> dict[str, Any]:
    """The folder's config.json. Raises ``InputError`` where it is no JSON object."""
    try:
        found = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{folder / 'config.json'} cannot be read: {error}.") from error
    if not isinstance(found, dict):
        raise InputError(f"{folder / 'config.json'} is no JSON object.")
    return found


def weight_bytes(folder: Path) -> int:
    """Bytes of the weight files [bytes]."""
    return sum(path.stat().st_size for path in folder.glob(WEIGHTS))


def load(folder: Path, here: Backend) -> Any:
    """The model with its weights in memory, in the dtype that is measured in here.

    Raises ``InputError`` where mlx-lm cannot load it.
    """
    import mlx.core as mx
    from mlx_lm.utils import load_model

    with models.reading(f"load the model in {folder}"), models.silence():
        model, _ = load_model(folder, lazy=True)
        if not here.metal:
            model.set_dtype(backend.dtype(here))
        mx.eval(model.parameters())
        model.eval()
    return model


def _snapshot(model: str) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(model, local_files_only=True))
    except HFValidationError as error:
        raise InputError(f"{model!r} is neither a folder nor a hub id.") from error
    except (LocalEntryNotFoundError, OSError, ValueError) as error:
        raise InputError(
            f"{model} is not on this computer: it is no folder, and the hub's cache does not hold "
            f"it. Download it with `hf download {model}`, or measure it by slices."
        ) from error
