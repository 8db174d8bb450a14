"""``advisor catalog build`` and ``check``: the derived tables, all from one place."""

from __future__ import annotations

import sys

from advisor.catalog import load
from advisor.errors import CatalogError


def build_catalog(only: str | None) -> None:
    """Derive the tables; ``only`` models, runs or speed does one part of it."""
    from advisor.catalog import build, resolve_runs
    from advisor.catalog.load import Catalog
    from advisor.estimate import speed_build

    root = load().root
    written = []
    if only in (None, "models"):
        written += build.build(root)
    if only == "runs":
        written.append(resolve_runs.build(root))
    if only in (None, "speed"):
        # A fresh object: the tables above may just have changed.
        written.append(speed_build.build(Catalog(root)))
    for path in written:
        print(f"written: {path.relative_to(root.parent)}", file=sys.stderr)


def check_catalog() -> None:
    """Print a sentence for each problem; raises ``CatalogError`` where there is any."""
    from advisor.catalog import build
    from advisor.catalog.check import problems
    from advisor.estimate import speed_build

    catalog = load()
    found = problems(catalog)
    if not found:
        found = build.check(catalog.root, sample=None) + speed_build.check(catalog)
    for sentence in found:
        print(sentence, file=sys.stderr)
    if found:
        raise CatalogError(f"{len(found)} problems in the catalog, listed above.")
    print("The catalog is whole and its derived tables are current.", file=sys.stderr)
