"""The exports run: a real LiteLLM proxy before two real mlx_lm.server processes.

The scripts that are started are the exported ones; the two models are small and random, so what
they say means nothing. Embeddings and images go to a stub, since mlx_lm.server has neither.
"""

import contextlib
import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from advisor.routing.exports.setup import Choices
from advisor.routing.exports.targets import files, write
from tests.litellm_proxy import free_ports, litellm_program, running
from tests.routing.exports import tables
from tests.small_servers import save_small_model, stub

NARROW, WIDE, EMBEDDER = "narrow", "wide", "embedder"
# Each class, what the table says answers it, and a request that "auto" must send there.
ROUTES = {
    "short": NARROW, "chat": NARROW, "code": WIDE, "long": WIDE, "agent": WIDE,
    "reasoning": WIDE, "images": "", "embeddings": EMBEDDER,
}  # fmt: skip
TOOL = {"type": "function", "function": {"name": "read", "parameters": {"type": "object"}}}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
ASKED = {
    "short": {"messages": [{"role": "user", "content": "Wie heißt du?"}]},
    "chat": {"messages": [{"role": "user", "content": "plain talk " * 30}]},
    "code": {"messages": [{"role": "user", "content": "```\nx = 1\n```"}]},
    "long": {"messages": [{"role": "user", "content": "words " * 450}]},
    "agent": {"messages": [{"role": "user", "content": "hi"}], "tools": [TOOL]},
    "reasoning": {"messages": [{"role": "user", "content": "∀ n: n^2 ≥ n?"}]},
    "images": {"messages": [{"role": "user", "content": [{"type": "text", "text": "?"}, IMAGE]}]},
    "embeddings": {"input": "text"},
}


class Rack:
    """What runs, and how to ask it."""

    def __init__(self, proxy: str, logs: dict[str, Path], got: dict[str, list]) -> None:
        self.proxy, self.logs, self.got = proxy, logs, got
        self.key = ""
        self.servers: dict[str, contextlib.ExitStack] = {}

    def ask(self, model: str, request: dict) -> tuple[dict[str, str], dict]:
        """Headers and answer of the proxy."""
        path = "embeddings" if "input" in request else "chat/completions"
        body = {**request, "model": model}
        if path != "embeddings":
            body["max_tokens"] = 4
        asked = urllib.request.Request(
            f"{self.proxy}/v1/{path}", json.dumps(body).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {self.key}"},
        )  # fmt: skip
        with urllib.request.urlopen(asked, timeout=120) as answer:
            return dict(answer.headers.items()), json.load(answer)

    def counts(self) -> dict[str, int]:
        """Requests that each server says it got."""
        counted = {name: log.read_text().count('"POST /v1/') for name, log in self.logs.items()}
        return counted | {name: len(got) for name, got in self.got.items()}


