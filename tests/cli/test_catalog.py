"""`advisor catalog` derives and checks; what is wrong is a sentence and exit code 1."""

import shutil

import pytest

from advisor.catalog import load
from advisor.cli import main


@pytest.fixture
def copied(tmp_path, monkeypatch):
    root = tmp_path / "catalog"
    shutil.copytree(load().root, root)
    monkeypatch.setenv("TOLLBOOTH_CATALOG", str(root))
    return root


def test_check_names_the_broken_file_and_the_field(copied, capsys):
    chip = copied / "chips" / "m4-10.toml"
    chip.write_text(chip.read_text().replace("bandwidth_gb_per_s = 120", "bandwith = 120"))

    assert main(["catalog", "check"]) == 1
    said = capsys.readouterr().err
    assert "chips/m4-10.toml" in said
    assert "bandwidth_gb_per_s" in said


def test_build_of_one_part_writes_what_is_checked_in(copied, capsys):
    runs = copied / "derived" / "runs.csv"
    before = runs.read_text()
    runs.write_text("id\n")

    assert main(["catalog", "build", "--only", "runs"]) == 0
    assert runs.read_text() == before
    assert "runs.csv" in capsys.readouterr().err
