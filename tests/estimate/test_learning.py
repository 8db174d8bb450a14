"""Runs of one's own change predictions of the same chip and engine, and nothing else."""

import numpy as np
import pytest

from advisor.estimate import plan
from advisor.estimate.cases import Cases
from advisor.estimate.learning import learn

MODELS = ("qwen3-8b", "llama-3.1-8b", "qwen3-4b", "gemma-3-12b")


def cases(catalog, runtime="mlx-lm", quant="mlx-4bit", models=MODELS) -> Cases:
    size = len(models)
    return Cases(
        machine=np.zeros(size, dtype=int),
        variant=np.array([catalog.variant_index(model, quant) for model in models]),
        runtime=np.full(size, catalog.runtime_ids.index(runtime)),
        context_tokens=np.full(size, 512.0),
        kv_bits=np.array(16),
        batch=np.array(1),
    )


@pytest.fixture(scope="module")
def predicted(catalog, m4_pro_48):
    return plan.answer(catalog, [m4_pro_48], cases(catalog))["decode_tok_s"]


@pytest.fixture(scope="module")
def slow(catalog, m4_pro_48, predicted):
    """A machine whose runs are all a quarter slower than predicted, the last odd."""
    measured = predicted * np.array([0.75, 0.75, 0.75, 0.02])
    return learn(catalog, [m4_pro_48], cases(catalog), measured)


def test_the_odd_run_is_named_and_not_used(slow):
    assert slow.odd.tolist() == [False, False, False, True]
    assert slow.ratio == pytest.approx([0.75, 0.75, 0.75, 0.02])


def test_other_models_of_that_engine_move_part_of_the_way(catalog, m4_pro_48, slow, predicted):
    found = plan.answer(catalog, [m4_pro_48], cases(catalog), slow.corrections)

    ratio = found["decode_tok_s"] / predicted
    assert (ratio[:3] < 0.9).all()
    assert 0.75 < ratio[3] < 0.97  # not run in earnest: less
    assert set(found["basis"]) == {"calibrated"}
    assert (found["decode_low"] < found["decode_tok_s"]).all()


def test_the_receipt_still_adds_up(catalog, m4_pro_48, slow):
    found = plan.answer(catalog, [m4_pro_48], cases(catalog), slow.corrections)

    parts = found["overhead_s"] + found["weights_s"] + found["kv_s"]
    assert parts == pytest.approx(found["step_s"])
    assert 1 / found["step_s"] == pytest.approx(found["decode_tok_s"])


OTHERS = {  # what is asked of -> machine, runtime, quantization
    "another engine": ("mac-mini-m4-pro-48", "lmstudio-mlx", "mlx-4bit"),
    "another format": ("mac-mini-m4-pro-48", "llama.cpp", "Q4_K_M"),
    "another chip": ("mac-mini-m4-16", "mlx-lm", "mlx-4bit"),
}


@pytest.mark.parametrize(("machine", "runtime", "quant"), OTHERS.values(), ids=OTHERS)
def test_others_stay_as_they_were(catalog, slow, machine, runtime, quant):
    asked = cases(catalog, runtime, quant)
    on = [catalog.machine(machine)]

    before = plan.answer(catalog, on, asked)
    after = plan.answer(catalog, on, asked, slow.corrections)

    assert after["decode_tok_s"] == pytest.approx(before["decode_tok_s"])
    assert set(after["basis"]) == {"predicted"}


def test_prefill_learns_from_prefill(catalog, m4_pro_48, predicted):
    before = plan.answer(catalog, [m4_pro_48], cases(catalog))
    prompts = before["prefill_tok_s"] * 1.3
    lesson = learn(catalog, [m4_pro_48], cases(catalog), predicted, prompts)

    after = plan.answer(catalog, [m4_pro_48], cases(catalog), lesson.corrections)

    ratio = after["prefill_tok_s"] / before["prefill_tok_s"]
    assert ((ratio > 1.05) & (ratio < 1.3)).all()
    assert (after["ttft_s"] < before["ttft_s"]).all()
