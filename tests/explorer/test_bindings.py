"""Files that a ledger is bound to are not opened, by every rule; others are."""

import os

import pytest

import noisewise as nws
from noisewise.errors import ParameterError, SchemaError
from noisewise.explorer import bindings
from noisewise.explorer.bindings import Bindings


@pytest.fixture
def folders(tmp_path):
    """A folder to start in, and one with a file, so that neither sees the other's ledgers."""
    start, held = tmp_path / "start", tmp_path / "held"
    for folder in (start, held):
        folder.mkdir()
    (held / "staff.csv").write_text("pay\n1\n")
    return start, held


def refused(file, start, *ledgers):
    try:
        Bindings(tuple(map(str, ledgers)), start).judge(str(file))
    except SchemaError as error:
        return str(error)
    return ""


def test_a_file_that_nothing_is_bound_to_is_opened(folders):
    start, held = folders
    (held / "notes.toml").write_text("[data]\nfile = 3\n")
    (held / "broken.toml").write_text("[")
    (held / "other.db").write_bytes(b"SQLite format 3\0" + bytes(200))
    nws.Ledger.open(start / "other.ledger", budget=nws.PureDP(1))  # in the other folder, without a name
    assert refused(held / "staff.csv", start) == ""


def test_a_ledger_without_a_name_is_bound_to_its_folder(folders):
    start, held = folders
    nws.Ledger.open(held / "money.sqlite", budget=nws.PureDP(1))
    assert "money.sqlite in its folder has no name" in refused(held / "staff.csv", start)


def test_a_ledger_that_cannot_be_read_counts_as_one_without_a_name(folders):
    start, held = folders
    nws.Ledger.open(held / "staff.ledger", budget=nws.PureDP(1), name="elsewhere")
    assert refused(held / "staff.csv", start) == ""
    (held / "staff.ledger").write_bytes((held / "staff.ledger").read_bytes()[:600])
    assert "has no name" in refused(held / "staff.csv", start)


@pytest.mark.parametrize("name", ["staff", "STAFF.csv"])
@pytest.mark.parametrize("where", ["given", "beside", "start"])
def test_a_ledger_of_the_same_name_is_bound_to_the_file(folders, tmp_path, name, where):
    start, held = folders
    place = {"given": tmp_path, "beside": held, "start": start}[where] / "a.ledger"
    nws.Ledger.open(place, budget=nws.PureDP(1), name=name)
    given = [place] if where == "given" else []
    assert "bound to data of this name" in refused(held / "staff.csv", start, *given)


@pytest.mark.parametrize("file", ["staff.csv", "*.csv", "../held/staff.csv"])
def test_the_data_of_a_study_is_not_opened(folders, file):
    start, held = folders
    (held / "study.toml").write_text(f'[data]\nfile = "{file}"\n')
    assert "study.toml names it as its private data" in refused(held / "staff.csv", start)


def test_a_study_where_the_explorer_starts_counts_as_well(folders):
    start, held = folders
    (start / "study.toml").write_text('[data]\nfile = "../held/staff.csv"\n')
    assert "study.toml" in refused(held / "staff.csv", start)


def test_links_are_followed_and_a_ledger_is_no_data(folders, tmp_path):
    start, held = folders
    nws.Ledger.open(held / "money.ledger", budget=nws.PureDP(1))
    os.symlink(held / "staff.csv", start / "innocent.csv")
    assert "has no name" in refused(start / "innocent.csv", start)
    assert "it is a ledger" in refused(held / "money.ledger", start)


def test_a_file_of_several_names_is_not_opened(folders, tmp_path):
    """A hard link in another folder is the same file, and nothing says which names it has."""
    start, held = folders
    (held / "study.TOML").write_text('[data]\nfile = "staff.csv"\n')
    assert "study.TOML names it" in refused(held / "staff.csv", start)
    (tmp_path / "public").mkdir()
    os.link(held / "staff.csv", tmp_path / "public" / "numbers.csv")
    assert "hard links" in refused(tmp_path / "public" / "numbers.csv", start)


def test_a_folder_that_cannot_be_looked_through_is_refused(folders, monkeypatch):
    """A ledger in it could be overlooked."""
    start, held = folders
    (start / "alone.csv").write_text("pay\n1\n")
    for index in range(3):
        (held / f"{index}.txt").write_text("")
    monkeypatch.setattr(bindings, "MOST_FILES", 3)
    assert "looked through" in refused(held / "staff.csv", start)
    assert "looked through" in refused(start / "alone.csv", held)
    monkeypatch.setattr(bindings, "MOST_FILES", 4)
    assert refused(held / "staff.csv", start) == ""


def test_a_database_is_asked_for_the_name(folders, monkeypatch):
    start, held = folders

    class Book:
        def __init__(self, place, name):
            self.name = name

        def last(self):
            return self.name == "staff" or None

        def close(self):
            pass

    monkeypatch.setattr("noisewise.explorer.bindings.open_book", Book)
    assert "a ledger of the database" in refused(held / "staff.csv", start, "postgresql://host/db")
    (held / "public.csv").write_text("pay\n1\n")
    assert refused(held / "public.csv", start, "postgresql://host/db") == ""


def test_a_ledger_that_is_not_there_protects_nothing_and_is_refused(folders):
    start, held = folders
    nws.Ledger.open(start / "a.ledger", budget=nws.PureDP(1))
    assert Bindings.of([str(start / "a.ledger"), "postgresql://host/db"]).ledgers
    for place in ("b.ledger", str(held / "staff.csv")):
        with pytest.raises(ParameterError, match="must be a ledger that is there"):
            Bindings.of([place])
