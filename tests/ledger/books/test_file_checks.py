"""A ledger has one name and one folder; what was left beside it by a crash is undone, or refused."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from noisewise.errors import BudgetExceeded, LedgerError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.books import open_book, sqlite_file
from noisewise.ledger.ledger import Ledger
from tests.kernel.laws.book_laws import ASKED, next_number
from tests.ledger.books.left_by_others import give_log, move_to_log, unfinish

MOUNTS = """\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
63 22 254:0 /srv/privacy/staff.ledger /data/staff.ledger rw,relatime - ext4 /dev/vda rw
64 22 254:0 /srv/privacy /srv/my\\040budgets rw,relatime - ext4 /dev/vda rw
65 22 254:0 /srv/a /srv/my\\040budgets/a\\134b\\011c.ledger rw,relatime - ext4 /dev/vda rw

broken
"""
SPEND = """
import sys
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger

print(Ledger.open(sys.argv[1]).debit(PureDP(0.5), neighbors="add_remove", contributions=1, memo="x").number)
"""
TWO_NAMES = """
import sys
from noisewise.ledger.books import sqlite_file
from noisewise.errors import BudgetExceeded, LedgerError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger

names, kept = sys.argv[1:3], {}
sqlite_file.MOUNTS = sys.argv[3]
for name in names * 2:
    try:
        ledger = kept[name] = kept.get(name) or Ledger.open(name)
        print(ledger.debit(PureDP(0.5), neighbors="add_remove", contributions=1, memo="x").number)
    except BudgetExceeded:
        print("spent")
    except LedgerError as error:
        print(error)
print(Ledger.open(names[0]).verify())
"""


@pytest.fixture
def place(tmp_path):
    return tmp_path / "staff.ledger"


def two_names(place, mounts):
    """What a process is told that spends from a file by turns under its name and where it is mounted."""
    other = place.parent / "container" / "staff.ledger"
    other.parent.mkdir()
    other.touch()
    Ledger.open(place, PureDP(1)).close()
    inside = 'mount --bind "$1" "$2" 2>/dev/null || exit 77; exec "$0" -c "$4" "$1" "$2" "$3"'
    command = ["unshare", "-m", "sh", "-c", inside, sys.executable, str(place), str(other), mounts, TWO_NAMES]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode in (1, 77) and not done.stdout:
        pytest.skip("nothing can be mounted here")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines(), str(other)


def spend_elsewhere(place):
    """The number of an entry of 0.5 that another process makes."""
    command = [sys.executable, "-c", SPEND, str(place)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout.strip()


# Mounts


@pytest.mark.parametrize(
    ("path", "mounted"),
    [
        ("/data/staff.ledger", True),
        ("/srv/my budgets/a\\b\tc.ledger", True),
        ("/srv/my budgets/staff.ledger", False),
        ("/srv/privacy/staff.ledger", False),  # the name on the host: no mount
        ("/data/staff", False),
    ],
)
def test_a_file_that_is_mounted_by_itself_is_told_by_the_list_of_mounts(path, mounted):
    assert sqlite_file.is_mount(path, MOUNTS) is mounted


def test_a_file_that_is_mounted_by_itself_is_refused(place, tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_file, "MOUNTS", tmp_path / "mountinfo")
    (tmp_path / "mountinfo").write_text(
        f"1 2 0:1 /x {str(place).replace(' ', chr(92) + '040')} rw - ext4 x rw\n"
    )
    place.touch()
    for attempt in (lambda: Ledger.open(place, PureDP(1)), open_book(place).last):
        with pytest.raises(LedgerError, match=r"is mounted as a single file .*: mount its folder instead"):
            attempt()
    assert place.read_bytes() == b""
    (tmp_path / "link").symlink_to(place)
    with pytest.raises(LedgerError, match="mounted as a single file"):
        open_book(tmp_path / "link").last()


def test_a_reader_of_a_file_that_is_mounted_by_itself_is_refused(place, monkeypatch):
    Ledger.open(place, PureDP(1)).close()
    monkeypatch.setattr("noisewise.ledger.books.sqlite_file._may_write", lambda path: False)
    monkeypatch.setattr(sqlite_file, "is_mount", lambda real, mounts: True)
    with pytest.raises(LedgerError, match="mounted as a single file"):
        Ledger.open(place)


def test_a_system_that_lists_no_mounts_gets_along(place, tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_file, "MOUNTS", tmp_path / "none")
    assert Ledger.open(place, PureDP(1)).debit(PureDP(1), **ASKED).number == 1


SHARED = (
    MOUNTS
    + """\
