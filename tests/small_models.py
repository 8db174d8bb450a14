"""Configs of models small enough to build in a moment, one of each kind, in any size."""

from typing import Any

COMMON = {"tie_word_embeddings": True, "rms_norm_eps": 1e-6, "rope_theta": 10000,
          "max_position_embeddings": 8192}  # fmt: skip


def dense(layers: int = 8, hidden: int = 128, vocab: int = 512) -> dict[str, Any]:
    return {
        **COMMON, "model_type": "qwen3", "hidden_size": hidden, "num_hidden_layers": layers,
        "num_attention_heads": hidden // 64, "num_key_value_heads": max(1, hidden // 128),
        "head_dim": 64, "intermediate_size": 3 * hidden, "vocab_size": vocab,
    }  # fmt: skip


def moe(
    layers: int = 8, hidden: int = 128, vocab: int = 512, experts: int = 16, top_k: int = 2
) -> dict[str, Any]:
    return {
        **dense(layers, hidden, vocab), "model_type": "qwen3_moe", "num_experts": experts,
        "num_experts_per_tok": top_k, "moe_intermediate_size": hidden // 2,
        "decoder_sparse_step": 1, "mlp_only_layers": [], "norm_topk_prob": True,
    }  # fmt: skip


def sliding(
    layers: int = 13, hidden: int = 128, vocab: int = 512, window: int = 64
) -> dict[str, Any]:
    """Gemma 3: every sixth layer sees everything, by an interval; 13 leave one layer over."""
    return {
        **dense(layers, hidden, vocab), "model_type": "gemma3_text", "sliding_window": window,
        "sliding_window_pattern": 6, "rope_local_base_freq": 10000, "query_pre_attn_scalar": 64,
    }  # fmt: skip


def hybrid(layers: int = 16, hidden: int = 128, vocab: int = 512) -> dict[str, Any]:
    """Qwen 3.5: three layers with recurrent state, then one with attention, by an interval."""
    text = {
        **dense(layers, hidden, vocab), "model_type": "qwen3_5_text", "full_attention_interval": 4,
        "linear_conv_kernel_dim": 4, "linear_key_head_dim": 64, "linear_value_head_dim": 64,
        "linear_num_key_heads": hidden // 64, "linear_num_value_heads": hidden // 64,
        "rope_parameters": {"type": "default", "mrope_section": [4, 2, 2], "rope_theta": 10000,
                            "partial_rotary_factor": 0.25},
    }  # fmt: skip
    return {"model_type": "qwen3_5", "text_config": text, "tie_word_embeddings": True}


def listed(layers: int = 10, hidden: int = 128, vocab: int = 512) -> dict[str, Any]:
    """LFM2: a list says which layer is a convolution and which has attention."""
    types = ["full_attention" if number % 5 == 2 else "conv" for number in range(layers)]
    return {
        **dense(layers, hidden, vocab), "model_type": "lfm2", "layer_types": types,
        "norm_eps": 1e-5, "conv_L_cache": 3, "conv_bias": False, "block_dim": hidden,
        "block_ff_dim": 3 * hidden, "block_multiple_of": 64, "block_ffn_dim_multiplier": 1.0,
        "block_auto_adjust_ff_dim": False,
    }  # fmt: skip


def latent(layers: int = 9, hidden: int = 128, vocab: int = 512) -> dict[str, Any]:
    """DeepSeek V2: compressed keys and values, the first layer dense, experts after it."""
    return {
        **COMMON, "model_type": "deepseek_v2", "hidden_size": hidden, "vocab_size": vocab,
        "num_hidden_layers": layers, "intermediate_size": 3 * hidden, "first_k_dense_replace": 1,
        "moe_layer_freq": 1, "n_routed_experts": 16, "n_shared_experts": 1,
        "num_experts_per_tok": 2, "moe_intermediate_size": hidden // 2, "norm_topk_prob": False,
        "routed_scaling_factor": 1.0, "topk_method": "greedy", "n_group": 1, "topk_group": 1,
        "scoring_func": "softmax", "kv_lora_rank": 64, "q_lora_rank": None,
        "qk_nope_head_dim": 32, "qk_rope_head_dim": 32, "v_head_dim": 64,
        "num_attention_heads": hidden // 64, "num_key_value_heads": hidden // 64,
        "attention_bias": False,
        "rope_scaling": {"type": "yarn", "factor": 2, "original_max_position_embeddings": 4096,
                         "mscale": 0.7, "mscale_all_dim": 0.7, "beta_fast": 32, "beta_slow": 1},
    }  # fmt: skip


KINDS = {"dense": dense, "moe": moe, "sliding": sliding, "hybrid": hybrid, "listed": listed,
         "latent": latent}  # fmt: skip
