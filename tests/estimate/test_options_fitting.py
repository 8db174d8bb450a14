"""The options' constants are those that the public figures give today."""

from dataclasses import asdict

import pytest

from advisor.estimate import options, options_fitting


def test_the_stored_constants_are_current(catalog):
    assert asdict(options_fitting.fit(catalog)) == pytest.approx(
        asdict(options.load(catalog)), rel=1e-3
    )


def test_rows_are_set_against_one_sequence_of_their_own_series(catalog):
    shares = options_fitting.stream_shares(catalog)

    assert (shares["batch"] > 1).all()
    # Qwen3-4B in 8 bits: 2 x 51.7 / 87.9 steps for two sequences.
    assert shares["measured"].iloc[0] == pytest.approx(2 * 51.7 / 87.9)
    # The old llama.cpp path, where batching made it slower, is of low confidence.
    assert shares["measured"].max() < 5


def test_a_check_of_experts_is_told_from_one_of_a_dense_model(catalog):
    rounds = options_fitting.checked_rounds(catalog)

    dense = rounds[rounds["extra"] == rounds["round_steps"] - 1]
    assert 0 < len(dense) < len(rounds)
