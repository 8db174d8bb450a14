"""Ollama: its server's environment, and a script that makes each model with its context.

Ollama's context and parallel requests are for all models alike in the environment, so each model
is made once more under the table's name with a context of its own.
Source: Ollama of late 2026, envconfig/config.go; its Modelfile reference.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from advisor.advice.commands import published_in
from advisor.errors import InputError
from advisor.routing.exports.setup import LLAMA, OLLAMA_PORT, Server, Setup
from advisor.routing.exports.writing import environment_text
from advisor.routing.scales import embedders

if TYPE_CHECKING:
    from advisor.catalog import Catalog

ENVIRONMENT, CREATE = "ollama.env", "create-models.sh"
KV_TYPES = {16: "f16", 8: "q8_0", 4: "q4_0"}
MOST_QUEUED = 512  # Ollama's own default
FOREVER = -1


def ollama(catalog: Catalog, setup: Setup) -> dict[str, str]:
    """Environment and script. Raises ``InputError`` for a model Ollama cannot fetch."""
    return {ENVIRONMENT: _environment(setup), CREATE: _create(catalog, setup)}


def _environment(setup: Setup) -> str:
    residents = setup.table.residents
    slots = max((r.slots for r in residents), default=1)
    swapped = any(r.on_demand for r in residents)
    values: dict[str, str | int] = {
        "OLLAMA_HOST": f"{setup.choices.host}:{OLLAMA_PORT}",
        "OLLAMA_MAX_LOADED_MODELS": len(setup.always) + swapped,
        "OLLAMA_NUM_PARALLEL": slots,
        "OLLAMA_MAX_QUEUE": MOST_QUEUED,
        "OLLAMA_KEEP_ALIVE": f"{setup.choices.ttl_s}s" if swapped else FOREVER,
        "OLLAMA_CONTEXT_LENGTH": min((r.context_tokens for r in residents), default=4096),
        "OLLAMA_FLASH_ATTENTION": 1,
        # One for all models: the widest that any of them was planned with.
        "OLLAMA_KV_CACHE_TYPE": KV_TYPES[max((r.kv_bits for r in residents), default=16)],
    }
    head = [
        f"Ollama for {setup.table.machine.label}: read it before the server starts,",
        f"  . ./{ENVIRONMENT} && ollama serve",
        "then run create-models.sh once. Of the app, quit it first: it starts its own server.",
    ]
    mixed = {r.slots for r in residents}
    if len(mixed) > 1:
        head.append(
            f"Ollama gives every model {slots} slots; the table plans {_numbers(mixed)}, so "
            "caches may take more than planned."
        )
    return environment_text(values, head)


def _create(catalog: Catalog, setup: Setup) -> str:
    lines = ["#!/bin/sh", "# Makes each model under the table's name, with its context.", "set -eu"]
    lines += ['cd "$(dirname "$0")"']
    lines += ["folder=$(mktemp -d)", "trap 'rm -rf \"$folder\"' EXIT"]
    for server in setup.servers:
        tag, prepare = _source(catalog, server)
        name = shlex.quote(server.name)
        parameters = {"num_ctx": server.resident.context_tokens}
        if not server.resident.embedder:
            parameters["num_predict"] = server.output_tokens
        text = "".join(f"PARAMETER {key} {value}\\n" for key, value in parameters.items())
        lines += [
            *prepare,
            f"printf 'FROM %s\\n{text}' {tag} >\"$folder/Modelfile\"",
            f'ollama create {name} -f "$folder/Modelfile"',
        ]
    for server in setup.always:
        # An empty request loads a model; keep_alive -1 keeps it whatever the environment says.
        lines.append(
            f"curl -s http://{setup.choices.host}:{OLLAMA_PORT}/api/"
            f"{'embed' if server.resident.embedder else 'generate'} -d "
            + shlex.quote(f'{{"model": "{server.name}", "keep_alive": {FOREVER}}}')
            + " >/dev/null"
        )
    return "\n".join(lines) + "\n"


def _source(catalog: Catalog, server: Server) -> tuple[str, list[str]]:
    """What a model is made from, as a shell word, and the commands that bring it here."""
    tag = _tag(catalog, server)
    if tag:
        return shlex.quote(tag), [f"ollama pull {shlex.quote(tag)}"]
    if server.program == LLAMA:
        # No tag: a file of this Mac.
        source = shlex.quote(server.source)
        path = source if server.source.startswith("/") else f'"$PWD"/{source}'
        return path, server.prepare.splitlines()
    raise InputError(
        f"Ollama has no {server.resident.model_id} in {server.resident.quant_id}: its library "
        "lists no such tag, and it runs GGUF files. Make the table for the runtime ollama."
    )


def _tag(catalog: Catalog, server: Server) -> str:
    """The library's tag, or the hub's repository and quantization; "" where there is neither."""
    resident = server.resident
    if resident.embedder and resident.model_id in embedders(catalog):
        return embedders(catalog)[resident.model_id].ollama
    known = resident.model_id in catalog.models and resident.quant_id in catalog.quants
    tag = published_in(catalog, resident.model_id, resident.quant_id, "ollama") if known else ""
    if not tag and server.gguf_quant:
        tag = f"hf.co/{server.source}:{server.gguf_quant}"
    return tag


def _numbers(values: set[int]) -> str:
    return " and ".join(str(value) for value in sorted(values))
