"""Where runs are kept: the user's folder, a variable, a path or a URL; never with its password."""

from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.runs.place import data_folder, shown, store_url

SECRET = "postgresql://ada:geheim@db.example:5432/team"


def test_by_default_a_file_in_the_users_data_folder():
    url = store_url()

    assert url.drivername == "sqlite"
    assert Path(url.database) == data_folder() / "runs.sqlite3"
    assert Path.home() in data_folder().parents


def test_variables_choose_the_folder_or_the_store(monkeypatch, tmp_path):
    monkeypatch.setenv("TOLLBOOTH_DATA", str(tmp_path))
    assert shown(store_url()) == str(tmp_path / "runs.sqlite3")

    monkeypatch.setenv("TOLLBOOTH_RUNS_URL", SECRET)
    assert store_url().host == "db.example"
    assert shown(store_url(str(tmp_path / "own.db"))) == str(tmp_path / "own.db")


@pytest.mark.parametrize("text", [SECRET, SECRET.replace("postgresql", "postgres")])
def test_a_postgres_url_is_shown_without_its_password(text):
    url = store_url(text)

    assert (url.drivername, url.password) == ("postgresql+psycopg", "geheim")
    assert "geheim" not in shown(url)
    assert "db.example:5432/team" in shown(url)


def test_a_file_can_be_a_url_or_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    assert shown(store_url(f"sqlite:///{tmp_path}/a.db")) == str(tmp_path / "a.db")
    assert shown(store_url("a.db")) == str(tmp_path / "a.db")
    assert shown(store_url("~/a.db")) == str(Path.home() / "a.db")


@pytest.mark.parametrize("text", ["mysql://ada:geheim@h/d", "sqlite://", "postgresql://h:port/d"])
def test_another_kind_of_store_is_refused_without_saying_a_secret(text):
    with pytest.raises(InputError, match="Give a path, sqlite") as error:
        store_url(text)

    assert "geheim" not in str(error.value)
