"""The README says what is so: its figures, commands and pictures are checked."""

import re
from pathlib import Path

import pytest

from advisor.catalog import load
from advisor.cli import main
from advisor.validation import words
from advisor.validation.report import report

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()


def test_the_figures_are_those_of_the_validation():
    block = re.search(
        r"<!-- figures: advisor validate --markdown -->\n(.*?)<!-- end -->", README, re.S
    )

    assert block is not None
    assert block[1] == words.markdown(report(load()))


def test_every_picture_is_there():
    pictures = re.findall(r"(?:\]\(|src=\")(docs/[^)\"]+)", README)

    assert pictures
    assert [name for name in pictures if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("target", sorted(set(re.findall(r"(?:^|`)make ([a-z]+)", README, re.M))))
def test_every_make_target_exists(target):
    assert f"\n{target}:" in (ROOT / "Makefile").read_text()


@pytest.mark.parametrize("command", sorted(set(re.findall(r"bin/advisor ([a-z]+)", README))))
def test_every_command_exists(command, capsys):
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])

    assert stopped.value.code == 0
    assert command in capsys.readouterr().out
