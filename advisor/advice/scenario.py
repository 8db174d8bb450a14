"""The what-if state as ids and numbers: what a link holds, checked before anything uses it.

Keys are short and stable, since links are kept by people: a and b machines, ctx context, rt
runtime, macos, use memory in use, kv cache bits, wa and wb wired limits, min least speed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from advisor.advice.this_machine import find
from advisor.catalog.shapes import Machine
from advisor.detect import THIS
from advisor.errors import InputError, unknown
from advisor.estimate import plan

if TYPE_CHECKING:
    from advisor.catalog import Catalog

CONTEXTS = tuple(2**power for power in range(9, 18))  # 512 to 128K


@dataclass(frozen=True)
class Scenario:
    """Two machines and what is asked of them. ``use_gb`` is GiB, wired limits are MiB."""

    a: str = "mac-mini-m4-16"
    b: str = "mac-mini-m4-pro-48"
    context_tokens: int = plan.DEFAULT_CONTEXT_TOKENS
    runtime: str = "mlx-lm"
    macos: int = 26
    use_gb: float = 0.0
    kv_bits: int = 16
    wired_a_mib: int = 0  # 0: macOS's default
    wired_b_mib: int = 0
    least_tok_s: float = 20.0

    @property
    def key(self) -> tuple[object, ...]:
        """Every value, for caches."""
        return astuple(self)


DEFAULT = Scenario()
# Link key -> field. A key never changes its meaning; old links must open.
LINK_KEYS = {
    "a": "a",
    "b": "b",
    "ctx": "context_tokens",
    "rt": "runtime",
    "macos": "macos",
    "use": "use_gb",
    "kv": "kv_bits",
    "wa": "wired_a_mib",
    "wb": "wired_b_mib",
    "min": "least_tok_s",
}


def from_link(catalog: Catalog, params: Mapping[str, str]) -> tuple[Scenario, list[str]]:
    """The scenario of a link and a sentence for each value that could not be used.

    What cannot be used keeps its default; keys of other pages are left alone.
    """
    scenario, problems = DEFAULT, []
    for key, name in LINK_KEYS.items():
        if key not in params:
            continue
        try:
            changed = replace(scenario, **{name: _value(catalog, key, params[key])})  # type: ignore[arg-type]
            machines(catalog, changed)
        except InputError as error:
            kept = _text(getattr(scenario, name))
            problems.append(f"The link's {key}={params[key][:60]!r}: {error} Shown with {kept}.")
        else:
            scenario = changed
    return scenario, problems


def to_link(scenario: Scenario) -> dict[str, str]:
    """The link's keys and values: both machines and whatever is not the default."""
    return {
        key: _text(getattr(scenario, name))
        for key, name in LINK_KEYS.items()
        if key in ("a", "b") or getattr(scenario, name) != getattr(DEFAULT, name)
    }


def query(scenario: Scenario) -> str:
    """The query part of a link, without the question mark."""
    return urlencode(to_link(scenario))


def machines(catalog: Catalog, scenario: Scenario) -> tuple[Machine, Machine]:
    """Both machines with the scenario's macOS, limits and memory in use.

    Raises ``InputError`` for a value that cannot be, such as a limit above the memory.
    """
    return (
        machine(catalog, scenario, scenario.a, scenario.wired_a_mib),
        machine(catalog, scenario, scenario.b, scenario.wired_b_mib),
    )


def machine(
    catalog: Catalog, scenario: Scenario, machine_id: str, wired_limit_mib: int = 0
) -> Machine:
    """One machine with the scenario's macOS and memory in use.

    This Mac has its own macOS, and its own memory in use where the scenario says none.
    """
    this = machine_id == THIS
    return find(
        catalog,
        machine_id,
        macos=None if this else scenario.macos,
        wired_limit_mib=wired_limit_mib or None,
        in_use_gb=None if this and not scenario.use_gb else scenario.use_gb,
    )


def _value(catalog: Catalog, key: str, text: str) -> object:
    if key in ("a", "b"):
        find(catalog, text)
        return text.strip().lower()
    if key == "rt":
        if text not in catalog.runtimes:
            raise unknown("runtime", text, catalog.runtime_ids)
        return text
    number = _number(text)
    if key == "ctx":
        plan.check_numbers(context_tokens=_whole(number))
    if key == "kv" and number not in plan.KV_BITS:
        raise InputError(f"a cache has 16, 8 or 4 bits, not {number:g}.")
    if key in ("use", "min", "wa", "wb") and number < 0:
        raise InputError("it must not be below 0.")
    return number if key in ("use", "min") else _whole(number)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) < 1e12:
        raise InputError(f"{text[:40]!r} is not a number.")
    return value


def _whole(value: float) -> int:
    if value != int(value):
        raise InputError(f"{value:g} is not a whole number.")
    return int(value)


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
