"""The parent of measuring processes: one after the other, in time, and stopped at any moment.

``Runner(points).events()`` yields what happens as it happens. ``cancel()`` may come from another
thread. Whatever ends the iteration (the last point, a cancel, an error, the parent's own death)
ends the measuring process with all that it started.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from advisor.bench.lock import WAITING, Lock
from advisor.bench.measurement import Measurement
from advisor.bench.point import Point
from advisor.errors import InputError

COMMAND = (sys.executable, "-m", "advisor.bench.child")
ROOT = Path(__file__).resolve().parents[2]
# On top of a point's own limit: imports, compiling, building, and repeats that take long.
STARTUP_S = 120.0
TIMES_LIMIT = 4.0
LOOK_S = 0.1
LAST_KINDS = ("result", "refused", "failed", "timed_out", "cancelled")


@dataclass(frozen=True)
class Event:
    """Something that happened.

    kind    waiting (for another calibration), start, stage, progress, numbers, warning; then one
            of ``LAST_KINDS`` for each point
    point   the point it is about, None while waiting
    number  its place among the points, from 0
    text    a sentence for people, "" where the fields say it all
    fields  what the measuring process sent
    """

    kind: str
    point: Point | None = None
    number: int = 0
    text: str = ""
    fields: dict[str, Any] = field(default_factory=dict)

    @property
    def measurement(self) -> Measurement | None:
        """The finished run of a ``result``."""
        found = self.fields.get("measurement")
        return Measurement.from_dict(found) if found else None


class Runner:
    """Runs points one after the other, each in a process of its own."""

    def __init__(
        self,
        points: Sequence[Point],
        *,
        command: Sequence[str] | None = None,
        lock: Lock | None = None,
        limit_s: float | None = None,
    ) -> None:
        """limit_s   the most one point may take; None: by the point's own limit [s]"""
        self._points = tuple(points)
        self._command = tuple(command or COMMAND)
        self._lock = lock or Lock()
        self._limit_s = limit_s
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Stop now: the point that runs is given up, those that are finished stay."""
        self._cancelled.set()

    def events(self) -> Iterator[Event]:
        """What happens, until all points are done or cancelled."""
        try:
            yield from self._wait()
            for number, point in enumerate(self._points):
                if self._cancelled.is_set():
                    return
                yield Event("start", point, number)
                yield from self._run(point, number)
        finally:
            self._lock.release()

    def _wait(self) -> Iterator[Event]:
        if self._lock.try_take():
            return
        yield Event("waiting", text=WAITING)
        while not self._cancelled.is_set() and not self._lock.try_take():
            time.sleep(LOOK_S)

    def _run(self, point: Point, number: int) -> Iterator[Event]:
        with tempfile.TemporaryFile() as errors:
            process = self._start(point, errors)
            try:
                last = ""
                for event in self._lines(process, point, number):
                    last = event.kind
                    yield event
                if last not in LAST_KINDS:
                    yield Event("failed", point, number, _ended(process.wait(), errors))
            finally:
                _end(process)

    def _start(self, point: Point, errors: IO[bytes]) -> subprocess.Popen[bytes]:
        held = () if self._lock.file is None else (self._lock.file,)
        try:
            process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                cwd=ROOT, start_new_session=True, pass_fds=held,
            )  # fmt: skip
        except OSError as error:
            raise InputError(
                f"The measuring process cannot be started: {error.strerror}."
            ) from error
        with contextlib.suppress(BrokenPipeError):  # it died at once; its end says why
            assert process.stdin is not None
            process.stdin.write(point.to_json().encode() + b"\n")
            process.stdin.flush()
        return process

    def _lines(
        self, process: subprocess.Popen[bytes], point: Point, number: int
    ) -> Iterator[Event]:
        assert process.stdout is not None
        output, rest = process.stdout.fileno(), b""
        limit_s = self._limit_s or STARTUP_S + TIMES_LIMIT * point.limit_s
        end = time.monotonic() + limit_s
        while True:
            if self._cancelled.is_set():
                yield Event("cancelled", point, number, "Cancelled.")
                return
            if time.monotonic() > end:
                text = f"{point.label} took longer than {limit_s:.0f} s and was stopped."
                yield Event("timed_out", point, number, text)
                return
            if not select.select([output], [], [], LOOK_S)[0]:
                continue
            part = os.read(output, 1 << 16)
            if not part:
                return
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                fields = json.loads(line)
                kind, text = fields.pop("kind"), fields.get("text", "")
                yield Event(kind, point, number, text, fields)
                if kind in LAST_KINDS:
                    return


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started, whether it still runs or not."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _ended(code: int, errors: IO[bytes]) -> str:
    """A sentence for a process that ended without a result."""
    errors.seek(0)
    said = errors.read().decode(errors="replace").strip().splitlines()
    if code == -signal.SIGKILL:
        return "The measuring process was killed; the system does so when memory runs out."
    last = f" Its last words: {said[-1][:200]}" if said else ""
    return f"The measuring process ended without a result (code {code}).{last}"
