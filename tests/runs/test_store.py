"""The same store on SQLite and on a real PostgreSQL: exact, once each, safe from kills."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from advisor.errors import InputError
from advisor.runs import open_store, schema
from advisor.runs.place import store_url
from advisor.runs.store import Store
from tests.runs.examples import a_run

ROOT = Path(__file__).resolve().parents[2]
# `make chaos` asks for more.
KILLS = int(os.environ.get("TOLLBOOTH_KILLS", "10"))


@pytest.fixture(params=["sqlite", "postgres"])
def place(request, tmp_path) -> str:
    """Each test runs on both kinds of store."""
    if request.param == "sqlite":
        return str(tmp_path / "new" / "runs.sqlite3")
    return request.getfixturevalue("postgres_url")


def test_a_run_comes_back_as_it_was(place):
    run = a_run()

    with open_store(place) as store:
        assert store.add(run)

    with open_store(place) as store:
        assert store.runs() == [run]


def test_what_is_not_known_stays_unknown(place):
    bare = a_run(
        machine={"chip": "Xeon", "is_mac": False}, decode_tok_s=None, decode_low=None,
        decode_high=None, peak_memory_bytes=None, samples=(), settings={}, warnings=(), model_id="",
    )  # fmt: skip

    with open_store(place) as store:
        store.add(bare)

        assert store.runs() == [bare]


def test_the_same_run_twice_is_one_run(place):
    with open_store(place) as store:
        assert [store.add(a_run()), store.add(a_run())] == [True, False]
        assert store.add_all([a_run(), a_run(batch=2), a_run(batch=2)]) == 1
        assert len(store.runs()) == 2


def test_a_run_that_is_there_keeps_what_was_decided_about_it(place):
    with open_store(place) as store:
        store.add(a_run())
        store.set_used([a_run().id], used=False)

        store.add(a_run())

        assert [run.used for run in store.runs()] == [False]


def test_runs_are_in_the_order_they_were_made(place):
    days = ["2026-12-03T00:00:00Z", "2026-12-01T00:00:00Z", "2026-12-02T00:00:00.001Z"]

    with open_store(place) as store:
        store.add_all(a_run(created=day) for day in days)

        assert [run.created[:10] for run in store.runs()] == [
            "2026-12-01",
            "2026-12-02",
            "2026-12-03",
        ]


def test_runs_can_be_left_out_and_let_count_again(place):
    first, second = a_run(), a_run(batch=2, model_id="llama-3.1-8b")
    with open_store(place) as store:
        store.add_all([first, second])

        assert store.set_used([first.id[:6]], used=False) == 1
        assert [run.id for run in store.runs(used=True)] == [second.id]
        assert [run.id for run in store.runs(used=False, model_id="qwen3-8b")] == [first.id]
        assert store.set_used(None, used=True) == 2
        assert store.runs(used=False) == []


def test_an_id_must_name_one_run(place):
    with open_store(place) as store:
        store.add(a_run())

        for given in (a_run().id[:3], "ffffffff", ""):
            with pytest.raises(InputError, match="No run is called"):
                store.set_used([given], used=False)

        assert store.runs() == [a_run()]


def test_a_match_can_be_found_later(place):
    with open_store(place) as store:
        store.add(a_run(model_id="", quant_id=""))

        store.set_match(a_run().id, "qwen3-8b", "mlx-4bit")

        assert store.runs() == [a_run()]


def test_an_older_store_is_brought_up_to_date_and_keeps_its_runs(place):
    def add_a_column(connection):
        connection.execute(sa.text("ALTER TABLE tollbooth_runs ADD COLUMN note TEXT"))

    with open_store(place) as store:
        store.add(a_run())

    Store(store_url(place), (*schema.STEPS, add_a_column)).close()

    with pytest.raises(InputError) as error:
        open_store(place)
    assert "is of a newer version of Tollbooth (schema 2, this one knows 1)" in str(error.value)
    assert "not%20a%20secret" not in str(error.value)


def test_a_step_that_fails_leaves_the_store_as_it_was(place):
    def fails(connection):
        connection.execute(sa.text("ALTER TABLE tollbooth_runs ADD COLUMN note TEXT"))
        connection.execute(sa.text("SELECT no_such_column FROM tollbooth_runs"))

    with open_store(place) as store:
        store.add(a_run())

    with pytest.raises(InputError, match="cannot be opened"):
        Store(store_url(place), (*schema.STEPS, fails))

    with open_store(place) as store:
        assert store.runs() == [a_run()]


def test_many_writers_at_once_lose_nothing(place):
    failed: list[BaseException] = []

    def write(writer: int) -> None:
        try:
            with open_store(place) as store:
                for number in range(5):
                    store.add(a_run(context_tokens=writer * 100 + number))
        except BaseException as error:
            failed.append(error)

    # The first of them makes the store.
    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failed == []
    with open_store(place) as store:
        assert len(store.runs()) == 20


def test_all_of_a_file_is_kept_or_none(place):
    broken = replace(a_run(batch=2), created=None)

    with open_store(place) as store:
        with pytest.raises(InputError, match="cannot be written"):
            store.add_all([a_run(), broken])

        assert store.runs() == []


WRITER = """
import sys
from advisor.runs import open_store
from tests.runs.examples import a_run
with open_store(sys.argv[1]) as store:
    for number in range(1_000_000):
        run = a_run(context_tokens=number)
        store.add(run)
        print(run.id, flush=True)
