"""Reports written to a file, for the commands that answer what can be sent."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from advisor.catalog import Catalog
from advisor.errors import InputError
from advisor.share import links, writing
from advisor.share.upgrading import upgrade_report
from advisor.upgrade.answer import Upgrade


def write_report(
    catalog: Catalog, found: Upgrade, *, html: str | None, markdown: str | None
) -> None:
    """The report of an upgrade as one HTML file, or as Markdown; says what was written.

    Raises ``InputError`` where the file cannot be written.
    """
    base = links.base_address()
    made = upgrade_report(catalog, found)
    text = writing.as_html(made, base) if html else writing.as_markdown(made, base)
    path = Path(html or markdown or "")
    write_whole(path, text)
    print(f"advisor: wrote {path} ({len(text.encode()) / 1000:.0f} kB).", file=sys.stderr)


def write_whole(path: Path, text: str) -> None:
    """Write a file at once or not at all. Raises ``InputError`` where it cannot be."""
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as part:
            part.write(text)
        os.chmod(part.name, 0o644)
        os.replace(part.name, path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from error
