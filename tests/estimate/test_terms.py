"""Labels of chips, runtimes and variants: what the fit groups by."""

import pytest

from advisor.catalog import load
from advisor.estimate.terms import (
    FACTORS,
    TERMS,
    ChipKey,
    model_keys,
    quant_class,
    variant_keys,
)

CLASSES = {
    "mlx-4bit": "mlx-4", "mlx-8bit": "mlx-8", "bf16": "mlx-16", "mxfp4": "mlx-mxfp4",
    "nvfp4": "mlx-nvfp4", "Q4_K_M": "gguf-k", "Q6_K": "gguf-k", "Q4_0": "gguf-plain",
    "Q5_1": "gguf-plain", "Q8_0": "gguf-8", "F16": "gguf-16", "IQ4_XS": "gguf-iq",
    "UD-Q4_K_XL": "gguf-ud", "MXFP4_MOE": "gguf-mxfp4",
}  # fmt: skip


@pytest.mark.parametrize(("quant_id", "expected"), CLASSES.items())
def test_quantizations_unpacked_alike_are_one_class(quant_id, expected):
    quants = load().quants
    if quant_id not in quants:
        quants = {quant_id: quants["Q4_1"].model_copy(update={"id": quant_id})}

    assert quant_class(quants[quant_id]) == expected


def test_keys_follow_the_rows_of_variants():
    catalog = load()
    keys = variant_keys(catalog)
    row = catalog.variant_index("qwen3-30b-a3b", "Q4_K_M")

    assert len(keys) == len(catalog.variants)
    assert (keys[row].kind, keys[row].architecture, keys[row].quant_id) == (
        "moe", "qwen3_moe", "Q4_K_M",
    )  # fmt: skip


def test_attention_is_named_by_what_is_cached():
    catalog = load()
    keys = dict(zip(catalog.model_ids, model_keys(catalog), strict=True))

    assert keys["llama-3.1-8b"][2] == "full"
    assert keys["gemma-3-27b"][2] == "sliding"
    assert keys["deepseek-v3"][2] == "latent"


def test_every_term_has_labels_for_every_chip():
    catalog = load()
    key = variant_keys(catalog)[0]
    for term in TERMS:
        factors = FACTORS[term]
        for chip in catalog.chips.values():
            labels = [label(ChipKey.of(chip), "mlx") for _, label, _ in factors.chip]
            assert all(labels)
        assert all(label(key) for _, label, _ in factors.variant)
