"""The journal: what stands in it to its end is kept, a torn line is erased, and one process has it."""

import errno
import json
import os
from contextlib import suppress

import pytest

from noisewise.errors import ParameterError, SchemaError
from noisewise.study import journal as journal_file
from noisewise.study.journal import JOURNAL, Journal

HEAD, ONE, TWO = {"study": "h", "run": "r"}, {"name": "one", "value": 1}, {"name": "two", "value": 2}


def test_what_was_written_is_found_again(tmp_path):
    with Journal(tmp_path / "deep" / "out") as journal:
        assert (journal.head, journal.answers) == (None, {})
        journal.begin(HEAD)
        journal.add("one", lambda: ONE)
    with Journal(tmp_path / "deep" / "out") as journal:
        assert (journal.head, journal.answers) == (HEAD, {"one": ONE})
        journal.add("two", lambda: TWO)
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
        journal.add("two", lambda: TWO)
    assert (tmp_path / JOURNAL).read_bytes() == b"".join([*lines[:2], b'{"drawn": "two"}\n', lines[2]])


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
        journal.reserve(1000)
        before = len(synced)
        journal.begin(HEAD)
        journal.add("one", lambda: ONE)
        assert len(synced) == before + 3


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(SchemaError, match="out must be a folder that can be written to"):
        Journal(tmp_path / "file" / "out")


def test_room_is_taken_and_given_back(tmp_path):
    with Journal(tmp_path) as journal:
        journal.reserve(3 * 2**20 + 5)
        assert (tmp_path / JOURNAL).stat().st_size == 3 * 2**20 + 5
        journal.begin(HEAD)
        journal.add("one", lambda: ONE)
    with Journal(tmp_path) as journal:
        assert (journal.head, journal.answers) == (HEAD, {"one": ONE})
        assert (tmp_path / JOURNAL).read_bytes().endswith(b"}\n")


def full(monkeypatch, most):
    """Let a disk take no more than so many bytes of a journal, whatever is asked of it; and one line again later."""
    write = os.write

    def writing(file, data):
        left = most - os.lseek(file, 0, os.SEEK_CUR)
        if left <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, data[:left])

    monkeypatch.setattr(os, "write", writing)


def test_a_disk_without_room_is_refused_before_anything_begins(tmp_path, monkeypatch):
    with Journal(tmp_path) as journal, monkeypatch.context() as patch:
        full(patch, 5000)
        with pytest.raises(
            SchemaError, match=r"^out must be a folder with room for 6,000 bytes, .*No space left"
        ):
            journal.reserve(6000)
        assert (tmp_path / JOURNAL).stat().st_size == 0
        journal.reserve(4000)


@pytest.mark.parametrize("length", [1, 10_000])
def test_an_answer_that_cannot_be_written_is_lost(tmp_path, monkeypatch, length):
    answer = {"name": "one", "value": "1" * length}
    with Journal(tmp_path) as journal:
        journal.reserve(1000)
        journal.begin(HEAD)
        with monkeypatch.context() as patch, suppress(OSError):
            full(patch, 1000)
            journal.add("one", lambda: answer)
    with Journal(tmp_path) as journal:
        assert journal.drawn == {"one"}
        assert journal.answers == ({"one": answer} if length == 1 else {})


def test_an_answer_that_cannot_be_spelled_is_lost(tmp_path):
    def too_large():
        raise MemoryError

    with Journal(tmp_path) as journal:
        journal.begin(HEAD)
        with pytest.raises(MemoryError):
            journal.add("one", too_large)
    with Journal(tmp_path) as journal:
        assert (journal.drawn, journal.answers) == ({"one"}, {})


def test_an_answer_that_was_marked_is_marked_once(tmp_path):
    with Journal(tmp_path) as journal:
        journal.begin(HEAD)
        journal.mark("one")
        journal.add("one", lambda: ONE)
    assert (tmp_path / JOURNAL).read_bytes().count(b'"drawn"') == 1


def test_the_mark_of_an_answer_is_on_disk_before_the_answer(tmp_path, monkeypatch):
    synced = []
    with Journal(tmp_path) as journal:
        journal.begin(HEAD)
        monkeypatch.setattr(os, "fsync", lambda file: synced.append((tmp_path / JOURNAL).read_bytes()))
        journal.add("one", lambda: ONE)
    assert [each.splitlines()[1:] for each in synced] == [
        [b'{"drawn": "one"}'],
        [b'{"drawn": "one"}', json.dumps(ONE).encode()],
    ]


@pytest.mark.parametrize(
    "content", [b'{"name": "Ann", "pay": 3', b'{"name": "Ann", "pay": 3}\n{"name"', b"x"]
)
def test_nothing_of_a_file_that_is_no_journal_is_erased(tmp_path, content):
    (tmp_path / JOURNAL).write_bytes(content)
    with pytest.raises(SchemaError, match="was edited"):
        Journal(tmp_path)
    assert (tmp_path / JOURNAL).read_bytes() == content


def test_the_journal_of_another_is_not_removed(tmp_path):
    with Journal(tmp_path / "out") as journal:
        journal.begin(HEAD)
        (tmp_path / "out").rename(tmp_path / "moved")
        with Journal(tmp_path / "out") as other:
            other.begin({**HEAD, "run": "s"})
            journal.remove()
            assert (tmp_path / "out" / JOURNAL).exists()
