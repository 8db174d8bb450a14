import itertools
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.routing.exports import servers
from advisor.routing.exports.setup import Choices, set_up
from tests.routing.exports import tables

# Options that say how much memory or work a server may take, by program.
CAPS = {
    "mlx_lm.server": {
        "--max-tokens", "--decode-concurrency", "--prompt-concurrency", "--prefill-step-size",
        "--prompt-cache-size", "--prompt-cache-bytes",
    },
    "llama-server": {"--ctx-size", "--parallel", "--batch-size", "--ubatch-size"},
}  # fmt: skip


def options(setup, name):
    argv = servers.arguments(setup, setup.server(name))
    return dict(itertools.pairwise(argv))


def test_every_server_has_every_cap(setup):
    for server in setup.servers:
        argv = servers.arguments(setup, server)

        assert CAPS[argv[0]] <= set(argv)


def test_the_prompt_cache_holds_the_running_requests_and_its_share_of_the_reserve(setup):
    # 1 GB of caches, and of the 2 GB reserve 1 part in 8: 1, 3 and 4 GB of caches share it.
    assert options(setup, tables.SMALL.name)["--prompt-cache-bytes"] == "1250000000"


def test_llama_servers_context_is_for_all_slots(catalog):
    twice = replace(tables.WIDE, slots=2)
    table = tables.table(catalog, residents=(tables.SMALL, tables.CODER, twice, tables.EMBEDDER))
    setup = set_up(catalog, table, Choices(sources=tables.SOURCES))

    found = options(setup, tables.WIDE.name)

    assert (found["--ctx-size"], found["--parallel"]) == ("131072", "2")
    assert (found["--cache-type-k"], found["--cache-type-v"]) == ("q8_0", "q8_0")
    # 1 GB, in whole MiB.
    assert found["--cache-ram"] == "953"


def test_a_quantized_cache_is_quantized_from_the_first_token(catalog):
    table = tables.table(catalog, residents=(replace(tables.SMALL, kv_bits=8),), routes=())

    found = options(set_up(catalog, table), tables.SMALL.name)

    assert (found["--kv-bits"], found["--quantized-kv-start"]) == ("8", "0")
    # Then bytes are no cap: 1 GB of caches and 2 GB of reserve hold six whole prompts of 0.5 GB.
    assert found["--prompt-cache-size"] == "6"


def test_an_embedder_reads_a_whole_text_at_once_and_keeps_no_prompts(setup):
    found = options(setup, tables.EMBEDDER.name)

    assert found["--ubatch-size"] == "8192"
    assert "--embeddings" in servers.arguments(setup, setup.server(tables.EMBEDDER.name))
    assert "--cache-ram" not in found


@pytest.mark.parametrize(
    "path", ['/Volumes/My Disk/it\'s a "model"', "/tmp/$(touch x)", "/tmp/`a`; b & c\\"]
)
def test_a_shell_reads_back_any_path(catalog, tmp_path, path):
    table = tables.table(catalog, residents=(tables.SMALL,), routes=())
    setup = set_up(catalog, table, Choices(sources={tables.SMALL.name: path}))
    argv = servers.arguments(setup, setup.servers[0])
    text = servers.script(setup, setup.servers[0])
    # The real script, with a program that prints what it is given.
    shown = tmp_path / "mlx_lm.server"
    shown.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
    shown.chmod(0o755)
    (tmp_path / "serve.sh").write_text(text)

    found = subprocess.run(
        ["sh", tmp_path / "serve.sh"], env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip

    assert found.splitlines() == argv[1:]
    assert shlex.split(servers.wrapped(argv)) == argv


def test_every_script_is_read_by_both_shells(setup, tmp_path):
    files = servers.scripts(setup)

    assert {"start-all.sh", "download.sh", "serve-bge-m3.sh"} <= set(files)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        for shell in ("sh", "bash"):
            subprocess.run([shell, "-n", tmp_path / name], check=True)


def test_what_is_loaded_on_demand_is_not_started_with_the_rest(setup):
    started = servers.scripts(setup)["start-all.sh"]

    assert f"serve-{tables.SMALL.name}.sh" in started
    assert f"serve-{tables.WIDE.name}.sh" not in started
    assert tables.WIDE.name in started


def test_stopping_the_start_stops_what_it_started(setup, tmp_path):
    for name, text in servers.scripts(setup).items():
        (tmp_path / name).write_text(text)
    # Programs that tell their number and wait.
    for name in ("mlx_lm.server", "llama-server"):
        (tmp_path / name).write_text("#!/bin/sh\necho $$\nexec sleep 60\n")
        (tmp_path / name).chmod(0o755)
    process = subprocess.Popen(
        ["sh", tmp_path / "start-all.sh"], env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    numbers = [int(process.stdout.readline()) for _ in range(3)]

    process.terminate()
    process.wait(timeout=20)
    process.stdout.read()  # ends when the last of them has ended
    process.stdout.close()

    assert len(set(numbers)) == 3
    assert not [number for number in numbers if Path(f"/proc/{number}").exists()]


def test_files_are_fetched_or_converted(setup):
    fetched = servers.scripts(setup)["download.sh"]

    assert "hf download MaziyarPanahi/Meta-Llama-3.1-8B-Instruct-GGUF" in fetched
    assert "mlx_lm.convert --hf-path Qwen/Qwen3-4B -q --q-bits 4" in fetched
