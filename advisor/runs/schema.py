"""The tables of a store and the numbered steps that made them.

A step is never changed once released: a store remembers how many it has seen and is brought up
to date by those that follow. A store that has seen more steps than there are here was written
by a newer version.
"""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from sqlalchemy.engine import Connection

metadata = sa.MetaData()

versions = sa.Table(
    "tollbooth_schema",
    metadata,
    sa.Column("version", sa.Integer, primary_key=True),
)

runs = sa.Table(
    "tollbooth_runs",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("created", sa.String(40), nullable=False, index=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("machine_chip", sa.Text, nullable=False),
    sa.Column("machine_gpu_cores", sa.BigInteger),
    sa.Column("machine_memory_gb", sa.Double),
    sa.Column("machine_macos", sa.Text, nullable=False),
    sa.Column("machine_label", sa.Text, nullable=False),
    sa.Column("machine_is_mac", sa.Boolean, nullable=False),
    sa.Column("runtime", sa.Text, nullable=False),
    sa.Column("runtime_version", sa.Text, nullable=False),
    sa.Column("model", sa.Text, nullable=False),
    sa.Column("model_id", sa.Text, nullable=False),
    sa.Column("quant", sa.Text, nullable=False),
    sa.Column("quant_id", sa.Text, nullable=False),
    sa.Column("context_tokens", sa.BigInteger, nullable=False),
    sa.Column("prompt_tokens", sa.BigInteger, nullable=False),
    sa.Column("batch", sa.BigInteger, nullable=False),
    sa.Column("decode_tok_s", sa.Double),
    sa.Column("decode_low", sa.Double),
    sa.Column("decode_high", sa.Double),
    sa.Column("prefill_tok_s", sa.Double),
    sa.Column("peak_memory_bytes", sa.BigInteger),
    sa.Column("samples", sa.JSON, nullable=False),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("warnings", sa.JSON, nullable=False),
    sa.Column("catalog_digest", sa.Text, nullable=False),
    sa.Column("used", sa.Boolean, nullable=False),
)


def _first(connection: Connection) -> None:
    """Version 1: one table of runs."""
    runs.create(connection)


Step = Callable[[Connection], None]
STEPS: tuple[Step, ...] = (_first,)


def version(connection: Connection) -> int:
    """How many steps the store has seen; 0 for an empty one."""
    if not sa.inspect(connection).has_table(versions.name):
        return 0
    return connection.execute(sa.select(sa.func.max(versions.c.version))).scalar() or 0


def bring_up_to_date(connection: Connection, steps: tuple[Step, ...] = STEPS) -> None:
    """Take the steps that the store has not seen, inside the caller's transaction."""
    versions.create(connection, checkfirst=True)
    for number, step in enumerate(steps, start=1):
        if number > version(connection):
            step(connection)
            connection.execute(versions.insert().values(version=number))
