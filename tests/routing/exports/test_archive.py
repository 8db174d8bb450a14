import io
import zipfile
from dataclasses import replace

import pytest

from advisor.errors import InputError
from advisor.routing.exports.archive import archive
from advisor.routing.exports.setup import Choices
from tests.routing.exports import tables


@pytest.fixture(scope="module")
def packed(catalog, table):
    return zipfile.ZipFile(io.BytesIO(archive(catalog, table)))


def test_every_target_has_a_folder_and_the_readme_is_first(packed):
    names = packed.namelist()

    assert names[0] == "README.md"
    assert {"llama-swap/llama-swap.yaml", "litellm/litellm.yaml", "mlx-server/start-all.sh",
            "omlx/settings.json"} <= set(names)  # fmt: skip


def test_the_readme_has_the_table_the_start_and_the_rules(packed):
    text = packed.read("README.md").decode()

    assert "| agent | hosted | 4K |" in text
    assert "`sh download.sh` brings" in text
    assert "A request for embeddings goes to embeddings." in text


def test_a_target_that_cannot_run_the_models_is_left_out_and_said(packed):
    assert not [name for name in packed.namelist() if name.startswith("ollama/")]
    assert "- ollama: left out. Ollama has no qwen3-4b" in packed.read("README.md").decode()


def test_scripts_may_be_run_once_unpacked(packed):
    assert packed.getinfo("mlx-server/start-all.sh").external_attr >> 16 & 0o111
    assert not packed.getinfo("README.md").external_attr >> 16 & 0o111


def test_equal_tables_give_equal_archives(catalog, table):
    assert archive(catalog, table) == archive(catalog, replace(table))


def test_a_raised_gpu_limit_is_told(catalog, table):
    machine = replace(table.machine, wired_limit_mib=43008)

    found = archive(catalog, replace(table, machine=machine), Choices())

    text = zipfile.ZipFile(io.BytesIO(found)).read("README.md").decode()
    assert "sudo sysctl iogpu.wired_limit_mb=43008" in text


def test_a_table_nothing_can_run_is_a_sentence(catalog):
    unknown = replace(tables.SMALL, model_id="no-such-model")
    table = tables.table(catalog, residents=(unknown,), routes=())

    with pytest.raises(InputError, match="No files are known"):
        archive(catalog, table)
