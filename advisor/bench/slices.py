"""A slice run: times of a few layers with random weights, extended to the whole model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from advisor.bench import design, guard
from advisor.bench.design import Design, Slice
from advisor.bench.measurement import Measurement
from advisor.bench.point import Point
from advisor.bench.timing import Emit, Timed
from advisor.errors import InputError
from advisor.mlx import backend, blueprint, experts, layers, synthetic, weights
from advisor.mlx.blueprint import Blueprint
from advisor.units import MIB

# Beside weights and caches: activations of a prompt, logits, what MLX keeps for reuse.
OVERHEAD_BYTES = 256 * MIB
OVERHEAD_SHARE = 1.1
EVERY_EXPERT_TIMES = 2


@dataclass(frozen=True)
class Plan:
    """The slices of a blueprint, built on paper, and the memory they take together [bytes]."""

    blueprint: Blueprint
    design: Design
    models: tuple[Any, ...]
    weight_bytes: int
    needed_bytes: int


def measure(point: Point, emit: Emit) -> Measurement:
    """Run one slice point; ``emit`` hears of stages, progress and numbers.

    Raises ``InputError`` where the model cannot be built or cut, where it needs more memory
    than it may take (before anything is built), and where its router uses too few experts.
    """
    here = backend.here()
    disturbed = guard.before(on_cpu=not here.metal)
    emit("stage", stage="plan", text="which layers to build")
    made = plan(point)
    most = point.most_bytes or int(guard.free_bytes() * guard.USABLE_SHARE)
    if refusal := guard.memory_refusal(made.needed_bytes, most, point.label):
        raise InputError(refusal)
    emit("stage", stage="build", text=f"random weights of {made.weight_bytes / 1e9:.2f} GB")
    backend.prepare()
    pool: weights.Pool = {}
    for model in made.models:
        weights.fill(model, pool, backend.dtype(here))
    paper = made.blueprint
    touched = _touched(made, point) if paper.experts else 0
    timed = Timed(
        made.models, made.design.weights, paper.vocab_size, not here.metal, emit,
        made.design.outside, disturbed,
    )  # fmt: skip
    return timed.finish(
        point,
        here,
        how=how(made),
        slices=tuple(
            {"layers": dict(one.counts), "weight": weight}
            for one, weight in zip(made.design.slices, made.design.weights, strict=True)
        ),
        experts_touched=touched,
        weight_bytes=paper.weight_bytes(paper.counts),
        layers=len(paper.kinds),
    )


def plan(point: Point) -> Plan:
    """Choose slices, on paper: nothing is built. Raises ``InputError`` where none add up."""
    paper = blueprint.read(
        point.config, bits=point.bits, group_size=point.group_size, mode=point.mode
    )
    for most in _limits(point, paper):
        for family in (_compositions, _intervals, _periods):
            found = design.best(
                paper.counts, family(paper), most_bytes=most, bytes_of=paper.kind_bytes
            )
            models = found and [shorter(paper, one) for one in found.slices]
            if found and models and all(model is not None for model in models):
                return _plan(paper, found, models, point)
    raise InputError(
        f"The layers of {point.label} cannot be cut into slices that add up to the whole. "
        "Measure it whole, from its weights on disk."
    )


def _limits(point: Point, paper: Blueprint) -> Iterator[float]:
    """What the layers may weigh: the usual first, then twice as much and on [bytes]."""
    limit = float(max(0, point.usual_bytes - paper.outside_bytes))
    whole = paper.weight_bytes(paper.counts)
    while limit < whole:
        yield limit
        limit = 2 * max(limit, 1.0)
    yield float("inf")


def shorter(paper: Blueprint, one: Slice) -> Any | None:
    """The lazy model of a slice; None where mlx-lm makes other layers of its config."""
    model = blueprint.shorter(paper, one.pick, one.interval)
    if model is None or Counter(layers.kinds(model)) != Counter(dict(one.counts)):
        return None
    return model


def how(made: Plan) -> str:
    """A sentence: what was built and how the figure comes from it."""
    whole = len(made.blueprint.kinds)
    sizes = [one.layers for one in made.design.slices]
    if sizes == [whole]:
        return f"All {whole} layers were built with random weights."
    sums = " ".join(
        f"{weight:+.2f} x t({one.layers} layers)"
        for one, weight in zip(made.design.slices, made.design.weights, strict=True)
    )
    return (
        f"Slices of {', '.join(map(str, sizes[:-1]))} and {sizes[-1]} of {whole} layers with "
        f"random weights, embedding and head included, extended to all: {sums}."
    )


def _compositions(paper: Blueprint) -> Iterator[Slice]:
    return design.compositions(paper.kinds)


def _periods(paper: Blueprint) -> Iterator[Slice]:
    return design.periods(paper.kinds)


def _intervals(paper: Blueprint) -> Iterator[Slice]:
    """Slices of models whose kinds follow an interval in the config, made shorter."""
    for interval in range(2, design.MOST_LAYERS + 1):
        for total in range(interval, design.MOST_LAYERS + 1):
            model = blueprint.shorter(paper, range(total), interval)
            if model is not None:
                counts = Counter(layers.kinds(model))
                yield Slice(tuple(range(total)), tuple(sorted(counts.items())), interval)


def _plan(paper: Blueprint, found: Design, models: Sequence[Any], point: Point) -> Plan:
    weight_bytes = paper.outside_bytes + design.layer_bytes(found.slices, paper.kind_bytes)
    deepest = max(point.depths, default=0)
    # Traced in 16 bits; measured in 32 on a CPU.
    size = backend.dtype(backend.here()).size / 2
    caches = size * sum(synthetic.cache_bytes(model, deepest) for model in models)
    prompt = max(point.prompt_tokens, default=0) * paper.hidden_size * 4 * 16
    needed = OVERHEAD_SHARE * (weight_bytes + caches) + prompt + OVERHEAD_BYTES
    return Plan(paper, found, tuple(models), weight_bytes, int(needed))


def _touched(made: Plan, point: Point) -> int:
    """Experts that a few tokens use; refuses a router that would flatter the time."""
    paper = made.blueprint
    least = min(EVERY_EXPERT_TIMES * paper.top_k + 1, paper.experts)
    smallest = min(made.models, key=lambda model: len(model.layers))
    touched = experts.touched(smallest, paper.vocab_size, enough=least)
    if touched < least:
        raise InputError(
            f"With random weights the router of {point.label} used only {touched} of "
            f"{paper.experts} experts (at least {least} are needed), so its times would flatter. "
            "Measure it whole, from its weights on disk."
        )
    return touched
