"""A copy of the hand-kept facts that a test may break."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.catalog import Catalog, load
from advisor.catalog.load import DEFAULT_ROOT

HAND_KEPT = ("chips", "macs", "quants.toml", "gguf_bpw.csv", "runtimes.toml", "memory_rules.toml")


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    """A small catalog folder of its own: the hand-kept facts and one file of runs."""
    root = tmp_path / "catalog"
    root.mkdir()
    for name in HAND_KEPT:
        source = DEFAULT_ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, root / name)
    (root / "runs").mkdir()
    shutil.copy(DEFAULT_ROOT / "runs" / "llama.cpp-pull-3648.csv", root / "runs")
    return root


@pytest.fixture
def edited(facts: Path) -> Callable[[str, str, str], Catalog]:
    """Load the facts after replacing one text in one file."""

    def edit(file: str, old: str, new: str) -> Catalog:
        path = facts / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{file} no longer holds {old!r}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return load(facts)

    return edit
