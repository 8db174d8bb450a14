"""Runs of a computer that is no Mac say what else it would run, and how sure that is."""

import numpy as np
import pytest

from advisor.estimate import own_computer


def variants(catalog, *models: str) -> np.ndarray:
    return np.array([catalog.variant_index(model, "mlx-4bit") for model in models])


def test_a_model_of_twice_the_weights_takes_about_twice_as_long(catalog):
    """One run at 10 tok/s, of a computer of which nothing else is known: nearly all of its error
    is taken as the computer's own, so speed goes by the weights that are read."""
    weights = catalog.shapes["read_params"]
    found = own_computer.learn(catalog, variants(catalog, "qwen3-0.6b"), np.array([10.0]))

    (middle,), (low,), (high,) = found.decode_tok_s(catalog, variants(catalog, "qwen3-1.7b"))

    by_weights = 10.0 * weights["qwen3-0.6b"] / weights["qwen3-1.7b"]
    assert middle == pytest.approx(by_weights, rel=0.05)
    assert low < by_weights < high


def test_the_run_itself_is_said_back(catalog):
    found = own_computer.learn(catalog, variants(catalog, "qwen3-0.6b"), np.array([10.0]))

    (middle,), (low,), (high,) = found.decode_tok_s(catalog, variants(catalog, "qwen3-0.6b"))

    assert middle == pytest.approx(10.0, rel=0.05)
    assert high / low < 2


def test_more_runs_make_it_surer(catalog):
    asked = variants(catalog, "llama-3.2-1b")
    few = own_computer.learn(catalog, variants(catalog, "qwen3-0.6b"), np.array([10.0]))
    models = ("qwen3-0.6b", "qwen3-1.7b", "smollm2-135m", "smollm2-360m")
    runs = variants(catalog, *models)
    weights = catalog.shapes["read_params"][list(models)].to_numpy()
    many = own_computer.learn(catalog, runs, 6e9 / weights)

    wide, narrow = (
        high[0] / low[0] for _, low, high in (f.decode_tok_s(catalog, asked) for f in (few, many))
    )

    assert narrow < wide
    expected = 6e9 / catalog.shapes["read_params"]["llama-3.2-1b"]
    assert many.decode_tok_s(catalog, asked)[0] == pytest.approx([expected], rel=0.1)
