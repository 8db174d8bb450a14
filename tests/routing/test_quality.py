"""Quality is published where it is published, estimated and wide where not, and one's own rules."""

import numpy as np
import pytest

from advisor.catalog import load
from advisor.routing import quality
from advisor.routing.scales import scales

LANGUAGE = [s for s in scales(load()) if s != "embeddings"]


def of(scale: str, model_id: str, own=None):
    found = quality.of_models(load(), scale, own)
    at = load().model_ids.index(model_id)
    return found.mid[at], found.low[at], found.high[at], found.basis[at]


@pytest.mark.parametrize("scale", LANGUAGE)
def test_larger_models_of_one_family_and_year_are_better(scale):
    ladder = ("qwen3-0.6b", "qwen3-1.7b", "qwen3-4b", "qwen3-14b", "qwen3-32b")

    told = [of(scale, name)[0] for name in ladder]

    assert told == sorted(told)


@pytest.mark.parametrize("scale", LANGUAGE)
def test_quality_lies_in_its_interval_between_0_and_1(scale):
    found = quality.of_models(load(), scale)

    assert (found.low >= 0).all()
    assert (found.high <= 1).all()
    assert (found.low <= found.mid).all()
    assert (found.mid <= found.high).all()


def test_a_score_on_the_anchor_is_close_to_the_quality():
    # LMArena multi-turn of GLM-4.6 against a model of 1300 elo, by the elo formula.
    rows = load().scores
    rows = rows[(rows["model_id"] == "glm-4.6") & (rows["benchmark"].str.endswith("multi-turn"))]
    votes = 1 / (1 + 10 ** ((1300 - rows["score"].iloc[0]) / 400))

    assert of("chat", "glm-4.6")[0] == pytest.approx(votes, abs=0.05)


def test_an_estimate_is_marked_and_wider_than_the_median_published_one():
    for scale in LANGUAGE:
        found = quality.of_models(load(), scale)
        width = np.log(found.high / (1 - found.high)) - np.log(found.low / (1 - found.low))
        estimated = found.basis == quality.ESTIMATED

        assert estimated.any()
        assert np.median(width[estimated]) > np.median(width[~estimated])


def test_ones_own_score_replaces_the_published_one():
    assert of("chat", "qwen3-8b", {("chat", "qwen3-8b"): 0.9}) == (0.9, 0.9, 0.9, "yours")
    assert of("code", "qwen3-8b", {("chat", "qwen3-8b"): 0.9})[3] != "yours"


def test_a_model_trained_in_its_quantization_loses_nothing():
    catalog = load()
    whole = quality.of_models(catalog, "chat")
    rows = [
        catalog.variant_index("gpt-oss-20b", "mxfp4"),
        catalog.variant_index("qwen3-8b", "mxfp4"),
    ]
    told = quality.of_variants(catalog, whole, np.array(rows))

    assert told.mid[0] == whole.mid[catalog.model_ids.index("gpt-oss-20b")]
    assert told.mid[1] < whole.mid[catalog.model_ids.index("qwen3-8b")]


def test_thinking_and_releases_are_columns_of_their_own():
    names = quality.evidence(load(), scales(load())["reasoning"]).columns

    assert "LiveBench Reasoning · release 2026-01-08" in names
    assert "LiveBench Reasoning · release 2026-01-08 · thinking" in names
