"""A command that is missing, slow or half failing costs an answer, never a traceback."""

import sys
import time

from advisor.detect.system import MLX, SystemCommands, shown


def test_a_missing_command_says_nothing():
    assert SystemCommands().run(("no-such-command-anywhere",)) is None


def test_a_command_that_hangs_is_given_up():
    started = time.monotonic()

    assert SystemCommands(timeout_s=0.2).run(("sh", "-c", "sleep 20 & sleep 20")) is None
    assert time.monotonic() - started < 10


def test_commands_are_found_where_a_short_path_does_not_look(monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")

    assert SystemCommands().run(("sh", "-c", "echo $PATH")) == "/usr/bin:/bin:/usr/sbin:/sbin\n"


def test_what_a_failing_command_printed_counts():
    printed = SystemCommands().run(("sh", "-c", "echo hw.memsize: 8; echo unknown oid >&2; exit 1"))

    assert printed == "hw.memsize: 8\n"


def test_bytes_that_are_no_text_do_not_stop_it():
    assert SystemCommands().run(("printf", r"\377 ok")) == "\N{REPLACEMENT CHARACTER} ok"


def test_python_is_shown_by_its_plain_name():
    assert MLX[0] == sys.executable
    assert shown(MLX) == "python -m advisor.mlx.device"
