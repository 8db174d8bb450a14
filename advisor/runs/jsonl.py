"""Runs as JSON Lines: a line a run, to keep, to send and to bring into another store."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from advisor.errors import InputError
from advisor.runs.run import Run, as_fields, from_fields

FORMAT = "tollbooth-run"
VERSION = 1


def lines(runs: Iterable[Run]) -> Iterator[str]:
    """Each run as a line that ends in a newline."""
    for run in runs:
        yield json.dumps({"format": FORMAT, "version": VERSION, **as_fields(run)}) + "\n"


def read(text: Iterable[str]) -> list[Run]:
    """The runs of JSON Lines, all of them; blank lines are skipped.

    Raises ``InputError`` that names the first line that cannot be used: then none is.
    """
    found = []
    for number, line in enumerate(text, start=1):
        if line.strip():
            try:
                found.append(_run(line))
            except InputError as error:
                raise InputError(f"Line {number}: {str(error).rstrip('.')}.") from error
    return found


def _run(line: str) -> Run:
    try:
        fields: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"it is no JSON ({error})") from error
    if not isinstance(fields, dict) or fields.pop("format", None) != FORMAT:
        raise InputError(f'it is no run: a JSON object with "format": "{FORMAT}"')
    version = fields.pop("version", None)
    if version != VERSION:
        raise InputError(
            f"it has version {version}, this Tollbooth reads {VERSION}; update Tollbooth"
        )
    return from_fields(fields)
