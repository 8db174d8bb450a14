"""The command measures, says how, keeps every finished run, and reads other programs' figures."""

import json
import sys

import pytest

from advisor.bench import runner
from advisor.cli import main
from advisor.runs import open_store
from tests.bench.test_imports import DECODE, PROMPT
from tests.bench.test_llama_bench import install

FAKE = (sys.executable, "-m", "tests.bench.fake_child")


@pytest.fixture
def calibrate(capsys, monkeypatch, tmp_path):
    """Runs the command with measuring processes that only pretend."""
    monkeypatch.setattr(runner, "COMMAND", FAKE)
    monkeypatch.setenv("TOLLBOOTH_LOCK", str(tmp_path / "lock"))

    def command(*arguments: str) -> tuple[int, str, str]:
        code = main(["calibrate", *arguments])
        return code, *capsys.readouterr()

    return command


def test_each_point_is_told_and_its_run_is_kept(calibrate):
    code, out, _ = calibrate("--model", "qwen3-0.6b", "--quant", "mlx-4bit", "--quant", "mlx-8bit")

    assert code == 0
    assert "[1/2] qwen3-0.6b mlx-4bit" in out
    assert "[2/2] qwen3-0.6b mlx-8bit" in out
    with open_store() as store:
        assert [(run.model_id, run.kind, run.decode_tok_s) for run in store.runs()] == [
            ("qwen3-0.6b", "slice", 100.0), ("qwen3-0.6b", "slice", 100.0),
        ]  # fmt: skip


def test_json_is_the_runs_and_the_stages_go_elsewhere(calibrate):
    _, out, err = calibrate("--model", "qwen3-0.6b", "--json")

    (run,) = json.loads(out)
    assert (run["model_id"], run["quant_id"], run["context_tokens"]) == (
        "qwen3-0.6b",
        "mlx-4bit",
        64,
    )
    assert run["settings"]["how"] == "Pretended."
    assert "[1/1]" in err


def test_quick_has_six_points(calibrate):
    _, out, _ = calibrate("--quick")

    assert out.count("Pretended.") == 6


def test_a_computer_that_is_no_mac_says_so(calibrate):
    if sys.platform == "darwin":
        pytest.skip("this is a Mac")
    _, out, _ = calibrate("--model", "qwen3-0.6b")

    assert "It is no Mac: the figures are its own" in out


def test_a_gguf_file_is_measured_by_llama_bench(calibrate, tmp_path, monkeypatch):
    install(tmp_path, json.dumps([PROMPT, DECODE]), monkeypatch)
    file = tmp_path / "Qwen3-8B-Q4_K_M.gguf"
    file.touch()

    code, out, _ = calibrate("--gguf", str(file))

    assert code == 0
    assert "Qwen3-8B Q4_K_M at 4160: 50.0 tok/s" in out
    with open_store() as store:
        step = next(run for run in store.runs() if run.decode_tok_s)
    assert (step.model_id, step.quant_id, step.runtime) == ("qwen3-8b", "Q4_K_M", "llama.cpp")


WRONG = {
    "an unknown model": (["--model", "qwen3-0.7b"], "No model is called"),
    "a quantization of GGUF": (["--model", "qwen3-0.6b", "--quant", "Q4_K_M"], "llama-bench"),
    "a model that is not on disk": (["--whole", "nobody/nothing"], "is not on this computer"),
    "a file that is not there for llama-bench": (["--gguf", "/nowhere.gguf"], "llama-bench"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG)
def test_bad_input_is_a_sentence(calibrate, arguments, said):
    code, _, err = calibrate(*arguments)

    assert code == 2
    assert said in err
