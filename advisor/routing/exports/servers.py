"""The command line of each server, every cap set, and shell scripts that run them.

A server's own defaults are no caps: ``mlx_lm.server`` keeps ten prompts' caches of any size,
``llama-server`` keeps 8 GiB of them, whatever the machine.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from advisor.routing.exports.setup import LLAMA, MLX, Server, Setup
from advisor.units import MIB, format_gb, format_tokens

KV_TYPES = {16: "f16", 8: "q8_0", 4: "q4_0"}
MOST_KEPT_PROMPTS = 10  # mlx_lm.server's own default
KV_GROUP_SIZE = 64
START_ALL, DOWNLOAD = "start-all.sh", "download.sh"
SHEBANG, HERE = "#!/bin/sh", '"$(dirname "$0")"'


def arguments(setup: Setup, server: Server, port: str | None = None) -> list[str]:
    """Program and arguments; ``port`` other than the server's own for a router that gives one."""
    port = port or str(server.port)
    if server.program == MLX:
        return _mlx(setup, server, port)
    return _llama(setup, server, port)


def script(setup: Setup, server: Server) -> str:
    """A script that runs one server in the foreground."""
    resident = server.resident
    lines = [
        SHEBANG,
        f"# {_plain(resident.model_id)} in {_plain(resident.quant_id)}: "
        f"{', '.join(server.classes) or 'no class'}.",
        f"# {format_gb(resident.total_bytes)} in all: {resident.slots} × "
        f"{format_tokens(resident.context_tokens)} tokens of context, "
        f"{format_gb(server.reserve_bytes)} more for prefix caches.",
        "set -eu",
        f"cd {HERE}",
        "exec " + wrapped(arguments(setup, server), " \\"),
    ]
    return "\n".join(lines) + "\n"


def scripts(setup: Setup) -> dict[str, str]:
    """Scripts by file name: one a server, one for all that stay in memory, one to get the files."""
    files = {f"serve-{server.name}.sh": script(setup, server) for server in setup.servers}
    files[START_ALL] = _start_all(setup)
    files[DOWNLOAD] = download(setup.servers)
    return files


def wrapped(argv: list[str], end: str = "") -> str:
    """Arguments quoted for a shell, an option a line; ``end`` closes each line but the last."""
    lines = [shlex.quote(argv[0])]
    for word in argv[1:]:
        if word.startswith("--"):
            lines.append(f"  {shlex.quote(word)}")
        else:
            lines[-1] += f" {shlex.quote(word)}"
    return f"{end}\n".join(lines)


def _mlx(setup: Setup, server: Server, port: str) -> list[str]:
    """``mlx_lm.server``; it has no cap on context, so a router must refuse longer prompts.

    ``--prompt-cache-bytes`` counts the caches of running requests too, and is kept only while
    it batches. A quantized cache ends batching, and then the count of prompts is the only cap.
    Source: mlx-lm 0.32.2, mlx_lm/server.py, _generate and _serve_single.
    """
    resident = server.resident
    kept_bytes = resident.kv_bytes + server.reserve_bytes
    whole_prompts = (
        int(kept_bytes * resident.slots // resident.kv_bytes) if resident.kv_bytes else 1
    )
    kept_prompts = MOST_KEPT_PROMPTS if resident.kv_bits == 16 else whole_prompts
    argv = [
        MLX, "--model", server.source, "--host", setup.choices.host, "--port", port,
        "--max-tokens", str(server.output_tokens),
        "--decode-concurrency", str(resident.slots),
        "--prompt-concurrency", "1",
        "--prefill-step-size", str(setup.prefill_chunk_tokens),
        "--prompt-cache-size", str(kept_prompts),
        "--prompt-cache-bytes", str(int(kept_bytes)),
    ]  # fmt: skip
    if resident.kv_bits < 16:
        argv += ["--kv-bits", str(resident.kv_bits), "--kv-group-size", str(KV_GROUP_SIZE),
                 "--quantized-kv-start", "0"]  # fmt: skip
    return argv


def _llama(setup: Setup, server: Server, port: str) -> list[str]:
    """``llama-server``; its context is one for all slots. Source: llama.cpp's server README."""
    resident = server.resident
    if server.gguf_quant:
        files = ["--hf-repo", f"{server.source}:{server.gguf_quant}"]
    else:
        files = ["--model", server.source]
    kind = KV_TYPES[resident.kv_bits]
    # An embedder reads a whole text at once.
    batch = resident.context_tokens if resident.embedder else setup.prefill_chunk_tokens
    microbatch = batch if resident.embedder else setup.microbatch_tokens
    argv = [
        LLAMA, *files, "--host", setup.choices.host, "--port", port, "--alias", server.name,
        "--ctx-size", str(resident.context_tokens * resident.slots),
        "--parallel", str(resident.slots),
        "--batch-size", str(batch), "--ubatch-size", str(microbatch),
        "--gpu-layers", "999",
    ]  # fmt: skip
    if resident.embedder:
        return [*argv, "--embeddings"]
    return [
        *argv, "--flash-attn", "on", "--cache-type-k", kind, "--cache-type-v", kind,
        "--cache-ram", str(int(server.reserve_bytes // MIB)),
        "--predict", str(server.output_tokens), "--jinja",
    ]  # fmt: skip


def _start_all(setup: Setup) -> str:
    """Starts what stays in memory and stops it together; on-demand models are started by hand."""
    lines = [SHEBANG, "# Starts every model that stays in memory; Ctrl-C stops them all."]
    if setup.on_demand:
        names = ", ".join(server.name for server in setup.on_demand)
        lines.append(f"# Not started, for a free slot or llama-swap: {names}.")
    lines += ["set -eu", f"cd {HERE}", "started=", "trap 'kill $started; wait; exit' INT TERM"]
    for server in setup.always:
        name = shlex.quote(f"serve-{server.name}.sh")
        lines += [f"sh ./{name} &", 'started="$started $!"']
    return "\n".join([*lines, "wait"]) + "\n"


def download(servers: Sequence[Server], folder: str = HERE) -> str:
    """A script that brings the models' files onto this Mac.

    folder   where converted files go, as a shell word
    """
    lines = [SHEBANG, "# Brings the models' files onto this Mac, before any server starts."]
    lines += ["set -eu", f"mkdir -p {folder}", f"cd {folder}"]
    for server in servers:
        lines += server.prepare.splitlines() or [f"# {server.name}: its files are here already."]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Text for a comment: one line."""
    return " ".join(text.split())
