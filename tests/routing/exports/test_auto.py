import json
import subprocess
import sys

from advisor.routing.exports.auto import auto_files
from advisor.routing.rules import rules

PROGRAM = """
import asyncio, json, sys, types
logger = types.ModuleType("litellm.integrations.custom_logger")
logger.CustomLogger = object
for name in ("litellm", "litellm.integrations"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["litellm.integrations.custom_logger"] = logger
sys.path.insert(0, sys.argv[1])
import tollbooth_auto
hook = tollbooth_auto.chooses_the_class
for data, kind in json.load(sys.stdin):
    data = asyncio.run(hook.async_pre_call_hook(None, None, data, kind))
    headers = asyncio.run(hook.async_post_call_response_headers_hook(data))
    print(data["model"], (headers or {}).get("x-tollbooth-class"), sep="|")
"""


def test_the_exported_hook_decides_as_the_rules_without_this_package(setup, tmp_path):
    for name, text in auto_files(setup).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    tools = {"model": "auto", "messages": [{"role": "user", "content": "hi"}], "tools": [{}] * 97}
    asked = [
        (tools, "acompletion"),
        ({"model": "auto", "input": "text"}, "aembedding"),
        ({**tools, "model": "code"}, "acompletion"),
        ({"model": "auto", "messages": [{"role": "user", "content": "```é```"}]}, "acompletion"),
    ]

    shown = subprocess.run(
        [sys.executable, "-I", "-c", PROGRAM, tmp_path],
        input=json.dumps(asked), capture_output=True, text=True, check=True, cwd=tmp_path,
    ).stdout  # fmt: skip

    assert shown.splitlines() == [
        "agent|agent: it defines 97 tools",
        "embeddings|embeddings: it asks for embeddings",
        "code|None",
        "code|code: a fenced block of code",
    ]


def test_the_rules_travel_as_people_read_them(setup):
    found = json.loads(auto_files(setup)["tollbooth_rules/rules.json"])

    words = [rule["words"] for rule in found["rules"]]
    assert words == [rule.words for rule in rules(setup.table).rules]
