"""What models need of the machines of the catalog, against published and measured bytes."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from advisor.catalog import Catalog
from advisor.catalog.shapes import Machine
from advisor.estimate import plan
from advisor.estimate.arrays import arrays
from advisor.estimate.capacity import KEPT_AT_16_BITS, cache_notes, context_problems, needs
from advisor.estimate.cases import Cases
from advisor.units import GB, GIB, MIB


def words(catalog: Catalog, machine: Machine, cases: Cases) -> str:
    return plan.answer(catalog, [machine], cases)["verdict"][0]


def test_qwen3_30b_fits_48_gb_and_not_16(catalog, case, m4_16, m4_pro_48) -> None:
    asked = case("qwen3-30b-a3b")

    assert words(catalog, m4_pro_48, asked) == "fits"
    assert words(catalog, m4_16, asked) == "no"


@pytest.mark.parametrize(("quant", "runtime"), [("mlx-4bit", "mlx-lm"), ("Q4_K_M", "llama.cpp")])
def test_llama_70b_at_4_bits_does_not_fit_48_gb(catalog, case, m4_pro_48, quant, runtime) -> None:
    asked = case("llama-3.3-70b", quant, runtime)

    # 39.7 GB of weights and 2.7 GB of cache are past 40960 MiB; only MLX would page.
    assert words(catalog, m4_pro_48, asked) == ("pages" if runtime == "mlx-lm" else "no")


def test_llama_8b_from_8k_to_32k_takes_three_gib_more_cache(catalog, case) -> None:
    facts, rules = arrays(catalog), catalog.memory_rules
    at_8k = needs(facts, rules, case("llama-3.1-8b", context_tokens=8192))
    at_32k = needs(facts, rules, case("llama-3.1-8b", context_tokens=32768))

    assert at_32k.kv - at_8k.kv == 3 * GIB


def test_a_cache_of_8_bits_is_nearly_half(catalog, case) -> None:
    need = needs(arrays(catalog), catalog.memory_rules, case("llama-3.1-8b", kv_bits=8))

    assert need.kv == GIB * 8.5 / 16


def test_mlx_keeps_a_sliding_models_cache_at_16_bits_and_says_so(catalog, case) -> None:
    facts, rules = arrays(catalog), catalog.memory_rules
    asked = case("gemma-3-27b", kv_bits=8)

    assert needs(facts, rules, asked).kv == needs(facts, rules, case("gemma-3-27b")).kv
    assert cache_notes(facts, asked)[0] == KEPT_AT_16_BITS


def test_a_context_past_the_models_maximum_is_said(catalog, case) -> None:
    asked = case("qwen3-8b", context_tokens=65536)

    assert context_problems(arrays(catalog), asked)[0] == (
        "A context of 64K tokens is past this model's own maximum of 40K."
    )


def test_nothing_is_said_of_a_case_in_order(catalog, case) -> None:
    asked = case("qwen3-8b", context_tokens=40960, kv_bits=8)

    assert context_problems(arrays(catalog), asked)[0] == ""
    assert cache_notes(arrays(catalog), asked)[0] == ""


def test_the_verdict_uses_the_published_size(catalog, case, m4_16) -> None:
    found = plan.answer(catalog, [m4_16], case("gpt-oss-20b", "MXFP4_MOE", "ollama"))

    # Ollama's file is 14 GB (its own rounding); the text weights alone come to 12 GB.
    assert found["weight_basis"][0] == "published"
    assert found["weight_bytes"][0] == found["published_weight_bytes"][0]
    assert found["weight_bytes"][0] == pytest.approx(14 * GB, rel=0.04)
    assert found["computed_weight_bytes"][0] < 13 * GB


def test_mlx_lm_leaves_the_vision_tower_on_the_disk(catalog, case, m4_16) -> None:
    asked = case("gemma-4-e2b", context_tokens=128)
    text_only = plan.answer(catalog, [m4_16], asked)
    with_tower = plan.answer(
        catalog, [m4_16], case("gemma-4-e2b", runtime="lmstudio-mlx", context_tokens=128)
    )

    # The repository is 3.58 GB, of which 0.98 GB are vision and audio.
    assert with_tower["weight_bytes"][0] == pytest.approx(3.58 * GB, rel=0.01)
    assert text_only["weight_bytes"][0] == pytest.approx(2.60 * GB, rel=0.01)
    # mlx-lm's measured peak at 128 tokens is 2.81 GB, less than the repository's own size.
    assert text_only["weight_bytes"][0] < 2.81 * GB < with_tower["weight_bytes"][0]


def test_llama_cpp_has_no_pages(catalog, case, m4_16) -> None:
    on_mlx = plan.answer(catalog, [m4_16], case("qwen3-14b", "mlx-6bit", context_tokens=8192))
    on_gguf = plan.answer(catalog, [m4_16], case("qwen3-14b", "Q6_K", "llama.cpp"))

    assert 12713115648 < on_gguf["total_bytes"][0] < 0.95 * 16 * GIB
    assert 12713115648 < on_mlx["total_bytes"][0] < 0.95 * 16 * GIB
    assert on_mlx["verdict"][0] == "pages"
    assert on_gguf["verdict"][0] == "no"


def test_a_raised_limit_is_stated_in_mib(catalog, m4_pro_48) -> None:
    table = plan.table(catalog, [m4_pro_48])
    raised = table[table["verdict"] == "raise_limit"]

    assert len(raised) > 0
    assert (raised["raise_limit_mib"] == 40960).all()
    assert (raised["total_bytes"] > 40200896512).all()
    assert (raised["total_bytes"] <= 40960 * MIB).all()


def test_16_gb_is_never_told_to_raise_its_limit(catalog, m4_16) -> None:
    assert "raise_limit" not in set(plan.table(catalog, [m4_16])["verdict"])


def test_memory_in_use_counts_now_and_the_idle_answer_stands_beside(catalog, case) -> None:
    busy = catalog.machine("mac-mini-m4-16", in_use_gb=9)
    found = plan.answer(catalog, [busy], case("qwen3-8b", "mlx-8bit"))

    assert found["budget_bytes"][0] == 7 * GIB
    assert found["gpu_limit_bytes"][0] == 12713115648
    # 8.7 GB of weights: more than 7 GiB, less than the GPU limit.
    assert found["verdict"][0] != "fits"
    assert found["idle_verdict"][0] == "fits"


def test_an_idle_machine_has_one_answer(catalog, m4_16) -> None:
    table = plan.table(catalog, [m4_16])

    assert (table["verdict"] == table["idle_verdict"]).all()


def test_a_shorter_context_asked_does_not_change_the_largest(catalog, case, m4_16) -> None:
    largest = {
        plan.answer(catalog, [m4_16], case("qwen3.5-9b", context_tokens=tokens))[
            "max_context_tokens"
        ][0]
        for tokens in (128, 1000, 8192, 131072)
    }

    assert len(largest) == 1


def test_fits_means_the_machines_own_budget(catalog, case, m4_pro_48) -> None:
    asked: Callable[..., Cases] = case
    tight = replace(m4_pro_48, wired_limit_mib=4096)

    assert words(catalog, m4_pro_48, asked("qwen3-8b")) == "fits"
    assert words(catalog, tight, asked("qwen3-8b")) != "fits"
