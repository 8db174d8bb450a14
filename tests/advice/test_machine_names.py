"""Macs get the shortest names that tell them apart, and say when they are not sold."""

from dataclasses import replace

import pytest

from advisor.advice.machine_names import short_names, status_text
from advisor.catalog import load


@pytest.mark.parametrize(
    ("ids", "names"),
    [
        (("mac-mini-m4-16", "mac-mini-m4-pro-48"), ["M4 16 GB", "M4 Pro 48 GB"]),
        (
            ("mac-mini-m4-pro-48", "mac-mini-m4-pro-20c-48", "mac-mini-m4-16"),
            ["M4 Pro 48 GB (16 cores)", "M4 Pro 48 GB (20 cores)", "M4 16 GB"],
        ),
        (
            ("macbook-pro-14-m5-max-64", "macbook-pro-16-m5-max-64"),
            ["MacBook Pro 14 M5 Max (40-core GPU), 64 GB",
             "MacBook Pro 16 M5 Max (40-core GPU), 64 GB"],
        ),
    ],
)  # fmt: skip
def test_names_are_short_and_apart(ids, names):
    catalog = load()

    assert list(short_names([catalog.machine(name) for name in ids]).values()) == names


def test_what_is_not_sold_says_so_and_this_mac_says_nothing():
    catalog = load()
    sold = catalog.machine("mac-mini-m6-16")

    assert status_text(catalog, sold) == ""
    assert status_text(catalog, catalog.machine("mac-mini-m2-16")) == ", discontinued"
    assert status_text(catalog, replace(sold, id="this")) == ""
