from dataclasses import replace

import pytest

from advisor.errors import InputError
from advisor.routing.exports import known_keys
from advisor.routing.exports.check import (
    json_problems,
    litellm_problems,
    llama_swap_problems,
    refuse,
    table_problems,
)
from advisor.routing.exports.litellm import litellm
from advisor.routing.exports.llama_swap import llama_swap
from advisor.units import GB
from tests.routing.exports import tables

# What a hand may write into llama-swap.yaml, and what is said of it.
SWAP = {
    "a misspelt key": ("healthCheckTimeout:", "healthCheckTimeOut:", "healthCheckTimeOut is not"),
    "a key of a model": ("    ttl: 600", "    tll: 600", "tll is not known"),
    "a set of a ghost": ("set1: ", "set1: ghost & ", "names ghost, which is no model"),
    "a variable of a ghost": ("bm3: bge-m3", "bm3: bge-m4", "stands for bge-m4"),
    "a cost of a ghost": ("bm3: 1\n", "bm4: 1\n", "evict_costs name bm4"),
    "a cost of nothing": ("bm3: 1\n", "bm3: 0\n", "evicting bm3 costs 0"),
    "a preload of a ghost": ("      - bge-m3\n", "      - bge\n", "bge is loaded at the start"),
    "a model in no set": ("bm3 & ", "", "bge-m3 is in no set"),
    "one name for two": ("      - long", "      - chat", "the name chat stands for two"),
    "a server without a cap": ("--prompt-cache-bytes", "--max-tokens", "without --prompt-cache"),
    "another server": ("llama-server\n", "vllm\n", "run by vllm"),
}
LITELLM = {
    "a misspelt key": ("  fallbacks:", "  fallbaks:", "fallbaks is not known"),
    "a top-level key": ("litellm_settings:", "litellm_setting:", "litellm_setting is not known"),
    "a fallback to a ghost": ("        - hosted", "        - cloud", "fallbacks name cloud"),
    "a class elsewhere": ("id: chat@qwen3-4b", "id: chat@qwen3-8b", "chat does not go to qwen3-4b"),
    "a narrower fallback": (
        "max_input_tokens: 64512",
        "max_input_tokens: 512",
        "no longer prompts",
    ),
    "two of an id": ("id: auto@", "id: chat@", "two models have the id chat@"),
    "itself": ("    - code:\n        - long", "    - code:\n        - code", "send code to itself"),
}


@pytest.fixture(scope="module")
def swap(setup):
    return llama_swap(setup)


@pytest.fixture(scope="module")
def lite(setup):
    return litellm(setup)


def test_what_is_exported_has_no_problem(swap, lite, table):
    assert list(llama_swap_problems(swap, table)) == []
    assert list(litellm_problems(lite, table)) == []
    assert list(table_problems(table)) == []


@pytest.mark.parametrize(("old", "new", "said"), SWAP.values(), ids=SWAP)
def test_a_llama_swap_file_with_a_fault_is_refused(swap, table, old, new, said):
    assert old in swap

    with pytest.raises(InputError, match=said):
        refuse(llama_swap_problems(swap.replace(old, new), table), "llama-swap.yaml")


@pytest.mark.parametrize(("old", "new", "said"), LITELLM.values(), ids=LITELLM)
def test_a_litellm_file_with_a_fault_is_refused(lite, table, old, new, said):
    assert old in lite

    with pytest.raises(InputError, match=said):
        refuse(litellm_problems(lite.replace(old, new), table), "litellm.yaml")


def test_a_set_over_the_budget_is_refused(swap, table):
    # 36.8 GB together, 36 GB less 2 GB of prefix caches are there.
    small = replace(table, budget_bytes=36 * GB)

    (problem,) = llama_swap_problems(swap, small)

    assert problem.startswith("the set set1 (")
    assert problem.endswith("needs 36.8 GB, there are 34.0 GB")


def test_tables_with_faults_are_refused(table):
    faults = {
        "goes to ghost, which is no model": {"routes": (tables.route("chat", "ghost"),)},
        "two models are called qwen3-4b-4bit": {"residents": (tables.SMALL, tables.SMALL)},
        "the class chat is there twice": {"routes": (tables.ROUTES[1],) * 2},
        "cannot be called auto": {"routes": (tables.route("auto", ""),)},
        "a class and a model are both called bge-m3": {"routes": (tables.route("bge-m3", ""),)},
        "the budget is 30.0 GB": {"budget_bytes": 30 * GB},
    }
    for said, change in faults.items():
        assert any(said in problem for problem in table_problems(replace(table, **change))), said


def test_unknown_keys_of_json_are_told():
    text = '{"version": 1, "models": {"a": {"is_pined": true}}}'

    assert list(json_problems(text, known_keys.OMLX_MODELS)) == [
        "the key models.a.is_pined is not known"
    ]


def test_a_file_of_another_shape_is_told(table):
    problems = list(llama_swap_problems("models: [a, b]", table))

    assert "models.0 is 'a' where keys are expected" in problems