66 22 0:50 / /mnt/all rw,relatime - nfs4 server:/all rw
67 66 254:9 / /mnt/all/here rw,relatime - ext4 /dev/vdb rw
68 22 254:9 / /mnt/top rw,relatime - ext4 /dev/vdb rw
69 68 0:51 / /mnt/top rw,relatime - cifs //server/top rw
"""
)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/mnt/all/staff.ledger", "nfs4"),
        ("/mnt/all/here/staff.ledger", "ext4"),
        ("/mnt/alle/staff.ledger", "ext4"),
        ("/mnt/top/staff.ledger", "cifs"),  # mounted over another
        ("/staff.ledger", "ext4"),
    ],
)
def test_the_file_system_of_a_path_is_told_by_the_list_of_mounts(path, kind):
    assert sqlite_file.file_system(path, SHARED) == kind
    assert sqlite_file.file_system(path, "") is None


def test_a_ledger_on_a_network_drive_is_read_and_never_spent_from(place, tmp_path, monkeypatch):
    Ledger.open(place, PureDP(1)).debit(PureDP(0.5), **ASKED)
    folder = str(tmp_path).replace(" ", "\\040")
    (tmp_path / "mountinfo").write_text(f"1 2 0:1 / / rw - ext4 x rw\n2 1 0:2 / {folder} rw - nfs4 s:/x rw\n")
    monkeypatch.setattr(sqlite_file, "MOUNTS", tmp_path / "mountinfo")
    ledger = Ledger.open(place)
    assert (ledger.verify(), ledger.spent) == (1, PureDP(0.5))
    for attempt in (
        lambda: ledger.debit(PureDP(0.5), **ASKED),
        lambda: Ledger.open(tmp_path / "new.ledger", PureDP(1)),
    ):
        with pytest.raises(
            LedgerError, match=r"lies on a network drive \(nfs4\), .* local disk or in PostgreSQL"
        ):
            attempt()
    assert (len(ledger), (tmp_path / "new.ledger").exists()) == (1, False)


@pytest.mark.skipif(not shutil.which("unshare"), reason="mounts of Linux")
def test_a_second_name_that_is_a_mount_is_refused(place):
    told, other = two_names(place, sqlite_file.MOUNTS)
    assert told[0::2] == ["1", "2", "2"]
    assert told[1].startswith(f"the ledger {other} is mounted as a single file") and told[3].startswith(
        "the ledger"
    )


@pytest.mark.skipif(not shutil.which("unshare"), reason="mounts of Linux")
def test_a_file_under_two_names_is_not_spent_twice_even_where_the_mount_is_not_seen(place):
    assert two_names(place, "/nowhere")[0] == ["1", "2", "spent", "spent", "2"]


# Nothing but the file


def test_what_lies_beside_the_file_can_be_deleted(place):
    ledger = Ledger.open(place, PureDP(1))
    ledger.debit(PureDP(0.5), **ASKED)
    for file in place.parent.iterdir():
        if file != place:
            file.unlink()
    assert spend_elsewhere(place) == "2"
    with pytest.raises(BudgetExceeded):
        ledger.debit(PureDP(0.5), **ASKED)
    assert Ledger.open(place).verify() == 2


def test_the_file_alone_has_every_entry_at_every_moment(place, tmp_path):
    ledger = Ledger.open(place, PureDP(30))
    for number in range(1, 31):
        ledger.debit(PureDP(1), **ASKED)
        shutil.copy(place, tmp_path / f"copy {number}")
        assert Ledger.open(tmp_path / f"copy {number}").verify() == number


@pytest.mark.skipif(os.name == "nt", reason="links of POSIX")
def test_the_journal_of_a_link_lies_beside_the_file(tmp_path, place):
    book = open_book(place)
    book.append(next_number)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "link").symlink_to(place)
    linked = open_book(tmp_path / "elsewhere" / "link")
    assert linked.append(next_number).number == 1
    assert [file.name for file in (tmp_path / "elsewhere").iterdir()] == ["link"]
    assert book.append(next_number).number == 2


# Journals


def crashed(place):
    """A ledger of one entry, the second cut short just before its end."""
    ledger = Ledger.open(place, PureDP(1))
    ledger.debit(PureDP(0.1), **ASKED)
    pages = place.stat().st_size // 4096
    ledger.debit(PureDP(0.1), **ASKED)
    return ledger, pages


def test_an_entry_that_was_cut_short_is_undone(place):
    ledger, pages = crashed(place)
    unfinish(place, pages)
    again = Ledger.open(place)
    assert (again.verify(), again.spent) == (1, PureDP(0.1))
    assert not sqlite_file.is_unfinished(str(place))
    with pytest.raises(LedgerError, match="row 2"):  # it was returned: this crash is none that could be
        ledger.debit(PureDP(0.1), **ASKED)


def relink(old, new):
    """Moved as some programs do it, after which Linux no longer knows the path of a file that is open."""
    os.link(old, new)
    os.unlink(old)


@pytest.mark.parametrize("move", [os.rename, relink])
@pytest.mark.skipif(sqlite_file.OWNED is None, reason="no locks of descriptors here")
def test_a_journal_from_before_the_latest_entries_is_refused(place, tmp_path, move):
    """The file was moved away from it, spent from, and moved back."""
    ledger, pages = crashed(place)
    unfinish(place, pages)
    move(place, tmp_path / "moved")
    moved = Ledger.open(tmp_path / "moved")
    moved.debit(PureDP(0.1), **ASKED)
    moved.close()
    move(tmp_path / "moved", place)
    before = place.read_bytes()
    for attempt in (lambda: Ledger.open(place), lambda: ledger.debit(PureDP(0.1), **ASKED)):
        with pytest.raises(LedgerError, match="entries that are younger than the unfinished journal"):
            attempt()
    assert place.read_bytes() == before
    Path(f"{place}-journal").rename(tmp_path / "away")
    assert Ledger.open(place).verify() == 3


@pytest.mark.skipif(sqlite_file.OWNED is None, reason="no locks of descriptors here")
def test_an_open_file_that_a_link_leads_to_now_is_refused(place, tmp_path):
    """SQLite would go on writing its journal where nobody looks for it."""
    ledger = Ledger.open(place, PureDP(1))
    ledger.debit(PureDP(0.1), **ASKED)
    place.rename(tmp_path / "moved")
    place.symlink_to(tmp_path / "moved")
    with pytest.raises(LedgerError, match="was removed or replaced while it was open"):
        ledger.debit(PureDP(0.1), **ASKED)
    assert Ledger.open(place).verify() == 1


@pytest.mark.skipif(sqlite_file.OWNED is None, reason="no locks of descriptors here")
def test_such_a_journal_is_found_beside_the_file_that_a_link_leads_to(place, tmp_path):
    _, pages = crashed(place)
    unfinish(place, pages)
    place.rename(tmp_path / "moved")
    moved = Ledger.open(tmp_path / "moved")
    moved.debit(PureDP(0.1), **ASKED)
    moved.close()
    (tmp_path / "moved").rename(place)
    (tmp_path / "link").symlink_to(place)
    with pytest.raises(LedgerError, match="entries that are younger than the unfinished journal"):
        Ledger.open(tmp_path / "link")


@pytest.mark.parametrize("left", [b"", b"x", bytes(512), bytes.fromhex("d9d505f920a163d7")])
def test_a_journal_that_says_nothing_is_no_hindrance(place, left):
    Ledger.open(place, PureDP(1)).close()
    Path(f"{place}-journal").write_bytes(left)
    assert Ledger.open(place).debit(PureDP(0.1), **ASKED).number == 1


# Logs of earlier versions


@pytest.mark.parametrize("owned", [True, False])
def test_a_ledger_of_an_earlier_version_opens_with_all_that_is_in_its_log(place, owned, monkeypatch):
    with Ledger.open(place, PureDP(1)) as ledger:
        receipts = [ledger.debit(PureDP(0.1), **ASKED) for _ in range(3)]
    move_to_log(place)
    if not owned:
        monkeypatch.setattr(sqlite_file, "OWNED", None)
    with Ledger.open(place) as again:
        assert again.verify(*receipts) == 3
        assert again.debit(PureDP(0.1), **ASKED).number == 4
    assert os.listdir(place.parent) == ["staff.ledger"]
    assert place.read_bytes()[18:20] == b"\1\1"


def test_a_ledger_that_an_earlier_version_has_used_meanwhile_goes_on(place):
    book = open_book(place)
    book.append(next_number)
    give_log(place)
    assert book.append(next_number).number == 1
    move_to_log(place)
    assert [row.body for row in book.rows()] == ["0", "1"]
    assert book.append(next_number).number == 2
