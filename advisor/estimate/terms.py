"""What each term of the predictor depends on: labels of chip, runtime and variant.

A term's score is a sum of fitted numbers, one for each label that applies. The same labels
serve the fit (one-hot columns) and the prediction (look-ups), so both use one formula. Labels
of a narrower group are pulled towards the wider one when fitted: a chip towards its tier and
generation, an architecture towards its kind, a quantization towards its class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from advisor.catalog import Catalog
    from advisor.catalog.shapes import Chip, Quant

OVERHEAD, WEIGHTS, CACHE, ATTENTION = "overhead", "weights", "cache", "attention"
SAMPLING = "sampling"
PREFILL = "prefill"
DECODE_TERMS = (OVERHEAD, SAMPLING, WEIGHTS, CACHE, ATTENTION)
TERMS = (*DECODE_TERMS, PREFILL)


# A cache of 16-bit elements, one quantized in groups, as engines offer, and one by TurboQuant, an
# experiment of some. Reading fewer bytes is paid by unpacking them.
PLAIN, NARROW, TURBO = CACHE_FORMS = ("16 bits", "quantized", "turboquant")


@dataclass(frozen=True, slots=True)
class ChipKey:
    """A chip as the predictor sees it."""

    name: str
    tier: str
    generation: int

    @classmethod
    def of(cls, chip: Chip) -> ChipKey:
        return cls(chip.name, chip.tier, chip.generation)


@dataclass(frozen=True, slots=True)
class VariantKey:
    """A model in a quantization as the predictor sees it."""

    format: str
    kind: str
    architecture: str
    attention: str
    quant_id: str
    quant_class: str


def quant_class(quant: Quant) -> str:
    """Quantizations that are unpacked alike: "mlx-4", "gguf-k", "gguf-plain", "gguf-iq", …"""
    if quant.format == "mlx":
        return f"mlx-{quant.mode if quant.mode.endswith('p4') else quant.quality_class}"
    name = quant.id.upper()
    for start, found in (("UD-", "ud"), ("IQ", "iq"), ("MXFP4", "mxfp4"), ("F16", "16"),
                         ("BF16", "16"), ("F32", "16"), ("Q8", "8")):  # fmt: skip
        if name.startswith(start):
            return f"gguf-{found}"
    return "gguf-plain" if name.endswith(("_0", "_1")) else "gguf-k"


def variant_keys(catalog: Catalog) -> list[VariantKey]:
    """The key of each row of ``catalog.variants``; equal keys are one object."""
    models = model_keys(catalog)
    quants = [(q.format, q.id, quant_class(q)) for q in catalog.quants.values()]
    made: dict[tuple[tuple[str, str, str], str], VariantKey] = {}
    keys = []
    for kind, architecture, attention in models:
        for format_, quant_id, class_ in quants:
            at = ((kind, architecture, attention), quant_id)
            if at not in made:
                made[at] = VariantKey(format_, kind, architecture, attention, quant_id, class_)
            keys.append(made[at])
    return keys


def model_keys(catalog: Catalog) -> list[tuple[str, str, str]]:
    """(kind, architecture, attention) of each buildable model, in the order of its table."""
    shapes = catalog.shapes
    attention = [
        "latent" if latent else "sliding" if sliding else "full"
        for latent, sliding in zip(
            shapes["latent_layers"] > 0, shapes["sliding_layers"] > 0, strict=True
        )
    ]
    return list(zip(shapes["kind"], shapes["model_type"], attention, strict=True))


@dataclass(frozen=True, slots=True)
class Factors:
    """The labels of one term, split by what they depend on, each with its pull to zero.

    Each factor is (name, function to a label, pull): a larger pull keeps a number nearer to
    what the wider labels say.
    """

    chip: tuple[tuple[str, Callable[[ChipKey, str], str], float], ...]  # chip, format
    variant: tuple[tuple[str, Callable[[VariantKey], str], float], ...]
    runtime: tuple[tuple[str, Callable[[str, VariantKey], str], float], ...]  # runtime, variant
    # How a cache is kept (``CACHE_FORMS``), and the variant; "" is no label.
    cache: tuple[tuple[str, Callable[[str, VariantKey], str], float], ...] = ()


def _tier(chip: ChipKey, fmt: str) -> str:
    return chip.tier


def _tier_format(chip: ChipKey, fmt: str) -> str:
    return f"{chip.tier} {fmt}"


def generation_label(chip: ChipKey) -> str:
    """ "M4". Figures of the M6 are not public yet: it is taken as an M5, which has accelerators."""
    return f"M{min(chip.generation, 5)}"


def _generation(chip: ChipKey, fmt: str) -> str:
    return generation_label(chip)


def _generation_format(chip: ChipKey, fmt: str) -> str:
    return f"{_generation(chip, fmt)} {fmt}"


def _chip(chip: ChipKey, fmt: str) -> str:
    return f"{chip.name} {fmt}"


def _runtime(runtime: str, variant: VariantKey) -> str:
    return runtime


def _engine(runtime: str, variant: VariantKey) -> str:
    # Ollama, and others, run MLX and GGUF weights through different engines.
    return f"{runtime} {variant.format}"


def _narrow_form(form: str, variant: VariantKey) -> str:
    # A plain cache has no number of its own: the others are set against it.
    return "" if form == PLAIN else f"{form} {variant.format}"


ENGINE = ("engine", _engine, 2.0)


FACTORS: dict[str, Factors] = {
    OVERHEAD: Factors(
        chip=(
            ("tier", _tier, 1.0),
            ("tier format", _tier_format, 2.0),
            ("generation", _generation, 1.0),
            ("generation format", _generation_format, 2.0),
            ("chip", _chip, 3.0),
        ),
        variant=(
            ("format", lambda v: v.format, 0.1),
            ("kind", lambda v: f"{v.kind} {v.format}", 1.0),
            ("architecture", lambda v: f"{v.architecture} {v.format}", 2.0),
        ),
        runtime=(
            ("runtime", _runtime, 2.0),
            ENGINE,
            ("runtime kind", lambda r, v: f"{r} {v.kind}", 3.0),
        ),
    ),
    WEIGHTS: Factors(
        chip=(
            ("tier", _tier, 2.0),
            ("tier format", _tier_format, 6.0),
            ("generation", _generation, 3.0),
            ("generation format", _generation_format, 4.0),
            ("chip", _chip, 4.0),
        ),
        variant=(
            ("format", lambda v: v.format, 0.1),
            ("kind", lambda v: f"{v.kind} {v.format}", 2.0),
            ("quant class", lambda v: v.quant_class, 1.0),
            ("quant", lambda v: v.quant_id, 4.0),
            ("architecture", lambda v: f"{v.architecture} {v.format}", 4.0),
        ),
        runtime=(
            ("runtime", _runtime, 3.0),
            ENGINE,
        ),
    ),
    CACHE: Factors(
        chip=(("tier", _tier, 2.0), ("generation", _generation, 4.0)),
        variant=(
            ("format", lambda v: v.format, 0.1),
            ("attention", lambda v: f"{v.attention} {v.format}", 2.0),
            ("kind", lambda v: v.kind, 2.0),
        ),
        runtime=(("runtime", _runtime, 1.6), ("engine", _engine, 3.0)),
        cache=(("cache form", _narrow_form, 1.0),),
    ),
    # Engines without a fused kernel pay for every query head, however few share a key. Tiers of
    # a generation have the same cores, only more of them, so a tier has no number of its own.
    ATTENTION: Factors(
        chip=(("generation", _generation, 2.0),),
        variant=(("format", lambda v: v.format, 0.5),),
        runtime=(("runtime", _runtime, 1.2), ("engine", _engine, 3.0)),
    ),
    # Choosing a token from the vocabulary and handing it out: the CPU's work, whatever the layers.
    SAMPLING: Factors(
        chip=(("generation", _generation, 3.0),),
        variant=(),
        runtime=(("runtime", _runtime, 1.0), ("engine", _engine, 1.0)),
    ),
    PREFILL: Factors(
        chip=(
            ("tier", _tier, 3.0),
            ("generation", _generation, 0.3),
            ("generation format", _generation_format, 2.0),
            ("chip", _chip, 6.0),
        ),
        variant=(
            ("format", lambda v: v.format, 0.1),
            ("kind", lambda v: f"{v.kind} {v.format}", 1.0),
            ("architecture", lambda v: f"{v.architecture} {v.format}", 2.0),
            ("quant class", lambda v: v.quant_class, 2.0),
        ),
        runtime=(("runtime", _runtime, 1.0),),
    ),
}
