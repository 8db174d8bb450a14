"""Widths hold 80 % of unseen errors, and are wider where less is known."""

import numpy as np
import pytest

from advisor.catalog import load
from advisor.estimate import intervals
from advisor.estimate.evidence import decode_evidence


@pytest.fixture(scope="module")
def data():
    return decode_evidence(load())


def test_eighty_per_cent_of_known_errors_are_inside(data):
    """Errors drawn with a spread of 0.1 everywhere: the 80 % half-width is 1.2816 x 0.1."""
    error = np.random.default_rng(7).normal(0, 0.1, len(data))

    found = intervals.fit_widths(data, error, load().runtime_ids)

    widths = intervals.half_widths(data, found)
    assert np.mean(np.abs(error) <= widths) == pytest.approx(0.8, abs=0.06)
    assert np.median(widths) == pytest.approx(0.128, rel=0.2)


def test_a_runtime_with_larger_errors_gets_a_wider_interval(data):
    ollama = np.array(data.runtime) == "ollama"
    error = np.random.default_rng(7).normal(0, np.where(ollama, 0.4, 0.1))

    found = intervals.fit_widths(data, error, load().runtime_ids)

    widths = intervals.half_widths(data, found)
    assert np.median(widths[ollama]) > 1.5 * np.median(widths[~ollama])


def test_a_chip_less_known_is_never_surer(data):
    error = np.random.default_rng(7).normal(0, 0.1, len(data))

    found = intervals.fit_widths(data, error, load().runtime_ids)

    assert all(value >= 0 for value in found.known.values())
    assert found.depth >= 0


def test_what_is_known_is_counted_in_other_peoples_sources(data):
    counts = intervals.sources_of(data)

    m4_pro = [s for s, chip in zip(data.source, data.chip, strict=True) if chip.name == "M4 Pro"]
    assert counts["M4 Pro"][""] == len(set(m4_pro))
    # No public MLX run of a plain M4.
    assert "mlx-lm" not in counts["M4"]
    assert "qwen3-8b" in intervals.models_of(data, load().runtime_ids)["mlx-lm"]


def test_coverage_is_asked_of_widths_that_have_not_seen_the_source(data):
    """One source errs ten times as much as the rest, which cannot know it."""
    rng = np.random.default_rng(7)
    odd = data.source == "famstack-dev-local-llm-bench"
    error = rng.normal(0, np.where(odd, 1.0, 0.1))

    unseen = intervals.unseen_half_widths(data, error, load().runtime_ids)

    assert np.median(unseen[odd]) < 0.3
    assert np.mean(np.abs(error[odd]) <= unseen[odd]) < 0.4
