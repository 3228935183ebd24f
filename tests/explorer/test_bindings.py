"""Files that a ledger is bound to are not opened, by every rule; others are."""

import os
from pathlib import Path
from unicodedata import normalize

import pytest

import noisewise as nws
from noisewise.dataset.document import LONGEST
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
        Bindings(tuple(map(str, ledgers)), start).check(str(file))
    except SchemaError as error:
        return str(error)
    return ""


def test_a_file_that_nothing_is_bound_to_is_opened(folders):
    start, held = folders
    (held / "notes.toml").write_text("[data]\nfile = 3\n")
    (held / "broken.toml").write_text("[")
    (held / "nowhere").symlink_to(held / "gone")
    (held / "other.db").write_bytes(b"SQLite format 3\0" + bytes(200))
    nws.Ledger.open(start / "other.ledger", budget=nws.PureDP(1))  # in the other folder, without a name
    assert refused(held / "staff.csv", start) == ""


def test_a_ledger_without_a_name_is_bound_to_its_folder(folders):
    start, held = folders
    nws.Ledger.open(held / "money.sqlite", budget=nws.PureDP(1))
    assert "money.sqlite has no name" in refused(held / "staff.csv", start)


def test_a_ledger_that_cannot_be_read_counts_as_one_without_a_name(folders):
    start, held = folders
    nws.Ledger.open(held / "staff.ledger", budget=nws.PureDP(1), name="elsewhere")
    assert refused(held / "staff.csv", start) == ""
    (held / "staff.ledger").write_bytes((held / "staff.ledger").read_bytes()[:600])
    assert "has no name" in refused(held / "staff.csv", start)


def test_a_ledger_without_a_name_that_was_given_may_pay_for_any_file(folders, tmp_path):
    start, held = folders
    nws.Ledger.open(tmp_path / "money.ledger", budget=nws.PureDP(1))
    assert refused(held / "staff.csv", start) == ""
    assert "money.ledger has no name" in refused(held / "staff.csv", start, tmp_path / "money.ledger")


@pytest.mark.parametrize("kind", ["ledger", "study"])
def test_a_file_beside_it_that_cannot_be_read_may_be_a_ledger(folders, monkeypatch, kind):
    start, held = folders
    (start / kind).write_text("")
    opening = Path.open

    def forbidden(self, *given, **keywords):
        if self.name == kind:
            raise PermissionError
        return opening(self, *given, **keywords)

    monkeypatch.setattr(Path, "open", forbidden)
    assert "a file in it cannot be read" in refused(held / "staff.csv", start)


@pytest.mark.parametrize("spelling", ["NFC", "NFD"])
def test_two_spellings_of_a_name_are_one(folders, spelling):
    start, held = folders
    (held / f"{normalize(spelling, 'Café')}.csv").write_text("pay\n1\n")
    file = held / f"{normalize(spelling, 'Café')}.csv"
    other = normalize({"NFC": "NFD", "NFD": "NFC"}[spelling], "café")
    (start / "study.toml").write_text(f'[data]\nfile = "../held/{other}.csv"\n')
    assert "study.toml" in refused(file, start)
    (start / "study.toml").unlink()
    nws.Ledger.open(held / "a.ledger", budget=nws.PureDP(1), name=other)
    assert "bound to data of this name" in refused(file, start)


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


def test_a_folder_whose_name_looks_like_a_pattern_hides_no_study(folders):
    start, held = folders
    year = held.rename(held.with_name("[2024]"))
    (year / "study.toml").write_text('[data]\nfile = "*.csv"\n')
    assert "study.toml" in refused(year / "staff.csv", start)


@pytest.mark.parametrize("name", ["study.txt", "study", "study.toml.bak"])
def test_a_study_may_have_any_name(folders, name):
    start, held = folders
    (held / name).write_text('[data]\nfile = "staff.csv"\n')
    assert f"the study {name} names it" in refused(held / "staff.csv", start)


