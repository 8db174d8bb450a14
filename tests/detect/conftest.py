"""Recorded computers by name, as detection sees them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.detect import Detected, look
from advisor.detect.recorded import read

RECORDED = Path(__file__).resolve().parents[1] / "recorded"


@pytest.fixture
def recorded() -> Callable[[str], Detected]:
    return lambda name: look(read(RECORDED / f"{name}.txt"))
