"""Two sources that measured the same thing tell how noisy measuring is."""

import math

import pandas as pd
import pytest

from advisor.validation.noise_floor import noise_floor


def runs(rows):
    table = pd.DataFrame(rows, columns=["file", "model_id", "measured_tok_s", "context_drawn"])
    return table.assign(chip_id="m4-10", runtime="mlx-lm", quant_id="mlx-4bit")


def test_largest_over_smallest_of_the_sources_medians():
    found = noise_floor(
        runs([("a", "x", 10, 512), ("a", "x", 12, 512), ("b", "x", 22, 512), ("a", "y", 5, 512)])
    )

    assert found.cases == 1
    assert found.median == pytest.approx(1.0)  # 22 against the median of 10 and 12


def test_deep_runs_do_not_count():
    found = noise_floor(runs([("a", "x", 10, 512), ("b", "x", 2, 32768)]))

    assert found.cases == 0
    assert math.isnan(found.median)
