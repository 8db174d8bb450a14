"""One at a time: a held lock is not given twice, and goes with its holder."""

import subprocess
import sys

import pytest

from advisor.bench.lock import Lock
from advisor.errors import InputError


def test_a_lock_is_given_once_until_it_is_released(tmp_path):
    first, second = Lock(tmp_path / "lock"), Lock(tmp_path / "lock")

    assert first.try_take()
    assert first.try_take()
    assert not second.try_take()
    first.release()
    assert second.try_take()


def test_a_process_that_shares_the_lock_keeps_it(tmp_path):
    lock = Lock(tmp_path / "lock")
    assert lock.try_take()
    holder = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE,
                              pass_fds=(lock.file,))  # fmt: skip
    lock.release()

    assert not Lock(lock.path).try_take()
    holder.kill()
    holder.communicate()
    assert Lock(lock.path).try_take()


def test_a_file_that_cannot_be_opened_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot be opened"):
        Lock(tmp_path / "no folder" / "lock").try_take()
