"""Slices against whole models: the same random weights' sizes, all layers built and timed.

Slices and the whole take turns, so that both see the same machine. Processor time is compared,
since other work on the machine adds to wall time only.
"""

import json
import statistics
import time
from collections.abc import Iterator
from typing import Any

from advisor.bench import samples, slices
from advisor.bench.point import Point
from advisor.catalog.load import DEFAULT_ROOT
from advisor.mlx import backend, blueprint, stepping, synthetic, weights
from tests import small_models
from tests.bench.clock import line

DEPTH = 128
STEPS = 4
FEWEST_REPEATS, MOST_REPEATS = 7, 30
LIMIT_S = 40.0  # of one case, once it has the fewest repeats
AGREES = 0.008  # half an 80 % interval: well below the bounds
MEDIAN_BOUND, WORST_BOUND = 0.03, 0.08


def catalog_config(model_id: str) -> dict[str, Any]:
    text = (DEFAULT_ROOT / "models" / f"{model_id}.json").read_text(encoding="utf-8")
    return json.loads(text)["config"]


def cases() -> Iterator[tuple[str, dict[str, Any], int]]:
    """Name, config and bits: 10 M to 600 M parameters of every kind."""
    yield "dense 12 x 256", small_models.dense(12, 256, 8192), 4
    yield "dense 24 x 384", small_models.dense(24, 384, 16384), 8
    yield "smollm2-135m", catalog_config("smollm2-135m"), 4
    yield "qwen3-0.6b", catalog_config("qwen3-0.6b"), 4
    yield "qwen3-0.6b", catalog_config("qwen3-0.6b"), 8
    yield "moe 16 x 384, 32 experts", small_models.moe(16, 384, 8192, 32, 4), 4
    yield "moe 24 x 512, 32 experts", small_models.moe(24, 512, 16384, 32, 4), 8
    yield "moe, latent, 12 x 512", small_models.latent(12, 512, 8192), 4
    yield "hybrid 24 x 512", small_models.hybrid(24, 512, 16384), 4
    yield "hybrid, lfm2-350m", catalog_config("lfm2-350m"), 8
    yield "sliding 26 x 512", small_models.sliding(26, 512, 16384), 4
    yield "sliding, gemma-3-270m", catalog_config("gemma-3-270m"), 8


def errors() -> Iterator[str]:
    found = []
    for name, config, bits in cases():
        params, sliced_s, whole_s = measure(config, bits)
        found.append(abs(sliced_s / whole_s - 1))
        yield line(
            f"slices of {name}, {params / 1e6:.0f} M, {bits} bit: {sliced_s * 1e3:.1f} ms for "
            f"{whole_s * 1e3:.1f} ms", f"{sliced_s / whole_s - 1:+.1%}", f"{WORST_BOUND:.0%}",
        )  # fmt: skip
    yield line("slices against whole models: median error", f"{statistics.median(found):.1%}",
               f"<= {MEDIAN_BOUND:.0%}")  # fmt: skip
    yield line("slices against whole models: worst error", f"{max(found):.1%}",
               f"<= {WORST_BOUND:.0%}")  # fmt: skip


def measure(config: dict[str, Any], bits: int) -> tuple[int, float, float]:
    """Parameters, and processor time of a step: from slices, and of the whole model [s]."""
    from advisor import mlx

    made = slices.plan(Point("slice", "", "", config, bits, 64, "affine"))
    paper, dtype = made.blueprint, backend.dtype(backend.here())
    models = [*made.models, blueprint.shorter(paper, range(len(paper.kinds)))]
    pool: weights.Pool = {}
    for model in models:
        weights.fill(model, pool, dtype)
    caches = [synthetic.at_depth(model, DEPTH) for model in models]
    times: list[list[float]] = [[] for _ in models]
    start = time.perf_counter()
    for repeat in range(MOST_REPEATS + 1):
        for index, model in enumerate(models):
            steps = stepping.decode(model, caches[index], DEPTH, paper.vocab_size, STEPS)
            if repeat:  # the first turn warms up
                times[index].append(statistics.median(step.cpu_s for step in steps))
        if repeat >= FEWEST_REPEATS:
            sliced = samples.estimate(times[:-1], made.design.weights)
            spread = max(sliced.spread, samples.estimate(times[-1:], [1.0]).spread)
            if spread < AGREES or time.perf_counter() - start > LIMIT_S:
                break
    medians = [statistics.median(each) for each in times]
    sliced_s = sum(w * t for w, t in zip(made.design.weights, medians[:-1], strict=True))
    backend.release()
    return mlx.describe(config).params, sliced_s, medians[-1]


if __name__ == "__main__":
    for text in errors():
        print(text, flush=True)
