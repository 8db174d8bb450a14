"""The report in words: Markdown and plain lines of the same figures."""

from advisor.catalog import load
from advisor.estimate.accuracy import DIMENSIONS
from advisor.validation import words
from advisor.validation.report import report


def test_a_slice_reads_as_its_figures():
    figures = {
        "runs": 1450, "sources": 26, "median_error": 0.0914, "p90_error": 0.305, "bias": 0.007,
        "coverage": 0.81,
    }  # fmt: skip

    (row,) = words.slice_rows({"named": figures})

    assert row == ("named", "1,450", "26", "9.1%", "30%", "+0.7%", "81%")


def test_markdown_is_a_table_and_a_list():
    text = words.markdown(report(load()))

    table, said = text.split("\n\n")
    assert all(line.startswith("| ") or line.startswith("|---") for line in table.splitlines())
    assert len({line.count("|") for line in table.splitlines()}) == 1
    assert all(line.startswith("- ") for line in said.strip().splitlines())


def test_a_terminal_gets_every_dimension():
    text = words.plain(report(load()))

    assert all(f"{title}, named runtimes\n" in text for title in DIMENSIONS.values())
    assert "M5 Pro (thin)" in text
    assert max(map(len, text.split("\n\n")[1].splitlines())) < 110


def test_few_cases_state_no_noise_floor():
    few, enough = ({"cases": cases, "median": 0.1} for cases in (3, 10))

    assert "too few to state" in words._floor(few)
    assert "10%" not in words._floor(few)
    assert "differ by a median 10%" in words._floor(enough)
