"""One measurement at a time on this computer: two at once would slow each other.

The lock is the system's own on an open file, so it goes with the processes that hold it: the
calibration, and the process that measures for it, however they end.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from pathlib import Path

from advisor.errors import InputError

FILE_VARIABLE = "TOLLBOOTH_LOCK"
WAITING = "Another calibration is running on this computer; this one waits until it is done."


class Lock:
    """A lock held by whoever has its file open and locked."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or _usual_path()
        self.file: int | None = None

    def try_take(self) -> bool:
        """Whether the lock is ours now. Raises ``InputError`` where its file cannot be opened."""
        if self.file is not None:
            return True
        try:
            found = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise InputError(
                f"{self.path} cannot be opened ({error.strerror}), and calibrations take turns by "
                f"it. Free some disk space, or name another file in {FILE_VARIABLE}."
            ) from error
        try:
            fcntl.flock(found, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(found)
            return False
        self.file = found
        return True

    def release(self) -> None:
        """Give the lock back; a process that measures keeps its share until it ends."""
        if self.file is not None:
            with contextlib.suppress(OSError):
                os.close(self.file)
            self.file = None


def _usual_path() -> Path:
    named = os.environ.get(FILE_VARIABLE)
    return Path(named or Path(tempfile.gettempdir()) / f"tollbooth-{os.getuid()}.lock")
