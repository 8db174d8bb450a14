"""A page's own keys in the link: read once, checked, kept while the page shows, written back.

The scenario (machines, context, runtime) is the same on every page and lives in ``state``.
These are the filters and choices of one page. Values are ids and short text, looked up in what
is known; what is not known costs one sentence, and the rest is used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from advisor.errors import InputError, unknown
from advisor.views import echo
from advisor.views.plain import plain

LONGEST_TEXT = 60


@dataclass(frozen=True)
class Text:
    """Short plain text, such as a search."""

    default: str = ""

    def parse(self, text: str) -> tuple[str, list[str]]:
        if len(text) > LONGEST_TEXT:
            return self.default, [f"text in a link has at most {LONGEST_TEXT} characters."]
        return text, []


@dataclass(frozen=True)
class One:
    """One of the known ids."""

    what: str
    known: Collection[str]
    default: str

    def parse(self, text: str) -> tuple[str, list[str]]:
        if text not in self.known:
            return self.default, [_unknown(self.what, text, self.known)]
        return text, []


@dataclass(frozen=True)
class Many:
    """Some of the known ids, none twice; ``most`` how many a page can show."""

    what: str
    known: Collection[str]
    default: tuple[str, ...] = ()
    most: int = 100

    def parse(self, text: str) -> tuple[list[str], list[str]]:
        names = list(dict.fromkeys(name for name in text.split(",") if name))
        good = [name for name in names if name in self.known]
        problems = [_unknown(self.what, name, self.known) for name in names if name not in good][:1]
        if len(good) > self.most:
            problems.append(f"at most {self.most} can be shown at once, not {len(good)}.")
        return good[: self.most], problems


@dataclass(frozen=True)
class Number:
    """A number above ``above`` and at most ``most``; without one, ``default``."""

    default: float | None
    above: float
    most: float

    def parse(self, text: str) -> tuple[float | None, list[str]]:
        try:
            value = float(text)
        except ValueError:
            return self.default, [f"{text[:LONGEST_TEXT]!r} is not a number."]
        if not self.above < value <= self.most:
            wanted = f"it must be above {self.above:g} and at most {self.most:,.10g}"
            return self.default, [f"{wanted}, not {value:g}."]
        return value, []


@dataclass(frozen=True)
class Amounts:
    """A number for each of some ids: "mac-mini-m4-16:650,m4-pro:48:900"."""

    above: float
    most: float
    default: tuple[()] = ()

    def parse(self, text: str) -> tuple[dict[str, float], list[str]]:
        found: dict[str, float] = {}
        problems: list[str] = []
        one = Number(None, self.above, self.most)
        for item in (part for part in text.split(",") if part):
            name, _, number = item.rpartition(":")
            value, wrong = one.parse(number)
            problems += wrong[:1] if name else ["a number needs the machine it is for."]
            if name and value is not None:
                found[name] = value
        return found, problems[:1]


@dataclass(frozen=True)
class Checked:
    """Some texts that a check accepts, none twice; the check raises ``InputError`` otherwise."""

    check: Callable[[str], str]
    default: tuple[str, ...] = ()
    most: int = 10

    def parse(self, text: str) -> tuple[list[str], list[str]]:
        good: list[str] = []
        problems = []
        for name in (part for part in text.split(",") if part):
            try:
                good.append(self.check(name))
            except InputError as error:
                problems.append(str(error))
        good = list(dict.fromkeys(good))
        if len(good) > self.most:
            problems.append(f"at most {self.most} can be shown at once, not {len(good)}.")
        return good[: self.most], problems[:2]


Kind = Text | One | Many | Number | Amounts | Checked


def _unknown(what: str, given: str, known: Collection[str]) -> str:
    return str(unknown(what, given[:LONGEST_TEXT], known))


@dataclass(frozen=True)
class PageKeys:
    """The keys of one page, by their name in the link."""

    page: str
    kinds: Mapping[str, Kind] = field(default_factory=dict)

    def widget(self, name: str) -> str:
        """The session key of the widget that shows a value."""
        return f"{self.page} {name}"

    def open(self) -> None:
        """Give the widgets their values, from a link that was just opened or as they were.

        Draws a sentence for each value of the link that could not be used.
        """
        shown = {name: st.query_params[name] for name in self.kinds if name in st.query_params}
        opened = self._kept not in st.session_state or (
            bool(st.query_params) and not echo.is_ours(self.page, shown)
        )
        if opened:
            values, problems = parse(self.kinds, shown)
            st.session_state[self._kept] = values
            st.session_state[f"{self.page} problems"] = problems
        for name, value in st.session_state[self._kept].items():
            if opened or self.widget(name) not in st.session_state:
                st.session_state[self.widget(name)] = value
        for problem in st.session_state.get(f"{self.page} problems", []):
            st.warning(plain(problem))

    def close(self) -> dict[str, str | list[str]]:
        """Keep what the widgets say; the keys and values that belong into the link."""
        before = st.session_state[self._kept]
        values = {
            name: st.session_state.get(self.widget(name), before[name]) for name in self.kinds
        }
        if values != before:
            st.session_state[f"{self.page} problems"] = []
        st.session_state[self._kept] = values
        link = to_link(self.kinds, values)
        echo.wrote(self.page, link)
        return dict(link)

    @property
    def _kept(self) -> str:
        return f"{self.page} kept"


def parse(kinds: Mapping[str, Kind], shown: Mapping[str, str]) -> tuple[dict[str, Any], list[str]]:
    """Checked values of a link, and a sentence for each part that could not be used."""
    values: dict[str, Any] = {}
    problems = []
    for name, kind in kinds.items():
        values[name] = _fresh(kind)
        if name in shown:
            values[name], wrong = kind.parse(shown[name])
            link = f"The link's {name}={shown[name][:LONGEST_TEXT]!r}"
            problems += [f"{link}: {sentence}" for sentence in wrong]
    return values, problems


def _fresh(kind: Kind) -> Any:
    """The default as a value of its own, for what a page may change in place."""
    if isinstance(kind, Many | Checked):
        return list(kind.default)
    return {} if isinstance(kind, Amounts) else kind.default


def to_link(kinds: Mapping[str, Kind], values: Mapping[str, Any]) -> dict[str, str]:
    """The values that are not the default, as text."""
    return {
        name: _text(values[name])
        for name, kind in kinds.items()
        if _text(values[name]) != _text(kind.default)
    }


def _text(value: str | float | Mapping[str, float] | Collection[str] | None) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, int | float):
        return f"{value:.10g}"
    if isinstance(value, Mapping):
        return ",".join(f"{name}:{number:.10g}" for name, number in value.items())
    return ",".join(value)
