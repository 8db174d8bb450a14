"""llama-bench is called where it is installed, and its absence or failure is a sentence."""

import json
import sys
from pathlib import Path

import pytest

from advisor.bench import llama_bench
from advisor.errors import InputError
from tests.bench.test_imports import DECODE, PROMPT


def install(folder: Path, prints: str, monkeypatch) -> None:
    """A llama-bench on the PATH that prints what it is given, and fails where that is nothing."""
    program = folder / "bin" / "llama-bench"
    program.parent.mkdir()
    program.write_text(
        f"#!{sys.executable}\nimport sys\nprint({prints!r})\n"
        f"if not {prints!r}: sys.exit('main: failed to load model')\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")


@pytest.fixture
def installed(tmp_path, monkeypatch):
    return lambda prints: install(tmp_path, prints, monkeypatch)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "Qwen3-8B-Q4_K_M.gguf"
    path.write_bytes(b"GGUF")
    return path


def test_a_file_is_measured_at_depths_and_prompts(installed, file):
    installed(json.dumps([PROMPT, DECODE]))

    found = llama_bench.measure(file, (0, 4096), (512,))

    assert (found.model, found.quant_id) == ("Qwen3-8B", "Q4_K_M")


def test_the_call_asks_for_json_depths_and_prompts(file):
    assert llama_bench.command(file, (0, 4096), (512,))[3:] == [
        "-o", "json", "-r", "5", "-n", "32", "-p", "512", "-d", "0,4096",
    ]  # fmt: skip


def test_a_computer_without_it_is_told_where_it_comes_from(file, monkeypatch):
    monkeypatch.setenv("PATH", "")

    with pytest.raises(InputError, match="brew install llama"):
        llama_bench.measure(file, (), ())


def test_its_failure_is_told_in_its_own_words(installed, file):
    installed("")

    with pytest.raises(InputError, match="failed to load model"):
        llama_bench.measure(file, (), ())


def test_a_file_that_is_not_there_is_told(installed, tmp_path):
    installed("[]")

    with pytest.raises(InputError, match="is no file"):
        llama_bench.measure(tmp_path / "none.gguf", (), ())
