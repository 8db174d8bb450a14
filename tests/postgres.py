"""A real PostgreSQL of the tests' own: the fixture ``postgres_url``, an empty database each time.

The system's server is started in a temporary folder, reachable from this machine only. It
refuses to run as root, so root starts it as another user. Where there is none, tests that need
it are skipped with a line that says how to get it; in CI, which installs it, that is a failure.
"""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDERS = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
)
HOW = "No PostgreSQL found. Get it: apt-get install postgresql, or brew install postgresql."
USERS = ("postgres", "nobody")  # who runs it where the tests are root
NAME, PASSWORD = "tester", "not a secret"
START_SECONDS = 60


def folder() -> Path | None:
    """The folder of the newest server on this machine."""
    found = [path for pattern in FOLDERS for path in Path("/").glob(f"{pattern[1:]}/initdb")]
    on_path = shutil.which("initdb")
    found += [Path(on_path).resolve()] if on_path else []
    return max(found).parent if found else None


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a server, up to the name of a database."""
    programs = folder()
    if programs is None:
        if os.environ.get("CI"):
            pytest.fail(HOW)
        pytest.skip(HOW)
    # Short, since the path of a socket may have about a hundred characters.
    home = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    user = next(name for name in USERS if _exists(name)) if os.geteuid() == 0 else None
    if user:
        shutil.chown(home, user)
    secret = home / "password"
    secret.write_text(PASSWORD)
    secret.chmod(0o644)
    subprocess.run(
        [programs / "initdb", "-D", home / "data", "-U", NAME, "--auth=scram-sha-256",
         f"--pwfile={secret}", "--encoding=UTF8", "--no-sync"],
        user=user, cwd=home, env={"LC_ALL": "C.UTF-8"}, check=True, capture_output=True,
    )  # fmt: skip
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(
            [programs / "postgres", "-D", home / "data", "-k", home, "-p", str(port),
             "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"],
            user=user, cwd=home, env={"LC_ALL": "C.UTF-8"}, stdout=log, stderr=log,
        )  # fmt: skip
    try:
        _wait_until_up(process, programs, port, home / "log")
        yield f"postgresql://{NAME}:{PASSWORD.replace(' ', '%20')}@127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=30)
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres_server) -> Iterator[str]:
    """The URL of an empty database, dropped afterwards."""
    import psycopg

    name = f"t{time.time_ns()}"
    with psycopg.connect(f"{postgres_server}/postgres", autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        yield f"{postgres_server}/{name}"
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _exists(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _wait_until_up(process: subprocess.Popen, programs: Path, port: int, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, f"PostgreSQL stopped while starting: {log.read_text()}"
        ready = [programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]
        if subprocess.run(ready, check=False).returncode == 0:
            return
        time.sleep(0.1)
    raise TimeoutError(f"PostgreSQL did not answer within {START_SECONDS} s")