"""


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_process_killed_at_any_moment_loses_no_finished_run(place, seed):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, place], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    first = process.stdout.readline()
    timer = threading.Timer(
        random.Random(seed).uniform(0, 0.2), process.send_signal, (signal.SIGKILL,)
    )
    timer.start()
    finished = [line.strip() for line in (first + process.stdout.read()).splitlines(True)
                if line.endswith("\n")]  # fmt: skip
    process.wait()

    with open_store(place) as store:
        kept = {run.id for run in store.runs()}
        assert store.add(a_run(batch=7))

    assert finished
    assert set(finished) <= kept
    # At most one was on the disk and not said yet.
    assert len(kept) - len(finished) <= 1


@pytest.mark.parametrize("delay_s", [0.3, 0.35, 0.4, 0.45])
def test_a_process_killed_while_it_makes_the_store_leaves_one_that_opens(place, delay_s):
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, place], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(delay_s)
    process.kill()
    process.wait()

    with open_store(place) as store:
        assert store.add(a_run(batch=7))


def test_each_run_is_synced_in_full_before_add_returns(tmp_path):
    with open_store(str(tmp_path / "runs.sqlite3")) as store, store._engine.connect() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "fullfsync")
        }

    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "fullfsync": 1}


def test_a_file_that_is_no_store_is_said(tmp_path):
    path = tmp_path / "runs.sqlite3"
    path.write_text("not a database, but long enough to be taken for one" * 30)

    with pytest.raises(InputError, match=r"runs\.sqlite3 cannot be opened: file is not a database"):
        open_store(str(path))


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(InputError, match=r"cannot be opened: .*/file"):
        open_store(str(tmp_path / "file" / "runs.sqlite3"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_said(tmp_path):
    tmp_path.chmod(0o500)

    with pytest.raises(InputError, match="cannot be opened"):
        open_store(str(tmp_path / "runs.sqlite3"))


def test_a_full_disk_is_said_and_loses_nothing(tmp_path):
    path = tmp_path / "runs.sqlite3"
    with open_store(str(path)) as store:
        store.add(a_run())
        with store._engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        limit = sa.event.listens_for(store._engine, "checkout")
        limit(lambda raw, *_: raw.execute(f"PRAGMA max_page_count = {pages}"))

        with pytest.raises(InputError, match="cannot be written: database or disk is full"):
            store.add(a_run(settings={"large": "x" * 100_000}))

        assert store.runs() == [a_run()]


def test_a_busy_store_is_waited_for(tmp_path):
    path = tmp_path / "runs.sqlite3"
    with open_store(str(path)) as store:
        other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(0.3, other.execute, ("COMMIT",)).start()

        assert store.add(a_run())
        other.close()


def test_a_server_that_does_not_answer_is_said_without_the_password():
    with pytest.raises(InputError, match="cannot be opened: ") as error:
        open_store("postgresql://ada:geheim@127.0.0.1:1/team")

    assert "geheim" not in str(error.value)
