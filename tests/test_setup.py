"""Setting up says in one sentence what is missing, on machines that are imitated by stubs."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

SETUP = Path(__file__).resolve().parents[1] / ".ci" / "setup"
# The commands the script itself needs; nothing else is on its path unless a case adds it.
NEEDED = ("sh", "dirname", "grep", "rm", "touch", "env", "cat")
LINUX = {"uname": 'case "$1" in -s) echo Linux;; -m) echo x86_64;; esac', "ldd": "echo glibc"}
MAC = {"uname": 'case "$1" in -s) echo Darwin;; -m) echo arm64;; esac'}
INTEL = {"uname": 'case "$1" in -s) echo Darwin;; -m) echo x86_64;; esac'}
OLD_PYTHON = {"python3": "exit 1"}
OTHER_MACHINE = "aarch64" if platform.machine() == "x86_64" else "x86_64"
# The system's own Python, asked what it is on a machine that is no kind of it.
REAL_PYTHON = {"python3": f'exec "{sys.executable}" "$@"'}
CASES = {
    "an Intel Mac": (INTEL, "an Intel Mac cannot run MLX"),
    "a Rosetta terminal": (INTEL | {"sysctl": "echo 1"}, "open one without Rosetta"),
    "an old macOS": (
        MAC | {"sw_vers": "echo 13.7.1"},
        "MLX needs macOS 14 or newer, this is 13.7.1",
    ),
    "another system": (
        {"uname": 'case "$1" in -s) echo FreeBSD;; -m) echo amd64;; esac'},
        "FreeBSD on amd64 is not supported",
    ),
    "musl": ({**LINUX, "ldd": "echo 'musl libc (x86_64)' >&2; exit 1"}, "uses musl"),
    "an old glibc": (
        LINUX | {"getconf": "echo glibc 2.31"},
        "glibc 2.35 or newer, this is glibc 2.31",
    ),
    "no Python": (LINUX, "Python 3.11 or newer (to 3.14) for x86_64 is needed"),
    "an old Python": (LINUX | OLD_PYTHON, "Python 3.11 or newer (to 3.14) for x86_64 is needed"),
    "a Python of another kind of machine": (
        LINUX | REAL_PYTHON | {"uname": LINUX["uname"].replace("x86_64", OTHER_MACHINE)},
        f"for {OTHER_MACHINE} is needed",
    ),
    "Debian's Python without venv": (
        LINUX | {"python3.11": 'case "$1" in -c) exit 0;; *) exit 1;; esac'},
        "apt-get install python3-venv",
    ),
}


@pytest.mark.parametrize(("stubs", "said"), CASES.values(), ids=CASES)
def test_what_is_missing_gets_one_sentence(tmp_path, stubs, said):
    project, path = tmp_path / "project", tmp_path / "bin"
    (project / ".ci").mkdir(parents=True)
    path.mkdir()
    script = project / ".ci" / "setup"
    script.write_text(SETUP.read_text())
    for name in NEEDED:
        found = next(Path(d) / name for d in ("/bin", "/usr/bin") if (Path(d) / name).exists())
        (path / name).symlink_to(found)
    for name, body in stubs.items():
        (path / name).write_text(f"#!/bin/sh\n{body}\n")
        (path / name).chmod(0o755)

    ran = subprocess.run(
        ["/bin/sh", str(script)], env={"PATH": str(path), "HOME": os.devnull},
        capture_output=True, text=True,
    )  # fmt: skip

    assert ran.returncode == 1
    assert ran.stderr.startswith("Tollbooth: ")
    assert said in ran.stderr
    assert ran.stderr.count("\n") == 1
    assert not (project / ".venv" / "ready").exists()
