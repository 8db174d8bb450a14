"""The store of runs: SQLite in a file by default, PostgreSQL for a team; the same code on both.

A run is on the disk when ``add`` returns: SQLite writes ahead and syncs each commit in full, so
a process killed at any moment loses nothing that was finished. The store looks after its own
schema and says in a sentence what it cannot use.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from advisor.errors import InputError, unknown
from advisor.runs import schema
from advisor.runs.place import shown, store_url
from advisor.runs.run import Run, RunMachine

BUSY_S = 30
LEAST_ID_DIGITS = 4
# Any number that nothing else locks by: one store is brought up to date by one process.
POSTGRES_LOCK = 7_205_759_403
MACHINE = "machine_"


class Store:
    """Runs, kept. Open it with ``open_store``; usable from several threads and processes."""

    def __init__(self, url: URL, steps: tuple[schema.Step, ...] = schema.STEPS) -> None:
        self.place = shown(url)
        self._is_sqlite = url.drivername == "sqlite"
        with self._said("opened"):
            if self._is_sqlite:
                Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
            self._engine = _engine(url, self._is_sqlite)
            self._bring_up_to_date(steps)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._engine.dispose()

    def add(self, run: Run) -> bool:
        """Keep a run; False where it was there already. It is on the disk on return."""
        return self.add_all([run]) == 1

    def add_all(self, found: Iterable[Run]) -> int:
        """Keep runs, all or none; how many of them were new."""
        rows = [_as_row(run) for run in found]
        insert: Any = sqlite.insert if self._is_sqlite else postgresql.insert
        with self._said("written"), self._engine.begin() as connection:
            kept = schema.runs.c.id
            statement = insert(schema.runs).on_conflict_do_nothing().returning(kept)
            return sum(
                connection.execute(statement.values(row)).scalar() is not None for row in rows
            )

    def runs(self, *, used: bool | None = None, model_id: str | None = None) -> list[Run]:
        """Runs in the order they were made; only those that count, or of one model."""
        table = schema.runs
        asked = sa.select(table).order_by(table.c.created, table.c.id)
        if used is not None:
            asked = asked.where(table.c.used.is_(used))
        if model_id is not None:
            asked = asked.where(table.c.model_id == model_id)
        with self._said("read"), self._engine.connect() as connection:
            return [_as_run(row) for row in connection.execute(asked).mappings()]

    def set_used(self, ids: Sequence[str] | None, used: bool) -> int:
        """Let runs count, or not, all where ``ids`` is None. How many were meant.

        An id may be cut to its first digits.
        Raises ``InputError`` for an id that names no run, or several.
        """
        table = schema.runs
        with self._said("written"), self._engine.begin() as connection:
            known = list(connection.execute(sa.select(table.c.id)).scalars())
            meant = set(known) if ids is None else {_one_of(given, known) for given in ids}
            for run_id in meant:
                connection.execute(table.update().where(table.c.id == run_id).values(used=used))
        return len(meant)

    def set_match(self, run_id: str, model_id: str, quant_id: str) -> None:
        """Say which model and quantization of the catalog a run is of."""
        table = schema.runs
        with self._said("written"), self._engine.begin() as connection:
            connection.execute(
                table.update()
                .where(table.c.id == run_id)
                .values(model_id=model_id, quant_id=quant_id)
            )

    def _bring_up_to_date(self, steps: tuple[schema.Step, ...]) -> None:
        with self._engine.connect() as connection:
            seen = schema.version(connection)
            connection.rollback()
        if seen == len(steps):
            return
        if seen > len(steps):
            raise InputError(
                f"The store {self.place} is of a newer version of Tollbooth (schema {seen}, this "
                f"one knows {len(steps)}). Update Tollbooth, or choose another store with --store."
            )
        with self._engine.begin() as connection:
            if not self._is_sqlite:
                lock = sa.func.pg_advisory_xact_lock(POSTGRES_LOCK)
                connection.execute(sa.select(lock))
            schema.bring_up_to_date(connection, steps)

    @contextmanager
    def _said(self, done: str) -> Iterator[None]:
        """Say in a sentence what the database or the disk refuses."""
        try:
            yield
        except DBAPIError as error:
            raise InputError(f"{self._failed(done)}: {_first_line(error.orig)}.") from error
        except (SQLAlchemyError, OSError) as error:
            raise InputError(f"{self._failed(done)}: {_first_line(error)}.") from error

    def _failed(self, done: str) -> str:
        return f"The store of runs {self.place} cannot be {done}"


def open_store(given: str | None = None) -> Store:
    """The store of a path or URL, else the user's own; made where there is none yet.

    Raises ``InputError`` where it cannot be opened, or a newer version wrote it.
    """
    return Store(store_url(given))


def _engine(url: URL, is_sqlite: bool) -> sa.Engine:
    if not is_sqlite:
        return sa.create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": 10})
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_S})

    @sa.event.listens_for(engine, "connect")
    def _set_up(connection: Any, record: object) -> None:
        # Transactions are begun below, so that the schema changes inside one too.
        connection.isolation_level = None
        _write_ahead(connection)
        connection.execute("PRAGMA synchronous = FULL")
        # macOS's own: there a plain sync stops at the disk's cache.
        connection.execute("PRAGMA fullfsync = ON")

    @sa.event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A writer waits for another at once, not in the middle of its work.
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Turn on the write-ahead log; where others do so at this moment SQLite itself won't wait."""
    deadline = time.monotonic() + BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _as_row(run: Run) -> dict[str, Any]:
    row = asdict(run)
    machine = row.pop("machine")
    return row | {f"{MACHINE}{name}": value for name, value in machine.items()}


def _as_run(row: Any) -> Run:
    values = dict(row)
    machine = {
        name.removeprefix(MACHINE): values.pop(name)
        for name in list(values)
        if name.startswith(MACHINE)
    }
    for name in ("samples", "warnings"):
        values[name] = tuple(values[name])
    return Run(machine=RunMachine(**machine), **values)


def _one_of(given: str, known: Sequence[str]) -> str:
    found = [name for name in known if name.startswith(given)]
    if len(given) < LEAST_ID_DIGITS or not found:
        raise unknown("run", given, known)
    if len(found) > 1:
        raise InputError(
            f"{given!r} begins {len(found)} runs: {', '.join(found)}. Give more of it."
        )
    return found[0]


def _first_line(error: object) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
