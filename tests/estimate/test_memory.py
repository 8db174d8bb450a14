"""Bytes by hand."""

import numpy as np
import pytest

from advisor.estimate.memory import (
    Growth,
    cache_share,
    chunk_bytes,
    growing_bytes_per_token,
    kv_bytes,
    largest_context_tokens,
    llama_cpp_buffer_bytes,
    mlx_chunk_bytes_per_token,
)
from advisor.units import GIB, MIB


def cache(context_tokens: int, **other: float) -> float:
    layers = {
        "growing_bytes_per_token": 0,
        "sliding_bytes_per_token": 0,
        "window_tokens": 0,
        "state_bytes": 0,
        "batch": 1,
    }
    arrays = {name: np.array(value) for name, value in (layers | other).items()}
    return float(kv_bytes(**arrays, context_tokens=np.array(context_tokens)))


def growth(**other: float) -> Growth:
    parts = {
        "growing_bytes_per_token": 0,
        "sliding_bytes_per_token": 0,
        "window_tokens": 0,
        "state_bytes": 0,
        "batch": 1,
        "chunk_bytes_per_token": 0,
        "chunk_tokens": 2048,
    }
    return Growth(**{name: np.array(value) for name, value in (parts | other).items()})


def test_a_full_cache_grows_with_every_token() -> None:
    # Llama-3.1-8B: 32 layers x 2 x 8 heads x 128 x 2 bytes = 131072 bytes a token.
    assert cache(8192, growing_bytes_per_token=131072) == 1 * GIB
    assert cache(32768, growing_bytes_per_token=131072) == 4 * GIB


@pytest.mark.parametrize(("tokens", "held"), [(1, 256), (256, 256), (257, 512), (8000, 8192)])
def test_a_cache_is_held_in_whole_steps(tokens: int, held: int) -> None:
    assert cache(tokens, growing_bytes_per_token=100) == 100 * held


def test_a_sliding_cache_stops_at_its_window() -> None:
    at_window = cache(1024, sliding_bytes_per_token=100, window_tokens=1024)

    assert cache(100_000, sliding_bytes_per_token=100, window_tokens=1024) == at_window == 102400


def test_a_state_is_the_same_at_any_context() -> None:
    assert cache(1, state_bytes=7) == cache(100_000, state_bytes=7) == 7


def test_each_sequence_has_a_cache_of_its_own() -> None:
    assert cache(256, growing_bytes_per_token=10, state_bytes=5, batch=4) == 4 * (2560 + 5)


@pytest.mark.parametrize(("bits", "effective"), [(16, 16), (8, 8.5), (4, 4.5)])
def test_group_scales_cost_half_a_bit(bits: int, effective: float) -> None:
    assert cache_share(np.array(bits)) * 16 == effective


def test_a_narrow_cache_leaves_latent_layers_alone() -> None:
    per_token = growing_bytes_per_token(
        full_bytes_per_token=np.array(1600.0),
        latent_bytes_per_token=np.array(100.0),
        kv_bits=np.array(8),
        cache_quantizes=np.array(True),
    )

    assert per_token == 850 + 100


def test_a_cache_that_cannot_be_narrowed_stays() -> None:
    per_token = growing_bytes_per_token(
        full_bytes_per_token=np.array(1600.0),
        latent_bytes_per_token=np.array(100.0),
        kv_bits=np.array(4),
        cache_quantizes=np.array(False),
    )

    assert per_token == 1700


def test_llama_cpp_holds_the_buffer_that_it_logs() -> None:
    # "Metal compute buffer size = 258.50 MiB": Llama-3-8B, vocabulary 128256, hidden 4096.
    buffer = llama_cpp_buffer_bytes(
        hidden_size=np.array(4096), vocab_size=np.array(128256), ubatch_tokens=512
    )

    assert buffer == 258.5 * MIB


def test_a_chunk_costs_its_tokens_and_no_more_than_a_whole_chunk() -> None:
    per_token = mlx_chunk_bytes_per_token(
        hidden_size=np.array(4096),
        sliding_bytes_per_token=np.array(0),
        is_hybrid=np.array(False),
        bytes_per_hidden=10,
        hybrid_bytes_per_hidden=100,
    )
    grown = growth(chunk_bytes_per_token=per_token)

    assert per_token == 40960
    assert chunk_bytes(grown, np.array(512)) == 512 * 40960
    assert chunk_bytes(grown, np.array(2048)) == chunk_bytes(grown, np.array(9999)) == 2048 * 40960


ROOMS = {
    # what grows, free bytes, largest context by hand
    "cache alone": ({"growing_bytes_per_token": 100}, 1_000_000, 9984),  # 10000, whole steps
    "nothing free": ({"growing_bytes_per_token": 100}, -1, 0),
    "less than a step": ({"growing_bytes_per_token": 100}, 25_599, 0),
    "exactly a step": ({"growing_bytes_per_token": 100}, 25_600, 256),
    "the state does not fit": ({"growing_bytes_per_token": 1, "state_bytes": 10**6}, 999_999, 0),
    "two sequences": ({"growing_bytes_per_token": 100, "batch": 2}, 1_000_000, 4864),
    # inside the chunk 100 + 300 a token: 1,000,000 / 400 = 2500 is past it, so the chunk's
    # 614,400 are paid once and (1,000,000 - 614,400) / 100 = 3856
    "a whole chunk": (
        {"growing_bytes_per_token": 100, "chunk_bytes_per_token": 300}, 1_000_000, 3840
    ),
    "part of a chunk": (
        {"growing_bytes_per_token": 100, "chunk_bytes_per_token": 300}, 409_600, 1024
    ),
    # (1,000,000 - 512 x 200) / 100 = 8976
    "past a window": (
        {"growing_bytes_per_token": 100, "sliding_bytes_per_token": 200, "window_tokens": 512},
        1_000_000,
        8960,
    ),
    "nothing that grows": ({"state_bytes": 10}, 10, 131072),
    "more than the model takes": ({"growing_bytes_per_token": 1}, 10**9, 131072),
}  # fmt: skip


@pytest.mark.parametrize(("parts", "free", "expected"), ROOMS.values(), ids=ROOMS)
def test_the_largest_context_by_hand(parts: dict, free: float, expected: int) -> None:
    largest = largest_context_tokens(
        free_bytes=np.array(free), growth=growth(**parts), max_context_tokens=np.array(131072)
    )

    assert largest == expected
