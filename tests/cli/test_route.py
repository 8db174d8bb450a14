"""``advisor route`` prints the table as text or JSON, and says in words what it cannot do."""

import json

import pytest

from advisor.cli import main


def test_json_holds_every_class_and_resident(capsys):
    assert main(["route", "mac-mini-m4-16", "--json"]) == 0

    found = json.loads(capsys.readouterr().out)

    assert [r["class_id"] for r in found["routes"]] == [
        "short", "chat", "code", "long", "agent", "reasoning", "embeddings",
    ]  # fmt: skip
    assert found["used_bytes"] + found["reserve_bytes"] <= found["budget_bytes"]
    assert found["machine"]["id"] == "mac-mini-m4-16"
    assert found["routes"][-1]["decode_tok_s"] is None


def test_text_names_each_class_and_what_is_left(capsys):
    assert main(["route", "mac-mini-m4-pro-48", "--workload", "chat"]) == 0

    said = capsys.readouterr().out

    assert "GiB left" in said
    assert "chat" in said
    assert "next: " in said


def test_a_workload_of_ones_own(tmp_path, capsys):
    log = tmp_path / "log.csv"
    log.write_text("prompt_tokens,output_tokens\n" + "200,50\n" * 9)

    assert main(["route", "mac-mini-m4-16", "--workload", str(log), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["routes"][0]["class_id"] == "log"


def test_ones_own_scores_decide_and_bad_lines_are_told(tmp_path, capsys):
    scores = tmp_path / "mine.csv"
    scores.write_text("scale,model,score\nall,llama-3.1-8b,99\nall,gpt-9,99\n")

    assert main(["route", "mac-mini-m4-pro-48", "--scores", str(scores), "--json"]) == 0

    out, err = capsys.readouterr()
    chat = json.loads(out)["routes"][1]
    assert chat["resident"].startswith("llama-3-1-8b")
    assert chat["quality_basis"] == "yours"
    assert "line 3" in err


WRONG = {
    "an unknown machine": (["mac-mini-m4-17"], "not sold with 17 GB"),
    "an unknown workload": (["mac-mini-m4-16", "--workload", "chatt"], "Nearest: chat"),
    "no such file": (["mac-mini-m4-16", "--workload", "gone.csv"], "There is no file gone.csv"),
    "an unknown runtime": (["mac-mini-m4-16", "--runtime", "mlx"], "No runtime is called"),
    "an unknown pin": (["mac-mini-m4-16", "--keep", "qwen9"], "No model is called"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG)
def test_wrong_input_is_one_sentence(arguments, said, capsys):
    assert main(["route", *arguments]) == 2
    assert said in capsys.readouterr().err
