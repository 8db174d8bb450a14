"""A config that would give wrong figures is refused with one sentence."""

import copy
import json
from typing import Any

import pytest

from advisor import mlx
from advisor.catalog.load import DEFAULT_ROOT
from advisor.errors import InputError
from advisor.mlx import configs

LLAMA = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "intermediate_size": 128,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "rms_norm_eps": 1e-5,
    "vocab_size": 256,
    "max_position_embeddings": 512,
    "tie_word_embeddings": False,
}


def of_catalog(model_id: str) -> dict[str, Any]:
    path = DEFAULT_ROOT / "models" / f"{model_id}.json"
    return json.loads(path.read_text(encoding="utf-8"))["config"]


@pytest.mark.parametrize("config", [[], "llama", None, 7, {}, {"model_type": 3}])
def test_what_is_no_config_is_refused(config):
    with pytest.raises(InputError, match="config"):
        mlx.describe(config)


@pytest.mark.parametrize("model_type", ["lama", "cache", "../llama", "llama.py", "модель"])
def test_an_unknown_model_type_is_named_before_missing_sizes(model_type):
    with pytest.raises(InputError, match=f"no model_type '{model_type}'"):
        mlx.describe({"model_type": model_type})


@pytest.mark.parametrize("name", ["hidden_size", "num_hidden_layers", "vocab_size"])
@pytest.mark.parametrize("value", [None, 0, -4, "64", 6.4, True, [64], 10**12])
def test_an_unusable_size_is_named(name, value):
    with pytest.raises(InputError, match=name):
        mlx.describe({**LLAMA, name: value})


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"num_attention_heads": 0}, "num_attention_heads"),
        ({"num_key_value_heads": 3}, "n_kv_heads"),
        ({"num_attention_heads": "four"}, "llama"),
        ({"intermediate_size": None}, "llama"),
    ],
)
def test_sizes_that_do_not_fit_together_are_refused(changes, named):
    with pytest.raises(InputError, match=named):
        mlx.describe({**LLAMA, **changes})


@pytest.mark.parametrize(
    ("model_id", "field"),
    [
        # Once pruned by mistake, this model came out at twice its size.
        ("kimi-k3", "routed_expert_hidden_size"),
        ("deepseek-v3", "n_routed_experts"),
        ("qwen3.5-27b", "intermediate_size"),
        ("falcon-h1-0.5b", "mamba_n_heads"),
    ],
)
def test_a_size_is_not_left_to_a_default(model_id, field):
    config = copy.deepcopy(of_catalog(model_id))
    (config.get("text_config") or config).pop(field)

    with pytest.raises(InputError, match=field):
        mlx.describe(config)


def test_a_default_that_changes_nothing_is_no_problem():
    # All of its layers are experts, so mlx-lm's default intermediate_size is used nowhere.
    assert "intermediate_size" not in of_catalog("qwen3.5-35b-a3b")["text_config"]

    assert mlx.describe(of_catalog("qwen3.5-35b-a3b")).experts == 256


def test_a_gemma_3_config_as_published_may_leave_out_what_its_class_sets():
    published = copy.deepcopy(of_catalog("gemma-3-4b"))
    for name in ("vocab_size", "num_attention_heads", "num_key_value_heads", "head_dim"):
        published.pop(name, None)
        published.get("text_config", {}).pop(name, None)

    assert mlx.describe(published).params == mlx.describe(of_catalog("gemma-3-4b")).params


def test_the_outer_tie_holds_for_the_text_inside():
    inner = {name: value for name, value in LLAMA.items() if name != "tie_word_embeddings"}
    outer = {"model_type": "qwen3_vl", "tie_word_embeddings": True, "text_config": inner}

    assert configs.named(outer)["text_config"]["tie_word_embeddings"] is True


def test_a_rope_that_is_nested_is_flattened_where_mlx_lm_wants_it():
    nested = {**LLAMA, "model_type": "glm4", "rope_parameters": {"rope_theta": 500000}}

    assert configs.named(nested)["rope_theta"] == 500000


def test_the_callers_config_is_left_as_it_is():
    config = copy.deepcopy(LLAMA) | {"_note": "kept"}
    before = copy.deepcopy(config)

    mlx.describe(config)

    assert config == before


def test_experts_without_a_count_per_token_are_refused():
    config = copy.deepcopy(of_catalog("mixtral-8x7b"))
    config["num_experts_per_tok"] = []

    with pytest.raises(InputError, match="how many a token uses"):
        configs.experts_per_token(config)


def test_keys_of_latent_attention_are_as_wide_as_both_parts():
    assert configs.attention_heads(of_catalog("deepseek-v3")) == (128, 128 + 64)
