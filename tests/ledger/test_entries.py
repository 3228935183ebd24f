"""What a ledger writes: sealed, in order, and readable for ever."""

import json
import pickle
import re
import sqlite3
from fractions import Fraction
from pathlib import Path

import pytest

from noisewise.errors import LedgerError
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.ledger.amounts import Amount
from noisewise.ledger.books import BookRow
from noisewise.ledger.budget import Terms
from noisewise.ledger.entries import Entry, now, read_entry, read_terms, seal, write_entry, write_terms
from noisewise.ledger.ledger import Ledger
from tests.ledger.books.tampering import tamper

ASKED = {"neighbors": "add_remove", "contributions": 1, "memo": "median"}
GOLDEN = Path(__file__).parent / "golden"
RHO = {epsilon: PureDP(epsilon).as_zcdp().rho for epsilon in (1, 2)}


@pytest.fixture
def path(tmp_path):
    """A ledger with five entries of one unit each."""
    place = tmp_path / "staff.ledger"
    ledger = Ledger.open(place, PureDP(5))
    for n in range(5):
        ledger.debit(PureDP(1), **(ASKED | {"memo": f"question {n + 1}"}))
    return place


def body_of(path, number):
    raw = sqlite3.connect(path)
    (body,) = raw.execute("SELECT body FROM rows WHERE number = ?", (number,)).fetchone()
    raw.close()
    return body


def rewrite(path, row, /, **changes):
    """Change the body of a row and seal it again, as a careful forger would; ``a__b`` is b inside a."""
    written = json.loads(body_of(path, row))
    for key, value in changes.items():
        *outer, last = key.split("__")
        inner = written
        for each in outer:
            inner = inner[each]
        inner[last] = value
    body = json.dumps(written, sort_keys=True, separators=(",", ":"))
    tamper(path, ("UPDATE rows SET body = ?, hash = ? WHERE number = ?", (body, seal(body), row)))


def found(path):
    """What verify says."""
    with pytest.raises(LedgerError) as caught:
        Ledger.open(path).verify()
    return str(caught.value)


# Tampering


def test_an_honest_ledger_verifies(path):
    assert Ledger.open(path).verify() == 5


@pytest.mark.parametrize("number", [1, 3, 5])
def test_an_edited_entry_is_named(path, number):
    tamper(path, f"UPDATE rows SET body = replace(body, 'question', 'Question') WHERE number = {number}")
    assert found(path) == f"entry {number} of staff.ledger was edited: its seal is broken"


def test_an_edited_entry_that_was_sealed_again_is_named_by_the_next(path):
    rewrite(path, 3, memo="something else")
    assert found(path) == (
        "entry 4 of staff.ledger does not follow entry 3: entries were edited, removed or reordered"
    )


def test_a_removed_entry_is_named(path):
    tamper(path, "DELETE FROM rows WHERE number = 3")
    assert found(path) == "entry 3 of staff.ledger was removed"


def test_a_removed_entry_whose_number_was_filled_is_named(path):
    tamper(path, "DELETE FROM rows WHERE number = 3", "UPDATE rows SET number = 3 WHERE number = 4")
    assert found(path).startswith("entry 3 of staff.ledger does not follow entry 2")


def test_reordered_entries_are_named(path):
    tamper(
        path,
        *(f"UPDATE rows SET number = {new} WHERE number = {old}" for old, new in [(2, 9), (3, 2), (9, 3)]),
    )
    assert found(path).startswith("entry 2 of staff.ledger does not follow entry 1")


