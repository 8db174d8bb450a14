"""Embedding models have their published bytes and a like model's pace."""

import numpy as np
import pytest

from advisor.catalog import load
from advisor.routing.candidates import Wishes, candidates
from advisor.routing.workload import preset


def test_bytes_are_published_and_a_larger_one_is_slower():
    catalog = load()
    asked = preset(catalog, "search")
    table = candidates(catalog, catalog.machine("mac-mini-m4-16"), asked, "mlx-lm", Wishes())
    rows = np.flatnonzero(table.embedder)
    names = list(table.model_id[rows])
    weights = dict(zip(names, table.weight_bytes[rows], strict=True))
    waits = dict(zip(names, table.ttft_s[rows, 0], strict=True))

    assert weights["qwen3-embedding-0.6b"] == 639e6
    assert waits["qwen3-embedding-0.6b"] < waits["qwen3-embedding-4b"] < waits["qwen3-embedding-8b"]
    # 70.58 on MTEB (multilingual), as its card says.
    assert table.quality[rows[names.index("qwen3-embedding-8b")], 0] == pytest.approx(0.7058)


def test_without_a_class_that_embeds_there_are_none():
    catalog = load()
    asked = preset(catalog, "chat")
    table = candidates(catalog, catalog.machine("mac-mini-m4-16"), asked, "mlx-lm", Wishes())

    assert not table.embedder.any()
