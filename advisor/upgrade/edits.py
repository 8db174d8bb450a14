"""What a person may change about money, checked; and the costs of one machine that follow.

A figure that is not given is the catalog's, and the catalog's are in US dollars: in another
currency they are withheld, since a number in the wrong currency is worse than none.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from advisor.advice.compare import REFERENCE_MODEL
from advisor.catalog.shapes import Machine
from advisor.errors import InputError, unknown
from advisor.upgrade import prices
from advisor.upgrade.money import Costs
from advisor.upgrade.prices import CURRENCY, YOURS, Figure, Hosted, Power

if TYPE_CHECKING:
    from advisor.catalog import Catalog

LONGEST_CURRENCY = 8
MOST_YEARS = 20.0
MOST_MONEY = 1e7
MOST_W = 5000.0


@dataclass(frozen=True)
class Edits:
    """A person's own figures; None and what is not there is the catalog's.

    price, idle_w, load_w   by machine id
    kwh                     the price of a kWh
    hosted_in, hosted_out   of a million prompt and output tokens
    life_years, duty        how long a machine is kept; the part of all hours it works
    model_id                the model whose tokens are priced
    """

    currency: str = CURRENCY
    price: Mapping[str, float] = field(default_factory=dict)
    idle_w: Mapping[str, float] = field(default_factory=dict)
    load_w: Mapping[str, float] = field(default_factory=dict)
    kwh: float | None = None
    hosted_in: float | None = None
    hosted_out: float | None = None
    life_years: float = 4.0
    duty: float = 0.1
    model_id: str = REFERENCE_MODEL


def check(catalog: Catalog, edits: Edits) -> None:
    """Raises ``InputError`` for the first figure that cannot be, in a sentence."""
    known = 1 <= len(edits.currency) <= LONGEST_CURRENCY
    if not known or not all(c.isalpha() or unicodedata.category(c) == "Sc" for c in edits.currency):
        raise InputError(
            f"A currency is 1 to {LONGEST_CURRENCY} letters or a sign, such as USD or €, not "
            f"{edits.currency[:20]!r}."
        )
    for machine_id, value in edits.price.items():
        _above(f"The price of {machine_id}", value, MOST_MONEY)
    for name, watts in (("at idle", edits.idle_w), ("at work", edits.load_w)):
        for machine_id, value in watts.items():
            _above(f"The watts {name} of {machine_id}", value, MOST_W)
    for name, single in (
        ("The price of a kWh", edits.kwh),
        ("The hosted price of output", edits.hosted_out),
    ):
        if single is not None:
            _above(name, single, MOST_MONEY)
    if edits.hosted_in is not None and not 0 <= edits.hosted_in <= MOST_MONEY:
        raise InputError(f"The hosted price of prompts must be 0 or more, not {edits.hosted_in:g}.")
    _above("The life in years", edits.life_years, MOST_YEARS)
    _above("The part of all hours at work", edits.duty, 1.0)
    if edits.model_id not in catalog.model_ids:
        raise unknown("model", edits.model_id, catalog.model_ids)


def amount(text: str, what: str) -> float:
    """A number a person typed. Raises ``InputError`` for words, infinities and nothing."""
    try:
        value = float(text.strip().replace(",", ""))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{what}: {text.strip()[:40]!r} is not a number.")
    return value


def by_machine(items: list[str] | None, what: str) -> dict[str, float]:
    """ "mac-mini-m4-16=650" as {"mac-mini-m4-16": 650.0}."""
    found = {}
    for item in items or ():
        machine_id, equals, value = item.partition("=")
        if not equals:
            raise InputError(f"{what} is given as MACHINE=NUMBER, not {item[:60]!r}.")
        found[machine_id.strip().lower()] = amount(value, f"{what} of {machine_id.strip()}")
    return found


def price(catalog: Catalog, machine: Machine, edits: Edits) -> Figure | None:
    """The price a machine is reckoned with; None where it is not known."""
    if machine.id in edits.price:
        return Figure(edits.price[machine.id], "", YOURS, "")
    return prices.list_price(catalog, machine) if edits.currency == CURRENCY else None


def power(catalog: Catalog, machine: Machine, edits: Edits) -> Power:
    """The watts a machine is reckoned with."""
    found = prices.power(catalog, machine, edits.model_id)
    idle, load, most = found.idle, found.load, found.load_is_most
    if machine.id in edits.idle_w:
        idle = Figure(edits.idle_w[machine.id], "", YOURS, "")
    if machine.id in edits.load_w:
        load, most = Figure(edits.load_w[machine.id], "", YOURS, ""), False
    return Power(idle, load, most)


def electricity(catalog: Catalog, edits: Edits) -> Figure | None:
    """The price of a kWh; None where it is not known."""
    if edits.kwh is not None:
        return Figure(edits.kwh, "", YOURS, "")
    return prices.electricity(catalog) if edits.currency == CURRENCY else None


def hosted(catalog: Catalog, edits: Edits) -> Hosted | None:
    """What the priced model costs hosted; None where it is not known."""
    known = prices.hosted(catalog, edits.model_id) if edits.currency == CURRENCY else None
    if edits.hosted_out is None and (known is None or edits.hosted_in is None):
        return known
    output = edits.hosted_out if edits.hosted_out is not None else known.output_per_mtok  # type: ignore[union-attr]
    given = edits.hosted_in
    if given is None:
        given = 0.0 if known is None else known.input_per_mtok
    return Hosted(given, output, "", YOURS, "")


def costs(catalog: Catalog, machine: Machine, edits: Edits) -> Costs:
    """All that is paid for one machine, from the person's figures and the catalog's."""
    paid, watts = price(catalog, machine, edits), power(catalog, machine, edits)
    kwh, away = electricity(catalog, edits), hosted(catalog, edits)
    return Costs(
        price=None if paid is None else paid.value,
        idle_w=None if watts.idle is None else watts.idle.value,
        load_w=None if watts.load is None else watts.load.value,
        kwh=None if kwh is None else kwh.value,
        hosted_in=None if away is None else away.input_per_mtok,
        hosted_out=None if away is None else away.output_per_mtok,
        life_years=edits.life_years,
        duty=edits.duty,
        load_is_most=watts.load_is_most,
    )


def _above(what: str, value: float, most: float) -> None:
    if not 0 < value <= most:
        raise InputError(f"{what} must be above 0 and at most {most:,.0f}, not {value:g}.")