def test_entries_cut_off_the_end_are_found_by_a_receipt_alone(path):
    receipt = list(Ledger.open(path).entries())[-1]
    tamper(path, "DELETE FROM rows WHERE number >= 4")
    assert Ledger.open(path).verify() == 3
    with pytest.raises(LedgerError, match=r"entry 5 of .* is missing, though there is a receipt"):
        Ledger.open(path).verify(receipt)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"spent__epsilon": "1"}, "does not add up"),
        ({"cost__epsilon": "0", "spent__epsilon": "4"}, "more than the terms allow"),
        (
            {"cost__rho": "-1", "spent__rho": str(4 * RHO[1] - 1)},
            "more than the terms allow",
        ),
        (
            {
                **{"loss__epsilon": "2", "cost__epsilon": "2", "spent__epsilon": "6"},
                **{"cost__rho": str(RHO[2]), "spent__rho": str(4 * RHO[1] + RHO[2])},
            },
            "more than the terms allow",
        ),
        ({"loss__epsilon": "2"}, "more than the terms allow"),
        ({"contributions": 0}, "more than the terms allow"),
        ({"neighbors": "swap"}, "does not add up"),
        ({"unit": "person"}, "does not add up"),
        ({"number": 4}, "does not add up"),
        ({"ledger": "0" * 64}, "does not add up"),
        ({"extra": 1}, "does not add up"),
        ({"loss__loss": "Magic"}, "was edited: it cannot be read"),
        ({"loss__epsilon": "-1"}, "was edited: it cannot be read"),
        ({"spent__delta": None}, "was edited: it cannot be read"),
        ({"spent": 7}, "was edited: it cannot be read"),
        ({"format": 3}, "was written by a newer noisewise, in format 3: upgrade"),
        ({"format": 1}, "does not add up"),
        ({"per_group": 0}, "was edited: it cannot be read"),
    ],
)
def test_a_last_entry_that_was_forged_is_judged_by_the_terms(path, changes, says):
    rewrite(path, 5, **changes)
    assert says in found(path)


def test_zcdp_is_charged_its_own_rho(tmp_path):
    path = tmp_path / "z.ledger"
    Ledger.open(path, ZCDP(1)).debit(ZCDP(0.5), **ASKED)
    rewrite(path, 1, cost__rho="0", spent__rho="0")
    assert "more than the terms allow" in found(path)


@pytest.mark.parametrize("body", ["", "[]", "7", '"text"', "{", '{"format":1}', None, b"\xff\x00"])
def test_a_row_of_nonsense_is_an_error_in_words(body):
    row = BookRow(3, body, "hash")
    with pytest.raises(LedgerError, match="entry 3 of staff was edited"):
        read_entry(row, Terms.of(PureDP(1)), "staff")
    with pytest.raises(LedgerError, match="the opening of staff was edited"):
        read_terms(row._replace(number=0), "staff")


def test_a_row_nested_beyond_reason_is_an_error_in_words():
    deep = "[" * 100_000
    with pytest.raises(LedgerError, match="entry 3 of staff was edited: it cannot be read"):
        read_entry(BookRow(3, deep, seal(deep)), Terms.of(PureDP(1)), "staff")


def test_no_two_ledgers_have_the_same_opening():
    terms, time = Terms.of(PureDP(1)), now("microseconds")
    assert write_terms(terms, time) != write_terms(terms, time)
    assert re.fullmatch(r"[0-9a-f]{32}", json.loads(write_terms(terms, time))["nonce"])


def test_an_edited_last_row_stops_the_next_debit(path):
    tamper(path, 'UPDATE rows SET body = replace(body, \'epsilon":"5"\', \'epsilon":"0"\') WHERE number = 5')
    with pytest.raises(LedgerError, match=r"entry 5 of .* was edited: its seal is broken"):
        Ledger.open(path).debit(PureDP(1), **ASKED)


def test_an_edited_opening_is_found_at_once(path):
    tamper(path, "UPDATE rows SET body = replace(body, '\"5\"', '\"9\"') WHERE number = 0")
    with pytest.raises(LedgerError, match=r"the opening of .* was edited: its seal is broken"):
        Ledger.open(path)


@pytest.mark.parametrize("changes", [{"budget": {"loss": "BoundedRange", "epsilon": "1"}}, {"limit": "x"}])
def test_an_opening_of_nonsense_is_an_error_in_words(path, changes):
    rewrite(path, 0, **changes)
    with pytest.raises(LedgerError, match=r"the opening of .* was edited: it cannot be read"):
        Ledger.open(path)


def test_a_forged_opening_breaks_the_chain_and_stops_who_had_it_open(path):
    ledger = Ledger.open(path)
    rewrite(path, 0, budget={"loss": "PureDP", "epsilon": "9"})
    with pytest.raises(LedgerError, match=r"the opening of .* was replaced"):
        ledger.verify()
    assert found(path).startswith("entry 1 of staff.ledger does not")


def test_a_forged_limit_is_unsound(tmp_path):
    path = tmp_path / "a.ledger"
    Ledger.open(path, ApproxDP(1, 1e-6))
    rewrite(path, 0, limit="1")
    assert found(path) == "the opening of a.ledger was replaced"


# Reading back


