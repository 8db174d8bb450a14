"""The README says what is so: its figures, commands and pictures are checked."""

import re
from pathlib import Path

import pytest

from advisor.catalog import load
from advisor.cli import main
from advisor.estimate import coefficients

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text()


def figure_rows() -> list[str]:
    return [
        f"| {name} | {f['runs']:,} | {f['sources']} | {f['median_error']:.1%} | "
        f"{f['p90_error']:.0%} | {f['coverage']:.0%} |"
        for name, f in coefficients.load(load()).figures.items()
    ]


def test_the_figures_are_those_of_the_fit():
    block = re.search(r"<!-- figures: derived/speed.json -->\n(.*?)<!-- end -->", README, re.S)

    assert block is not None
    assert block[1].splitlines()[2:] == figure_rows()


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
