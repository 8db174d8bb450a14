"""``advisor validate`` prints the published error in three forms, and refuses stale ones."""

import json
import shutil

import pytest

from advisor.catalog import load
from advisor.catalog.load import ROOT_VARIABLE
from advisor.cli import main
from advisor.estimate import accuracy


def test_a_terminal_reads_slices_and_sentences(capsys):
    assert main(["validate"]) == 0

    out = capsys.readouterr().out
    assert "named runtimes" in out
    assert "After three runs of one's own" in out


def test_json_holds_every_figure(capsys):
    assert main(["validate", "--json"]) == 0

    found = json.loads(capsys.readouterr().out)
    assert found["decode"] == accuracy.by_slice(load())
    assert {"by", "prefill", "memory", "after_own_runs", "noise_floor"} < set(found)


def test_figures_of_other_data_are_refused(tmp_path, monkeypatch, capsys):
    shutil.copytree(load().root, tmp_path / "catalog")
    path = tmp_path / "catalog" / "gguf_bpw.csv"
    path.write_text(path.read_text() + "\n")
    monkeypatch.setenv(ROOT_VARIABLE, str(tmp_path / "catalog"))

    assert main(["validate"]) == 1
    assert "Run `advisor catalog build --only speed`" in capsys.readouterr().err


@pytest.mark.parametrize("both", [["--json", "--markdown"]])
def test_two_forms_at_once_are_a_sentence(both, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["validate", *both])

    assert stopped.value.code == 2
