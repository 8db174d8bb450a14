"""One upgrade, solved once for all tests: the essay's two minis, for a personal agent."""

from datetime import date

import pytest

from advisor.catalog import load
from advisor.routing.workload import preset
from advisor.upgrade.answer import upgrade


@pytest.fixture(scope="session")
def catalog():
    return load()


@pytest.fixture(scope="session")
def workload(catalog):
    return preset(catalog, "personal-agent")


@pytest.fixture(scope="session")
def minis(catalog):
    return catalog.machine("mac-mini-m4-16"), catalog.machine("mac-mini-m4-pro-48")


@pytest.fixture(scope="session")
def found(catalog, workload, minis):
    return upgrade(catalog, minis[0], minis[1:], workload, today=date(2026, 12, 1))
