"""What describe and weigh say of known models, against figures worked by hand or published."""

import json
from functools import cache
from typing import Any

import pytest

from advisor import mlx
from advisor.catalog.load import DEFAULT_ROOT
from advisor.mlx import ModelShape, WeightBytes


@cache
def config(model_id: str) -> dict[str, Any]:
    path = DEFAULT_ROOT / "models" / f"{model_id}.json"
    return json.loads(path.read_text(encoding="utf-8"))["config"]


@cache
def shape(model_id: str) -> ModelShape:
    return mlx.describe(config(model_id))


def weights(model_id: str, bits: int | None, mode: str = "affine", group: int = 64) -> WeightBytes:
    mode, group_size = ("none", None) if bits is None else (mode, group)
    return mlx.weigh(config(model_id), bits=bits, group_size=group_size, mode=mode)


def llama_8b_params() -> int:
    """Llama-3.1-8B by hand: 32 layers of 4096, 8 of 32 heads of 128 cached, FFN 14336."""
    attention = 2 * 4096 * 4096 + 2 * 4096 * 1024
    layer = attention + 3 * 4096 * 14336 + 2 * 4096
    return 32 * layer + 2 * 128256 * 4096 + 4096


def test_parameters_of_llama_8b_are_the_published_total_and_the_sum_by_hand():
    assert shape("llama-3.1-8b").params == llama_8b_params() == 8_030_261_248


def test_an_untied_input_table_is_not_read():
    found = shape("llama-3.1-8b")

    assert found.embedding_params == 128256 * 4096
    assert found.read_params == 8_030_261_248 - 128256 * 4096
    assert found.active_params == found.params


def test_a_tied_table_is_the_head_and_read_whole():
    assert shape("qwen3-0.6b").embedding_params == 0


@pytest.mark.parametrize(
    ("model_id", "params"),
    [
        # github.com/deepseek-ai/DeepSeek-V3: 671 B of the main model, 37 B active
        ("deepseek-v3", 671.0e9),
        # github.com/openai/gpt-oss: 20.9 B
        ("gpt-oss-20b", 20.9e9),
        # huggingface.co/microsoft/bitnet-b1.58-2B-4T: four ternary weights a byte, 2.4 B
        ("bitnet-b1.58-2b-4t", 2.4e9),
    ],
)
def test_parameters_are_those_of_the_card(model_id, params):
    assert shape(model_id).params == pytest.approx(params, rel=6e-3)  # cards round to 3 digits


@pytest.mark.parametrize(
    ("model_id", "billions"),
    [("gpt-oss-20b", 3.6), ("gpt-oss-120b", 5.1), ("qwen3-30b-a3b", 3.0), ("deepseek-v3", 37)],
)
def test_read_parameters_of_experts_are_the_published_active_count(model_id, billions):
    assert shape(model_id).read_params / 1e9 == pytest.approx(billions, rel=0.02)


# 2 (K and V) x layers x KV heads x head width x 2 bytes, by hand.
FULL_BYTES_PER_TOKEN = {
    "llama-3.1-8b": 2 * 32 * 8 * 128 * 2,
    "llama-3.3-70b": 2 * 80 * 8 * 128 * 2,
    "qwen3-30b-a3b": 2 * 48 * 4 * 128 * 2,
    "gpt-oss-20b": 2 * 12 * 8 * 64 * 2,
    "gemma-3-27b": 2 * 10 * 16 * 128 * 2,
    "qwen3.5-27b": 2 * 16 * 4 * 256 * 2,
    "bitnet-b1.58-2b-4t": 2 * 30 * 5 * 128 * 2,
}


@pytest.mark.parametrize(("model_id", "expected"), FULL_BYTES_PER_TOKEN.items())
def test_full_attention_caches_keys_and_values(model_id, expected):
    assert shape(model_id).cache.full_bytes_per_token == expected


