"""``advisor route --export``: a table as files for routers and servers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from advisor.errors import InputError
from advisor.routing.exports.setup import choices_of
from advisor.routing.exports.targets import TARGETS, files, write
from advisor.routing.table import RoutingTable
from advisor.routing.workload import Workload

if TYPE_CHECKING:
    from advisor.catalog import Catalog

ALL = "all"


def export(
    catalog: Catalog,
    table: RoutingTable,
    workload: Workload,
    targets: Sequence[str],
    folder: str | None,
    messages: TextIO,
) -> None:
    """Write the files of each target and name them; several targets get a folder each.

    ``all`` leaves out, with a line, what cannot run the table's models. Raises ``InputError``
    for an unknown target, a missing folder, or where nothing could be written.
    """
    if not folder:
        raise InputError("--export needs a folder to write to: -o DIR.")
    wanted = list(dict.fromkeys(TARGETS if ALL in targets else targets))
    choices = choices_of(workload)
    written, left_out = 0, ""
    for target in wanted:
        try:
            found = files(catalog, table, target, choices)
        except InputError as error:
            if ALL not in targets:
                raise
            left_out = str(error)
            messages.write(f"{target}: left out. {error}\n")
            continue
        place = Path(folder) / target if len(wanted) > 1 else Path(folder)
        for path in write(found, place):
            messages.write(f"wrote {path}\n")
        written += len(found)
    if not written:
        raise InputError(left_out)