@pytest.fixture(scope="module")
def rack(catalog, tmp_path_factory):
    program = litellm_program()
    home = tmp_path_factory.mktemp("a rack's home")
    first = free_ports(5)
    proxy_port, hosted_port = first + 3, first + 4
    choices = Choices(
        first_port=first, litellm_port=proxy_port,
        output_tokens=dict.fromkeys(ROUTES, 64),
        sources={NARROW: str(save_small_model(home / "narrow it's")),
                 WIDE: str(save_small_model(home / "wide", layers=3)), EMBEDDER: "/none.gguf"},
    )  # fmt: skip
    small = {"weight_bytes": 1e8, "kv_bytes": 1e7, "buffer_bytes": 1e7}
    residents = (
        tables.resident(NARROW, "qwen3-4b", "mlx-4bit", context_tokens=1024, **small),
        tables.resident(WIDE, "qwen3-8b", "mlx-4bit", context_tokens=4096, slots=1, **small),
        tables.resident(EMBEDDER, "bge-m3", "F16", embedder=True, **small),
    )
    routes = tuple(
        tables.route(name, where, context_tokens=3072 if name == "long" else 512)
        for name, where in ROUTES.items()
    )
    table = tables.table(catalog, residents=residents, routes=routes, reserve_bytes=1e8)
    for target in ("mlx-server", "litellm"):
        write(files(catalog, table, target, choices), home)
    (home / "hub").mkdir()
    offline = {
        "HF_HUB_OFFLINE": "1", "HF_HUB_CACHE": str(home / "hub"),
        "PATH": f"{Path(sys.executable).parent}:{program.parent}:{os.environ['PATH']}",
        "HOSTED_MODEL": "openai/a-hosted-model", "HOSTED_API_KEY": "not a key",
        "OPENAI_API_BASE": f"http://127.0.0.1:{hosted_port}/v1",
    }  # fmt: skip
    logs = {NARROW: home / "narrow.log", WIDE: home / "wide.log"}
    with contextlib.ExitStack() as stack:
        got = {
            EMBEDDER: stack.enter_context(stub(first + 2)),
            "": stack.enter_context(stub(hosted_port)),
        }
        rack = Rack(f"http://127.0.0.1:{proxy_port}", logs, got)
        for place, name in enumerate(logs):
            rack.servers[name] = stack.enter_context(contextlib.ExitStack())
            rack.servers[name].enter_context(running(
                ["sh", str(home / f"serve-{name}.sh")], logs[name],
                f"http://127.0.0.1:{first + place}/health", **offline,
            ))  # fmt: skip
        stack.enter_context(running(
            ["sh", str(home / "start-litellm.sh")], home / "litellm.log",
            f"{rack.proxy}/health/liveliness", **offline,
        ))  # fmt: skip
        rack.key = (home / "litellm.key").read_text()
        yield rack


def landed(rack: Rack, model: str, request: dict) -> tuple[str, dict[str, str]]:
    """The one server that got the request, by its own count, and the proxy's headers."""
    before = rack.counts()
    headers, _ = rack.ask(model, request)
    after = rack.counts()
    (name,) = [name for name in after if after[name] != before[name]]
    return name, headers


@pytest.mark.parametrize("class_id", ROUTES)
def test_each_class_lands_where_the_table_says(rack, class_id):
    name, headers = landed(rack, class_id, ASKED[class_id])

    assert name == ROUTES[class_id]
    assert headers["x-litellm-model-id"] == f"{class_id}@{ROUTES[class_id] or 'hosted'}"


@pytest.mark.parametrize("class_id", ROUTES)
def test_auto_sends_each_request_to_its_class_and_says_why(rack, class_id):
    name, headers = landed(rack, "auto", ASKED[class_id])

    assert name == ROUTES[class_id]
    assert headers["x-tollbooth-class"].startswith(f"{class_id}: ")


def test_a_prompt_too_long_for_its_class_goes_to_the_wider_model(rack):
    # About 1,500 tokens for chat, whose model holds 1,024 less 64 for the answer.
    long = {"messages": [{"role": "user", "content": "a " * 1500}]}

    name, headers = landed(rack, "chat", long)

    assert name == WIDE
    assert headers["x-litellm-model-id"].endswith(f"@{WIDE}")


def test_the_proxy_takes_no_unknown_router_setting(rack):
    """LiteLLM's router, asked in its own environment, knows every key we write."""
    program = litellm_program()
    home = rack.logs[NARROW].parent
    script = (
        "import sys, yaml; from litellm import Router; "
        "c = yaml.safe_load(open(sys.argv[1])); "
        "Router(model_list=[], **c['router_settings'])"
    )
    found = subprocess.run(
        [program.parent / "python", "-c", script, home / "litellm.yaml"],
        capture_output=True, text=True, env={**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True"},
    )  # fmt: skip

    assert found.returncode == 0, found.stderr[-2000:]


def test_a_stopped_server_is_answered_for_by_the_other(rack):
    """The last test: it stops the wide model's server."""
    rack.servers[WIDE].close()

    name, headers = landed(rack, "code", ASKED["code"])

    assert name == NARROW
    assert int(headers["x-litellm-attempted-fallbacks"]) >= 1
