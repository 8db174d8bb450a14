"""A Mac of one's own, as it was recorded, with a store of its own."""

from pathlib import Path

import pytest

from advisor.advice import this_machine
from advisor.catalog import load
from advisor.catalog.shapes import Machine

RECORDED = Path(__file__).resolve().parents[1] / "recorded"


@pytest.fixture
def this_mac(monkeypatch, tmp_path) -> Machine:
    """An M4 Pro with 48 GB, as it was recorded, and a store of its own."""
    monkeypatch.setenv("TOLLBOOTH_RECORDED", str(RECORDED / "m4-pro-48-macos-26.txt"))
    monkeypatch.setenv("TOLLBOOTH_DATA", str(tmp_path / "data"))
    return this_machine.find(load(), "this")
