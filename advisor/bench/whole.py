"""A whole run: a model on disk, its real weights, timed as its slices are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from advisor.bench import guard
from advisor.bench.measurement import Measurement
from advisor.bench.point import SLICE, WHOLE, Point, lengths
from advisor.bench.timing import Emit, Timed
from advisor.errors import InputError
from advisor.mlx import backend, configs, counting, disk
from advisor.units import GB

# Two bytes a weight on disk, four in memory, where 16-bit floats are measured in 32 bits.
WIDENED = 2.0
OVERHEAD_SHARE = 1.2


def measure(point: Point, emit: Emit) -> Measurement:
    """Run the model at ``point.path``; ``emit`` hears of stages, progress and numbers.

    Raises ``InputError`` where it is not on disk, cannot be loaded, or needs more memory than
    it may take (before it is loaded).
    """
    here = backend.here()
    disturbed = guard.before(on_cpu=not here.metal)
    emit("stage", stage="plan", text="what is on disk")
    folder = disk.find(point.path)
    config = disk.config(folder)
    size = disk.weight_bytes(folder)
    widened = WIDENED if not here.metal and not quantization(config) else 1.0
    most = point.most_bytes or int(guard.free_bytes() * guard.USABLE_SHARE)
    needed = size * widened * OVERHEAD_SHARE
    if refusal := guard.memory_refusal(needed, most, point.label):
        raise InputError(refusal)
    emit("stage", stage="build", text=f"weights of {size / GB:.2f} GB from disk")
    backend.prepare()
    model = disk.load(folder, here)
    fields = configs.text_fields(config)
    vocab = counting.count(model, configs.hidden_size(fields)).vocab_size
    timed = Timed(
        [model], [1.0], vocab, not here.metal, emit, warnings=disturbed
    )  # fmt: skip
    return timed.finish(
        point,
        here,
        how=f"All {len(model.layers)} layers with the weights on disk, random tokens.",
        slices=(),
        experts_touched=0,
        weight_bytes=size,
        layers=len(model.layers),
    )


def of(model: str, *, quick: bool, metal: bool) -> Point:
    """A whole run of a folder or a hub id on this disk. Raises ``InputError`` without one."""
    folder = disk.find(model)
    depths, prompts = lengths(quick=quick, metal=metal)
    return Point(
        kind=WHOLE,
        model=_name(model, folder),
        quant_id=_quant_id(disk.config(folder)),
        path=str(folder),
        depths=depths,
        prompt_tokens=prompts,
    )


def slices_of(whole: Point) -> Point:
    """The slice run of the same model, to compare: its config in its quantization."""
    config = disk.config(Path(whole.path))
    found = quantization(config)
    return Point(
        kind=SLICE,
        model=whole.model,
        quant_id=whole.quant_id,
        config={name: value for name, value in config.items() if "quantization" not in name},
        bits=found.get("bits"),
        group_size=found.get("group_size"),
        mode=str(found.get("mode", "affine")) if found else "none",
        depths=whole.depths,
        prompt_tokens=whole.prompt_tokens,
        limit_s=whole.limit_s,
    )


def quantization(config: dict[str, Any]) -> dict[str, Any]:
    """What a config says of its quantization; empty for unquantized weights."""
    found = config.get("quantization")
    return found if isinstance(found, dict) else {}


def difference(slices: Measurement, whole: Measurement) -> dict[int, float]:
    """By how much the slices' step is longer than the whole model's, by depth; 0.02 for 2 %."""
    steps = {step.context_tokens: step for step in whole.steps}
    return {
        step.context_tokens: step.step_s / steps[step.context_tokens].step_s - 1
        for step in slices.steps
        if step.context_tokens in steps
    }


def _name(model: str, folder: Path) -> str:
    return folder.resolve().name if Path(model).expanduser().is_dir() else model


def _quant_id(config: dict[str, Any]) -> str:
    found = quantization(config)
    if not found:
        return "bf16"
    mode = str(found.get("mode", "affine"))
    if mode != "affine":
        return mode
    group = "" if found.get("group_size", 64) == 64 else f"-g{found['group_size']}"
    return f"mlx-{found.get('bits')}bit{group}"
