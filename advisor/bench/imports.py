"""Figures of other programs, read from what they print: each becomes a measurement of one model.

``llama-bench -o json`` (or jsonl), ``mlx_lm.benchmark`` and ``ollama run --verbose`` are
understood. What a text does not say (the model, for the latter two) is asked of the caller.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from advisor.bench import samples
from advisor.bench.measurement import Measurement, PromptAt, StepAt
from advisor.errors import InputError
from advisor.units import GB

IMPORTED = "imported"
TRIAL = re.compile(
    r"^Trial \d+:\s+prompt_tps=([\d.]+), generation_tps=([\d.]+), peak_memory=([\d.]+)", re.M
)
TRIAL_SIZES = re.compile(r"prompt_tokens=(\d+), generation_tokens=(\d+), batch_size=(\d+)")
OLLAMA_LINE = re.compile(r"^(prompt eval|eval) (count|duration):\s+(\S+)", re.M)
OLLAMA_MODEL = re.compile(r"ollama run\b(?P<words>[^\n]*)")
DURATION_PART = re.compile(r"([\d.]+)(h|ms|m|s|µs|μs|us|ns)")
SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "µs": 1e-6, "μs": 1e-6, "us": 1e-6,
           "ns": 1e-9}  # fmt: skip
# A GGUF's name ends in its quantization: "Qwen3-8B-Q4_K_M.gguf".
GGUF_QUANT = re.compile(r"[-.]((?:UD-)?(?:I?Q\d\w*|BF16|F16|F32|MXFP4))$", re.I)
UNDERSTOOD = "llama-bench -o json, mlx_lm.benchmark and ollama run --verbose are understood."


def read(text: str, *, model: str = "", quant: str = "") -> list[Measurement]:
    """The measurements of a text, one for each model in it.

    model, quant   what was measured, for texts that do not say it; they go before what texts say
    Raises ``InputError`` where the text is of no program we know, is broken, or lacks the model.
    """
    if text.lstrip().startswith(("[", "{")):
        found = llama_bench(text)
    elif TRIAL.search(text):
        found = [mlx_lm_benchmark(text)]
    elif OLLAMA_LINE.search(text):
        found = [ollama_verbose(text)]
    else:
        raise InputError(f"No figures were found in this text. {UNDERSTOOD}")
    named = [_named(one, model, quant) for one in found]
    if any(not one.model for one in named):
        raise InputError("The text does not say which model was measured; give it with --model.")
    return named


def llama_bench(text: str) -> list[Measurement]:
    """What ``llama-bench -o json`` or ``-o jsonl`` prints: a measurement for each file and setting.

    A generation test of n tokens at a depth d is a step at a context of d + n / 2.
    """
    rows = _rows(text)
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        key = tuple(row.get(name) for name in ("model_filename", "type_k", "type_v", "flash_attn",
                                               "n_gpu_layers", "build_commit"))  # fmt: skip
        groups.setdefault(key, []).append(row)
    return [_of_llama_bench(group) for group in groups.values()]


def mlx_lm_benchmark(text: str) -> Measurement:
    """What ``mlx_lm.benchmark`` prints. Its rate of n tokens counts one interval too many.

    Source: mlx-lm, ``stream_generate``: n tokens over the time since the first of them, which
    is n - 1 steps; so a step takes n / (n - 1) times as long as 1 / rate.
    """
    trials = [tuple(map(float, match)) for match in TRIAL.findall(text)]
    sizes = TRIAL_SIZES.search(text)
    if sizes is None:
        raise InputError(
            "The line that mlx_lm.benchmark prints before its trials is missing ('Timing with "
            "prompt_tokens=…'); without it the context is not known. Give the whole text."
        )
    prompt, generated, batch = map(int, sizes.groups())
    if batch != 1:
        raise InputError(f"These trials ran {batch} sequences at once; give those of -b 1.")
    share = generated / (generated - 1) if generated > 1 else 1.0
    steps = (_step(prompt + generated // 2, [share / trial[1] for trial in trials]),)
    prompts = (_prompt(prompt, [prompt / trial[0] for trial in trials]),)
    peak = int(max(trial[2] for trial in trials) * GB)
    how = (
        f"{len(trials)} trials of mlx_lm.benchmark, {generated} tokens after {prompt}; its rate "
        f"divided by {share:.4f}, since it counts one interval too many."
    )
    return _measurement("", "", steps, prompts, how, runtime="mlx-lm", peak_bytes=peak)


def ollama_verbose(text: str) -> Measurement:
    """What ``ollama run MODEL --verbose`` prints after each answer; several answers add up."""
    found: dict[tuple[str, str], list[float]] = {}
    for what, field, value in OLLAMA_LINE.findall(text):
        number = duration_s(value) if field == "duration" else float(value)
        found.setdefault((what, field), []).append(number)
    counts, times = found.get(("eval", "count"), []), found.get(("eval", "duration"), [])
    if not counts or len(counts) != len(times) or min(times) <= 0 or min(counts) <= 0:
        raise InputError("The lines 'eval count' and 'eval duration' do not come in pairs.")
    asked = found.get(("prompt eval", "count"), [])
    asked_s = found.get(("prompt eval", "duration"), [])
    context = int((asked[0] if asked else 0) + counts[0] / 2)
    steps = (_step(context, [time / n for n, time in zip(counts, times, strict=True)]),)
    prompts = (_prompt(int(asked[0]), asked_s[:1]),) if asked and asked_s else ()
    how = f"{len(counts)} answers of ollama run --verbose, {int(sum(counts))} tokens in all."
    command = OLLAMA_MODEL.search(text)
    words = [word for word in command["words"].split() if word[0] != "-"] if command else []
    return _measurement(words[0] if words else "", "", steps, prompts, how, runtime="ollama")


def duration_s(text: str) -> float:
    """Seconds of a duration as Go writes it, "2m27.98s" or "891.9µs"."""
    return sum(float(number) * SECONDS[unit] for number, unit in DURATION_PART.findall(text))


def _rows(text: str) -> list[Mapping[str, Any]]:
    try:
        found = json.loads(text) if text.lstrip().startswith("[") else [
            json.loads(line) for line in text.splitlines() if line.strip()
        ]  # fmt: skip
    except ValueError as error:
        raise InputError(f"The JSON of llama-bench is broken: {error}. Run it again.") from error
    needed = ("model_filename", "n_prompt", "n_gen", "samples_ns")
    for row in found:
        missing = [name for name in needed if not isinstance(row, dict) or name not in row]
        if missing:
            raise InputError(f"A row of this JSON has no {missing[0]}; llama-bench writes one.")
    if not found:
        raise InputError("llama-bench measured nothing: its JSON is empty.")
    return list(found)


def _of_llama_bench(rows: Sequence[Mapping[str, Any]]) -> Measurement:
    first = rows[0]
    steps, prompts = [], []
    for row in rows:
        prompt, generated, depth = row["n_prompt"], row["n_gen"], row.get("n_depth", 0)
        seconds = [nanoseconds / 1e9 for nanoseconds in row["samples_ns"]]
        if generated and not prompt:
            steps.append(_step(depth + generated // 2, [each / generated for each in seconds]))
        elif prompt and not generated and not depth:
            prompts.append(_prompt(prompt, seconds))
    stem = PurePosixPath(str(first["model_filename"]).replace("\\", "/")).name
    stem = stem.removesuffix(".gguf")
    quant = GGUF_QUANT.search(stem)
    said = [f"cache {first.get('type_k', 'f16')}/{first.get('type_v', 'f16')}",
            f"flash attention {'on' if first.get('flash_attn') else 'off'}",
            f"{first.get('n_gpu_layers', '?')} layers on the GPU"]  # fmt: skip
    return _measurement(
        stem[: quant.start()] if quant else stem,
        quant[1] if quant else "",
        tuple(steps), tuple(prompts), f"{len(rows)} tests of llama-bench: {', '.join(said)}.",
        runtime="llama.cpp", version=str(first.get("build_number") or ""),
        weight_bytes=int(first.get("model_size") or 0),
        device=str(first.get("gpu_info") or first.get("cpu_info") or ""),
        metal="metal" in str(first.get("backends", "")).lower(),
    )  # fmt: skip


def _step(context: int, seconds: Sequence[float]) -> StepAt:
    found = samples.estimate([seconds], [1.0])
    return StepAt(context, found.value_s, found.low_s, found.high_s, 0.0, found.repeats,
                  tuple(seconds), (found.value_s,))  # fmt: skip


def _prompt(tokens: int, seconds: Sequence[float]) -> PromptAt:
    found = samples.estimate([seconds], [1.0])
    return PromptAt(tokens, found.value_s, found.low_s, found.high_s, found.repeats)


def _measurement(
    model: str,
    quant: str,
    steps: tuple[StepAt, ...],
    prompts: tuple[PromptAt, ...],
    how: str,
    *,
    runtime: str,
    version: str = "",
    peak_bytes: int = 0,
    weight_bytes: int = 0,
    device: str = "",
    metal: bool = False,
) -> Measurement:
    return Measurement(
        kind=IMPORTED, model=model, quant_id=quant, steps=steps, prompts=prompts, how=how,
        slices=(), outside_s=None, experts_touched=0, peak_memory_bytes=peak_bytes,
        weight_bytes=weight_bytes, layers=0, metal=metal, device=device, dtype="",
        runtime=runtime, runtime_version=version, mlx_version="",
    )  # fmt: skip


def _named(found: Measurement, model: str, quant: str) -> Measurement:
    return replace(found, model=model or found.model, quant_id=quant or found.quant_id)
