"""A name comes apart into words, quantization and format."""

import pytest

from advisor.catalog.name_parts import split, words

PARTS = {  # name -> words, quant, format, is an Ollama tag
    "Qwen/Qwen3-8B": (("qwen", "3", "8b"), "", "", False),
    "mlx-community/Qwen3-8B-4bit": (("qwen", "3", "8b"), "4bit", "mlx", False),
    "llama3.1:8b": (("llama", "3.1", "8b"), "", "", True),
    "llama3.1:latest": (("llama", "3.1"), "", "", False),
    "qwen3.5:9b-mlx": (("qwen", "3.5", "9b"), "", "mlx", True),
    "Mixtral-8x7B-v0.1.Q4_K_M.gguf": (("mixtral", "8x", "7b", "v", "0.1"), "q4_k_m", "gguf", False),
    "org/X-7B-UD-Q4_K_XL-00001-of-00003.gguf": (("x", "7b"), "ud-q4_k_xl", "gguf", False),
    "GLM-4.7-8bit-gs32": (("glm", "4.7"), "8bit-gs32", "", False),
    "X-DQ3_K_M": (("x", "dq", "3", "k", "m"), "", "", False),  # not Q3_K_M
    "": ((), "", "", False),
}


@pytest.mark.parametrize(("name", "parts"), PARTS.items(), ids=PARTS)
def test_a_name_in_its_parts(name, parts):
    found = split(name)

    assert (found.readings[0], found.quant, found.format, found.is_tag) == parts


def test_an_underscore_between_digits_is_a_hyphen_or_a_point():
    assert split("qwen3_6_27b").readings == (("qwen", "3", "6", "27b"), ("qwen", "3.6", "27b"))


def test_a_sign_is_a_word_of_its_own():
    assert words("Qwen3-8B+") != words("Qwen3-8B")


def test_a_size_is_never_glued_to_the_version():
    assert words("OLMo2-7B") == words("olmo-2-7b") != words("olmo-27b")
