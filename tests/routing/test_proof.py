"""A minimum is proved; what is left out on the way could not have been better."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from advisor.errors import InputError
from advisor.routing import proof


def knapsack(seed: int, items: int = 10):
    draw = np.random.default_rng(seed)
    return draw.uniform(1, 9, items), draw.uniform(1, 9, items)


def best_by_trying(worth: np.ndarray, size: np.ndarray, room: float) -> float:
    every = (np.arange(2 ** len(worth))[:, None] >> np.arange(len(worth))) & 1
    return float((every @ worth)[every @ size <= room].max())


@pytest.mark.parametrize("few", [2, 5, 120])
@pytest.mark.parametrize("seed", range(15))
def test_a_knapsack_is_packed_as_by_trying(seed, few, monkeypatch):
    monkeypatch.setattr(proof, "FEW", few)
    worth, size = knapsack(seed)
    none = np.zeros(len(worth), dtype=bool)

    point, gap = proof.minimise(
        -worth, csr_array(size[None, :]), np.array([-np.inf]), np.array([20.0]),
        free=none, answers=none,
    )  # fmt: skip

    assert worth @ point == pytest.approx(best_by_trying(worth, size, 20.0))
    assert gap <= 1e-9


def test_answers_are_whole_even_where_parts_would_be_better():
    worth, size = np.array([3.0, 2.0]), np.array([[2.0, 1.5]])

    point, _ = proof.minimise(
        -worth, csr_array(size), np.array([-np.inf]), np.array([2.5]),
        free=np.zeros(2, bool), answers=np.ones(2, bool),
    )  # fmt: skip

    assert point.tolist() == [1, 0]


def test_rows_that_nothing_satisfies_are_said():
    none = np.zeros(1, bool)

    with pytest.raises(InputError, match="Remove a pin"):
        proof.minimise(
            np.ones(1), csr_array(np.ones((1, 1))), np.array([2.0]), np.array([3.0]),
            free=none, answers=none,
        )  # fmt: skip
