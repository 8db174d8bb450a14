"""Figures of a config, a hub id, a folder and a GGUF file agree with published ones."""

import json

import numpy as np
import pytest

from advisor.catalog import load
from advisor.cli import main

LLAMA = "llama-3.1-8b"


def inspect(capsys, *arguments: str) -> dict:
    assert main(["inspect", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(load().model(LLAMA).config))
    return path


def test_a_config_file_by_published_figures(capsys, config):
    """8,030,261,248 parameters (its safetensors total); 32 layers x 2 x 8 heads x 128 x 2 bytes."""
    found = inspect(capsys, str(config), "--quant", "4bit", "--context", "8192")

    assert found["params"] == 8_030_261_248
    assert found["kv_bytes_per_token"] == 131_072
    assert found["kv_bytes"] == 131_072 * 8192
    assert found["weights_bytes"] == pytest.approx(4.52e9, rel=0.002)


def test_a_hub_id_of_the_catalog_needs_no_network(capsys):
    found = inspect(capsys, "Qwen/Qwen3-30B-A3B", "--quant", "mlx-4bit")

    assert found["weights_bytes"] == pytest.approx(17.18e9, rel=0.001)
    assert found["read_weight_bytes"] == pytest.approx(1.72e9, rel=0.002)
    assert found["kv_bytes_per_token"] == 98_304


def test_a_folder_says_its_files_sizes_too(capsys, config):
    (config.parent / "model.safetensors").write_bytes(b"x" * 1000)

    assert inspect(capsys, str(config.parent))["file_bytes"] == 1000


def test_a_quantized_config_is_weighed_as_it_says(capsys, config):
    stored = json.loads(config.read_text()) | {"quantization": {"bits": 8, "group_size": 64}}
    config.write_text(json.dumps(stored))

    found = inspect(capsys, str(config))

    assert found["weights_bytes"] == pytest.approx(8_030_261_248 * 8.5 / 8, rel=0.001)


def test_a_gguf_file_by_hand(capsys, tmp_path):
    """Two layers, 2 KV heads of 16: 2 x 2 x (16 + 16) x 2 bytes; three tensors of 64 x 64."""
    gguf = pytest.importorskip("gguf")
    path = tmp_path / "tiny.gguf"
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_block_count(2)
    writer.add_embedding_length(64)
    writer.add_context_length(2048)
    writer.add_head_count(4)
    writer.add_head_count_kv(2)
    for name in ("token_embd.weight", "blk.0.ffn_up.weight", "output.weight"):
        writer.add_tensor(name, np.zeros((64, 64), dtype=np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()

    found = inspect(capsys, str(path), "--context", "100")

    assert found["params"] == 3 * 64 * 64
    assert found["read_params"] == 2 * 64 * 64
    assert found["weights_bytes"] == 3 * 64 * 64 * 2
    assert found["kv_bytes_per_token"] == 256
    assert found["kv_bytes"] == 25_600
    assert found["max_context_tokens"] == 2048


@pytest.mark.parametrize(
    ("parts", "said"), [(3, "one part of several"), (0, "holds no model")], ids=["part", "empty"]
)
def test_a_gguf_file_without_a_model_is_a_sentence(capsys, tmp_path, parts, said):
    gguf = pytest.importorskip("gguf")
    path = tmp_path / "tiny-00002-of-00003.gguf"
    writer = gguf.GGUFWriter(str(path), "llama")
    if parts:
        writer.add_uint16("split.count", parts)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()

    assert main(["inspect", str(path)]) == 2
    assert said in capsys.readouterr().err


BAD = {
    "no such file": ("missing.json", "There is no file"),
    "not JSON": ("text.json", "not valid JSON"),
    "a list": ("list.json", "must hold a JSON object"),
    "no model_type": ("empty.json", "no model_type"),
    "a model mlx-lm does not know": ("alien.json", "'alien'"),
    "a broken GGUF": ("broken.gguf", "not a readable GGUF"),
    "neither file nor id": ("nothing", "is no file, folder"),
    "known but not buildable": ("deepseek-v4-flash", "is known, but"),
}


@pytest.mark.parametrize(("what", "said"), BAD.values(), ids=BAD)
def test_bad_input_is_a_sentence(capsys, tmp_path, monkeypatch, what, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.json").write_text("hello")
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "empty.json").write_text("{}")
    shape = {"hidden_size": 8, "num_hidden_layers": 1, "vocab_size": 8}
    (tmp_path / "alien.json").write_text(json.dumps({"model_type": "alien", **shape}))
    (tmp_path / "broken.gguf").write_bytes(b"GGUF" + bytes(40))

    code = main(["inspect", what])

    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert said in err


def test_an_id_outside_the_catalog_is_refused_kindly_without_a_network(capsys, monkeypatch):
    import huggingface_hub

    def offline(*_: object, **__: object) -> str:
        raise ConnectionError("no network")

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", offline)

    assert main(["inspect", "nobody/nothing-8B"]) == 2
    assert "give its path" in capsys.readouterr().err


def test_an_unknown_quantization_is_refused(capsys, config):
    assert main(["inspect", str(config), "--quant", "Q99"]) == 2
    assert "'Q99'" in capsys.readouterr().err
