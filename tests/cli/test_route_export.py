import io

import pytest
import yaml

from advisor.catalog import load
from advisor.cli import main
from advisor.cli.route_export import export
from advisor.errors import InputError
from advisor.routing.workload import preset
from tests.routing.exports import tables


@pytest.fixture(scope="module")
def workload():
    return preset(load(), "personal-agent")


def test_a_machines_table_is_exported_by_one_command(tmp_path, capsys):
    arguments = ["route", "mac-mini-m4-16", "--export", "litellm", "-o", str(tmp_path / "out")]

    assert main(arguments) == 0

    config = yaml.safe_load((tmp_path / "out/litellm.yaml").read_text())
    names = {model["model_name"] for model in config["model_list"]}
    assert {"short", "chat", "code", "agent", "auto"} <= names
    assert f"wrote {tmp_path / 'out/litellm.yaml'}" in capsys.readouterr().err


def test_several_targets_get_a_folder_each(tmp_path, workload):
    table = tables.table(load())

    export(load(), table, workload, ["llama-swap", "omlx"], str(tmp_path), io.StringIO())

    assert (tmp_path / "llama-swap/llama-swap.yaml").is_file()
    assert (tmp_path / "omlx/apply.py").is_file()


def test_all_leaves_out_what_cannot_run_the_models_and_says_so(tmp_path, workload):
    said = io.StringIO()

    export(load(), tables.table(load()), workload, ["all"], str(tmp_path), said)

    assert (tmp_path / "mlx-server/start-all.sh").is_file()
    assert "ollama: left out. Ollama has no qwen3-4b" in said.getvalue()


def test_a_target_that_cannot_run_the_models_is_a_sentence(tmp_path, workload):
    with pytest.raises(InputError, match="Ollama has no"):
        export(load(), tables.table(load()), workload, ["ollama"], str(tmp_path), io.StringIO())


def test_without_a_folder_is_a_sentence(workload):
    with pytest.raises(InputError, match="-o DIR"):
        export(load(), tables.table(load()), workload, ["omlx"], None, io.StringIO())
