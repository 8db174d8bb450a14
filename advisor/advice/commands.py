"""How to get and run a pick: a command to copy, and whether anybody published the files."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from advisor.catalog import Catalog


@dataclass(frozen=True)
class Command:
    """Lines to paste into a terminal, and where the weights come from in a few words."""

    text: str
    published: bool
    note: str


@lru_cache(maxsize=8)
def _artifacts(catalog: Catalog) -> dict[tuple[str, str, str], str]:
    table = catalog.artifacts
    keys = zip(table["model_id"], table["quant_id"], table["channel"], strict=True)
    return dict(zip(keys, table["name"], strict=True))


def command(catalog: Catalog, model_id: str, quant_id: str, runtime: str) -> Command:
    """What to type to run a model in a quantization with a runtime."""
    quant = catalog.quants[quant_id]
    if runtime == "ollama":
        return _ollama(catalog, model_id, quant_id)
    if quant.format == "gguf":
        return _gguf(catalog, model_id, quant_id, runtime)
    return _mlx(catalog, model_id, quant_id, runtime)


def published_in(catalog: Catalog, model_id: str, quant_id: str, channel: str) -> str:
    """The hub repository (``mlx``, ``gguf``) or library tag (``ollama``); "" if none is known."""
    name = _artifacts(catalog).get((model_id, quant_id, channel))
    if channel == "mlx" and name is None and catalog.quants[quant_id].mode == "none":
        name = catalog.model(model_id).hf_id
    return _repository(name) if channel == "gguf" else name or ""


def _mlx(catalog: Catalog, model_id: str, quant_id: str, runtime: str) -> Command:
    quant, model = catalog.quants[quant_id], catalog.model(model_id)
    name = published_in(catalog, model_id, quant_id, "mlx")
    if name:
        return Command(_run_mlx(name, runtime), True, f"Published as {name}")
    folder = f"./{model_id}-{quant_id.removeprefix('mlx-')}"
    convert = (
        f"mlx_lm.convert --hf-path {model.hf_id} -q --q-bits {quant.bits:.0f} "
        f"--q-group-size {quant.group_size}"
        + ("" if quant.mode == "affine" else f" --q-mode {quant.mode}")
        + f" --mlx-path {folder}"
    )
    return Command(
        f"{convert}\n{_run_mlx(folder, runtime)}",
        False,
        "no published file is known; this converts the original weights, which must be "
        "downloaded and may need a larger Mac",
    )


def _run_mlx(name: str, runtime: str) -> str:
    if runtime == "lmstudio-mlx" and not name.startswith("."):
        return f"lms get https://huggingface.co/{name}"
    if runtime == "omlx" and not name.startswith("."):
        return f"hf download {name}"
    return f"mlx_lm.chat --model {name}"


def _gguf(catalog: Catalog, model_id: str, quant_id: str, runtime: str) -> Command:
    model = catalog.model(model_id)
    name = published_in(catalog, model_id, quant_id, "gguf")
    if name:
        if runtime == "lmstudio-gguf":
            text = f"lms get https://huggingface.co/{name}@{quant_id}"
        else:
            text = f"llama-cli -hf {name}:{quant_id}"
        return Command(text, True, f"Published in {name}")
    text = (
        f"hf download {model.hf_id} --local-dir {model_id}\n"
        f"python convert_hf_to_gguf.py {model_id} --outfile {model_id}-f16.gguf\n"
        f"llama-quantize {model_id}-f16.gguf {model_id}-{quant_id}.gguf {quant_id}\n"
        f"llama-cli -m {model_id}-{quant_id}.gguf"
    )
    return Command(text, False, "no published file is known; this converts the original weights")


def _ollama(catalog: Catalog, model_id: str, quant_id: str) -> Command:
    name = published_in(catalog, model_id, quant_id, "ollama")
    if name:
        return Command(f"ollama run {name}", True, f"Published as {name}")
    hub = published_in(catalog, model_id, quant_id, "gguf")
    if hub:
        return Command(f"ollama run hf.co/{hub}:{quant_id}", True, f"Published in {hub}")
    if catalog.quants[quant_id].format == "gguf":
        other = _gguf(catalog, model_id, quant_id, "llama.cpp")
    else:
        other = _mlx(catalog, model_id, quant_id, "mlx-lm")
    note = f"Ollama's library has no such tag, this runs it with another engine. {other.note}"
    return Command(other.text, other.published, note)


def _repository(name: str | None) -> str:
    """The hub repository (owner/name) of a published file, "" where there is none."""
    if not name:
        return ""
    parts = name.removeprefix("https://huggingface.co/").split("/")
    return "/".join(parts[:2]) if len(parts) > 1 else ""
