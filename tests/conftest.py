"""What every test gets: an empty home and no way out to a network."""

import os
import platform
import socket
import sys

import pytest

pytest_plugins = ("tests.browser", "tests.postgres", "tests.reports")
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@pytest.fixture(autouse=True)
def _empty_home(tmp_path_factory, monkeypatch):
    """Each test starts as a new user: nothing of the real home is read or written."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(home / name.lower()))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    for name in ("BASE", "CATALOG", "RECORDED", "DATA", "RUNS_URL"):
        monkeypatch.delenv(f"TOLLBOOTH_{name}", raising=False)


@pytest.fixture(autouse=True)
def _no_way_out(monkeypatch):
    """A connection to anything but this machine fails at once, and says who asked for it."""
    connect = socket.socket.connect

    def guarded(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in LOOPBACK:
            raise OSError(f"a test asked for the network: {address[0]}")
        return connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def _own_main():
    """Streamlit's AppTest leaves its script as ``__main__``, which new processes would look for."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


def pytest_collection_modifyitems(items):
    """What is marked ``mac`` needs a Mac with Apple silicon; its recorded twin runs everywhere."""
    if (sys.platform, platform.machine()) != ("darwin", "arm64"):
        for item in items:
            if item.get_closest_marker("mac"):
                item.add_marker(pytest.mark.skip(reason="needs a Mac with Apple silicon"))


def pytest_configure():
    # Threads of the linear algebra library only get in each other's way on small machines.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
