"""A person's CSV file keeps every cell, whatever wrote it."""

import pytest

from advisor.cli.csv_input import read_sheet
from advisor.errors import InputError


def sheet(tmp_path, text: str, encoding: str = "utf-8"):
    path = tmp_path / "file.csv"
    path.write_bytes(text.encode(encoding))
    return read_sheet(str(path), ("a", "b"))


def test_names_are_found_whatever_their_case_and_spaces(tmp_path):
    found = sheet(tmp_path, " A ,B\n1,2\n")

    assert list(found.records()) == [{"a": "1", "b": "2"}]
    assert found.columns == [" A ", "B"]


def test_ragged_rows_keep_their_cells(tmp_path):
    found = sheet(tmp_path, "a,b\n1\n1,2,3,4\n1,2,,\n")

    assert found.rows == [["1", ""], ["1", "2,3,4"], ["1", "2"]]
    assert found.notes == ["", "2 cells more than columns, kept in b", ""]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_of_spreadsheets_are_read(tmp_path, encoding):
    assert sheet(tmp_path, "a,b\nMünchen,2\n", encoding).rows == [["München", "2"]]


REFUSED = {
    "empty": ("", "is empty"),
    "semicolons": ("a;b\n1;2\n", "separated by something else"),
    "a column short": ("a,c\n1,2\n", "no column 'b'"),
    "a column twice": ("a,b,A\n1,2,3\n", "twice"),
    "zero bytes": ("a,b\n\0,2\n", "zero bytes"),
}


@pytest.mark.parametrize(("text", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_used_is_a_sentence(tmp_path, text, said):
    with pytest.raises(InputError, match=said):
        sheet(tmp_path, text)


def test_a_missing_file_is_a_sentence(tmp_path):
    with pytest.raises(InputError, match="There is no file"):
        read_sheet(str(tmp_path / "none.csv"), ("a",))
