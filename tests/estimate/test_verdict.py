"""The four words, from plain numbers."""

import numpy as np
import pytest

from advisor.estimate.verdict import verdict

# Budget 10, raised limit 12, MLX grants up to 15; nothing else runs on 16.
LADDER = {
    "well inside": (5, True, "fits"),
    "just inside": (10, True, "fits"),
    "inside a raised limit": (12, True, "raise_limit"),
    "MLX grants it": (15, True, "pages"),
    "llama.cpp does not": (15, False, "no"),
    "above everything": (16, True, "no"),
}


@pytest.mark.parametrize(("total", "on_mlx", "expected"), LADDER.values(), ids=LADDER)
def test_each_step_has_its_word(total: float, on_mlx: bool, expected: str) -> None:
    word = verdict(
        total_bytes=np.array(total),
        budget_bytes=np.array(10.0),
        unused_bytes=np.array(16.0),
        raised_bytes=np.array(12.0),
        paging_bytes=np.array(15.0),
        runs_on_mlx=np.array(on_mlx),
    )

    assert word == expected


def test_a_raised_limit_does_not_make_other_programs_smaller() -> None:
    word = verdict(
        total_bytes=np.array(11.0),
        budget_bytes=np.array(9.0),
        unused_bytes=np.array(9.0),
        raised_bytes=np.array(12.0),
        paging_bytes=np.array(15.0),
        runs_on_mlx=np.array(False),
    )

    assert word == "no"


def test_an_unknown_budget_has_no_word() -> None:
    word = verdict(
        total_bytes=np.array(1.0),
        budget_bytes=np.array(np.nan),
        unused_bytes=np.array(np.nan),
        raised_bytes=np.array(0.0),
        paging_bytes=np.array(0.0),
        runs_on_mlx=np.array(True),
    )

    assert word == ""
