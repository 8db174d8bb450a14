"""A name means one model whole: no other size, release or fine-tune, however alike."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import load
from advisor.catalog.model_names import model_names
from advisor.catalog.names import resolve_model

CATALOG = load()


def test_every_model_is_found_by_its_id_name_and_hub_id():
    for model in CATALOG.models.values():
        for name in (model.id, model.name, model.hf_id):
            assert resolve_model(CATALOG, name).model_id == model.id, name


SPELLINGS = {  # of Qwen3-8B
    "link to a page": "https://huggingface.co/Qwen/Qwen3-8B/tree/main",
    "folder of the hub's cache": "models--Qwen--Qwen3-8B",
    "folder of another system": "C:\\models\\Qwen3-8B-Q4_K_M.gguf",
    "hyphen that does not break": "Qwen3\u20118B",
    "letters of full width": "\uff31wen3-8B",
    "mark at a file's start": "\ufeffQwen3-8B",
    "brackets": "Qwen3-8B (base)",
    "a part of three": "Qwen3-8B-Q4_K_M-00001-of-00003.gguf",
}


@pytest.mark.parametrize("name", SPELLINGS.values(), ids=SPELLINGS)
def test_how_a_name_is_typed_does_not_matter(name):
    assert resolve_model(CATALOG, name).model_id == "qwen3-8b"


TAGS = {  # what Ollama means by a tag, and what the same words leave open elsewhere
    "deepseek-r1:8b": ("qwen3-8b", "could be deepseek-r1-distill-llama-8b or qwen3-8b"),
    "devstral:24b": ("devstral-small-2507", "could be devstral-small-2507 or devstral-small-2-24b"),
    "granite4:3b": ("granite-4.0-micro", "could be granite-4.0-micro or granite-4.0-h-micro"),
}


@pytest.mark.parametrize(("tag", "meant"), TAGS.items(), ids=TAGS)
def test_a_tag_is_what_ollama_means_and_the_plain_name_may_be_open(tag, meant):
    model_id, open_between = meant

    assert resolve_model(CATALOG, tag).model_id == model_id
    assert open_between in resolve_model(CATALOG, tag.replace(":", "-")).problem


def test_a_tag_of_a_later_release_says_nothing_of_a_plain_name():
    assert resolve_model(CATALOG, "qwen3:4b-instruct").model_id == "qwen3-4b-2507"
    assert resolve_model(CATALOG, "Qwen3-4B-Instruct").model_id == "qwen3-4b"


UNKNOWN = [
    "Qwen3-7B",  # no such size
    "Qwen3-80B",
    "Qwen3.7-27B",  # no such generation
    "Qwen3",
    "Qwen3-8",
    "Qwen3-8B-128K",  # another context than the catalog's
    "Qwen4-8B",
    "Llama-3.1",
    "Llama-3-1B",
    "llama-7b",  # the first generation
    "LLaMA-v2-unknown-size",
    "Llama-3.1-8",
    "Llama-31-8B",
    "olmo-27b",  # not OLMo-2-7B
    "gemma-31b",  # not Gemma-3-1B, nor Gemma-4-31B
    "gemma-3-1",
    "gemma4",
    "Qwen3-8B-abliterated",
    "Qwen3-8B-GRPO-math",
    "Qwen3.6-40B-Claude-4.6-Opus-Deckard-Heretic-Uncensored-Thinking-NEO-CODE-Di-IMatrix-MAX-GGUF",
    "gemma-4-31B-it-Mystery-Fine-Tune-HERETIC-UNCENSORED-Thinking-Instruct-GGUF",
    "qwen3.6-27b-fable5-lora",
    "gemma-4-12B-it",
    "Ministral-3-14B",
    "Ministral-3B-Instruct",  # the closed 3B of 2024, not Ministral-3-3B
    "MiMo-V2.5",  # not MiMo-V2-Flash
    "bonsai-27b",
    "internlm2-7b",  # not InternLM2.5-7B
    "lfm2.5-1b",
    "lfm2:24b",
    "command-r7b-12-2024",  # not Command-R-35B
    "mmproj-Qwen3-8B-Q8_0.gguf",
    "Qwen3-8B-imatrix",
    "Qwen3-8B-Some-Finetune-of-other",
    "Qwen3-8B (abliterated)",
    "Qwen3-8B-i1",  # nothing says that a packer's imatrix is meant
    "Qwen3-8B, Qwen3-4B",
    "models--Qwen--Qwen3-7B",
    "someone--Qwen3-8B--draft",
    "Qwen3-0.6B-4bit-AWQ",
    "Qwen2.5-VL-7B-Instruct",
    "Qwen2.5-Math-7B",
    "medgemma-4b-it",
    "Phi-3-mini-128k-instruct",  # not the 4k model
    "Kimi-Dev-72B",
    "Qwen3.5-35B-A3B-MTP",
    "Qwen3-8B+Qwen3-0.6B",
    "Qwen3-8B & friends",
    "DeepSeek-R1-Distill-Qwen3-8B",
    "deepseek-r1-distill-qwen-8b",
    "instruct",
    "it",
    "-GGUF",
    "Q4_K_M.gguf",
    "unknown",
    "模型",
    "DeepSeek-V4",
    "gpt-oss",
    "8B",
    "granite-4.1",
    "Mixtral-8x22",
    "SmolLM-135M-Instruct",
]


@pytest.mark.parametrize("name", UNKNOWN)
def test_another_size_generation_or_fine_tune_is_unknown(name):
    found = resolve_model(CATALOG, name)

    assert found.model_id == ""
    assert found.problem == f"model {name!r} is not in the catalog"


def test_another_number_is_another_model():
    for model in CATALOG.models.values():
        name = model.hf_id.rpartition("/")[2]
        name = re.sub("-[0-9]bit$", "", name)  # another quantization is no other model
        for digit in re.finditer("[0-9]", name):
            other = f"{name[: digit.start()]}{(int(digit[0]) + 1) % 10}{name[digit.end() :]}"
            assert resolve_model(CATALOG, other).model_id != model.id, other


KNOWN_WORDS = {word for name in model_names(CATALOG).by_words for word in name}
NO_WEIGHT = {*model_names(CATALOG).same_shape, "mlx", "gguf", "bit", "latest"}


@given(
    model=st.sampled_from(sorted(CATALOG.models)),
    word=st.from_regex(r"[a-z]{3,9}", fullmatch=True).filter(
        lambda word: word not in KNOWN_WORDS | NO_WEIGHT and not word.startswith(("jang", "oq"))
    ),
    in_front=st.booleans(),
)
def test_a_word_more_is_no_model_of_the_catalog(model, word, in_front):
    name = f"{word}-{model}" if in_front else f"{model}-{word}"

    assert resolve_model(CATALOG, name).model_id == ""
