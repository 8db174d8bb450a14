"""Facts as tables: every row has a source, and how sure a row is follows from what backs it."""

import pytest

from advisor.catalog import load
from advisor.catalog.shapes import LINK_NOT_KEPT, Source
from advisor.views import source_tables

CARD = Source(backs=("license",), url=LINK_NOT_KEPT, confidence="low")
CONFIG = Source(backs=("config",), url="https://example.org/config.json")
COPY = Source(backs=("config",), url="https://example.org/copy", confidence="medium", note="a copy")


@pytest.fixture(scope="module")
def catalog():
    return load()


def test_a_row_is_as_sure_as_the_best_source_of_what_it_is_about():
    found = source_tables.sourced([CARD, COPY, CONFIG], "config")

    assert found["confidence"] == "high"
    assert found["source"].startswith("https://example.org/")
    assert found["low_for"] == "license"
    assert found["source_note"] == "a copy"


def test_without_a_main_field_the_least_sure_one_counts():
    assert source_tables.sourced([CARD, CONFIG])["confidence"] == "low"


def test_a_link_goes_before_words():
    found = source_tables.sourced([CARD, CONFIG])

    assert found["source"] == CONFIG.url
    assert found["more_sources"] == LINK_NOT_KEPT


@pytest.mark.parametrize(
    ("table", "rows"),
    [("chips", "chips"), ("macs", "macs"), ("models", "models"), ("quants", "quants")],
)
def test_a_table_has_a_row_a_fact(catalog, table, rows):
    found = getattr(source_tables, table)(catalog)

    assert len(found) == len(getattr(catalog, rows))


def test_every_chip_mac_price_and_model_says_where_it_comes_from(catalog):
    for table in (source_tables.chips, source_tables.macs, source_tables.prices,
                  source_tables.models):  # fmt: skip
        found = table(catalog)
        assert (found["source"] != "").all()
        assert found["confidence"].isin(["high", "medium", "low"]).all()


def test_the_m4_pro_is_as_apple_sells_it(catalog):
    chips = source_tables.chips(catalog).set_index("chip_id")

    assert chips.at["m4-pro-16", "bandwidth_gb_per_s"] == 273
    assert chips.at["m4-pro-16", "source"].startswith("https://")


def test_old_prices_stay_beside_new_ones(catalog):
    prices = source_tables.prices(catalog)

    small = prices[(prices["mac_id"] == "mac-mini-m4") & (prices["memory_gb"] == 16)]
    assert list(zip(small["on"], small["usd"], strict=True)) == [("2024-10", 599),
                                                                 ("2026-06-25", 799)]  # fmt: skip


def test_the_limit_by_the_rule_is_what_was_logged(catalog):
    limits = source_tables.limits(catalog).set_index("memory_gb")

    assert limits.at[16, "macos_26_to_27_mib"] * 2**20 == 12713115648
    assert limits.at[48, "macos_13_to_15_mib"] * 2**20 == 38654705664


def test_published_sizes_stand_beside_the_computed_ones(catalog):
    sizes = source_tables.sizes(catalog)
    gpt = sizes[(sizes["model_id"] == "gpt-oss-20b") & (sizes["channel"] == "ollama")]

    assert (
        gpt["published_gb"].round(1).eq(14.0).any() or gpt["published_gb"].round(1).eq(13.8).any()
    )
    assert sizes["computed_gb"].notna().mean() > 0.95
