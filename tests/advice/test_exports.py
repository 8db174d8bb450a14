"""Tables leave under the command line's names."""

import pandas as pd

from advisor.advice.exports import public


def test_ids_and_weights_are_renamed_and_nothing_else():
    table = pd.DataFrame(
        {"machine_id": ["m"], "model_id": ["x"], "quant_id": ["q"], "weight_bytes": [1],
         "decode_tok_s": [2.0]}
    )  # fmt: skip

    assert list(public(table)) == ["machine", "model", "quant", "weights_bytes", "decode_tok_s"]
