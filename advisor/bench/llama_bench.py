"""llama.cpp's own benchmark, where it is installed: a GGUF file measured by ``llama-bench``."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from advisor.bench import imports
from advisor.bench.measurement import Measurement
from advisor.errors import InputError

PROGRAM = "llama-bench"
GENERATED = 32
REPEATS = 5
LIMIT_S = 1800.0


def path() -> str | None:
    """Where llama-bench is, None where it is not on the PATH."""
    return shutil.which(PROGRAM)


def command(file: Path, depths: Sequence[int], prompts: Sequence[int]) -> list[str]:
    """The call that measures a GGUF file at depths and prompt lengths [tokens]."""
    return [
        PROGRAM, "-m", str(file), "-o", "json", "-r", str(REPEATS), "-n", str(GENERATED),
        "-p", ",".join(map(str, prompts or (0,))), "-d", ",".join(map(str, depths or (0,))),
    ]  # fmt: skip


def measure(
    file: Path, depths: Sequence[int], prompts: Sequence[int], *, limit_s: float = LIMIT_S
) -> Measurement:
    """Run llama-bench on a GGUF file and read what it prints.

    Raises ``InputError`` where it is not installed, the file is not there, it fails or it takes
    longer than ``limit_s``.
    """
    found = path()
    if found is None:
        raise InputError(
            "llama-bench is not on the PATH. It comes with llama.cpp (`brew install llama.cpp`); "
            "or import its output from a file."
        )
    if not file.is_file():
        raise InputError(f"{file} is no file. Give a GGUF file.")
    argv = [found, *command(file, depths, prompts)[1:]]
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=limit_s, check=False)
    except subprocess.TimeoutExpired as error:
        raise InputError(
            f"llama-bench took longer than {limit_s:.0f} s and was stopped."
        ) from error
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        raise InputError(f"llama-bench failed on {file.name}: {said[-1] if said else 'no reason'}.")
    return imports.read(done.stdout)[0]
