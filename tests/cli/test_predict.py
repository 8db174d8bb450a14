"""Every row comes back in its place, predicted or with the part that was not understood."""

import csv
import io
import math
from pathlib import Path

import pytest

from advisor.catalog import load
from advisor.cli import main
from advisor.cli.predict import OUTPUTS
from advisor.estimate import plan

HEADER = "chip,gpu_cores,memory_gb,macos,runtime,model,quant,context_tokens,batch"
GOOD = "M4 Pro,16,48,26,mlx-lm,Llama-3.1-8B-Instruct,mlx-4bit,8192,1"


def predict(capsys, tmp_path, text: str | bytes) -> list[dict[str, str]]:
    path = tmp_path / "asked.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())

    assert main(["predict", str(path)]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def one(capsys, tmp_path, line: str, header: str = HEADER) -> dict[str, str]:
    (row,) = predict(capsys, tmp_path, f"{header}\n{line}\n")
    return row


def test_a_row_gets_the_engines_own_numbers(capsys, tmp_path):
    catalog = load()
    table = plan.table(
        catalog, [catalog.machine("mac-mini-m4-pro-48")], context_tokens=8192,
        model_ids=["llama-3.1-8b"], quant_ids=["mlx-4bit"],
    )  # fmt: skip

    row = one(capsys, tmp_path, GOOD)

    for name in ("decode_tok_s", "decode_low", "decode_high", "prefill_tok_s", "ttft_s"):
        assert float(row[name]) == pytest.approx(table[name].iat[0], rel=1e-5)
    assert int(row["budget_bytes"]) == 40200896512
    assert int(row["weights_bytes"]) == round(table["weight_bytes"].iat[0])
    assert row["verdict"] == "fits"
    assert row["basis"] == "predicted"
    assert row["problem"] == ""
    assert row["assumed"] == ""


def test_only_four_columns_are_needed_and_what_is_filled_in_is_said(capsys, tmp_path):
    row = one(capsys, tmp_path, "qwen3:8b,Q4_K_M,ollama,Apple M4 Max", "model,quant,runtime,chip")

    assert row["assumed"] == "gpu_cores=40; macos=26; context_tokens=512; batch=1"
    assert float(row["decode_tok_s"]) > 0
    assert row["verdict"] == ""
    assert row["budget_bytes"] == ""


def test_chip_this_is_the_mac_it_is_asked_on(capsys, tmp_path, monkeypatch):
    recording = Path(__file__).resolve().parents[1] / "recorded" / "m4-pro-48-macos-26.txt"
    monkeypatch.setenv("TOLLBOOTH_RECORDED", str(recording))
    columns = "chip,gpu_cores,runtime,model,quant"

    right, wrong = predict(
        capsys, tmp_path, f"{columns}\nthis,,mlx-lm,qwen3-8b,4bit\nthis,20,mlx-lm,qwen3-8b,4bit\n"
    )

    assert (right["problem"], right["budget_bytes"]) == ("", "40200896512")
    assert wrong["problem"] == "gpu_cores is 16 on this Mac, not 20"


def test_an_open_bin_widens_the_interval_over_both(capsys, tmp_path):
    line = "M4 Max,{},,26,mlx-lm,Qwen3-32B,mlx-4bit,4096,1"

    either, full, small = (one(capsys, tmp_path, line.format(cores)) for cores in ("", "40", "32"))

    assert either["assumed"] == "gpu_cores=40"
    assert either["decode_tok_s"] == full["decode_tok_s"]
    assert either["decode_low"] == small["decode_low"] < full["decode_low"]
    assert either["decode_high"] == full["decode_high"]


PROBLEMS = {
    "a chip that is not": (GOOD.replace("M4 Pro", "M9"), "M9"),
    "cores that are not": (GOOD.replace(",16,", ",17,"), "17 GPU cores"),
    "memory that is not sold": (GOOD.replace(",48,", ",47,"), "47 GB"),
    "a macOS without a rule": (GOOD.replace(",26,", ",20,"), "macOS 20"),
    "a runtime": (GOOD.replace("mlx-lm", "vllm"), "runtime 'vllm'"),
    "a model": (GOOD.replace("Llama-3.1-8B-Instruct", "Llama-9-8B"), "model 'Llama-9-8B'"),
    "a quantization": (GOOD.replace("mlx-4bit", "JANG_4K"), "quant 'JANG_4K'"),
    "no quantization": (GOOD.replace("mlx-4bit", ""), "quant is empty"),
    "a model mlx-lm cannot build": (
        GOOD.replace("Llama-3.1-8B-Instruct", "DeepSeek-V4-Flash"), "cannot build",
    ),
    "a negative context": (GOOD.replace("8192", "-1"), "context_tokens"),
    "a context that is text": (GOOD.replace("8192", "long"), "context_tokens 'long'"),
    "half a token": (GOOD.replace("8192", "0.5"), "context_tokens"),
    "a batch of none": (GOOD[:-1] + "0", "batch"),
    "a batch of infinity": (GOOD[:-1] + "inf", "batch 'inf'"),
}  # fmt: skip


@pytest.mark.parametrize(("line", "said"), PROBLEMS.values(), ids=PROBLEMS)
def test_what_is_not_understood_is_named_and_gets_no_number(capsys, tmp_path, line, said):
    row = one(capsys, tmp_path, line)

    assert said in row["problem"]
    assert row["decode_tok_s"] == ""
    assert row["model"] == line.split(",")[5]


def test_a_row_with_a_problem_leaves_its_neighbours_alone(capsys, tmp_path):
    rows = predict(capsys, tmp_path, f"{HEADER}\n{GOOD}\nM9{GOOD[6:]}\n{GOOD}\n")

    assert [bool(row["problem"]) for row in rows] == [False, True, False]
    assert rows[0] == rows[2]


def test_columns_keep_their_place_and_outputs_names_come_back_as_input(capsys, tmp_path):
    text = f"id,decode_tok_s,verdict,{HEADER}\nr1,999,no,{GOOD}\n"

    (row,) = predict(capsys, tmp_path, text)

    assert list(row) == ["id", "input_decode_tok_s", "input_verdict", *HEADER.split(","), *OUTPUTS]
    assert (row["id"], row["input_decode_tok_s"], row["input_verdict"]) == ("r1", "999", "no")
    assert row["verdict"] == "fits"
    assert float(row["decode_tok_s"]) < 100


def test_surplus_cells_are_kept_and_said(capsys, tmp_path):
    row = one(capsys, tmp_path, f"{GOOD},a, b", f"{HEADER},note")

    assert row["note"] == "a, b"
    assert row["assumed"] == "1 cell more than columns, kept in note"
    assert row["problem"] == ""


def test_a_comma_at_the_end_of_a_line_is_no_cell(capsys, tmp_path):
    row = one(capsys, tmp_path, f"{GOOD},,")

    assert (row["assumed"], row["problem"], row["batch"]) == ("", "", "1")


def test_a_cell_that_cannot_be_read_is_not_filled_in(capsys, tmp_path):
    row = one(capsys, tmp_path, GOOD.replace("8192", "long"))

    assert row["assumed"] == ""


def test_a_context_past_the_models_own_maximum_is_said(capsys, tmp_path):
    row = one(capsys, tmp_path, GOOD.replace("8192", "262144"))

    assert row["assumed"] == "context past the model's own maximum of 131072"
    assert float(row["decode_tok_s"]) > 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_people_save_in(capsys, tmp_path, encoding):
    text = f"{HEADER}\r\n{GOOD}\r\n".encode(encoding)

    (row,) = predict(capsys, tmp_path, text)

    assert row["problem"] == ""


WHOLE_FILE = {
    "a missing column": (b"chip,runtime,model\nM4,mlx-lm,qwen3-8b\n", "no column 'quant'"),
    "another separator": (b"chip;runtime;model;quant\n", "separated by something else"),
    "nothing": (b"", "is empty"),
    "another encoding": ("chip,é".encode("latin-1"), "not UTF-8 text"),
    "the same column twice": (b"chip,chip,runtime,model,quant\n", "'chip' twice"),
    "not text": (b"\x00\x01chip", "zero bytes"),
}


@pytest.mark.parametrize(("data", "said"), WHOLE_FILE.values(), ids=WHOLE_FILE)
def test_a_file_that_cannot_be_used_gets_one_sentence(capsys, tmp_path, data, said):
    path = tmp_path / "bad.csv"
    path.write_bytes(data)

    code = main(["predict", str(path)])

    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_every_public_run_comes_back_and_most_are_predicted(capsys, tmp_path):
    """The whole collection as printed: at least 92 % of the rows of named runtimes."""
    runs = load().printed_runs
    path = tmp_path / "runs.csv"
    runs.to_csv(path, index=False)

    rows = predict(capsys, tmp_path, path.read_bytes())

    assert [row["id"] for row in rows] == runs["id"].tolist()
    named = [row for row in rows if row["runtime"] != "other"]
    predicted = [row for row in named if row["decode_tok_s"]]
    assert len(predicted) / len(named) >= 0.92
    assert all(row["problem"] for row in named if not row["decode_tok_s"])
    for row in predicted:
        low, mid, high = (float(row[n]) for n in ("decode_low", "decode_tok_s", "decode_high"))
        assert 0 < low < mid < high < math.inf