@pytest.mark.parametrize(
    "loss", [PureDP(Fraction(1, 3)), PureDP(1, rho=0.25), BoundedRange(0.1), ZCDP(1e-320), ApproxDP(1, 1e-6)]
)
@pytest.mark.parametrize(("version", "per_group", "kept"), [(1, 3, None), (2, 3, 3), (2, None, None)])
def test_every_loss_and_any_text_is_read_back_as_it_was(loss, version, per_group, kept):
    terms, cost = Terms.of(ApproxDP(9, 1e-3)), Amount.of(loss)
    opening = write_terms(terms, now("microseconds"), version=version)
    first = BookRow(0, opening, seal(opening))
    memo = 'ε\n"\\\x00\udc80'
    body = write_entry(first, ledger=first.hash, time=now(), memo=memo, loss=loss, cost=cost, spent=cost, name="n",
                       neighbors="swap", unit="edge", contributions=2, per_group=per_group)  # fmt: skip
    entry = read_entry(BookRow(1, body, seal(body)), terms, "staff")
    assert body.isascii() and json.loads(body)["format"] == version and entry.per_group == kept
    assert ("per_group" in json.loads(body)) == (version == 2)
    assert (entry.loss, getattr(entry.loss, "rho", None)) == (loss, getattr(loss, "rho", None))
    assert (entry.cost, entry.spent, entry.remaining) == (cost, cost, terms.left(cost))
    assert (entry.memo, entry.unit, entry.contributions, entry.neighbors, entry.name) == (
        memo,
        "edge",
        2,
        "swap",
        "n",
    )
    assert pickle.loads(pickle.dumps(entry)) == entry
    assert read_terms(first, "staff")[0] == terms


def test_an_entry_is_ready_for_json(path):
    entry = next(Ledger.open(path).entries())
    record = json.loads(json.dumps(entry.to_dict()))
    assert record["loss"] == {"loss": "PureDP", "epsilon": "1", "epsilon_float": 1.0}
    assert record["cost"] == record["spent"] == {"epsilon": "1", "rho": str(entry.cost.rho), "delta": "0"}
    assert record["remaining"] == {"epsilon": "4", "rho": None, "delta": "0"}
    assert set(record) == {*Entry.__slots__} - {"per_group"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", record["time"])


def test_a_receipt_never_shows_a_route_below_zero(tmp_path):
    entry = Ledger.open(tmp_path / "a.ledger", ApproxDP(1, 1e-6)).debit(PureDP(0.75), **ASKED)
    assert entry.to_dict()["remaining"] == {"epsilon": "1/4", "rho": None, "delta": "1/2000000"}
    assert str(entry).endswith("; remains ε 0.25 of 1, and δ 5e-07")


# What was written by the first version


@pytest.mark.parametrize("kind", ["pure", "zcdp", "approx"])
def test_a_ledger_of_the_first_format_keeps_its_meaning(tmp_path, kind):
    told = json.loads((GOLDEN / "ledger-1.json").read_text(encoding="utf-8"))[kind]
    path = tmp_path / "old.ledger"
    raw = sqlite3.connect(path, isolation_level=None)
    raw.executescript((GOLDEN / f"ledger-1-{kind}.sql").read_text(encoding="utf-8"))
    raw.close()
    ledger = Ledger.open(path)
    assert ledger.verify(*told["receipts"]) == len(told["receipts"])
    assert [entry.to_dict() | {"place": ""} for entry in ledger.entries()] == told["receipts"]
    assert (repr(ledger.spent), repr(ledger.terms)) == (told["spent"], told["terms"])
    before = [seal(row.body) for row in ledger._book.rows()]
    assert ledger.debit(PureDP(0.01), **(ASKED | told["asked"])).number == len(told["receipts"]) + 1
    assert ledger.verify() == len(told["receipts"]) + 1
    assert [row.hash for row in ledger._book.rows()][:-1] == before


@pytest.mark.parametrize("number", ["1/0", "1e999999999", "0x1", " 1", "1_0", 1, None, [], {"a": 1}])
def test_a_number_that_no_version_writes_is_an_edit(path, number):
    """Also where the row is sealed anew; a power of ten would take all memory there is."""
    rewrite(path, 5, loss__epsilon=number)
    with pytest.raises(LedgerError, match="was edited"):
        Ledger.open(path).verify()


@pytest.mark.parametrize("loss", [None, [], "PureDP", 3])
def test_a_loss_that_is_no_record_of_one_is_an_edit(path, loss):
    rewrite(path, 5, loss=loss)
    with pytest.raises(LedgerError, match="was edited"):
        Ledger.open(path).verify()
