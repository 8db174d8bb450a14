"""What is left out is left out whole, and the stored predictions are those of today's fit."""

import numpy as np
import pytest

from advisor.catalog import load
from advisor.estimate import leave_out
from advisor.estimate.evidence import decode_evidence


@pytest.fixture(scope="module")
def data():
    return decode_evidence(load())


def test_models_go_whole_and_every_group_has_some(data):
    group = leave_out.groups(data, "model")

    models = data.runs["model_id"].to_numpy()
    assert all(len(set(group[models == model])) == 1 for model in set(models))
    assert len(set(group)) == leave_out.MODEL_FOLDS


def test_bins_of_a_chip_go_together(data):
    group = leave_out.groups(data, "chip")

    m3_max = {name for name, chip in zip(group, data.chip, strict=True) if chip.name == "M3 Max"}
    assert m3_max == {"M3 Max"}


def test_every_run_of_the_fit_has_its_prediction(data):
    stored = leave_out.read(load().root)

    assert set(stored["id"]) == set(data.runs["id"])
    speeds = stored[[f"without_{what}_tok_s" for what in leave_out.WITHOUT]]
    assert (speeds > 0).all().all()
    assert (stored["half_width"] > 0).all()


def test_the_naive_rule_is_bandwidth_over_bytes(data):
    """llama-2-7b in Q4_0 has 3.56 GiB, and llama-bench's context is empty: 400 GB/s / 3.8 GB."""
    runs = data.runs
    at = runs.index[
        (runs["model_id"] == "llama-2-7b") & (runs["quant_id"] == "Q4_0")
        & (runs["chip_id"] == "m1-max-32") & (runs["context_tokens"].fillna(0) == 0)
    ]  # fmt: skip

    assert 1 / leave_out.naive_step_s(data)[at[0]] == pytest.approx(400 / 3.8, rel=0.06)


def test_the_constant_is_of_the_other_sources(data):
    step_s = leave_out.one_constant_step_s(data)

    ratio = step_s / leave_out.naive_step_s(data)
    of_source = {str(s): set(np.round(ratio[data.source == s], 9)) for s in set(data.source)}
    assert all(len(values) == 1 for values in of_source.values())
    assert len(set.union(*of_source.values())) > 1
