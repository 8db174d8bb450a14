"""The process that measures: one point in, JSON lines out, gone when its parent is.

``python -m advisor.bench.child`` reads one point as a line of JSON from its standard input and
writes events to its standard output: ``stage``, ``progress``, ``numbers``, ``warning``, then one
of ``result``, ``refused`` (a sentence for the user) or ``failed`` (a fault). One process a run,
since MLX's peak memory is that of the process.

The parent keeps the input open. When it closes, because the parent is done, cancelled or was
killed, this process ends with all that it started.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, TextIO

from advisor.bench.measurement import Measurement
from advisor.bench.point import SLICE, Point
from advisor.errors import AdvisorError

Emit = Callable[..., None]


def main(measure: Callable[[Point, Emit], Measurement] | None = None) -> int:
    """Measure the point on standard input; returns the exit code."""
    lines = _own_output()
    asked = _first_line()
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def emit(kind: str, **fields: Any) -> None:
        lines.write(json.dumps({"kind": kind, **fields}) + "\n")
        lines.flush()

    try:
        point = Point.from_json(asked)
        found = (measure or _measure)(point, emit)
        emit("result", measurement=found.to_dict())
        return 0
    except AdvisorError as error:
        emit("refused", text=str(error))
    except MemoryError:
        emit("refused", text="Memory ran out while measuring. Choose a smaller model.")
    except Exception as error:
        said = " ".join(str(error).split())
        emit("failed", text=f"{type(error).__name__}: {said}")
    return 1


def _measure(point: Point, emit: Emit) -> Measurement:
    if point.kind == SLICE:
        from advisor.bench import slices

        return slices.measure(point, emit)
    from advisor.bench import whole

    return whole.measure(point, emit)


def _own_output() -> TextIO:
    """The real standard output, for our lines only: what libraries print goes to the errors."""
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return lines


def _first_line() -> str:
    """The first line of the input, read without taking anything after it."""
    found = bytearray()
    while not found.endswith(b"\n"):
        part = os.read(0, 1)
        if not part:
            break
        found += part
    return found.decode()


def _end_with_parent() -> None:
    while os.read(0, 4096):
        pass
    if os.getpgid(0) == os.getpid():  # the group is ours: compilers that MLX started go too
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    raise SystemExit(main())