def test_a_study_that_is_too_long_is_none_and_hides_no_data(folders, monkeypatch):
    start, held = folders
    text = '[data]\nfile = "staff.csv"\n'
    (held / "study.toml").write_text(text + "#" * LONGEST)
    assert "too long to tell" in refused(held / "staff.csv", start)
    with pytest.raises(SchemaError, match="of at most 1,000,000 bytes"):
        nws.Study.read(held / "study.toml")


def test_a_study_that_was_given_counts_wherever_it_is(folders, tmp_path):
    start, held = folders
    (tmp_path / "study.toml").write_text('[data]\nfile = "held/staff.csv"\n')
    assert refused(held / "staff.csv", start) == ""
    with pytest.raises(SchemaError, match=r"study\.toml names it"):
        Bindings(folder=start, studies=(tmp_path / "study.toml",)).check(str(held / "staff.csv"))


def test_a_pattern_of_a_study_may_lead_through_links(folders):
    start, held = folders
    (start / "data").symlink_to(held)
    (start / "study.toml").write_text('[data]\nfile = "data/*.csv"\n')
    assert "study.toml names it" in refused(held / "staff.csv", start)


def test_a_study_beside_a_link_counts(folders, tmp_path):
    start, held = folders
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "numbers.csv").symlink_to(held / "staff.csv")
    (tmp_path / "links" / "study.toml").write_text('[data]\nfile = "numbers.csv"\n')
    assert "study.toml names it" in refused(tmp_path / "links" / "numbers.csv", start)


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


@pytest.mark.parametrize("name", ["staff", "Staff", "STAFF", "sTaFf.CSV", ""])
def test_a_ledger_of_a_database_is_known_by_its_name_however_it_is_spelled(folders, monkeypatch, name):
    start, held = folders
    monkeypatch.setattr(bindings, "ledgers_in", lambda place: ["other", name])
    assert "a ledger of the database" in refused(held / "staff.csv", start, "postgresql://host/db")
    (held / "public.csv").write_text("pay\n1\n")
    opened = refused(held / "public.csv", start, "postgresql://host/db") == ""
    assert opened == bool(name)


def test_a_ledger_of_a_database_is_known_by_each_spelling_of_a_letter(folders, monkeypatch):
    start, held = folders
    (held / "LÖHNE.csv").write_text("pay\n1\n")
    for form in ("NFC", "NFD"):
        named = [normalize(form, "Löhne")]
        monkeypatch.setattr(bindings, "ledgers_in", lambda place, named=named: named)
        assert "a ledger of the database" in refused(held / "LÖHNE.csv", start, "postgresql://host/db")


@pytest.mark.round_trip
def test_a_postgres_is_asked_for_its_ledgers(folders, url):
    start, held = folders
    assert refused(held / "staff.csv", start, url) == ""
    nws.Ledger.open(url, name="Staff", budget=nws.PureDP(1))
    assert "a ledger of the database" in refused(held / "staff.csv", start, url)


def test_a_ledger_may_lie_in_a_home(folders, monkeypatch):
    start, held = folders
    monkeypatch.setenv("HOME", str(start))
    nws.Ledger.open(start / "deep.ledger", budget=nws.PureDP(1))
    with pytest.raises(SchemaError, match=r"deep\.ledger has no name"):
        Bindings.of(["~/deep.ledger"]).check(str(held / "staff.csv"))


def test_a_ledger_that_is_not_there_protects_nothing_and_is_refused(folders):
    start, held = folders
    nws.Ledger.open(start / "a.ledger", budget=nws.PureDP(1))
    assert Bindings.of([str(start / "a.ledger"), "postgresql://host/db"]).ledgers
    for place in ("b.ledger", str(held / "staff.csv")):
        with pytest.raises(ParameterError, match="must be a ledger that is there"):
            Bindings.of([place])
