"""Which models may be in memory together, as llama-swap's small set language writes it.

``a & b`` are together, ``a | b`` are alternatives, parentheses group. A set permits its subsets.
Source: llama-swap v250, config.example.yaml, routing.router.settings.matrix.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from advisor.errors import InputError

Together = frozenset[str]
MOST_MODELS = 16  # 65,536 subsets; no table has more than a handful
_TOKEN = re.compile(r"\s*([A-Za-z0-9.-]+|[&|()])")


def maximal_sets(
    footprints: Mapping[str, float], limit_bytes: float, keep: Collection[str] = ()
) -> list[Together]:
    """Every set that fits the limit and to which nothing more can be added, the fullest first.

    footprints   bytes of each model: weights, caches and buffers
    keep         models that are in every set, such as those never unloaded

    A model larger than what ``keep`` leaves is in no set. Raises ``InputError`` for more than
    ``MOST_MODELS`` models.
    """
    if len(footprints) > MOST_MODELS:
        raise InputError(
            f"{len(footprints)} models are too many to combine; keep {MOST_MODELS} or fewer."
        )
    base = sum(footprints[name] for name in keep)
    if base > limit_bytes:
        return []
    free = [name for name in footprints if name not in keep]
    fitting: list[tuple[float, Together]] = []
    for picked in range(1 << len(free)):
        names = [name for place, name in enumerate(free) if picked >> place & 1]
        size = base + sum(footprints[name] for name in names)
        if size <= limit_bytes and not any(
            size + footprints[name] <= limit_bytes for name in free if name not in names
        ):
            fitting.append((size, frozenset([*keep, *names])))
    return [found for _, found in sorted(fitting, key=lambda pair: -pair[0]) if found]


def expressions(sets: Iterable[Together]) -> list[str]:
    """Sets as expressions; those that differ in one model become one with alternatives.

    {e, small}, {e, large} and {huge} come out as ``e & (small | large)`` and ``huge``.
    """
    left = list(sets)
    found = []
    while left:
        groups = [
            [other for other in left if other == one or _swaps(one, other, name)]
            for one in left
            for name in sorted(one)
        ]
        group = max(groups, key=len)
        common = frozenset.intersection(*group)
        found.append(_written(sorted(common), sorted("".join(s - common) for s in group)))
        left = [one for one in left if one not in group]
    return found


def _swaps(one: Together, other: Together, name: str) -> bool:
    """Whether ``other`` is ``one`` with another model in the place of ``name``."""
    return name not in other and one - {name} < other and len(one) == len(other)


def _written(common: list[str], alternatives: list[str]) -> str:
    if len(alternatives) < 2:
        return " & ".join(common)
    either = " | ".join(alternatives)
    return f"{' & '.join(common)} & ({either})" if common else either


def expand(expression: str) -> list[Together]:
    """The sets an expression stands for. Raises ``InputError`` where it cannot be read."""
    tokens = _tokens(expression)
    found = _either(tokens, expression)
    if tokens:
        raise InputError(f"The set {expression!r} cannot be read from {tokens[0]!r} on.")
    return found


def _tokens(expression: str) -> list[str]:
    tokens, place = [], 0
    text = expression.strip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise InputError(f"The set {expression!r} cannot be read from {text[place:]!r} on.")
        tokens.append(match[1])
        place = match.end()
    return tokens


def _either(tokens: list[str], whole: str) -> list[Together]:
    found = _together(tokens, whole)
    while tokens and tokens[0] == "|":
        tokens.pop(0)
        found += _together(tokens, whole)
    return found


def _together(tokens: list[str], whole: str) -> list[Together]:
    found = _one(tokens, whole)
    while tokens and tokens[0] == "&":
        tokens.pop(0)
        more = _one(tokens, whole)
        found = [left | right for left in found for right in more]
    return found


def _one(tokens: list[str], whole: str) -> list[Together]:
    token = tokens.pop(0) if tokens else ""
    if token == "(":
        found = _either(tokens, whole)
        if not tokens or tokens.pop(0) != ")":
            raise InputError(f"The set {whole!r} lacks a closing parenthesis.")
        return found
    if token in ("", "&", "|", ")"):
        raise InputError(f"The set {whole!r} lacks a model where {token or 'its end'!r} stands.")
    return [frozenset([token])]
