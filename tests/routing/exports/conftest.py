import pytest

from advisor.catalog import load
from advisor.routing.exports.setup import Choices, set_up
from tests.routing.exports import tables


@pytest.fixture(scope="session")
def catalog():
    return load()


@pytest.fixture(scope="session")
def table(catalog):
    return tables.table(catalog)


@pytest.fixture(scope="session")
def setup(catalog, table):
    return set_up(catalog, table, Choices(sources=tables.SOURCES))
