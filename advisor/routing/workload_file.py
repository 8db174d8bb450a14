"""A person's own workload: a TOML or CSV file of classes, or a log of requests.

From a log only token counts are taken; texts are counted (four characters a token) and dropped.
"""

from __future__ import annotations

import csv
import io
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from advisor.catalog.files import first_problem
from advisor.errors import InputError
from advisor.routing.workload import RequestClass, Workload

LARGEST_BYTES = 200_000_000
CHARACTERS_PER_TOKEN = 4
LEAST_LINES = 5
PROMPT_NAMES = ("prompt_tokens", "input_tokens", "contexttokens", "prompt", "input")
OUTPUT_NAMES = ("output_tokens", "completion_tokens", "generatedtokens", "output", "completion")
NUMBERS = {
    "share", "prompt_p50_tokens", "prompt_p90_tokens", "output_p50_tokens", "output_p90_tokens",
    "prefix_share", "least_tok_s", "most_ttft_s", "least_quality",
}  # fmt: skip


def read_workload(path: Path) -> Workload:
    """The workload of a file; what it is, its ending and columns say.

    Raises ``InputError`` with a sentence for a file that cannot be used.
    """
    text = read_text(path)
    if path.suffix == ".toml":
        return from_toml(text, path.name)
    if path.suffix in (".jsonl", ".ndjson", ".json"):
        return from_log(list(_json_lines(text)), path.name)
    header = text.lstrip("\ufeff").split("\n", 1)[0].lower()
    if "prompt_p50_tokens" in header:
        return from_csv(text, path.name)
    return from_log(list(_csv_lines(text, path.name)), path.name)


def from_toml(text: str, name: str) -> Workload:
    """A workload written as the catalog's are; sources may be left out."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name} is not valid TOML: {error}.") from error
    data.setdefault("id", Path(name).stem)
    data.setdefault("name", data["id"])
    return _checked(data, name)


def from_csv(text: str, name: str, requests_per_hour: float = 60.0) -> Workload:
    """A workload from a table with a row a class, columns as a class's fields."""
    rows = list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline="")))
    classes = []
    for number, row in enumerate(rows, start=2):
        entry: dict[str, object] = {}
        for key, value in row.items():
            if key is None or value is None or not value.strip():
                continue
            field, given = key.strip().lower(), value.strip()
            try:
                if field in NUMBERS:
                    entry[field] = float(given)
                elif field == "concurrency":
                    entry[field] = int(given)
                elif field in ("images", "tools"):
                    entry[field] = given.lower() in ("1", "true", "yes", "x")
                else:
                    entry[field] = given
            except ValueError:
                raise InputError(
                    f"{name}, line {number}: {field} is {given!r}. Write a number."
                ) from None
        entry.setdefault("name", entry.get("id", ""))
        classes.append(entry)
    if not classes:
        raise InputError(f"{name} has no classes. Write a row for each.")
    stem = Path(name).stem
    return _checked(
        {"id": stem, "name": stem, "requests_per_hour": requests_per_hour, "classes": classes},
        name,
    )


Line = tuple[float, float] | None  # prompt and output tokens; None: not understood


def from_log(lines: list[Line], name: str) -> Workload:
    """One class from a log's token counts; lines that are not understood are counted, not used.

    Raises ``InputError`` where fewer than five lines can be used.
    """
    good = np.array([line for line in lines if line is not None], dtype=float).reshape(-1, 2)
    broken = len(lines) - len(good)
    if len(good) < LEAST_LINES:
        raise InputError(
            f"{name}: {len(good)} of {len(lines)} lines tell prompt and output tokens, and at "
            f"least {LEAST_LINES} are needed. A line is a JSON object with usage.prompt_tokens and "
            "usage.completion_tokens, or a CSV row under prompt_tokens,output_tokens."
        )
    p50, p90 = np.percentile(good, [50, 90], axis=0)
    left = f" {broken} of {len(lines)} lines were not understood and left out." if broken else ""
    request = {
        "id": "log", "name": "As in the log", "scale": "chat", "share": 1.0,
        "prompt_p50_tokens": max(float(p50[0]), 1.0), "prompt_p90_tokens": max(float(p90[0]), 1.0),
        "output_p50_tokens": max(float(p50[1]), 1.0), "output_p90_tokens": max(float(p90[1]), 1.0),
        "least_tok_s": 20.0, "most_ttft_s": 10.0,
    }  # fmt: skip
    stem = Path(name).stem[:60]
    return _checked(
        {
            "id": stem or "log", "name": stem or "log", "requests_per_hour": 60.0,
            "note": f"Lengths of {len(good)} requests; the floors and the rate are choices.{left}",
            "classes": [request],
        },
        name,
    )  # fmt: skip


def _json_lines(text: str) -> Iterator[Line]:
    for line in text.splitlines():
        if line.strip():
            try:
                yield _of_json(json.loads(line))
            except (ValueError, TypeError, AttributeError, RecursionError):
                yield None


def _of_json(entry: Any) -> Line:
    """Token counts of one logged request: its usage, else four characters a token."""
    body = entry["response"] if isinstance(entry.get("response"), dict) else entry
    body = body.get("body", body)
    usage = body.get("usage") or entry.get("usage") or entry
    prompt = next((usage[n] for n in PROMPT_NAMES[:2] if n in usage), None)
    output = next((usage[n] for n in OUTPUT_NAMES[:2] if n in usage), None)
    if prompt is None:
        messages = entry.get("body", entry).get("messages")
        answers = body.get("choices")
        if messages is None or answers is None:
            return None
        prompt = len(json.dumps(messages, ensure_ascii=False)) / CHARACTERS_PER_TOKEN
        output = len(json.dumps(answers, ensure_ascii=False)) / CHARACTERS_PER_TOKEN
    return _counts(prompt, output)


def _csv_lines(text: str, name: str) -> Iterator[Line]:
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""))
    columns = {(c or "").strip().lower(): c for c in reader.fieldnames or ()}
    prompt = next((columns[n] for n in PROMPT_NAMES if n in columns), None)
    output = next((columns[n] for n in OUTPUT_NAMES if n in columns), None)
    if prompt is None or output is None:
        raise InputError(
            f"{name} has no columns prompt_tokens and output_tokens. "
            f"Its columns are: {', '.join(c for c in columns if c) or 'none'}."
        )
    for row in reader:
        try:
            yield _counts(row[prompt], row[output])
        except (ValueError, TypeError):
            yield None


def _counts(prompt: object, output: object) -> Line:
    pair = float(str(prompt)), float(str(output if output is not None else 0))
    return pair if 0 < pair[0] <= 2**24 and 0 <= pair[1] <= 2**24 else None


def _checked(data: dict[str, object], name: str) -> Workload:
    try:
        return Workload.model_validate_json(json.dumps(data, default=str), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        shape = RequestClass if "classes" in first["loc"] else Workload
        raise InputError(f"{name}: {first_problem(error, shape)}") from error


def read_text(path: Path) -> str:
    """A person's text file. Raises ``InputError`` where it cannot be read."""
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise InputError(f"{path.name} is larger than 200 MB. Give a part of it.")
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path.name}: byte {error.start} is not UTF-8. Save it as UTF-8."
        ) from error
