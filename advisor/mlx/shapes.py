"""What is known of a model without its weights: frozen values, sizes in bytes and tokens."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CacheShape:
    """What the layers cache for one sequence, at 16 bits (state: in the traced dtype).

    full_bytes_per_token      keys and values of every token: full attention [bytes]
    latent_bytes_per_token    compressed keys and values (MLA), and their index keys [bytes]
    sliding_bytes_per_token   of a layer that keeps a window or a chunk of the last tokens [bytes]
    window_tokens             length of that window [tokens]
    state_bytes               recurrent and convolution state, whatever the context [bytes]
    *_layers                  a layer with two kinds of cache counts in both; one that shares
                              another's cache, or keeps none, in none [-]
    full/sliding_reading_layers   layers that read such a cache, those that share one included:
                              a step reads a cache once for each of them [-]

    Where layers of one model have several windows, ``window_tokens`` is their mean weighted by
    bytes, so that ``sliding_bytes_per_token * window_tokens`` stays the exact total.
    """

    full_layers: int = 0
    full_bytes_per_token: int = 0
    latent_layers: int = 0
    latent_bytes_per_token: int = 0
    sliding_layers: int = 0
    sliding_bytes_per_token: int = 0
    window_tokens: float = 0
    state_layers: int = 0
    state_bytes: int = 0
    full_reading_layers: int = 0
    sliding_reading_layers: int = 0


@dataclass(frozen=True)
class ModelShape:
    """Counts of a model that do not depend on its quantization.

    params            all parameters [-]
    active_params     all but the experts a token is not routed to [-]
    read_params       parameters read to decode one token: ``active_params`` without
                      ``embedding_params`` [-]
    embedding_params  tables of which a token reads one row: an untied input embedding,
                      per-layer embeddings, positions [-]
    expert_params     all routed experts [-]
    kind              dense, moe, hybrid or hybrid-moe; hybrid has layers with recurrent state
    max_context_tokens  as the config says, 0 where it does not [tokens]
    """

    model_type: str
    params: int
    active_params: int
    read_params: int
    embedding_params: int
    expert_params: int
    layers: int
    hidden_size: int
    vocab_size: int
    experts: int
    experts_per_token: int
    kind: str
    max_context_tokens: int
    attention_heads: int
    head_dim: int
    cache: CacheShape


@dataclass(frozen=True)
class WeightBytes:
    """Bytes of one model in one quantization; scales and what stays unquantized included.

    weight_bytes      all weights [bytes]
    dense_read_bytes  read for every decoded token, whatever the router says [bytes]
    expert_bytes      all routed experts; a token reads ``experts_per_token / experts`` of it
    """

    weight_bytes: int
    dense_read_bytes: int
    expert_bytes: int