# Bytes a token of every row of LlamaBarn's catalog (github.com/ggml-org/LlamaBarn).
LLAMABARN = {
    "gpt-oss-20b": 24576,
    "gpt-oss-120b": 36864,
    "gemma-3-27b": 81920,
    "gemma-3-12b": 65536,
    "gemma-3-4b": 20480,
    "gemma-3-1b": 4096,
    "gemma-3-270m": 3072,
    "qwen3-coder-30b-a3b": 98304,
    "qwen3-30b-a3b": 98304,
    "qwen3-4b": 147456,
}


@pytest.mark.parametrize(("model_id", "expected"), LLAMABARN.items())
def test_growing_cache_is_what_llamabarn_publishes(model_id, expected):
    assert shape(model_id).cache.full_bytes_per_token == expected


# Layers with a window, its length, and the bytes of all windows when full.
WINDOWS = {
    "gpt-oss-20b": (12, 128, 2 * 12 * 8 * 64 * 2 * 128),  # 3.1 MB
    "gemma-3-27b": (52, 1024, 2 * 52 * 16 * 128 * 2 * 1024),  # 436 MB
    # chunked attention: 36 of 48 layers, 8 heads of 128
    "llama-4-scout": (36, 8192, 2 * 36 * 8 * 128 * 2 * 8192),
    # keys of 192, values of 128, 8 heads in the windows
    "mimo-v2-flash": (39, 128, 39 * 8 * (192 + 128) * 2 * 128),
}


@pytest.mark.parametrize(("model_id", "expected"), WINDOWS.items())
def test_sliding_layers_stop_at_their_window(model_id, expected):
    cache = shape(model_id).cache

    found = (
        cache.sliding_layers,
        cache.window_tokens,
        cache.sliding_bytes_per_token * cache.window_tokens,
    )

    assert found == expected


def test_layers_that_share_a_cache_hold_none():
    cache = shape("gemma-3n-e4b").cache

    # 35 layers, the last 15 share; of the other 20 every fifth is full: 2 heads of 256.
    assert (cache.full_layers, cache.sliding_layers) == (4, 16)
    assert cache.full_bytes_per_token == 2 * 4 * 2 * 256 * 2


def test_latent_attention_caches_the_latent_once():
    cache = shape("deepseek-v3").cache

    assert (cache.latent_layers, cache.latent_bytes_per_token) == (61, 61 * (512 + 64) * 2)
    assert cache.full_layers == 0


def test_latent_attention_that_mlx_lm_expands_is_full_attention():
    cache = shape("deepseek-v2-lite").cache

    # 27 layers, 16 heads, keys of 128 + 64, values of 128.
    assert (cache.full_layers, cache.full_bytes_per_token) == (27, 27 * 16 * (192 + 128) * 2)
    assert cache.latent_layers == 0


def test_recurrent_state_has_its_own_dtype():
    cache = shape("qwen3.5-27b").cache
    # 48 layers: 48 value heads of 128 x 128 in float32, and three columns of the convolution
    # over 2 x 16 x 128 keys and 48 x 128 values in bf16.
    one_layer = 48 * 128 * 128 * 4 + 3 * (2 * 16 * 128 + 48 * 128) * 2

    assert (cache.state_layers, cache.state_bytes) == (48, 48 * one_layer)


@pytest.mark.parametrize(
    ("model_id", "kind"),
    [
        ("llama-3.1-8b", "dense"),
        ("gpt-oss-20b", "moe"),
        ("qwen3.5-27b", "hybrid"),
        ("kimi-linear-48b-a3b", "hybrid-moe"),
    ],
)
def test_kinds_are_told_by_experts_and_state(model_id, kind):
    assert shape(model_id).kind == kind


def test_four_bits_with_scales_and_biases_are_four_and_a_half():
    norms = 65 * 4096  # kept in bf16

    found = weights("llama-3.1-8b", 4).weight_bytes

    assert found == (llama_8b_params() - norms) * 4.5 / 8 + norms * 2


