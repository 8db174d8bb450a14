"""The measuring process: one point in, only our lines out."""

import json
import subprocess
import sys

from advisor.bench.point import Point
from advisor.bench.runner import ROOT


def run(text: str, module: str = "tests.bench.fake_child") -> list[dict]:
    done = subprocess.run([sys.executable, "-m", module], input=text, cwd=ROOT, text=True,
                          capture_output=True, timeout=60)  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


def hold_open(model: str) -> list[dict]:
    """The lines of a child whose input stays open until it is done."""
    process = subprocess.Popen([sys.executable, "-m", "tests.bench.fake_child"], cwd=ROOT,
                               text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, start_new_session=True)  # fmt: skip
    with process:
        process.stdin.write(Point("slice", model, "q").to_json() + "\n")
        process.stdin.flush()
        return [json.loads(line) for line in process.stdout]


def test_what_libraries_print_is_not_among_the_lines():
    assert [line["kind"] for line in hold_open("chatter")] == ["stage", "result"]


def test_it_ends_when_its_input_is_closed():
    found = run(Point("slice", "sleep", "q").to_json() + "\n")

    assert [line["kind"] for line in found] in ([], ["stage"])


def test_a_fault_is_a_line_too():
    assert hold_open("bug")[-1] == {"kind": "failed", "text": "ZeroDivisionError: oops"}
