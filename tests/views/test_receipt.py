"""The receipt's shares add up, and name what was read."""

import pandas as pd

from advisor.catalog import load
from advisor.views import receipt


def test_lines_by_hand():
    row = pd.Series(
        {"model_id": "llama-3.1-8b", "step_s": 0.050, "weights_s": 0.040, "kv_s": 0.008,
         "overhead_s": 0.002, "read_weight_bytes": 4.2e9, "read_kv_bytes": 1e9}
    )  # fmt: skip

    found = receipt.lines(load(), load().machine("mac-mini-m4-16"), row)

    assert found.to_numpy().tolist() == [
        ["Weights read", "4.20 GB", "40.0 ms", "80%"],
        ["Cache read", "1.00 GB", "8.0 ms", "16%"],
        ["Overhead", "32 layers", "2.0 ms", "4%"],
        ["One token", "120 GB/s chip", "50.0 ms", "100%"],
    ]
