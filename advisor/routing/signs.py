"""Signs of code and of reasoning in a prompt, each with its weight.

A sign that is the same in every language (a line of code, a formula, the name of a programming
language) may decide, alone if it is plain enough. Words are stems in many languages: however
many there are, they count as one sign and never decide alone.

Every request passes here, so a search starts with what is cheap to rule out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

MARKERS = Path(__file__).with_name("markers.json")
ENOUGH = 2
LEAST_CODE_LINES, CODE_LINE_SHARE = 2, 0.4
LEAST_NUMBERS, LEAST_STEPS = 4, 2
MOST_SHOWN_CHARS = 24

# What shows a sign, "" where that is too long to show, None where the sign is not there.
Find = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Sign:
    """``weight`` 2 decides alone, 1 needs another; ``neutral`` is the same in every language."""

    name: str
    weight: int
    find: Find
    neutral: bool = True


def enough(kind: str, text: str) -> str:
    """The signs of a kind, in words, where there are enough of them; else ""."""
    weight, neutral, found = 0, False, []
    for sign in signs()[kind]:
        if not (sign.neutral or neutral):
            continue  # Words alone decide nothing, so they need not be looked for.
        shown = sign.find(text)
        if shown is None:
            continue
        weight += sign.weight
        neutral |= sign.neutral
        found.append(f"{sign.name} ({shown})" if shown else sign.name)
        if weight >= ENOUGH and neutral:
            return " and ".join(found)
    return ""


@lru_cache(maxsize=1)
def signs() -> dict[str, tuple[Sign, ...]]:
    """Signs by kind, in the order they are looked for."""
    markers = json.loads(MARKERS.read_text(encoding="utf-8"))
    endings = "|".join(sorted(map(re.escape, markers["code_endings"]), key=len, reverse=True))
    return {
        "code": (
            Sign("a stack trace", 2, _pattern(
                r'File "[^"\n]+", line \d+|^\s+at \S+ ?\([^\n]+:\d+\)',
                ('File "', " at ", "\tat "))),
            Sign("mostly lines of code", 2, _mostly_code),
            Sign("a programming language", 1, _names(markers["code_names"])),
            Sign("a file of code", 1, _pattern(rf"\.(?:{endings})\b", (".",))),
            Sign("an identifier", 1, _pattern(
                r"\b[a-z]\w*_[a-z]\w*|\b\w+\(\)|\b[A-Z]\w+(?:Error|Exception)\b",
                ("_", "()", "Error", "Exception"))),
            Sign("an identifier", 1, _pattern(r"\b[a-z]+[A-Z]\w+")),
            Sign("a word of programming", 1, _words(markers["code_words"]), neutral=False),
        ),
        "reasoning": (
            Sign("a formula", 2, _pattern(
                r"\\(?:frac|sum|int|sqrt|begin|lim|mathbb|forall|infty)\b|\$\$.+?\$\$",
                ("\\", "$$"))),
            Sign("signs of mathematics", 1, _pattern(r"[∑∫√∀∃⇒⇔≤≥≠∈⊂∞≡∂∇]")),
            Sign("an equation", 1, _pattern(
                r"[-+*/^×÷] ?[\w(]{1,9} ?[=<>≤≥]|[=<>≤≥] ?[\w(]{1,9} ?[-+*/^×÷]|\w ?\^ ?\w",
                ("=", "^", "<", ">", "≤", "≥"))),
            Sign("many numbers", 1, _many(r"\d+(?:[.,]\d+)*", LEAST_NUMBERS)),
            Sign("numbered steps", 1, _many(r"^\s*(?:\(?[a-e1-9]\)|[1-9]\.)\s", LEAST_STEPS)),
            Sign("a word of reasoning", 1, _words(markers["reasoning_words"]), neutral=False),
        ),
    }  # fmt: skip


def _shown(text: str) -> str:
    text = text.strip()
    return text if len(text) <= MOST_SHOWN_CHARS and "\n" not in text else ""


def _pattern(pattern: str, needs: tuple[str, ...] = ()) -> Find:
    """A pattern that is only looked for where one of ``needs`` is in the text."""
    search = re.compile(pattern, re.M).search

    def find(text: str) -> str | None:
        if needs and not any(part in text for part in needs):
            return None
        match = search(text)
        return None if match is None else _shown(match[0])

    return find


def _many(pattern: str, least: int) -> Find:
    """A pattern that stands there several times."""
    iterate = re.compile(pattern, re.M).finditer

    def find(text: str) -> str | None:
        return "" if any(n == least for n, _ in enumerate(iterate(text), start=1)) else None

    return find


def _names(names: Iterable[str]) -> Find:
    """One of the names as a whole word, also where Chinese or Japanese text touches it."""
    known = frozenset(names)
    words = re.compile(r"[a-z][a-z0-9]*(?:\.[a-z]+|[+#]+)?").findall

    def find(text: str) -> str | None:
        for word in words(text.lower()):
            if word in known or word.partition(".")[0] in known:
                return word
        return None

    return find


def _words(stems: Iterable[str]) -> Find:
    """A word that begins with one of the stems.

    Stems of several words, and those of scripts that join words or their endings (Chinese,
    Japanese, Korean, Thai), may stand anywhere.
    """
    anywhere, by_start = [], dict[str, tuple[str, ...]]()
    for stem in stems:
        if re.search(r"[\s-]|[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", stem):
            anywhere.append(stem)
        else:
            by_start[stem[:2]] = (*by_start.get(stem[:2], ()), stem)
    words = re.compile(r"\w+").findall

    def find(text: str) -> str | None:
        lower = text.lower()
        for word in words(lower):
            if word.startswith(by_start.get(word[:2], ())):
                return _shown(word)
        return next((stem for stem in anywhere if stem in lower), None)

    return find


_CODE_START = re.compile(
    r"(?:def|class|import|from|return|if|elif|else|for|while|try|const|let|var|function|public|"
    r"private|static|fn|func|package|using|namespace|async|await|select|insert|update|#include|"
    r"@\w+)\b.*[:;{=(<,)]|[\w.\[\]\"']+ ?[-+*/|&]?= ?\S|[\w.]+\(.*\) ?[;:]?$|</?\w+[^>]*>|//|#!",
    re.I,
)
_CODE_END = (";", "{", "}", "};", ");", "):")
_OPERATORS = ("=>", "==", "!=", "&&", "||", "->", "::")


def _mostly_code(text: str) -> str | None:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) < LEAST_CODE_LINES:
        return None
    code = sum(
        line.endswith(_CODE_END)
        or _CODE_START.match(line) is not None
        or any(operator in line for operator in _OPERATORS)
        for line in lines
    )
    enough_lines = code >= LEAST_CODE_LINES and code >= CODE_LINE_SHARE * len(lines)
    return "" if enough_lines else None
