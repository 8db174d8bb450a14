"""What every test gets: an empty home and no way out to a network."""

import os

import pytest

pytest_plugins = ("tests.browser",)


@pytest.fixture(autouse=True)
def _empty_home(tmp_path_factory, monkeypatch):
    """Each test starts as a new user: nothing of the real home is read or written."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.delenv("TOLLBOOTH_CATALOG", raising=False)


def pytest_configure():
    # Threads of the linear algebra library only get in each other's way on small machines.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
