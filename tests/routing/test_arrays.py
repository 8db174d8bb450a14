"""Candidates are taken whole: every array of theirs keeps the same rows."""

from dataclasses import fields

import numpy as np

from .small_problems import small_problem


def test_taking_rows_takes_them_of_every_array():
    found = small_problem(1).found
    whole = {"option_context", "option_slots", "suits", "budget_bytes"}

    part = found.take(np.array([4, 2]))

    assert len(part) == 2
    for name in {f.name for f in fields(found)} - whole:
        assert (getattr(part, name) == getattr(found, name)[[4, 2]]).all()
