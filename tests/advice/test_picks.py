"""The best quantization is the widest that fits and is fast enough, never 3 bit or below."""

import numpy as np
import pandas as pd
import pytest

from advisor.advice import picks
from advisor.catalog import load
from advisor.estimate import plan

MACHINE = "mac-mini-m4-16"


def rows(*variants: tuple[str, str, str, float, float]) -> pd.DataFrame:
    """A hand-made table: model, quantization, verdict, tok/s, total bytes."""
    columns = ["model_id", "quant_id", "verdict", "decode_tok_s", "total_bytes"]
    return pd.DataFrame(variants, columns=columns).assign(machine_id=MACHINE, context_problem="")


CASES = {
    "the widest that fits": (
        [("qwen3-8b", "mlx-4bit", "fits", 20, 5), ("qwen3-8b", "mlx-8bit", "fits", 11, 9)],
        0, "mlx-8bit", True,
    ),
    "the widest that is fast enough": (
        [("qwen3-8b", "mlx-4bit", "fits", 21, 5), ("qwen3-8b", "mlx-8bit", "fits", 11, 9)],
        20, "mlx-4bit", True,
    ),
    "none is fast enough: the fastest": (
        [("qwen3-8b", "mlx-4bit", "fits", 15, 5), ("qwen3-8b", "mlx-8bit", "fits", 11, 9)],
        20, "mlx-4bit", False,
    ),
    "three bits never, even alone in fitting": (
        [("qwen3-8b", "mlx-3bit", "fits", 30, 4), ("qwen3-8b", "mlx-4bit", "no", 20, 5)],
        0, "mlx-4bit", False,
    ),
    "none fits: the smallest": (
        [("qwen3-8b", "mlx-8bit", "no", 11, 9), ("qwen3-8b", "mlx-4bit", "pages", 20, 5)],
        0, "mlx-4bit", False,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("given", "least", "quant", "meets"), CASES.values(), ids=CASES)
def test_one_quantization_a_model(given, least, quant, meets):
    found = picks.best_quants(load(), rows(*given), least)

    assert found["quant_id"].tolist() == [quant]
    assert found["meets"].tolist() == [meets]


def test_scored_models_come_first_by_score_then_the_others_by_size():
    # whatmodel.sh, October 2026: Qwen3.5-9B 62.0, Qwen3-0.6B 35.9; Llama-3.1-70B has none.
    table = rows(
        ("llama-3.1-8b", "mlx-4bit", "fits", 20, 5),
        ("qwen3-0.6b", "mlx-4bit", "fits", 20, 5),
        ("llama-3.1-70b", "mlx-4bit", "fits", 20, 5),
        ("qwen3.5-9b", "mlx-4bit", "fits", 20, 5),
    )

    found = picks.rank(load(), table)

    assert found["model_id"].tolist() == [
        "qwen3.5-9b", "qwen3-0.6b", "llama-3.1-70b", "llama-3.1-8b",
    ]  # fmt: skip
    assert picks.reason(found.iloc[0]) == "score 62.0 (whatmodel.sh, 2026)"
    assert picks.reason(found.iloc[3]) == "no published score; 8.0 B parameters"


def test_nothing_is_picked_where_nothing_fits():
    found = picks.best_quants(load(), rows(("qwen3-8b", "mlx-4bit", "no", 20, 5)))

    assert picks.best(found, MACHINE) is None
    assert picks.best(found, "another") is None


def test_every_pick_of_the_real_table_fits_with_four_bits_or_more():
    catalog = load()
    table = plan.table(catalog, [catalog.machine(MACHINE)])
    bits = {quant.id: quant.quality_class for quant in catalog.quants.values()}

    found = picks.best_quants(catalog, table, 20)

    assert len(found) == len(catalog.model_ids)
    assert min(bits[quant_id] for quant_id in found["quant_id"]) >= 4
    chosen = found[found["meets"]]
    assert set(chosen["verdict"]) == {"fits"}
    assert chosen["decode_tok_s"].min() >= 20
    assert not np.isnan(chosen["params"]).any()


def test_a_model_that_cannot_hold_the_context_is_no_pick():
    catalog = load()
    # Qwen3-8B takes 40960 tokens; there is memory for more.
    table = plan.table(
        catalog, [catalog.machine("mac-mini-m4-pro-48")], context_tokens=65536,
        model_ids=["qwen3-8b"], quant_ids=["mlx-4bit"],
    )  # fmt: skip
    found = picks.best_quants(catalog, table)

    assert table["verdict"].tolist() == ["fits"]
    assert found["meets"].tolist() == [False]
