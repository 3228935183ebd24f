"""What is noticed of a ledger's file that somebody puts back or edits, by whom, and what is noticed by nobody.

Somebody who may write to the folder acts while nobody looks. Three may notice: a process that had the ledger open, a
new one that verifies it, and a new one with the receipt of the last release. What only a receipt shows is said to be so
in docs/trust/limits.md.
"""

import json
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import noisewise as nws
from noisewise.ledger.books import open_book
from noisewise.ledger.entries import seal
from tests.attacks.vulnerable import KeepsATotal
from tests.ledger.books.tampering import tamper

Tamper = Callable[[Path, Path], None]


def put_back(path: Path, older: Path) -> None:
    shutil.copy(older, path)


def edited(path: Path, _older: Path) -> None:
    body = next(row.body for row in open_book(path).rows() if row.number == 1)
    tamper(path, ("UPDATE rows SET body = ? WHERE number = 1", (body.replace("median", "count "),)))


def removed_in_the_middle(path: Path, _older: Path) -> None:
    tamper(path, ("DELETE FROM rows WHERE number = 1", ()))


def cut_off(path: Path, _older: Path) -> None:
    tamper(path, ("DELETE FROM rows WHERE number = 2", ()))


def cheaper(path: Path, _older: Path) -> None:
    """The last entry says that it cost less, well sealed and adding up."""
    rows = list(open_book(path).rows())
    said = json.loads(rows[-1].body)
    paid = Fraction(said["loss"]["epsilon"])
    for key in ("loss", "cost", "spent"):
        said[key]["epsilon"] = str(Fraction(said[key]["epsilon"]) - paid / 2)
    body = json.dumps(said, sort_keys=True, separators=(",", ":"))
    tamper(path, ("UPDATE rows SET body = ?, hash = ? WHERE number = 2", (body, seal(body))))


ALL, OPEN_OR_RECEIPT = (True, True, True), (True, False, True)
"""Who notices: who had it open, a new process by itself, a new process with the receipt of the last release."""

TAMPERED: dict[str, tuple[Tamper, tuple[bool, bool, bool]]] = {
    "an entry is edited": (edited, ALL),
    "an entry is removed": (removed_in_the_middle, ALL),
    "the last entry is cut off": (cut_off, OPEN_OR_RECEIPT),
    "an older file is put back": (put_back, OPEN_OR_RECEIPT),
    "the last entry is rewritten cheaper": (cheaper, OPEN_OR_RECEIPT),
}


def noticed(check: Callable[[], Any]) -> bool:
    try:
        check()
    except nws.LedgerError:
        return True
    return False


def test_an_edit_of_a_ledger_that_keeps_a_total_is_seen_by_nobody(tmp_path: Path) -> None:
    purse = KeepsATotal(tmp_path / "total")
    purse.debit(1)
    (tmp_path / "total").write_text("0")
    assert not noticed(purse.verify) and purse.spent == 0


@pytest.mark.parametrize("name", TAMPERED)
def test_what_is_noticed_of_a_file_that_is_tampered_with(name: str, tmp_path: Path) -> None:
    tamper, expected = TAMPERED[name]
    path, older = tmp_path / "staff.ledger", tmp_path / "older"
    ledger = nws.Ledger.open(path, nws.PureDP(4))
    nws.median([1], bounds=(0, 1), epsilon=1, mechanism="laplace", ledger=ledger)
    ledger.close()
    shutil.copy(path, older)
    last = nws.median([1], bounds=(0, 1), epsilon=1, mechanism="laplace", ledger=ledger)
    ledger.close()
    tamper(path, older)
    found = (
        noticed(ledger.verify),
        noticed(lambda: nws.Ledger.open(path).verify()),
        noticed(lambda: nws.Ledger.open(path).verify(last)),
    )
    assert found == expected
    if not expected[1]:  # what is said of it: budget that was spent is there again
        assert nws.Ledger.open(path).spent.epsilon < 2
