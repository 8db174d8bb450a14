"""A quantization is read as the runtime that ran it would read it."""

import pytest

from advisor.catalog import load
from advisor.catalog.names import resolve_quant

CATALOG = load()

QUANTS = {
    ("8bit", "lmstudio-gguf"): "Q8_0",
    ("8bit", "lmstudio-mlx"): "mlx-8bit",
    ("4bit", "mlx-lm"): "mlx-4bit",
    ("4-bit", "omlx"): "mlx-4bit",
    ("int4", "mlx-lm"): "mlx-4bit",
    ("q4", "mlx-lm"): "mlx-4bit",
    ("MLX 4-bit", "other"): "mlx-4bit",
    ("4bit-g64", "mlx-lm"): "mlx-4bit",
    ("4bit-gs32", "mlx-lm"): "mlx-4bit-g32",
    ("fp16", "mlx-lm"): "bf16",
    ("fp16", "llama.cpp"): "F16",
    ("bf16", "mlx-lm"): "bf16",
    ("bf16", "llama.cpp"): "BF16",
    ("mxfp4", "llama.cpp"): "MXFP4_MOE",
    ("mxfp4", "mlx-lm"): "mxfp4",
    ("mlx-nvfp4", "ollama"): "nvfp4",
    ("q4_k_m", "ollama"): "Q4_K_M",
    ("UD-Q4_K_XL", "llama.cpp"): "UD-Q4_K_XL",
    ("Q4_K", "llama.cpp"): "Q4_K_M",
    ("Q3_K", "llama.cpp"): "Q3_K_M",
    ("4 bits", "mlx-lm"): "mlx-4bit",
    ("UD-IQ2_XXS", "llama.cpp"): "IQ2_XXS",
    ("IQ4_XS", "lmstudio-gguf"): "IQ4_XS",
}


@pytest.mark.parametrize(("given", "quant_id"), QUANTS.items(), ids=map(" in ".join, QUANTS))
def test_a_quantization_is_read_as_its_runtime_reads_it(given, quant_id):
    found = resolve_quant(CATALOG, *given)

    assert (found.quant_id, found.problem) == (quant_id, "")


def test_every_quantization_is_found_by_its_id():
    runtime = {"mlx": "mlx-lm", "gguf": "llama.cpp"}
    for quant in CATALOG.quants.values():
        found = resolve_quant(CATALOG, quant.id, runtime[quant.format])
        assert (found.quant_id, found.problem) == (quant.id, "")


ASSUMED = {
    ("UD-IQ2_XXS", "llama.cpp"): "Unsloth's dynamic mix",
    ("UD-Q4_K_M", "llama.cpp"): "Unsloth's dynamic mix",
    ("int4", "ollama"): "MLX affine 4 bit in groups of 32",
    ("bf16", "other"): "the mlx one of the two formats",
}


@pytest.mark.parametrize(("given", "said"), ASSUMED.items(), ids=map(" in ".join, ASSUMED))
def test_what_is_taken_for_granted_is_said(given, said):
    assert said in resolve_quant(CATALOG, *given).assumed[0]


OPEN = {
    ("Q4", "llama.cpp"): "could be Q4_0, Q4_K_S or Q4_K_M",
    ("Q4", "ollama"): "could be Q4_0, Q4_K_S, Q4_K_M or mlx-4bit",
    ("JANG_4K", "mlx-lm"): "is not in the catalog",
    ("oQ8", "omlx"): "is not in the catalog",
    ("Q9_0", "llama.cpp"): "is not in the catalog",
    ("Q4_K_M", "mlx-lm"): "is of the gguf format, which mlx-lm does not run",
    ("", "mlx-lm"): "quant is empty",
    ("4bit", "vllm"): "runtime 'vllm' is not one of",
}


@pytest.mark.parametrize(("given", "said"), OPEN.items(), ids=map(" in ".join, OPEN))
def test_what_a_runtime_leaves_open_is_no_quantization(given, said):
    found = resolve_quant(CATALOG, *given)

    assert found.quant_id == ""
    assert said in found.problem
