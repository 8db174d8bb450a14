"""The command measures, says how, keeps every finished run, and reads other programs' figures."""

import json
import sys

import pytest

from advisor.bench import runner
from advisor.cli import main
from advisor.runs import open_store
from tests.bench.test_imports import DECODE, MLX_LM, OLLAMA

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


def test_a_file_of_llama_bench_becomes_runs_of_its_machine(calibrate, tmp_path):
    path = tmp_path / "bench.json"
    path.write_text(json.dumps([DECODE]))

    code, out, _ = calibrate("--read", str(path))

    assert code == 0
    assert "Qwen3-8B Q4_K_M at 4160: 50.0 tok/s" in out
    with open_store() as store:
        (run,) = store.runs()
    assert (run.machine.chip, run.machine.is_mac) == ("M4 Pro", True)
    assert (run.model_id, run.quant_id, run.runtime) == ("qwen3-8b", "Q4_K_M", "llama.cpp")


def test_the_same_file_twice_is_the_same_runs(calibrate, tmp_path):
    path = tmp_path / "ollama.txt"
    path.write_text(OLLAMA)
    for _ in range(2):
        calibrate("--read", str(path))

    with open_store() as store:
        assert len(store.runs()) == 2  # a decode and a prompt


WRONG = {
    "an unknown model": (["--model", "qwen3-0.7b"], "No model is called"),
    "a quantization of GGUF": (["--model", "qwen3-0.6b", "--quant", "Q4_K_M"], "llama-bench"),
    "a model that is not on disk": (["--whole", "nobody/nothing"], "is not on this computer"),
    "a file that is not there": (["--read", "/nowhere.json"], "cannot be read"),
    "a file that is not there for llama-bench": (["--gguf", "/nowhere.gguf"], "llama-bench"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG)
def test_bad_input_is_a_sentence(calibrate, arguments, said):
    code, _, err = calibrate(*arguments)

    assert code == 2
    assert said in err


def test_a_text_without_a_model_asks_for_it(calibrate, tmp_path):
    path = tmp_path / "mlx.txt"
    path.write_text(MLX_LM)

    code, _, err = calibrate("--read", str(path))
    again, out, _ = calibrate("--read", str(path), "--model", "qwen3-0.6b", "--quant", "mlx-4bit")

    assert (code, again) == (2, 0)
    assert "give it with --model" in err
    assert "qwen3-0.6b mlx-4bit at 562: 10.0 tok/s" in out
