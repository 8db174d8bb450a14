"""A real browser on the real app: the fixtures ``app_url`` and ``page``.

The system's Chromium is used. Where there is none, tests that need it are skipped with a line
that says how to get it; in CI, which installs it, its absence is a failure.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC_APPS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
HOW = "No Chromium found. Get it: apt-get install chromium, or brew install --cask chromium."
START_SECONDS = 60


def chromium() -> str | None:
    """The path of a Chromium or Chrome on this machine, ``$TOLLBOOTH_CHROMIUM`` first."""
    named = os.environ.get("TOLLBOOTH_CHROMIUM")
    if named:
        return named
    found = (shutil.which(name) for name in NAMES)
    return next((path for path in (*found, *MAC_APPS) if path and Path(path).exists()), None)


@contextlib.contextmanager
def running_app(app: Path = ROOT / "app.py", **environment: str) -> Iterator[str]:
    """The address of the app, started on a free port and stopped at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", str(app), "--server.port", str(port),
               "--server.headless", "true"]  # fmt: skip
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **environment},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_up(process, url)
        yield url
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait_until_up(process: subprocess.Popen, url: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, "the app stopped while starting"
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/_stcore/health"):
            return
        time.sleep(0.2)
    raise TimeoutError(f"the app did not answer at {url} within {START_SECONDS} s")


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium for all tests of this process."""
    path = chromium()
    if path is None:
        if os.environ.get("CI"):
            pytest.fail(HOW)
        pytest.skip(HOW)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def app_url(browser):
    """The app on the project's own catalog."""
    with running_app() as url:
        yield url


@pytest.fixture
def page(browser):
    """A new page at desktop size that may reach this machine only."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    outside: list[str] = []
    opened.on(
        "request",
        lambda request: (
            outside.append(request.url)
            if request.url.startswith("http") and "127.0.0.1" not in request.url
            else None
        ),
    )
    yield opened
    context.close()

    assert outside == [], "a page must not reach outside this machine"


def open_page(page, url: str) -> None:
    """Go to a page of the app and wait until it has been drawn."""
    page.goto(url)
    page.wait_for_selector("[data-testid=stMainBlockContainer] [data-testid=stMarkdown]")
    settle(page)


def settle(page) -> None:
    """Wait until the app has been idle for a moment: a run's messages arrive in bursts."""
    page.evaluate("() => { window.idleSince = undefined }")  # not the idle time of a wait before
    page.wait_for_function(
        """() => {
            const app = document.querySelector("[data-testid=stApp]");
            const idle = app && app.dataset.testScriptState === "notRunning"
                && app.dataset.testConnectionState === "CONNECTED";
            window.idleSince = idle ? (window.idleSince ?? performance.now()) : undefined;
            return idle && performance.now() - window.idleSince > 400;
        }""",
        polling=50,
    )
