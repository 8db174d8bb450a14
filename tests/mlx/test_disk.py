"""A model on disk that is not whole is a sentence, not a traceback."""

import os

import pytest

from advisor.errors import InputError
from advisor.mlx import backend, disk


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "qwen3"}')
    (tmp_path / "model.safetensors").write_bytes(b"0123456789")
    return tmp_path


def test_a_folder_with_config_and_weights_is_found(folder):
    assert disk.find(str(folder)) == folder
    assert disk.weight_bytes(folder) == 10


def test_a_folder_without_weights_is_told(folder):
    (folder / "model.safetensors").unlink()

    with pytest.raises(InputError, match="holds no weights"):
        disk.find(str(folder))


def test_a_link_to_a_file_that_is_gone_is_told(folder):
    os.symlink(folder / "gone", folder / "model-2.safetensors")

    with pytest.raises(InputError, match=r"model-2\.safetensors points to a file that is gone"):
        disk.find(str(folder))


@pytest.mark.parametrize("text", ["{", "[]"])
def test_a_config_that_is_no_object_is_told(folder, text):
    (folder / "config.json").write_text(text)

    with pytest.raises(InputError, match=r"config\.json"):
        disk.config(folder)


def test_weights_that_are_cut_short_are_told(folder):
    with pytest.raises(InputError, match="mlx-lm cannot load the model"):
        disk.load(folder, backend.here())


@pytest.mark.parametrize("name", ["a/b/c", "no such thing"])
def test_a_name_that_is_nothing_is_told(name):
    with pytest.raises(InputError, match=r"neither a folder nor a hub id|not on this computer"):
        disk.find(name)
