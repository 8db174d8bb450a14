"""Whole runs: a saved model is found, timed and compared with its own slices."""

import dataclasses
import json

import pytest

from advisor.bench import slices, whole
from advisor.errors import InputError
from advisor.mlx import blueprint, weights
from tests import small_models


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A small quantized model, saved as mlx-lm saves one."""
    import mlx.core as mx
    from mlx_lm.utils import save_model

    path = tmp_path_factory.mktemp("models") / "tiny-4bit"
    config = small_models.dense(layers=9)
    paper = blueprint.read(config, bits=4, group_size=64, mode="affine")
    model = blueprint.shorter(paper, range(9))
    weights.fill(model, {}, mx.float32)
    save_model(path, model)
    said = {**config, "quantization": {"group_size": 64, "bits": 4, "mode": "affine"}}
    (path / "config.json").write_text(json.dumps(said))
    return path


def emit(kind, **fields):
    pass


def test_a_folder_is_measured_whole_and_by_its_slices(folder):
    point = dataclasses.replace(whole.of(str(folder), quick=True, metal=False), limit_s=0.2)
    sliced = whole.slices_of(point)

    found = whole.measure(point, emit)
    other = slices.measure(sliced, emit)

    assert (found.model, found.quant_id, found.layers) == ("tiny-4bit", "mlx-4bit", 9)
    assert (sliced.bits, sliced.group_size, sliced.mode) == (4, 64, "affine")
    assert found.how.startswith("All 9 layers with the weights on disk")
    assert list(whole.difference(other, found)) == list(point.depths)


def test_a_model_that_is_not_here_is_told(tmp_path):
    with pytest.raises(InputError, match="is not on this computer"):
        whole.of("mlx-community/nothing-4bit", quick=True, metal=False)
    with pytest.raises(InputError, match=r"holds no config\.json"):
        whole.of(str(tmp_path), quick=True, metal=False)


def test_more_memory_than_there_is_is_refused_before_loading(folder, monkeypatch):
    monkeypatch.setattr("advisor.mlx.disk.load", lambda *_: pytest.fail("loaded"))
    point = dataclasses.replace(whole.of(str(folder), quick=True, metal=False), most_bytes=10)

    with pytest.raises(InputError, match="so nothing was built"):
        whole.measure(point, emit)


@pytest.mark.parametrize(
    ("said", "quant_id"),
    [
        ({}, "bf16"),
        ({"bits": 8, "group_size": 64}, "mlx-8bit"),
        ({"bits": 4, "group_size": 32}, "mlx-4bit-g32"),
        ({"bits": 4, "group_size": 32, "mode": "mxfp4"}, "mxfp4"),
    ],
)
def test_quantizations_are_named_as_in_the_catalog(said, quant_id):
    assert whole._quant_id({"quantization": said}) == quant_id
