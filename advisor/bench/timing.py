"""The timed part of a run: models side by side, at each depth and prompt length.

Slices are timed in turn within every repeat, so that a machine that slows down slows all of
them alike. A turn before the first depth warms up and is not counted: it compiles.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from advisor.bench import guard, samples
from advisor.bench.measurement import Measurement, PromptAt, StepAt
from advisor.bench.point import Point
from advisor.errors import InputError
from advisor.mlx import backend, stepping, synthetic
from advisor.mlx.backend import Backend

Emit = Callable[..., None]
BURST_S = 0.2
FEWEST_STEPS, MOST_STEPS = 1, 24
MOST_REPEATS = 40
# Of the time limit, what the prompts may take; the rest is shared by the depths.
PROMPT_SHARE = 0.3
ROOM = 2 * MOST_STEPS


@dataclass
class Timed:
    """Models to time together: their times add up by ``weights`` (embedding and head: ``outside``).

    on_cpu   whether processor time is the time of the work, as it is without a GPU
    """

    models: Sequence[Any]
    weights: Sequence[float]
    vocab_size: int
    on_cpu: bool
    emit: Emit
    outside: Sequence[float] = ()
    warnings: list[str] = field(default_factory=list)
    _step_s: float = 0.0

    def measure(self, point: Point) -> tuple[tuple[StepAt, ...], tuple[PromptAt, ...]]:
        """Decode steps at every depth, then prompts of every length."""
        prompt_s = point.limit_s * PROMPT_SHARE if point.prompt_tokens else 0.0
        depth_s = (point.limit_s - prompt_s) / max(1, len(point.depths))
        steps = tuple(self._steps(point, depth, depth_s) for depth in point.depths)
        share = prompt_s / max(1, len(point.prompt_tokens))
        return steps, tuple(self._prompt(tokens, share) for tokens in point.prompt_tokens)

    def finish(self, point: Point, here: Backend, *, how: str, **facts: Any) -> Measurement:
        """The finished run: everything timed, with what ``facts`` say of the model.

        facts   the fields of ``Measurement`` that are neither times nor about this computer
        """
        steps, prompts = self.measure(point)
        if any(step.step_s <= 0 for step in steps):
            raise InputError(
                f"The times of {point.label} were too noisy to extend to the whole model. "
                "Close other programs and measure again."
            )
        return Measurement(
            kind=point.kind,
            model=point.model,
            quant_id=point.quant_id,
            steps=steps,
            prompts=prompts,
            how=f"{how} {here.says}",
            outside_s=_outside_s(self.outside, steps),
            peak_memory_bytes=backend.peak_bytes(),
            metal=here.metal,
            device=here.device,
            dtype=here.dtype,
            runtime="mlx-lm",
            runtime_version=here.mlx_lm_version,
            mlx_version=here.mlx_version,
            warnings=tuple(self.warnings),
            **facts,
        )

    def _steps(self, point: Point, depth: int, limit_s: float) -> StepAt:
        self.emit("stage", stage="decode", context_tokens=depth,
                  text=f"decode at a context of {depth}")  # fmt: skip
        caches = [
            synthetic.at_depth(model, depth, room=ROOM, kv_bits=point.kv_bits)
            for model in self.models
        ]

        def once(index: int, steps: int) -> tuple[float, float]:
            found = stepping.decode(
                self.models[index], caches[index], depth, self.vocab_size, steps
            )
            return (
                statistics.median(interval.wall_s for interval in found),
                statistics.median(interval.cpu_s for interval in found),
            )

        if self._step_s == 0.0:  # the first turn of all compiles, and tells how long a step is
            self._step_s = max(once(index, FEWEST_STEPS)[0] for index in range(len(self.models)))
        steps = int(min(MOST_STEPS, max(FEWEST_STEPS, BURST_S / self._step_s)))
        wall, cpu = self._repeat(lambda index: once(index, steps), limit_s)
        found, found_cpu = samples.estimate(wall, self.weights), samples.estimate(cpu, self.weights)
        self._note(guard.drift_warning(cpu[-1] if self.on_cpu else wall[-1]))
        if self.on_cpu:
            self._note(guard.waiting_warning(found.value_s, found_cpu.value_s))
        each = [max(0.0, sum(w * t for w, t in zip(self.weights, times, strict=True)))
                for times in zip(*wall, strict=True)]  # fmt: skip
        result = StepAt(depth, found.value_s, found.low_s, found.high_s, found_cpu.value_s,
                        found.repeats, tuple(each),
                        tuple(statistics.median(times) for times in wall))  # fmt: skip
        self.emit("numbers", context_tokens=depth, decode_tok_s=result.decode_tok_s,
                  step_s=found.value_s, low_s=found.low_s, high_s=found.high_s,
                  repeats=found.repeats)  # fmt: skip
        return result

    def _prompt(self, tokens: int, limit_s: float) -> PromptAt:
        self.emit("stage", stage="prefill", prompt_tokens=tokens,
                  text=f"a prompt of {tokens} tokens")  # fmt: skip

        def once(index: int) -> tuple[float, float]:
            found = stepping.prefill(self.models[index], self.vocab_size, tokens)
            return found.wall_s, found.cpu_s

        wall, _ = self._repeat(once, limit_s, samples.FEWEST_AT_ALL)
        found = samples.estimate(wall, self.weights)
        result = PromptAt(tokens, found.value_s, found.low_s, found.high_s, found.repeats)
        self.emit("numbers", prompt_tokens=tokens, prefill_tok_s=result.prefill_tok_s,
                  seconds=found.value_s, low_s=found.low_s, high_s=found.high_s,
                  repeats=found.repeats)  # fmt: skip
        return result

    def _repeat(
        self,
        once: Callable[[int], tuple[float, float]],
        limit_s: float,
        fewest: int = samples.FEWEST_REPEATS,
    ) -> tuple[list[list[float]], list[list[float]]]:
        """Samples of each model until they agree or time is up: wall and processor time [s]."""
        wall: list[list[float]] = [[] for _ in self.models]
        cpu: list[list[float]] = [[] for _ in self.models]
        watch, start = guard.SleepWatch(), time.perf_counter()
        for repeat in range(MOST_REPEATS):
            turn = [once(index) for index in range(len(self.models))]
            if slept := watch.slept_s():
                self._note(f"The computer slept for {slept:.0f} s; that repeat was thrown away.")
                continue
            for index, (wall_s, cpu_s) in enumerate(turn):
                wall[index].append(wall_s)
                cpu[index].append(cpu_s)
            self.emit("progress", repeats=repeat + 1, most_repeats=MOST_REPEATS)
            took = time.perf_counter() - start
            least = fewest if took < 2 * limit_s else samples.FEWEST_AT_ALL
            late = took > limit_s and len(wall[0]) >= least
            if late or samples.is_enough(wall, self.weights):
                break
        return wall, cpu

    def _note(self, warning: str) -> None:
        if warning and warning not in self.warnings:
            self.warnings.append(warning)
            self.emit("warning", text=warning)


def _outside_s(weights: Sequence[float], steps: Sequence[StepAt]) -> float | None:
    """Embedding and head in a step at the smallest depth, where the models tell [s]."""
    if not steps or not weights:
        return None
    first = min(steps, key=lambda step: step.context_tokens)
    return sum(w * t for w, t in zip(weights, first.slices_s, strict=True))
