import subprocess
from dataclasses import replace

import pytest

from advisor.errors import InputError
from advisor.routing.exports import known_keys
from advisor.routing.exports.ollama import ollama
from advisor.routing.exports.setup import set_up
from tests.routing.exports import tables

LLAMA = replace(tables.WIDE, on_demand=False, slots=2)


@pytest.fixture(scope="module")
def files(catalog):
    table = tables.table(catalog, residents=(LLAMA, tables.EMBEDDER), routes=())
    return ollama(catalog, set_up(catalog, table))


def test_the_environment_has_known_names_that_a_shell_reads(files):
    shown = subprocess.run(
        ["sh", "-c", f"env -i sh -c {files['ollama.env'] + 'env'!r}".replace("\\n", "\n")],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    values = dict(line.split("=", 1) for line in shown.splitlines() if line.startswith("OLLAMA"))

    assert set(values) == set(known_keys.OLLAMA)
    assert values["OLLAMA_MAX_LOADED_MODELS"] == "2"
    assert values["OLLAMA_NUM_PARALLEL"] == "2"
    # Nothing is loaded on demand, so nothing is unloaded.
    assert values["OLLAMA_KEEP_ALIVE"] == "-1"
    # The embedder was planned with 16 bits.
    assert values["OLLAMA_KV_CACHE_TYPE"] == "f16"


def test_each_model_is_made_with_its_context(files, tmp_path):
    # The real script, with programs that print what they are given.
    shown = tmp_path / "ollama"
    shown.write_text('#!/bin/sh\necho "$@"\n[ "$1" != create ] || cat "$4"\n')
    shown.chmod(0o755)
    (tmp_path / "curl").write_text('#!/bin/sh\necho "$@" >&2\n')
    (tmp_path / "curl").chmod(0o755)
    (tmp_path / "create.sh").write_text(files["create-models.sh"])

    found = subprocess.run(
        ["sh", tmp_path / "create.sh"], env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert "FROM llama3.1:8b\nPARAMETER num_ctx 65536\n" in found.stdout
    assert "pull bge-m3" in found.stdout
    assert found.stderr.count('"keep_alive": -1') == 2
    assert "/api/embed " in found.stderr


def test_what_ollama_cannot_fetch_is_a_sentence(catalog):
    only = replace(tables.SMALL, quant_id="mlx-3bit")
    table = tables.table(catalog, residents=(only,), routes=())

    with pytest.raises(InputError, match="Ollama has no qwen3-4b in mlx-3bit"):
        ollama(catalog, set_up(catalog, table))


def test_a_file_nobody_published_is_made_and_named_by_its_path(catalog):
    made = replace(tables.WIDE, model_id="gemma-4-e4b", quant_id="Q4_0", on_demand=False)
    table = tables.table(catalog, residents=(made,), routes=())

    script = ollama(catalog, set_up(catalog, table))["create-models.sh"]

    assert "llama-quantize gemma-4-e4b-f16.gguf gemma-4-e4b-Q4_0.gguf Q4_0" in script
    assert '"$PWD"/gemma-4-e4b-Q4_0.gguf' in script
    assert "ollama pull" not in script
