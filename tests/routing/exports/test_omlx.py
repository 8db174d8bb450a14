import json
import subprocess
import sys

import pytest

from advisor.errors import InputError
from advisor.routing.exports import known_keys
from advisor.routing.exports.check import json_problems
from advisor.routing.exports.omlx import omlx
from advisor.routing.exports.setup import set_up
from advisor.units import GIB
from tests.routing.exports import tables


def test_keys_are_known_and_what_is_resident_is_pinned(setup):
    files = omlx(setup)

    assert list(json_problems(files["settings.json"], known_keys.OMLX_SETTINGS)) == []
    assert list(json_problems(files["model_settings.json"], known_keys.OMLX_MODELS)) == []
    models = json.loads(files["model_settings.json"])["models"]
    assert {m["model_alias"]: m["is_pinned"] for m in models.values()} == {
        tables.SMALL.name: True,
        tables.CODER.name: True,
    }
    assert [m["is_default"] for m in models.values()] == [True, False]
    assert models["qwen3-4b-4bit"]["max_context_window"] == 8192


def test_the_ceiling_leaves_room_for_what_runs_beside(setup):
    memory = json.loads(omlx(setup)["settings.json"])["memory"]

    # 39 GB, less 9.5 GB of the GGUF model and 1.3 GB of the embedder.
    assert memory["memory_guard_tier"] == "custom"
    assert memory["memory_guard_custom_ceiling_gb"] == round(28.2e9 / GIB, 2)


def test_settings_are_laid_over_those_that_are_there(setup, tmp_path):
    home, here = tmp_path / "home", tmp_path / "here"
    home.mkdir()
    here.mkdir()
    (home / "settings.json").write_text('{"auth": {"api_key": "k"}, "server": {"port": 1}}')
    for name, text in omlx(setup).items():
        (here / name).write_text(text)

    subprocess.run(
        [sys.executable, here / "apply.py"], env={"OMLX_BASE_PATH": str(home)}, check=True,
        capture_output=True,
    )  # fmt: skip

    found = json.loads((home / "settings.json").read_text())
    assert found["auth"] == {"api_key": "k"}
    assert found["server"] == {"host": "127.0.0.1", "port": 8000}
    assert json.loads((home / "settings.before.json").read_text())["server"] == {"port": 1}
    assert set(json.loads((home / "model_settings.json").read_text())) == {"version", "models"}


def test_a_table_without_mlx_files_is_a_sentence(catalog):
    table = tables.table(catalog, residents=(tables.WIDE,), routes=())

    with pytest.raises(InputError, match="oMLX runs MLX files alone"):
        omlx(set_up(catalog, table))


def test_converted_files_go_where_omlx_finds_them(setup):
    fetched = omlx(setup)["download.sh"]

    assert 'cd "${OMLX_BASE_PATH:-$HOME/.omlx}/models"' in fetched
    assert "Qwen/Qwen3-4B" in fetched
    assert "GGUF" not in fetched
