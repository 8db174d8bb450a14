"""What MLX runs on is said with every measurement."""

import sys

import pytest

from advisor.mlx import backend


@pytest.mark.skipif(sys.platform == "darwin", reason="says what a computer without Metal says")
def test_without_metal_it_computes_in_32_bits_and_says_it_is_no_mac():
    found = backend.here()

    assert (found.metal, found.dtype) == (False, "float32")
    assert "not a Mac" in found.says


def test_on_metal_it_names_the_chip():
    mac = backend.Backend(True, "Apple M4 Pro", "bfloat16", "0.32", "0.32")

    assert mac.says == "Measured on the GPU of this Mac (Apple M4 Pro), MLX 0.32."


def test_the_peak_starts_anew():
    import mlx.core as mx

    mx.eval(mx.zeros((1 << 20,)))
    backend.release()
    backend.prepare()

    assert backend.peak_bytes() < 1 << 22
