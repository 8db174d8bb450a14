"""`advisor upgrade --html` and `--markdown` write a whole file or none."""

import pytest

from advisor.cli import main
from advisor.cli.report_files import write_whole
from advisor.errors import InputError

PAIR = ("upgrade", "mac-mini-m4-16", "mac-mini-m4-pro-48")


@pytest.mark.parametrize(("form", "begins"), [("html", "<!DOCTYPE html>"), ("markdown", "# ")])
def test_a_report_is_written_and_said(tmp_path, capsys, form, begins):
    path = tmp_path / f"report.{form}"

    code = main([*PAIR, f"--{form}", str(path)])

    assert code == 0
    assert path.read_text("utf-8").startswith(begins)
    assert str(path) in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_place_that_cannot_be_written_is_a_sentence(tmp_path, capsys):
    code = main([*PAIR, "--html", str(tmp_path / "nowhere" / "report.html")])

    assert code == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_file_that_is_there_is_replaced_whole(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("before")

    write_whole(path, "after")

    assert path.read_text() == "after"
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_folder_is_no_file(tmp_path):
    with pytest.raises(InputError, match="cannot be written"):
        write_whole(tmp_path, "x")
