"""Where runs are kept: a file in the user's data folder, or a database that a URL names."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from advisor.errors import InputError

FOLDER_VARIABLE = "TOLLBOOTH_DATA"
URL_VARIABLE = "TOLLBOOTH_RUNS_URL"
FILE = "runs.sqlite3"
POSTGRES = ("postgresql", "postgres", "postgresql+psycopg")
FORMS = "a path, sqlite:///PATH or postgresql://USER:PASSWORD@HOST/DATABASE"


def data_folder() -> Path:
    """The user's folder for what Tollbooth keeps, ``$TOLLBOOTH_DATA`` first."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else platformdirs.user_data_path("tollbooth", appauthor=False)


def store_url(given: str | None = None) -> URL:
    """The store that is meant: ``given``, else ``$TOLLBOOTH_RUNS_URL``, else the file.

    Raises ``InputError`` for a URL of another kind of database, or one that cannot be read.
    """
    text = given or os.environ.get(URL_VARIABLE)
    if not text:
        return _file(data_folder() / FILE)
    if "://" not in text:
        return _file(Path(text))
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        # Not the text itself: it may hold a password.
        raise InputError(f"The URL of the store cannot be read. Give {FORMS}.") from error
    if url.drivername in POSTGRES:
        return url.set(drivername="postgresql+psycopg")
    if url.drivername == "sqlite" and url.database and url.database != ":memory:":
        return _file(Path(url.database))
    raise InputError(f"Runs cannot be kept in {url.drivername!r}. Give {FORMS}.")


def shown(url: URL) -> str:
    """A store as a person may read it: a path, or a URL without its password."""
    return str(url.database) if url.drivername == "sqlite" else url.render_as_string()


def _file(path: Path) -> URL:
    return URL.create("sqlite", database=str(path.expanduser().absolute()))
