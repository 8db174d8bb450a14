"""One machine's whole table, as JSON with the engine's numbers or as text; bad input in words."""

import json
from pathlib import Path

import pytest

from advisor.catalog import load
from advisor.cli import main
from advisor.estimate import plan

RECORDED = Path(__file__).resolve().parents[1] / "recorded"


def fit(capsys, *arguments: str) -> list[dict]:
    assert main(["fit", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_json_holds_every_row_of_the_table(capsys):
    catalog = load()
    table = plan.table(catalog, [catalog.machine("mac-mini-m4-16")])

    rows = fit(capsys, "mac-mini-m4-16")

    assert len(rows) == len(table) >= 2500
    same = ("decode_tok_s", "ttft_s", "max_context_tokens")
    for name, ours in (("weights_bytes", "weight_bytes"), *zip(same, same, strict=True)):
        assert [row[name] for row in rows] == pytest.approx(table[ours].tolist(), rel=1e-6)
    assert [row["verdict"] for row in rows] == table["verdict"].tolist()


def test_a_machine_in_parts_is_the_machine_of_its_id(capsys):
    by_id = fit(capsys, "mac-mini-m4-pro-48")
    parts = fit(capsys, "--chip", "m4 pro", "--gpu-cores", "16", "--memory-gb", "48")

    assert [{**row, "machine": ""} for row in by_id] == [{**row, "machine": ""} for row in parts]


def test_memory_in_use_leaves_seven_of_sixteen(capsys):
    (row, *_) = fit(capsys, "mac-mini-m4-16", "--in-use-gb", "9")

    assert row["budget_bytes"] == 7 * 2**30
    assert row["gpu_limit_bytes"] == 12713115648


def test_a_wired_limit_is_the_limit(capsys):
    (row, *_) = fit(capsys, "mac-mini-m4-16", "--wired-limit-mb", "14000", "--macos", "15")

    assert row["gpu_limit_bytes"] == 14000 * 2**20


def test_text_starts_with_what_fits(capsys):
    assert main(["fit", "mac-mini-m4-16", "--runtime", "mlx-lm", "--context", "4096"]) == 0

    first, header, line, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("Mac mini M4 (10-core GPU), 16 GB, macOS 26: ")
    assert first.endswith("at a context of 4K tokens")
    assert header.split()[:2] == ["model", "quant"]
    assert " fits " in line


def test_text_counts_no_model_that_cannot_hold_the_context(capsys):
    # Yi-1.5-6B takes 4096 tokens; its small cache leaves memory for far more.
    assert main(["fit", "mac-mini-m4-pro-48", "--runtime", "mlx-lm", "--context", "8192"]) == 0

    first, _, *lines = capsys.readouterr().out.splitlines()
    (yi,) = [line for line in lines if line.startswith("yi-1.5-6b ") and " mlx-4bit " in line]
    assert yi.endswith("is past this model's own maximum of 4K.")
    fit_here = [" fits " in line and "own maximum" not in line for line in lines]
    assert f": {sum(fit_here)} of {len(lines)} fit" in first
    assert fit_here == sorted(fit_here, reverse=True)


def test_this_mac_has_its_own_limit_and_what_is_in_use_now(capsys, monkeypatch):
    monkeypatch.setenv("TOLLBOOTH_RECORDED", str(RECORDED / "m4-pro-48-macos-26.txt"))

    (row, *rest) = fit(capsys, "this")
    (idle, *_) = fit(capsys, "mac-mini-m4-pro-48")
    (crowded, *_) = fit(capsys, "this", "--in-use-gb", "20")

    assert {one["machine"] for one in (row, *rest)} == {"this"}
    assert row["gpu_limit_bytes"] == row["budget_bytes"] == 40_200_896_512
    assert row["decode_tok_s"] == idle["decode_tok_s"]
    assert crowded["budget_bytes"] == 28 * 2**30
    assert main(["fit", "this"]) == 0
    assert capsys.readouterr().out.startswith(
        "This Mac: M4 Pro (16-core GPU), 48 GB, macOS 26, 6.9 GiB in use: "
    )


BAD = {
    "an unknown id": (["mac-mini-m9-16"], "No machine is called"),
    "an impossible size": (["mac-mini-m4-17"], "not sold with 17 GB"),
    "no machine": ([], "Give a machine id"),
    "both": (["mac-mini-m4-16", "--chip", "M4"], "not both"),
    "a chip without memory": (["--chip", "M4"], "--memory-gb"),
    "parts of an id": (["mac-mini-m4-16", "--memory-gb", "24"], "already says them"),
    "a negative context": (["mac-mini-m4-16", "--context", "-1"], "context must be"),
    "an unknown runtime": (["mac-mini-m4-16", "--runtime", "vllm"], "No runtime is called"),
    "a macOS that never was": (["mac-mini-m4-16", "--macos", "19"], "macOS 19"),
    "this, which is no Mac": (["this"], "predictions for Macs don't come from it"),
}


@pytest.mark.parametrize(("arguments", "said"), BAD.values(), ids=BAD)
def test_bad_input_is_one_sentence_and_exit_code_2(capsys, monkeypatch, arguments, said):
    monkeypatch.setenv("TOLLBOOTH_RECORDED", str(RECORDED / "debian-12.txt"))

    code = main(["fit", *arguments])

    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_number_that_is_none_is_refused_in_one_line(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["fit", "mac-mini-m4-16", "--context", "many"])

    assert stopped.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_broken_catalog_is_our_fault(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("TOLLBOOTH_CATALOG", str(tmp_path))

    assert main(["fit", "mac-mini-m4-16"]) == 1
    assert "holds no catalog" in capsys.readouterr().err
