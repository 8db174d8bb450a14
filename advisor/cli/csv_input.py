"""A person's CSV file, read without losing a cell: encodings, ragged rows, missing columns."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from advisor.errors import InputError

LONGEST_CELL = 1 << 20


@dataclass(frozen=True)
class Sheet:
    """Columns and rows as given; a row has as many cells as there are columns.

    notes   for each row "" or that it had more cells than the header, and where they are
    """

    columns: list[str]
    rows: list[list[str]]
    notes: list[str]

    def records(self) -> Iterator[dict[str, str]]:
        """Each row by the stripped, lower-case name of its columns."""
        names = [column.strip().lower() for column in self.columns]
        for row in self.rows:
            yield dict(zip(names, row, strict=True))


def read_sheet(path: str, required: Sequence[str]) -> Sheet:
    """The CSV file at ``path``, or standard input for "-".

    Cells beyond the header (an unquoted comma) are kept in the last column, blank ones (a comma
    at the end of each line) are left out; a short row is filled with blanks.
    Raises ``InputError`` where the file cannot be used.
    """
    name = "standard input" if path == "-" else path
    text = _decode(_read(path), name)
    csv.field_size_limit(LONGEST_CELL)
    try:
        lines = [line for line in csv.reader(io.StringIO(text, newline="")) if line]
    except csv.Error as error:
        raise InputError(f"{name} is not a valid CSV file: {error}.") from error
    if not lines:
        raise InputError(f"{name} is empty. It needs the columns {', '.join(required)}.")
    columns = lines[0]
    _check_columns(columns, required, name)
    rows, notes = [], []
    last = len(columns) - 1
    for line in lines[1:]:
        while len(line) > len(columns) and not line[-1].strip():
            line.pop()
        surplus = len(line) - len(columns)
        if surplus > 0:
            rows.append([*line[:last], ",".join(line[last:])])
            cells = "1 cell" if surplus == 1 else f"{surplus} cells"
            notes.append(f"{cells} more than columns, kept in {columns[last]}")
        else:
            rows.append(line + [""] * -surplus)
            notes.append("")
    return Sheet(columns, rows, notes)


def _check_columns(columns: Sequence[str], required: Sequence[str], name: str) -> None:
    names = [column.strip().lower() for column in columns]
    missing = [column for column in required if column not in names]
    if missing:
        apart = len(columns) == 1 and any(mark in columns[0] for mark in ";\t")
        tip = " Its cells seem to be separated by something else than commas." if apart else ""
        raise InputError(
            f"{name} has no column {missing[0]!r}. Needed: {', '.join(required)}. "
            f"Found: {', '.join(columns)[:200]}.{tip}"
        )
    twice = [column for column in names if column and names.count(column) > 1]
    if twice:
        raise InputError(f"{name} has the column {twice[0]!r} twice. Rename one of them.")


def _read(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise InputError(f"There is no file {path}.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error


def _decode(data: bytes, name: str) -> str:
    """UTF-8 with or without a byte order mark, or UTF-16 with one; anything else is refused."""
    utf_16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if utf_16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name} is not UTF-8 text (byte {error.start}). Save it as CSV in UTF-8."
        ) from error
    if "\0" in text:
        raise InputError(f"{name} holds zero bytes, so it is no text. Save it as CSV in UTF-8.")
    return text
