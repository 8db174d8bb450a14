"""Runs are set aside by rules that name their reason, never by hand."""

import numpy as np
import pandas as pd
import pytest

from advisor.catalog import load
from advisor.estimate import evidence
from advisor.estimate.evidence import decode_evidence


@pytest.fixture(scope="module")
def data():
    return decode_evidence(load())


def test_every_run_is_used_or_has_a_reason(data):
    assert len(data) + len(data.aside) == len(load().runs)
    assert (data.aside["reason"] != "").all()


def test_no_run_used_is_faster_than_its_memory(data):
    floor = (data.weight_read_bytes + data.cache_read_bytes) / data.bandwidth

    assert (data.step_s * 1.03 >= floor).all()


@pytest.mark.parametrize("column", ["confidence", "batch"])
def test_low_confidence_and_batches_are_left_out(data, column):
    assert (data.runs["confidence"] != "low").all()
    assert (data.runs["batch"].fillna(1) == 1).all()


def test_means_over_many_lengths_are_left_out(data):
    assert not data.runs["runtime_version"].fillna("").str.startswith("LocalScore").any()


def test_bytes_of_a_run_by_hand(data):
    """LLaMA-7B F16 on the M2 Ultra, empty cache: 6.74e9 parameters less the input table."""
    row = np.flatnonzero(
        (data.runs["model"] == "LLaMA-7B-v2")
        & (data.runs["quant"] == "F16")
        & (data.runs["chip"] == "M2 Ultra")
    )[0]

    read = (6_738_415_616 - 32000 * 4096) * 2
    assert data.weight_read_bytes[row] == pytest.approx(read, rel=0.003)
    assert data.bandwidth[row] == 800e9
    assert data.layers[row] == 32


NOTES = {
    "backend=llama-server, kv=kv-q8, test=B": (8, "quantized"), "kv=kv-q8+reuse": (8, "quantized"),
    "kv=kv4": (4, "quantized"), "kv=tq3.5bit": (3.5, "turboquant"),
    "q8_0 KV cache baseline": (8, "quantized"), "kv=default": (16, "16 bits"),
    "MLX Swift, fp16 KV": (16, "16 bits"), "kv=cache32k": (16, "16 bits"), "": (16, "16 bits"),
}  # fmt: skip


@pytest.mark.parametrize(("note", "cache"), NOTES.items())
def test_a_stated_cache_is_read(note, cache):
    printed = pd.DataFrame({"id": ["r1"], "note": [note]})

    assert evidence._stated_caches(printed) == {"r1": cache}


def test_a_shared_cache_is_read_once_for_each_layer_that_reads_it(data):
    """Gemma-4-E2B: 3 full caches of 2,048 B read by 7 layers, 12 windows of 1,024 B by 28."""
    runs = data.runs
    deep = (runs["runtime"] == "mlx-lm") & (runs["context_tokens"] > 100_000)
    row = np.flatnonzero(deep & (runs["model_id"] == "gemma-4-e2b"))[0]

    context = data.runs["context_tokens"][row]
    assert data.cache_read_bytes[row] == 7 * 2048 * context + 28 * 1024 * 512
