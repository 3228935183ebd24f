"""Receipts against copies: what a ledger cannot see by itself, whoever holds a receipt can."""

import json
import sqlite3

import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import LedgerError, ParameterError, ParameterTypeError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.ledger import Ledger

ASKED = {"neighbors": "add_remove", "contributions": 1, "memo": "median"}


def test_a_rolled_back_copy_is_found_by_a_later_receipt(ledger, path, tmp_path):
    first = ledger.debit(PureDP(0.3), **ASKED)
    with sqlite3.connect(tmp_path / "copy.ledger") as copy, sqlite3.connect(path) as original:
        original.backup(copy)
    copy.close()
    original.close()
    later = ledger.debit(PureDP(0.3), **ASKED)
    rolled_back = Ledger.open(tmp_path / "copy.ledger")
    assert rolled_back.verify() == rolled_back.verify(first) == 1
    with pytest.raises(
        LedgerError, match=r"entry 2 of copy.ledger is missing, though there is a receipt for it"
    ):
        rolled_back.verify(first, later.to_dict())
    rolled_back.debit(PureDP(0.4), **ASKED)
    with pytest.raises(LedgerError, match=r"entry 2 of copy.ledger is not the one of the receipt"):
        rolled_back.verify(later)


def test_a_receipt_of_another_ledger_is_refused(ledger, tmp_path):
    other = Ledger.open(tmp_path / "other.ledger", PureDP(1)).debit(PureDP(0.1), **ASKED)
    with pytest.raises(LedgerError, match="the receipt of entry 1 is of another ledger"):
        ledger.verify(other)
    for number in ("1", [1], 1.5, 0):
        with pytest.raises((ParameterError, ParameterTypeError), match="number of a receipt must"):
            ledger.verify(other.to_dict() | {"number": number})
    unpaid = nws.count([1, 2, 3], epsilon=1)
    for nothing in (7, {"number": 1}, unpaid, unpaid.card()):
        with pytest.raises(
            ParameterTypeError, match=r"receipt must be an Entry, its to_dict\(\), a paid release"
        ):
            ledger.verify(nothing)


def test_a_release_and_its_card_are_receipts(ledger, tmp_path):
    paid = nws.count([1, 2, 3], epsilon=0.5, ledger=ledger)
    table = nws.Dataset(pl.DataFrame({"g": ["a", "b"]}), ledger=ledger)
    both = table.group_by("g", keys=["a", "b"]).count(epsilon=0.25)
    assert ledger.verify(paid, paid.card(), both, both.card(), json.loads(json.dumps(paid.card()))) == 2
    other = Ledger.open(tmp_path / "other.ledger", PureDP(1))
    for receipt in (both, both.card()):
        with pytest.raises(LedgerError, match="the receipt of entry 2 is of another ledger"):
            other.verify(receipt)


def test_receipts_that_contradict_each_other_never_pass(ledger):
    real = ledger.debit(PureDP(0.3), **ASKED)
    forged = real.to_dict() | {"hash": "0" * 64}
    assert ledger.verify(real, real.to_dict()) == 1
    for receipts in ((real, forged), (forged, real)):
        with pytest.raises(LedgerError, match=r"entry 1 of staff.ledger is not the one of the receipt"):
            ledger.verify(*receipts)
