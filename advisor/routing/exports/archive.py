"""All exports of a table in one zip file, with a short README."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

from advisor.errors import InputError
from advisor.routing.exports.setup import Choices
from advisor.routing.exports.targets import TARGETS, files
from advisor.routing.rules import in_words, rules
from advisor.routing.table import RoutingTable
from advisor.units import format_gb, format_tokens

if TYPE_CHECKING:
    from advisor.catalog import Catalog

README = "README.md"
# Zip files cannot hold a year before 1980; one date for all makes equal tables equal archives.
DATE = (1980, 1, 1, 0, 0, 0)
SCRIPT_MODE, FILE_MODE = 0o755, 0o644
HOW = {
    "mlx-server": "one script a server, every cap set: `sh start-all.sh`",
    "llama-swap": "starts and swaps the servers: `llama-swap --config llama-swap.yaml`",
    "litellm": "a model name a class, and `auto`: `sh start-litellm.sh`",
    "omlx": "settings laid over oMLX's own: `python3 apply.py`",
    "ollama": "`. ./ollama.env && ollama serve`, then `sh create-models.sh` once",
}


def archive(catalog: Catalog, table: RoutingTable, choices: Choices | None = None) -> bytes:
    """A zip file with a folder a target; equal tables give equal bytes.

    A target that cannot run this table's models is left out and the README says why. Raises
    ``InputError`` where none can.
    """
    choices = choices or Choices()
    whole: dict[str, str] = {}
    left_out: dict[str, str] = {}
    for target in TARGETS:
        try:
            for name, text in files(catalog, table, target, choices).items():
                whole[f"{target}/{name}"] = text
        except InputError as error:
            left_out[target] = str(error)
    if not whole:
        raise InputError(next(iter(left_out.values())))
    whole = {README: readme(table, choices, left_out), **whole}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in whole.items():
            info = zipfile.ZipInfo(name, DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (SCRIPT_MODE if name.endswith(".sh") else FILE_MODE) << 16
            packed.writestr(info, text)
    return buffer.getvalue()


def readme(table: RoutingTable, choices: Choices, left_out: dict[str, str]) -> str:
    """What is in the archive, how to start it, and the table it was made from."""
    machine = table.machine
    lines = [
        f"# Which model answers what on {machine.label}", "",
        f"{format_gb(table.used_bytes)} of models and {format_gb(table.reserve_bytes)} of prefix "
        f"caches, in a budget of {format_gb(table.budget_bytes)}.", "",
        "| class | answered by | context |", "|---|---|---|",
    ]  # fmt: skip
    lines += [
        f"| {route.class_id} | {route.resident or 'hosted'} | "
        f"{format_tokens(route.context_tokens)} |"
        for route in table.routes
    ]
    lines += ["", "## Start", ""]
    if machine.wired_limit_mib:
        lines.append(
            f"The budget needs the GPU limit {machine.wired_limit_mib:,} MiB: "
            f"`sudo sysctl iogpu.wired_limit_mb={machine.wired_limit_mib}`, after each start.\n"
        )
    lines += [
        "1. Choose what serves the models: one of mlx-server, llama-swap, omlx or ollama.",
        "2. In its folder, `sh download.sh` brings the models' files (Ollama fetches its own).",
        "3. Start it, then litellm above it (the head of litellm.yaml says above which); clients "
        "ask LiteLLM for a class or `auto`.",
        "",
    ]
    for target, how in HOW.items():
        why = left_out.get(target)
        lines.append(f"- **{target}**: {how}" if why is None else f"- {target}: left out. {why}")
    lines += ["", "## How `auto` chooses", "", "The first that holds:", ""]
    found = rules(table, choices.kinds)
    lines += [f"{place}. {words}" for place, words in enumerate(in_words(found), start=1)]
    return "\n".join(lines) + "\n"
