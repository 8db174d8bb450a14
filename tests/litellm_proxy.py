"""A real LiteLLM proxy on an exported configuration, in an environment of its own.

LiteLLM needs other versions of what this project needs, so it is not among the project's own
packages. Where there is none, tests that need it are skipped with a line that says how to get
it; in CI, which installs it, that is a failure.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

PINS = "tests/litellm-requirements.txt"
HOME = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tollbooth" / "litellm"
HOW = (
    f"No LiteLLM proxy found. Get it: python3 -m venv {HOME} && "
    f"{HOME}/bin/pip install -r {PINS}, or name its program in TOLLBOOTH_LITELLM."
)
START_SECONDS = 120


def litellm_program() -> Path:
    """The program ``litellm``, or the test is skipped."""
    named = os.environ.get("TOLLBOOTH_LITELLM")
    found = [Path(named)] if named else [HOME / "bin" / "litellm"]
    on_path = shutil.which("litellm")
    found += [Path(on_path)] if on_path else []
    program = next((path for path in found if path.is_file()), None)
    if program is None:
        if os.environ.get("CI"):
            pytest.fail(HOW)
        pytest.skip(HOW)
    return program


def free_ports(count: int) -> int:
    """The first of some ports in a row that nothing listens on."""
    for first in range(20_000 + os.getpid() % 5_000, 40_000, count):
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            for port in range(first, first + count):
                stack.enter_context(socket.socket()).bind(("127.0.0.1", port))
            return first
    raise AssertionError("no ports are free")


@contextlib.contextmanager
def running(command: list, log: Path, url: str, **environment: str) -> Iterator[subprocess.Popen]:
    """A server that answers at ``url``, with what it prints in ``log``; stopped at the end."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, stdout=out, stderr=out, env={**os.environ, **environment}
        )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(url):
            assert process.poll() is None, f"It stopped while starting: {log.read_text()[-3000:]}"
            assert time.monotonic() < deadline, f"No answer in time: {log.read_text()[-3000:]}"
            time.sleep(0.2)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False
