"""The fit finds what made the data, borrows where data are thin, and lets go of bad sources."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from advisor.estimate import fitting, leave_out
from advisor.estimate.evidence import Evidence
from advisor.estimate.terms import ChipKey, VariantKey

DENSE = VariantKey("mlx", "dense", "llama", "full", "mlx-4bit", "mlx-4")
CHIPS = {"M4": (ChipKey("M4", "base", 4), 120e9), "M4 Pro": (ChipKey("M4 Pro", "pro", 4), 273e9)}
SHARE, LAYER_S = 0.8, 5e-5


def evidence(rows: list[tuple[str, str, float, float]]) -> Evidence:
    """Runs of one dense architecture: (source, chip, weight bytes, factor on the true time)."""
    chips = [CHIPS[chip] for _, chip, _, _ in rows]
    weights = np.array([size for _, _, size, _ in rows])
    bandwidth = np.array([speed for _, speed in chips])
    layers = np.full(len(rows), 32.0)
    true = layers * LAYER_S + weights / (SHARE * bandwidth)
    who = pd.factorize(pd.Series([f"{source}|{chip}" for source, chip, _, _ in rows]))[0]
    n = len(rows)
    return Evidence(
        runs=pd.DataFrame({"context_tokens": np.zeros(n), "model_id": "llama"}),
        chip=[key for key, _ in chips],
        runtime=["mlx-lm"] * n,
        variant=[DENSE] * n,
        machine_of=who,
        source=np.array([source for source, _, _, _ in rows]),
        bandwidth=bandwidth,
        layers=layers,
        vocab_size=np.full(n, 1.0),  # sampling costs nothing
        weight_read_bytes=weights,
        cache_read_bytes=np.zeros(n),
        cache_form=["16 bits"] * n,
        attended_width=np.zeros(n),
        step_s=true * np.array([factor for _, _, _, factor in rows]),
        flops_per_token=np.ones(n),
        gpu_cores=np.ones(n),
        peak_flop_s=np.ones(n),
        aside=pd.DataFrame(),
    )


SIZES = np.geomspace(0.3e9, 20e9, 12)


def test_the_numbers_that_made_the_data_come_back():
    data = evidence([(f"s{i % 4}", "M4 Pro", size, 1.0) for i, size in enumerate(SIZES)])

    predicted = fitting.predict_step_s(data, fitting.fit_decode(data))

    assert predicted == pytest.approx(data.step_s, rel=0.02)


def test_the_same_data_give_the_same_numbers():
    data = evidence([(f"s{i % 3}", "M4", size, 1.0) for i, size in enumerate(SIZES)])

    assert fitting.fit_decode(data) == fitting.fit_decode(data)


def test_one_source_that_is_slow_does_not_pull_the_others():
    honest = [(f"s{i % 6}", "M4 Pro", size, 1.0) for i, size in enumerate(np.repeat(SIZES, 2))]
    slow = [("slow", "M4 Pro", size, 1.6) for size in SIZES]

    scores = fitting.fit_decode(evidence(honest + slow))

    data = evidence(honest)
    assert fitting.predict_step_s(data, scores) == pytest.approx(data.step_s, rel=0.08)


def test_a_chip_nobody_measured_borrows_from_the_rest():
    scores = fitting.fit_decode(
        evidence([(f"s{i % 4}", "M4 Pro", size, 1.0) for i, size in enumerate(SIZES)])
    )
    unseen = evidence([("new", "M4", 4.5e9, 1.0)])

    assert fitting.predict_step_s(unseen, scores) == pytest.approx(unseen.step_s, rel=0.15)


def test_no_prediction_beats_the_bandwidth():
    fast = evidence([(f"s{i % 4}", "M4 Pro", size, 0.5) for i, size in enumerate(SIZES)])

    predicted = fitting.predict_step_s(fast, fitting.fit_decode(fast))

    assert (predicted >= fast.weight_read_bytes / fast.bandwidth).all()


def test_leaving_a_source_out_predicts_it_from_the_others():
    rows = [(f"s{i % 4}", "M4 Pro", size, 1.0) for i, size in enumerate(SIZES)]
    rows += [("odd", "M4 Pro", 4e9, 3.0)]
    data = evidence(rows)

    predicted = leave_out.leave_out(data, data.source)

    odd = data.source == "odd"
    assert predicted[odd] == pytest.approx(data.step_s[odd] / 3, rel=0.05)


def test_a_long_series_of_one_model_weighs_as_one_run():
    data = evidence([("a", "M4", 4e9, 1.0)] * 4 + [("b", "M4", 4e9, 1.0)])
    data.runs.loc[3, "context_tokens"] = 32768  # deep: it says something else

    assert fitting.run_weights(data) == pytest.approx([1 / 3] * 3 + [1.0, 1.0])


def test_an_engine_slow_on_small_models_alone_is_slow_at_sampling():
    """Two engines on one machine, the second 2 ms a token later whatever the model."""
    rows = [(f"s{i % 4}", "M4 Pro", size, 1.0) for i, size in enumerate(np.repeat(SIZES, 2))]
    base = evidence(rows)
    late = np.arange(len(rows)) % 2 == 1
    data = replace(
        base,
        runtime=["ollama" if slow else "mlx-lm" for slow in late],
        vocab_size=np.full(len(rows), 150e3),
        step_s=base.step_s + 2e-3 * late,
    )

    scores = fitting.fit_decode(data)

    error = np.abs(fitting.predict_step_s(data, scores) / data.step_s - 1)
    assert np.median(error) < 0.05
    assert error.max() < 0.2  # pulled towards the starts, which know nothing of 2 ms
    sampling = scores["sampling"]
    assert sampling["engine", "ollama mlx"] > sampling["engine", "mlx-lm mlx"] + 0.2


def test_shares_of_a_step_are_its_parts():
    data = evidence([(f"s{i % 4}", "M4 Pro", size, 1.0) for i, size in enumerate(SIZES)])

    overhead, context = fitting.shares(data, fitting.fit_decode(data))

    true = data.layers * LAYER_S / data.step_s
    assert overhead == pytest.approx(true, abs=0.05)
    assert (context == 0).all()


def test_depth_that_its_bytes_do_not_explain_is_arithmetic_of_attention():
    """A tiny cache that still slows decode: 2 ns a query element on one core, 1,000 elements."""
    contexts = np.tile([0.0, 1e3, 4e3, 16e3, 64e3], 8)
    base = evidence([(f"s{i % 4}", "M4 Pro", 4e9, 1.0) for i in range(len(contexts))])
    width = contexts * 1000
    data = replace(
        base, attended_width=width, cache_read_bytes=contexts, step_s=base.step_s + width * 2e-9
    )

    predicted = fitting.predict_step_s(data, fitting.fit_decode(data))

    assert predicted == pytest.approx(data.step_s, rel=0.05)


def test_a_cache_slow_to_unpack_is_told_from_plain_ones():
    """Caches of the same bytes on one machine; the quantized ones are read at half the pace."""
    rows = [(f"s{i % 4}", "M4 Pro", 4e9, 1.0) for i in range(40)]
    base = evidence(rows)
    narrow = np.arange(40) % 2 == 1
    cache = np.full(40, 2e9)
    data = replace(
        base,
        cache_read_bytes=cache,
        cache_form=["quantized" if slow else "16 bits" for slow in narrow],
        step_s=base.step_s + cache / (0.4 * base.bandwidth) * np.where(narrow, 2.0, 1.0),
    )

    scores = fitting.fit_decode(data)

    assert scores["cache"]["cache form", "quantized mlx"] < -0.3
    assert not any(label.startswith("16 bits") for _, label in scores["cache"])
    assert fitting.predict_step_s(data, scores) == pytest.approx(data.step_s, rel=0.08)