@pytest.mark.parametrize(
    ("bits", "mode", "group", "stored_bits"),
    [
        (3, "affine", 64, 3.5),
        (4, "affine", 32, 5.0),
        (8, "affine", 64, 8.5),
        (4, "mxfp4", 32, 4.25),  # an 8-bit scale for 32
        (4, "nvfp4", 16, 4.5),  # an 8-bit scale for 16
        (8, "mxfp8", 32, 8.25),
    ],
)
def test_each_mode_stores_its_own_scales(bits, mode, group, stored_bits):
    norms = 65 * 4096

    found = weights("llama-3.1-8b", bits, mode, group).weight_bytes

    assert found == (llama_8b_params() - norms) * stored_bits / 8 + norms * 2


def test_bf16_is_two_bytes_a_parameter():
    assert weights("llama-3.1-8b", None).weight_bytes == 2 * 8_030_261_248


# Bytes of published MLX repositories (github.com/exo-explore/exo model cards). Vision towers
# stay bf16, so between two widths of one model only its text differs, to the byte.
REPOSITORIES = {
    "qwen3.5-27b": {4: 16054266848, 8: 29500943328},
    "qwen3.5-9b": {4: 5950062560, 8: 10426433504},
    "qwen3.6-27b": {4: 16054262240, 8: 29500938720, None: 54713457120},
    "qwen3.5-122b-a10b": {8: 130648036320, None: 245125640160},
}


@pytest.mark.parametrize(("model_id", "published"), REPOSITORIES.items())
def test_widths_differ_as_published_repositories_do(model_id, published):
    towers = {size - weights(model_id, bits).weight_bytes for bits, size in published.items()}

    assert len(towers) == 1
    assert 0.8e9 < towers.pop() < 1e9


@pytest.mark.parametrize(
    ("model_id", "bits", "published"),
    [
        ("deepseek-v3.2", 4, 378086226621),
        ("minimax-m2.7", 4, 128682598717),
        ("minimax-m2.7", 8, 243002680786),
    ],
)
def test_text_repositories_have_the_computed_bytes(model_id, bits, published):
    # The sources round some parts up; MiniMax's repositories both hold 19 MB more.
    assert weights(model_id, bits).weight_bytes == pytest.approx(published, rel=1.5e-4)


def test_experts_of_a_token_are_a_share_of_all():
    found = weights("qwen3-30b-a3b", 4)

    assert found.weight_bytes == pytest.approx(17.18e9, rel=1e-3)
    # 48 layers x 128 experts x three matrices of 2048 x 768, 4.5 bits
    assert found.expert_bytes == 48 * 128 * 3 * 2048 * 768 * 4.5 / 8
    assert found.dense_read_bytes + found.expert_bytes * 8 / 128 == pytest.approx(1.72e9, rel=5e-3)


def test_routers_stay_at_eight_bits():
    # gpt-oss-20b: 24 routers of 2880 x 32 at 8.5 bits instead of 4.5, and their float biases.
    as_converted = weights("gpt-oss-20b", 4)
    all_at_four = mlx.weigh(
        config("gpt-oss-20b"),
        bits=4,
        group_size=64,
        mode="affine",
        overrides={f"model.layers.{layer}.mlp.router": True for layer in range(24)},
    )

    assert as_converted.weight_bytes - all_at_four.weight_bytes == 24 * 2880 * 32 * 4 / 8


def test_an_override_of_one_module_is_followed():
    plain = weights("llama-3.1-8b", 4)
    head_kept = mlx.weigh(
        config("llama-3.1-8b"),
        bits=4,
        group_size=64,
        mode="affine",
        overrides={"bits": 4, "group_size": 64, "lm_head": False},
    )

    assert head_kept.weight_bytes - plain.weight_bytes == 128256 * 4096 * (16 - 4.5) / 8


def test_nothing_is_evaluated():
    import mlx.core as mx

    mx.reset_peak_memory()
    before = mx.get_active_memory()
    mlx.describe(config("llama-3.1-405b"))
    weights("kimi-k2", 4)

    # Some classes make scalars and small tables; one layer of either model is gigabytes.
    assert mx.get_peak_memory() - before < 1_000_000


def test_stdout_stays_silent(capsys):
    weights("qwen3-0.6b", 4)

    assert capsys.readouterr().out == ""
