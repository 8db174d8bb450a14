"""Runs travel between stores as JSON Lines, once each; people say which count."""

import io
import json
from pathlib import Path

import pytest

from advisor.cli import main
from advisor.runs import jsonl, open_store
from tests.runs.examples import a_run


@pytest.fixture
def runs(capsys):
    def command(*arguments: str) -> tuple[str, str]:
        assert main(["runs", *arguments]) == 0
        return tuple(capsys.readouterr())

    return command


@pytest.fixture
def file(tmp_path):
    """Two runs in a file, one of a model that the catalog does not know."""
    path = tmp_path / "runs.jsonl"
    unknown = a_run(model="my-own-model-7b", model_id="", quant_id="")
    path.write_text("".join(jsonl.lines([a_run(), unknown])))
    return str(path)


def test_an_import_says_what_is_new_and_what_is_unmatched(runs, file):
    _, said = runs("import", file)
    assert said.startswith("2 new, 0 known already, 1 of a model the catalog does not know (kept")

    _, again = runs("import", file)
    assert again.startswith("0 new, 2 known already")


def test_a_list_shows_every_run_and_whether_it_counts(runs, file):
    runs("import", file)
    out, _ = runs("list")

    header, *lines, last = out.splitlines()
    assert header.split()[0] == "id"
    by_model = {("qwen3-8b" in line): line for line in lines}
    assert by_model[True].endswith("yes")
    assert " 43.6 " in by_model[True]
    assert "my-own-model-7b (unmatched)" in by_model[False]
    assert by_model[False].endswith("no, unmatched")
    assert last.startswith("2 runs in ")
    assert last.endswith("1 of a model or quantization the catalog does not know.")


def test_runs_go_to_another_store_and_come_back_the_same(runs, file, tmp_path):
    other, exported = str(tmp_path / "other.sqlite3"), str(tmp_path / "out.jsonl")
    runs("import", file)

    _, said = runs("export", exported)
    runs("import", exported, "--store", other)
    there, _ = runs("export", "--store", other)

    assert said == f"2 runs written to {exported}.\n"
    assert there == (tmp_path / "out.jsonl").read_text()
    assert json.loads(runs("list", "--json")[0]) == json.loads(
        runs("list", "--json", "--store", other)[0]
    )


def test_runs_go_through_a_pipe(runs, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(jsonl.lines([a_run()]))))

    _, said = runs("import", "-")

    assert said.startswith("1 new")


OLLAMA = """prompt eval count:    13 token(s)
prompt eval duration: 650ms
eval count:           100 token(s)
eval duration:        5s
"""


def test_what_another_program_printed_is_brought_in(runs, tmp_path):
    path = tmp_path / "ollama.txt"
    path.write_text(OLLAMA)
    asked = ("import", str(path), "--model", "qwen3:8b", "--quant", "Q4_K_M", "--chip", "m4 pro")

    assert runs(*asked, "--memory-gb", "48")[1].startswith("2 new, 0 known")
    assert runs(*asked, "--memory-gb", "48")[1].startswith("0 new, 2 known")

    decode, prefill = sorted(
        json.loads(runs("list", "--json")[0]), key=lambda run: run["decode_tok_s"] is None
    )
    assert (decode["model_id"], decode["quant_id"]) == ("qwen3-8b", "Q4_K_M")
    assert (decode["decode_tok_s"], decode["machine"]["chip"]) == (20, "M4 Pro")
    assert (prefill["prefill_tok_s"], prefill["machine"]["memory_gb"]) == (20, 48)


def test_without_a_chip_it_was_this_computer(runs, tmp_path, monkeypatch):
    recording = Path(__file__).resolve().parents[1] / "recorded" / "m4-max-48-macos-15.txt"
    monkeypatch.setenv("TOLLBOOTH_RECORDED", str(recording))
    path = tmp_path / "ollama.txt"
    path.write_text(OLLAMA)

    runs("import", str(path), "--model", "qwen3:8b")

    machine = json.loads(runs("list", "--json")[0])[0]["machine"]
    assert (machine["chip"], machine["gpu_cores"], machine["macos"]) == ("M4 Max", 40, "15.6")


def test_a_team_shares_runs_through_postgres(runs, file, postgres_url, monkeypatch):
    monkeypatch.setenv("TOLLBOOTH_RUNS_URL", postgres_url)

    runs("import", file)
    out, _ = runs("list")

    assert out.splitlines()[-1].startswith("2 runs in postgresql+psycopg://tester:***@127.0.0.1:")
    monkeypatch.delenv("TOLLBOOTH_RUNS_URL")
    assert runs("list")[0].startswith("No run in ")


def test_runs_are_ignored_and_used_by_the_start_of_their_id(runs):
    with open_store() as store:
        store.add_all([a_run(), a_run(batch=2)])

    assert runs("ignore", a_run().id[:6])[1] == "1 run ignored.\n"
    assert runs("list")[0].count("no, ignored") == 1
    assert runs("ignore", "all")[1] == "2 runs ignored.\n"
    assert runs("use", "all")[1] == "2 runs count.\n"
    assert runs("list")[0].count(" yes\n") == 2


def test_bad_input_is_one_sentence_and_nothing_is_imported(capsys, tmp_path, file):
    broken = tmp_path / "broken.jsonl"
    broken.write_text("".join(jsonl.lines([a_run()])) + "{\n")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    prose = tmp_path / "prose.txt"
    prose.write_text("It was quite fast.\n")
    cases = {
        ("import", str(broken)): "Nothing was imported from",
        ("import", str(binary)): "it is not UTF-8 text",
        ("import", str(prose)): "No figures were found in this text.",
        ("import", str(prose), "--chip", "M4", "--gpu-cores", "7"): "No M4 has 7 GPU cores",
        ("import", str(tmp_path / "none")): "No such file",
        ("export", str(tmp_path)): "cannot be written",
        ("use", "ffffffff"): "No run is called 'ffffffff'",
        ("list", "--store", "mysql://h/d"): "Runs cannot be kept in 'mysql'",
    }
    for arguments, said in cases.items():
        assert main(["runs", *arguments]) == 2

        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert said in err
    with open_store() as store:
        assert store.runs() == []
