"""``predict --calibrate``: own runs correct, odd and unknown ones are reported, none is dropped."""

import csv
import io

import pytest

from advisor.cli import main

ASKED = "chip,gpu_cores,memory_gb,runtime,model,quant,context_tokens\n"
RUNS = "chip,gpu_cores,memory_gb,runtime,model,quant,context_tokens,decode_tok_s\n"
MAC = "M4 Pro,16,48,mlx-lm"


def predict(tmp_path, capsys, asked: str, runs: str | None = None):
    """Rows and messages of ``advisor predict``."""
    (tmp_path / "asked.csv").write_text(asked)
    arguments = ["predict", str(tmp_path / "asked.csv")]
    if runs is not None:
        (tmp_path / "runs.csv").write_text(runs)
        arguments += ["--calibrate", str(tmp_path / "runs.csv")]
    assert main(arguments) == 0
    caught = capsys.readouterr()
    return list(csv.DictReader(io.StringIO(caught.out))), caught.err


def speed(row) -> float:
    return float(row["decode_tok_s"])


def test_slow_runs_slow_what_is_like_them(tmp_path, capsys):
    asked = ASKED + f"{MAC},Qwen3-14B,mlx-4bit,512\n{MAC},Qwen3-8B,mlx-4bit,512\n"
    before, _ = predict(tmp_path, capsys, asked)
    runs = RUNS + "".join(
        f"{MAC},{model},mlx-4bit,512,{tok_s}\n"
        for model, tok_s in (("Qwen3-8B", 36), ("Llama-3.1-8B", 36), ("Qwen3-4B", 66))
    )

    after, said = predict(tmp_path, capsys, asked, runs)

    assert speed(after[0]) < speed(before[0]) * 0.95
    assert speed(after[1]) < speed(before[1]) * 0.9
    assert [row["basis"] for row in after] == ["calibrated"] * 2
    assert [row["basis"] for row in before] == ["predicted"] * 2
    assert "3 of 3 runs" in said


def test_the_interval_holds_the_estimate(tmp_path, capsys):
    rows, _ = predict(
        tmp_path, capsys, ASKED + f"{MAC},Qwen3-8B,mlx-4bit,512\n",
        RUNS + f"{MAC},Qwen3-8B,mlx-4bit,512,50\n",
    )  # fmt: skip

    assert float(rows[0]["decode_low"]) < speed(rows[0]) < float(rows[0]["decode_high"])


def test_runs_of_one_model_that_contradict_each_other_are_named(tmp_path, capsys):
    asked = ASKED + "M4,10,16,mlx-lm,Qwen3-8B,mlx-4bit,512\n"
    runs = RUNS + "".join(
        f"M4,10,16,mlx-lm,Qwen3-8B,mlx-4bit,512,{tok_s}\n" for tok_s in (0.1, 5, 15)
    )
    before, _ = predict(tmp_path, capsys, asked)

    after, said = predict(tmp_path, capsys, asked, runs)

    assert "line 2 is not learnt from: 0.1 tok/s" in said
    assert "line 3 is not learnt from: 5 tok/s" in said
    assert "1 of 3 runs" in said
    # Near what the honest run says: not the mean of 6.7.
    assert 13 < speed(after[0]) < speed(before[0]) + 0.1


UNUSABLE = {  # a row of the runs file -> what is said of it
    "no such model": (f"{MAC},Nonesuch-9B,mlx-4bit,512,30", "line 2 (Nonesuch-9B, mlx-4bit on M4"),
    "no speed": (f"{MAC},Qwen3-8B,mlx-4bit,512,", "decode_tok_s '' is not a speed above 0"),
    "a word": (f"{MAC},Qwen3-8B,mlx-4bit,512,fast", "decode_tok_s 'fast' is not a speed above 0"),
    "below zero": (f"{MAC},Qwen3-8B,mlx-4bit,512,-3", "is not a speed above 0"),
}  # fmt: skip


@pytest.mark.parametrize(("row", "sentence"), UNUSABLE.values(), ids=UNUSABLE)
def test_a_run_that_cannot_be_used_is_reported(tmp_path, capsys, row, sentence):
    rows, said = predict(
        tmp_path, capsys, ASKED + f"{MAC},Qwen3-8B,mlx-4bit,512\n", RUNS + row + "\n"
    )

    assert sentence in said
    assert "holds no run to learn from" in said
    assert rows[0]["basis"] == "predicted"


def test_an_open_bin_is_the_one_that_was_measured(tmp_path, capsys):
    asked = ASKED + "M4 Pro,,48,mlx-lm,Qwen3-8B,mlx-4bit,512\n"
    before, _ = predict(tmp_path, capsys, asked)

    after, _ = predict(tmp_path, capsys, asked, RUNS + f"{MAC},Qwen3-8B,mlx-4bit,512,40\n")

    assert after[0]["basis"] == "calibrated"
    assert speed(after[0]) < speed(before[0]) * 0.95


def test_where_no_run_is_usable_nothing_is_called_calibrated(tmp_path, capsys):
    asked = ASKED + f"{MAC},Qwen3-8B,mlx-4bit,512\n"

    rows, said = predict(tmp_path, capsys, asked, RUNS + f"{MAC},Qwen3-8B,mlx-4bit,512,1e9\n")

    assert rows[0]["basis"] == "predicted"
    assert "0 of 1 runs" in said


def test_a_run_of_a_prompt_alone_corrects_prompts_alone(tmp_path, capsys):
    asked = ASKED + f"{MAC},Qwen3-8B,mlx-4bit,2048\n"
    before, _ = predict(tmp_path, capsys, asked)
    runs = RUNS.replace("\n", ",prefill_tok_s\n") + f"{MAC},Qwen3-8B,mlx-4bit,2048,,200\n,,,,,,,,\n"

    after, said = predict(tmp_path, capsys, asked, runs)

    assert float(after[0]["prefill_tok_s"]) < float(before[0]["prefill_tok_s"]) * 0.95
    assert speed(after[0]) == speed(before[0])
    assert "is not learnt from" not in said


def test_a_file_without_speeds_is_a_sentence(tmp_path, capsys):
    (tmp_path / "runs.csv").write_text(ASKED + f"{MAC},Qwen3-8B,mlx-4bit,512\n")

    code = main(["predict", str(tmp_path / "runs.csv"), "--calibrate", str(tmp_path / "runs.csv")])

    assert code == 2
    assert "has no column 'decode_tok_s'" in capsys.readouterr().err


def test_standard_input_cannot_be_both(capsys):
    assert main(["predict", "-", "--calibrate", "-"]) == 2
    assert "Name one of them" in capsys.readouterr().err
