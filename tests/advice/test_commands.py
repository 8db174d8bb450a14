"""A pick can be copied into a terminal, and says whether its files are published."""

import pytest

from advisor.advice.commands import command
from advisor.catalog import load

CASES = {
    "a published MLX repository": (
        ("qwen3.5-9b", "mlx-4bit", "mlx-lm"),
        "mlx_lm.chat --model mlx-community/Qwen3.5-9B-4bit", True,
    ),
    "the same in LM Studio": (
        ("qwen3.5-9b", "mlx-4bit", "lmstudio-mlx"),
        "lms get https://huggingface.co/mlx-community/Qwen3.5-9B-4bit", True,
    ),
    "bf16 needs no conversion": (
        ("qwen3.5-9b", "bf16", "mlx-lm"),
        "mlx_lm.chat --model Qwen/Qwen3.5-9B", True,
    ),
    "a quantization nobody published": (
        ("qwen3.5-9b", "mlx-6bit", "mlx-lm"),
        "mlx_lm.convert --hf-path Qwen/Qwen3.5-9B -q --q-bits 6 --q-group-size 64 "
        "--mlx-path ./qwen3.5-9b-6bit\nmlx_lm.chat --model ./qwen3.5-9b-6bit", False,
    ),
    "a mode of its own": (
        ("qwen3.5-9b", "mxfp4", "mlx-lm"),
        "mlx_lm.convert --hf-path Qwen/Qwen3.5-9B -q --q-bits 4 --q-group-size 32 "
        "--q-mode mxfp4 --mlx-path ./qwen3.5-9b-mxfp4\n"
        "mlx_lm.chat --model ./qwen3.5-9b-mxfp4", False,
    ),
    "an Ollama tag": (
        ("qwen3.5-9b", "Q8_0", "ollama"), "ollama run qwen3.5:9b-q8_0", True,
    ),
    "MLX weights that Ollama's library lacks": (
        ("qwen3.5-9b", "mlx-4bit", "ollama"),
        "mlx_lm.chat --model mlx-community/Qwen3.5-9B-4bit", True,
    ),
    "a GGUF repository": (
        ("apertus-8b", "Q4_K_M", "llama.cpp"),
        "llama-cli -hf unsloth/Apertus-8B-Instruct-2509-GGUF:Q4_K_M", True,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("asked", "text", "published"), CASES.values(), ids=CASES)
def test_the_command_of_a_choice(asked, text, published):
    found = command(load(), *asked)

    assert found.text == text
    assert found.published is published


def test_a_gguf_nobody_published_is_converted_step_by_step():
    found = command(load(), "qwen3.5-9b", "Q8_0", "llama.cpp")

    assert not found.published
    assert "convert_hf_to_gguf.py" in found.text
    assert "llama-quantize" in found.text
