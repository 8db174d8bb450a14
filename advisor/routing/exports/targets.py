"""Every target's files by name, each checked before it leaves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from advisor.errors import InputError, unknown
from advisor.routing.exports import check, known_keys, litellm, llama_swap, ollama, omlx, servers
from advisor.routing.exports.auto import auto_files
from advisor.routing.exports.setup import Choices, set_up
from advisor.routing.table import RoutingTable

if TYPE_CHECKING:
    from advisor.catalog import Catalog
    from advisor.routing.exports.setup import Setup

TARGETS = ("llama-swap", "litellm", "mlx-server", "omlx", "ollama")


def files(
    catalog: Catalog, table: RoutingTable, target: str, choices: Choices | None = None
) -> dict[str, str]:
    """The files of one target by name.

    Raises ``InputError`` for an unknown target, for a table without a model on this machine or
    over its budget, and for models whose files are not known or that the target cannot run.
    """
    if target not in TARGETS:
        raise unknown("export", target, TARGETS)
    check.refuse(check.table_problems(table), "The routing table")
    if not table.residents:
        raise InputError(
            f"Nothing stays on {table.machine.label}: a hosted model answers every class, so "
            "there is nothing to export. Lower a floor or choose a larger machine."
        )
    found = _made(catalog, set_up(catalog, table, choices), target)
    _checked(found, table)
    return found


def write(found: dict[str, str], folder: Path) -> list[Path]:
    """Write the files into a folder, which is made; scripts may be run. Returns their paths.

    Raises ``InputError`` where the folder cannot be written.
    """
    paths = []
    try:
        for name, text in found.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            if name.endswith(".sh"):
                path.chmod(0o755)
            paths.append(path)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}.") from error
    return paths


def _made(catalog: Catalog, setup: Setup, target: str) -> dict[str, str]:
    if target == "llama-swap":
        return {
            llama_swap.FILE: llama_swap.llama_swap(setup),
            servers.DOWNLOAD: servers.scripts(setup)[servers.DOWNLOAD],
        }
    if target == "litellm":
        return {
            litellm.FILE: litellm.litellm(setup),
            litellm.START: litellm.start_script(setup),
            **auto_files(setup),
        }
    if target == "mlx-server":
        return servers.scripts(setup)
    if target == "omlx":
        return omlx.omlx(setup)
    return ollama.ollama(catalog, setup)


def _checked(found: dict[str, str], table: RoutingTable) -> None:
    checks = {
        llama_swap.FILE: lambda text: check.llama_swap_problems(text, table),
        litellm.FILE: lambda text: check.litellm_problems(text, table),
        omlx.SETTINGS: lambda text: check.json_problems(text, known_keys.OMLX_SETTINGS),
        omlx.MODEL_SETTINGS: lambda text: check.json_problems(text, known_keys.OMLX_MODELS),
    }
    for name, problems in checks.items():
        if name in found:
            check.refuse(problems(found[name]), name)
