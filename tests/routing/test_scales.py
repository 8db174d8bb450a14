"""Scales name benchmarks that the scores have; embedders name models that exist."""

from advisor.catalog import load
from advisor.routing.scales import embedders, scales
from advisor.routing.workload import SCALES


def test_every_scale_of_a_workload_is_there_and_no_other():
    assert set(scales(load())) == set(SCALES)


def test_every_benchmark_of_a_scale_has_scores():
    known = set(load().scores["benchmark"])

    for scale in scales(load()).values():
        assert set(scale.elo) | set(scale.percent) <= known


def test_an_embedder_is_like_a_model_and_has_its_quantization():
    catalog = load()

    for embedder in embedders(catalog).values():
        assert embedder.like in catalog.model_ids
        assert embedder.quant in catalog.quant_ids
