"""A part of a problem holds the same numbers for the candidates it keeps."""

import numpy as np

from .small_problems import small_problem


def test_taking_candidates_keeps_their_rows_and_pins():
    whole = small_problem(7, pins=(np.array([True, False, False, True, False, False]),))

    part = whole.take(np.array([3, 4]))

    assert part.found.model.tolist() == [1, 2]
    assert part.found.total_bytes.tolist() == whole.found.total_bytes[[3, 4]].tolist()
    assert part.pins[0].tolist() == [True, False]
    assert part.found.budget_bytes == whole.found.budget_bytes
