"""Which arrays count as what, on models small enough to count by hand."""

import pytest

from advisor import mlx
from tests.mlx.test_configs import LLAMA

GPT2 = {
    "model_type": "gpt2",
    "n_ctx": 128,
    "n_embd": 64,
    "n_head": 4,
    "n_layer": 2,
    "n_positions": 128,
    "layer_norm_epsilon": 1e-5,
    "vocab_size": 256,
}
GPT_NEOX = {
    "model_type": "gpt_neox",
    "max_position_embeddings": 128,
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "layer_norm_eps": 1e-5,
    "vocab_size": 256,
    "rotary_emb_base": 10000,
    "rotary_pct": 0.25,
}


@pytest.mark.parametrize(
    ("config", "unread"),
    [
        (LLAMA, 256 * 64),  # untied
        ({**LLAMA, "tie_word_embeddings": True}, 0),
        (GPT2, 128 * 64),  # positions; the tied table is the head
        (GPT_NEOX, 256 * 64),  # its head is called embed_out
    ],
)
def test_a_token_reads_one_row_of_some_tables(config, unread):
    assert mlx.describe(config).embedding_params == unread


def test_per_layer_tables_are_looked_up():
    from tests.mlx.test_configs import of_catalog

    text = of_catalog("gemma-3n-e4b")["text_config"]
    table = text["vocab_size_per_layer_input"] * 35 * text["hidden_size_per_layer_input"]

    assert mlx.describe(of_catalog("gemma-3n-e4b")).embedding_params == table
