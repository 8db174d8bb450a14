"""YAML, JSON and environment files as people read them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

import yaml

WIDTH = 100


class _Dumper(yaml.SafeDumper):
    """Several lines as a block, lists indented below their key."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def yaml_text(value: Mapping[str, Any], head: Iterable[str] = ()) -> str:
    """A mapping as YAML in its own order; ``head`` are lines of comment before it."""
    body = yaml.dump(dict(value), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH)
    return comment(head) + body


def json_text(value: Mapping[str, Any]) -> str:
    """A mapping as indented JSON in its own order."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def comment(lines: Iterable[str]) -> str:
    """Lines as comments of YAML or a shell; a line break inside one cannot leave it."""
    return "".join(f"# {' '.join(part.splitlines())}".rstrip() + "\n" for part in lines)


def environment_text(values: Mapping[str, str | int], head: Iterable[str] = ()) -> str:
    """``export NAME=value`` lines for a shell."""
    lines = [f"export {name}={shlex.quote(str(value))}\n" for name, value in values.items()]
    return comment(head) + "".join(lines)
