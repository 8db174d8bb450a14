"""Prices and watts are those of the catalog, dated; what is not known is None."""

import pytest

from advisor.catalog import load
from advisor.upgrade import prices
from advisor.upgrade.machines import machine


@pytest.fixture(scope="module")
def catalog():
    return load()


def test_the_newest_list_price_counts(catalog):
    """The 16 GB mini was 599 in 2024 and 799 from 2026-06-25."""
    found = prices.list_price(catalog, catalog.machine("mac-mini-m4-16"))

    assert (found.value, found.on) == (799, "2026-06-25")
    assert found.source.startswith("https://")


@pytest.mark.parametrize("text", ["mac-studio-m5-ultra-512", "m4 pro:16:48"])
def test_a_missing_price_is_none(catalog, text):
    assert prices.list_price(catalog, machine(catalog, text)) is None


def test_measured_watts_go_before_apples_maximum(catalog):
    """30.1 W with the 8B, 31.4 W with the 3B; Apple says 4 and 65."""
    mini = catalog.machine("mac-mini-m4-16")

    found = prices.power(catalog, mini, "llama-3.1-8b")

    assert (found.idle.value, found.load.value, found.load_is_most) == (4, 30.1, False)
    assert prices.power(catalog, mini, "qwen3-8b").load.value == 31.4


def test_apples_maximum_is_called_an_upper_bound(catalog):
    found = prices.power(catalog, catalog.machine("mac-mini-m4-pro-48"))

    assert (found.load.value, found.load_is_most) == (140, True)
    assert "upper bound" in found.load.what


def test_a_measured_peak_is_an_upper_bound_too(catalog):
    found = prices.power(catalog, catalog.machine("mac-studio-m3-ultra-256"), "gpt-oss-20b")

    assert (found.load.value, found.load_is_most) == (227, True)


def test_watts_that_nobody_published_are_none(catalog):
    assert prices.power(catalog, catalog.machine("mac-mini-m5-pro-48")).load is None


def test_hosted_prices_are_dated(catalog):
    found = prices.hosted(catalog, "llama-3.1-8b")

    assert (found.input_per_mtok, found.output_per_mtok) == (0.02, 0.04)
    assert found.on == "2026-09-03"
    assert prices.hosted(catalog, "phi-2") is None


def test_every_hosted_model_is_one_of_the_catalog(catalog):
    table = catalog.observations("hosted_prices.csv")

    assert set(table["model_id"]) <= {path.stem for path in catalog.root.glob("models/*.json")}
    assert set(prices.hosted_models(catalog)) <= set(catalog.model_ids)
    assert table["on"].str.fullmatch(r"\d{4}-\d{2}-\d{2}").all()


def test_electricity_is_the_newest(catalog):
    assert prices.electricity(catalog).value == 0.18
    assert prices.electricity(catalog).on == "2026"


def test_every_mac_of_the_energy_file_is_known(catalog):
    macs = catalog.observations("energy.csv")["mac_id"].dropna()

    assert set(macs) <= set(catalog.mac_ids)
