"""What money and power are known: dated list prices, watts, hosted prices, electricity.

What is not known is None and asked of the person; nothing stands in for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.upgrade.machines import mac_of

if TYPE_CHECKING:
    import pandas as pd

    from advisor.catalog import Catalog
    from advisor.catalog.shapes import Machine

CURRENCY = "USD"  # of every price in the catalog
YOURS = "yours"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its date and where it is from; ``on`` "" where a person gave it."""

    value: float
    on: str
    what: str
    source: str


@dataclass(frozen=True, slots=True)
class Power:
    """Watts at the wall, idle and while a model answers.

    load_is_most   the load is a peak or Apple's maximum: an upper bound, not what a model draws
    """

    idle: Figure | None
    load: Figure | None
    load_is_most: bool = False


@dataclass(frozen=True, slots=True)
class Hosted:
    """What the cheapest hosted endpoint of a model charges a million tokens."""

    input_per_mtok: float
    output_per_mtok: float
    on: str
    what: str
    source: str


def list_price(catalog: Catalog, machine: Machine) -> Figure | None:
    """The newest list price of the machine's memory size; None where none is known."""
    mac = mac_of(catalog, machine)
    if mac is None:
        return None
    known = [price for price in mac.prices if price.memory_gb == machine.memory_gb]
    if not known:
        return None
    newest = max(known, key=lambda price: price.on)
    sources = [s.url for s in mac.sources if any(newest.on in back for back in s.backs)]
    drive = f", {newest.ssd_gb} GB drive" if newest.ssd_gb else ""
    return Figure(newest.usd, newest.on, f"{newest.kind}{drive}", sources[0])


def power(catalog: Catalog, machine: Machine, model_id: str = "") -> Power:
    """Measured watts of this Mac while it decodes, else Apple's maximum as an upper bound.

    model_id   a measurement of the same model goes first; else the largest one is taken
    """
    mac = mac_of(catalog, machine)
    if mac is None:
        return Power(None, None)
    told = [s.url for s in mac.sources if {"idle_w", "max_w"} & set(s.backs)]
    idle = None if mac.idle_w is None else Figure(mac.idle_w, "", "Apple's idle figure", told[0])
    seen = catalog.observations("energy.csv")
    seen = seen[(seen["mac_id"] == mac.id) & seen["watts_kind"].str.startswith("wall")]
    same = seen[seen["model_id"] == model_id]
    rows = same if len(same) else seen
    if len(rows):
        row = rows.loc[rows["watts"].idxmax()]
        what = f"measured at the {row['watts_kind']} with {row['model']}"
        load = Figure(float(row["watts"]), "", what, str(row["source_url"]))
        return Power(idle, load, load_is_most="peak" in row["watts_kind"])
    if mac.max_w is None:
        return Power(idle, None)
    most = Figure(mac.max_w, "", "Apple's maximum, an upper bound", told[0])
    return Power(idle, most, load_is_most=True)


def hosted(catalog: Catalog, model_id: str) -> Hosted | None:
    """The newest known hosted price of a model; None where none is known."""
    table = catalog.observations("hosted_prices.csv")
    rows = table[table["model_id"] == model_id].sort_values("on", kind="stable")
    if rows.empty:
        return None
    row = rows.iloc[-1]
    return Hosted(
        float(row["input_usd_per_mtok"]),
        float(row["output_usd_per_mtok"]),
        str(row["on"]),
        str(row["basis"]),
        str(row["source_url"]),
    )


def hosted_models(catalog: Catalog) -> tuple[str, ...]:
    """Models with a hosted price that the engine can predict, in the file's order."""
    table: pd.DataFrame = catalog.observations("hosted_prices.csv")
    known = set(catalog.model_ids)
    return tuple(dict.fromkeys(m for m in table["model_id"] if m in known))


def electricity(catalog: Catalog) -> Figure:
    """The newest known price of a kWh."""
    table = catalog.observations("electricity.csv")
    row = table.loc[table["on"].astype(str).sort_values(kind="stable").index[-1]]
    what = f"{row['place']}, {row['what']}"
    return Figure(float(row["usd_per_kwh"]), str(row["on"]), what, str(row["source_url"]))
