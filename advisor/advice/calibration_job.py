"""A calibration in the background: started, watched from any thread, cancelled at any moment."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from advisor.advice.calibration import Calibration
from advisor.bench.point import Point
from advisor.bench.runner import LAST_KINDS, Event
from advisor.catalog import Catalog
from advisor.errors import AdvisorError
from advisor.runs import open_store


@dataclass(frozen=True)
class Line:
    """A measured figure as it came in."""

    point: str
    what: str  # "decode at 512 tokens", "a prompt of 32 tokens"
    tok_s: float
    repeats: int


@dataclass
class Progress:
    """What is known of a running calibration; read it by ``Job.progress``."""

    total: int
    number: int = 0
    point: str = ""
    stage: str = ""
    finished: int = 0
    kept: int = 0
    lines: list[Line] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    waiting: str = ""
    done: bool = False
    cancelled: bool = False


def running() -> Job | None:
    """The calibration that this process runs now, whoever started it."""
    _started[:] = [job for job in _started if not job.progress.done]
    return _started[0] if _started else None


class Job:
    """Measures points in a thread of its own; what is finished is kept at once."""

    def __init__(self, catalog: Catalog, points: Sequence[Point], store: str | None = None) -> None:
        self._catalog, self._points, self._store = catalog, tuple(points), store
        self._progress = Progress(total=len(self._points))
        self._lock = threading.Lock()
        self._running: Calibration | None = None
        self._stopped = False
        self._thread = threading.Thread(target=self._run, daemon=True, name="calibration")

    def start(self) -> None:
        """Begin; returns at once."""
        _started.append(self)
        self._thread.start()

    def cancel(self) -> None:
        """Stop now; what is finished stays."""
        with self._lock:
            self._stopped = True
            running = self._running
        if running is not None:
            running.cancel()

    def join(self, timeout: float | None = None) -> None:
        """Wait for the end."""
        self._thread.join(timeout)

    @property
    def progress(self) -> Progress:
        """A copy of what is known now."""
        with self._lock:
            now = self._progress
            return Progress(**{**vars(now), "lines": list(now.lines), "notes": list(now.notes)})

    def _run(self) -> None:
        try:
            with open_store(self._store) as store:
                running = Calibration(self._catalog, store, self._points)
                with self._lock:
                    self._running = running
                    stopped = self._stopped
                if stopped:
                    running.cancel()
                for happened in running.events():
                    self._take(happened.event, len(happened.kept))
        except AdvisorError as error:
            self._say(str(error))
        except Exception as error:  # a thread has nobody else to tell
            self._say(f"A fault of ours ended the calibration: {error}.")
        finally:
            with self._lock:
                self._progress.done = True

    def _say(self, sentence: str) -> None:
        with self._lock:
            self._progress.notes.append(sentence)

    def _take(self, event: Event, kept: int) -> None:
        with self._lock:
            now = self._progress
            now.waiting = event.text if event.kind == "waiting" else ""
            if event.point is not None:
                now.number, now.point = event.number, event.point.label
            now.kept += kept
            if event.kind == "stage":
                now.stage = event.text
            elif event.kind == "numbers":
                now.lines.append(_line(now.point, event.fields))
            elif event.kind in LAST_KINDS:
                now.finished += 1
                now.cancelled |= event.kind == "cancelled"
            if event.kind == "warning" or (event.kind in LAST_KINDS and event.kind != "result"):
                now.notes.append(f"{now.point}: {event.text}")


_started: list[Job] = []


def _line(point: str, fields: dict) -> Line:
    if "decode_tok_s" in fields:
        what = f"decode at {fields['context_tokens']:,} tokens"
        return Line(point, what, fields["decode_tok_s"], fields["repeats"])
    what = f"a prompt of {fields['prompt_tokens']:,} tokens"
    return Line(point, what, fields["prefill_tok_s"], fields["repeats"])
