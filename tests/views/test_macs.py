"""What is to know of a Mac before it is bought."""

from dataclasses import replace

from advisor.catalog import load
from advisor.views.macs import status_text


def test_what_is_not_sold_says_so_and_this_mac_says_nothing():
    catalog = load()
    sold = catalog.machine("mac-mini-m6-16")

    assert status_text(catalog, sold) == ""
    assert status_text(catalog, catalog.machine("mac-mini-m2-16")) == ", discontinued"
    assert status_text(catalog, replace(sold, id="this")) == ""
