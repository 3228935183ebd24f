"""The journal: what stands in it to its end is kept, a torn line is erased, and one process has it."""

import json
import os

import pytest

from noisewise.errors import ParameterError, SchemaError
from noisewise.study import journal as journal_file
from noisewise.study.journal import JOURNAL, Journal, write_whole

HEAD, ONE, TWO = {"study": "h", "run": "r"}, {"name": "one", "value": 1}, {"name": "two", "value": 2}


def test_what_was_written_is_found_again(tmp_path):
    with Journal(tmp_path / "deep" / "out") as journal:
        assert (journal.head, journal.answers) == (None, {})
        journal.begin(HEAD)
        journal.add(ONE)
    with Journal(tmp_path / "deep" / "out") as journal:
        assert (journal.head, journal.answers) == (HEAD, {"one": ONE})
        journal.add(TWO)
        assert list(journal.answers) == ["one", "two"]
        journal.remove()
    assert list(tmp_path.rglob("*.jsonl")) == []


@pytest.mark.parametrize("cut", range(1, 25, 4))
def test_a_torn_line_is_erased(tmp_path, cut):
    lines = [json.dumps(each).encode() + b"\n" for each in (HEAD, ONE, TWO)]
    (tmp_path / JOURNAL).write_bytes(b"".join(lines)[:-cut])
    with Journal(tmp_path) as journal:
        assert (journal.head, journal.answers) == (HEAD, {"one": ONE})
        assert (tmp_path / JOURNAL).read_bytes() == b"".join(lines[:2])
        journal.add(TWO)
    assert (tmp_path / JOURNAL).read_bytes() == b"".join(lines)


def test_a_torn_head_is_no_run(tmp_path):
    (tmp_path / JOURNAL).write_bytes(b'{"study": "h", "ru')
    with Journal(tmp_path) as journal:
        assert journal.head is None


@pytest.mark.parametrize("content", [b"1\n", b"{}\n{}\n", b"x\n"])
def test_a_journal_that_was_edited_is_refused_and_kept(tmp_path, content):
    (tmp_path / JOURNAL).write_bytes(content)
    with pytest.raises(SchemaError, match="was edited"):
        Journal(tmp_path)
    assert (tmp_path / JOURNAL).read_bytes() == content


def test_one_process_has_the_journal(tmp_path):
    with Journal(tmp_path) as journal:
        journal.begin(HEAD)
        with pytest.raises(ParameterError, match="study must not be run twice at once"):
            Journal(tmp_path)
    with Journal(tmp_path) as journal:
        assert journal.head == HEAD


def test_a_journal_that_was_replaced_before_it_was_locked_is_another_run(tmp_path, monkeypatch):
    began, lock = list[Journal](), journal_file._locked

    def late(file):
        if not began:
            monkeypatch.setattr(journal_file, "_locked", lock)
            (tmp_path / JOURNAL).unlink()
            began.append(Journal(tmp_path))
            began[0].begin(HEAD)
        return lock(file)

    monkeypatch.setattr(journal_file, "_locked", late)
    with pytest.raises(ParameterError, match="study must not be run twice at once"):
        Journal(tmp_path)
    with began[0]:
        assert began[0].head == HEAD


def test_a_journal_is_read_as_it_was_locked(tmp_path, monkeypatch):
    with Journal(tmp_path) as journal:
        journal.begin(HEAD)
    with monkeypatch.context() as patch:
        patch.setattr(journal_file, "sync_folder", lambda folder: (folder / JOURNAL).unlink(missing_ok=True))
        with Journal(tmp_path) as journal:
            assert journal.head == HEAD


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_journal_is_no_other_name_of_another_file(tmp_path, link):
    (tmp_path / "staff.csv").write_text("private")
    link(tmp_path / "staff.csv", tmp_path / JOURNAL)
    with pytest.raises(SchemaError, match="must be a f"):
        Journal(tmp_path)
    assert (tmp_path / "staff.csv").read_text() == "private"


def test_only_the_owner_may_read_a_journal(tmp_path):
    with Journal(tmp_path):
        assert (tmp_path / JOURNAL).stat().st_mode & 0o077 == 0


def test_each_line_is_on_disk_before_the_next_step(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(file))
    with Journal(tmp_path) as journal:
        before = len(synced)
        journal.begin(HEAD)
        journal.add(ONE)
        assert len(synced) == before + 2


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(SchemaError, match="out must be a folder that can be written to"):
        Journal(tmp_path / "file" / "out")


def test_a_file_is_written_as_a_whole(tmp_path):
    write_whole(tmp_path / "x.csv", "a\nb\n")
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("x.csv", "a\nb\n")]
