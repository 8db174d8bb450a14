"""Prefill is fitted on prompts that were really computed."""

import numpy as np
import pytest

from advisor.catalog import load
from advisor.estimate import prefill_fitting
from advisor.estimate.evidence import decode_evidence


@pytest.fixture(scope="module")
def data():
    return decode_evidence(load())


def test_no_rate_used_is_above_the_gpus_peak(data):
    use = prefill_fitting.usable(data)
    rate = data.runs["prefill_tok_s"].to_numpy(dtype=float)

    assert use.sum() > 500
    assert (rate[use] * data.flops_per_token[use] <= data.peak_flop_s[use]).all()


def test_llama_bench_times_its_prompt_of_512_apart(data):
    bench = (data.runs["source_kind"] == "llama-bench") & (data.runs["context_tokens"] == 0)

    assert bench.any()
    assert set(prefill_fitting.prompt_tokens(data)[bench]) == {512.0}


def test_the_fit_comes_near_what_it_was_fitted_on(data):
    scores = prefill_fitting.fit_prefill(data)

    error = np.abs(np.expm1(prefill_fitting.predict_log_error(data, scores)))
    assert np.median(error) < 0.25
