"""A password in a URL never shows, and goes nowhere but to the server."""

import copy
import os
import pickle
from urllib.parse import quote

import psycopg
import pytest

from noisewise.errors import LedgerError, ParameterError
from noisewise.kernel.losses import PureDP
from noisewise.ledger.books import open_book
from noisewise.ledger.ledger import Ledger

SECRET = "hunter%402"


def write(text):
    return lambda last: (text, "hash")


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://officer:{SECRET}@127.0.0.1:1/staff",
        f"postgresql://officer@127.0.0.1:1/staff?password={SECRET}",
        f"postgres://officer@127.0.0.1:1/staff?sslpassword={SECRET}",
    ],
)
def test_a_password_never_shows(url):
    book = open_book(url, "payroll")
    assert book.place == book.full_place == "payroll at postgresql://officer@127.0.0.1:1/staff"
    assert repr(book) == "<PostgresBook payroll at postgresql://officer@127.0.0.1:1/staff>"
    for fails in (
        lambda: book.address,
        book.last,
        lambda: list(book.rows()),
        lambda: book.append(write("a")),
    ):
        with pytest.raises(LedgerError, match=r"officer@127.0.0.1:1/staff") as caught:
            fails()
        assert "hunter" not in str(caught.value)
        assert caught.value.__suppress_context__
    with pytest.raises(LedgerError, match=r"PGPASSWORD or in the file ~/\.pgpass"):
        book.address  # noqa: B018


def test_a_password_that_somebody_echoes_is_not_passed_on(monkeypatch):
    def echo(conninfo):
        raise psycopg.OperationalError(f"cannot connect by {conninfo}")

    monkeypatch.setattr(psycopg, "connect", echo)
    with pytest.raises(LedgerError, match=r"officer@db/staff: OperationalError$"):
        open_book(f"postgresql://officer:{SECRET}@db/staff").last()


def test_without_a_password_the_address_is_the_url_itself():
    for url, place in [
        (
            "postgresql://officer:@db.example:5433/staff?sslmode=require",
            "postgresql://officer@db.example:5433/staff",
        ),
        ("postgresql://a,b/staff", "postgresql://a,b/staff"),
        ("postgresql:///staff?host=/run/pg", "postgresql://%2Frun%2Fpg/staff"),
    ]:
        assert open_book(url, "x").address == (url, "x")
        assert open_book(url).place == place


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://officer:hunt@er@db/staff",
        "postgresql://officer:hunt/er@db/staff",
        "postgresql://officer:12/hunter@db/staff",
        "postgresql://officer:hunter%zz@db/staff",
        "postgresql://officer@db/staff?pasword=hunter",
    ],
)
def test_a_url_that_is_misread_is_refused_without_being_shown(url):
    with pytest.raises(ParameterError, match="path must be a URL like postgresql://") as caught:
        open_book(url)
    assert "hunt" not in str(caught.value)


def test_a_ledger_keeps_the_password_out_of_all_it_says_and_refuses_to_be_pickled(url):
    secret = os.environ.get("PGPASSWORD") or "hunter@2"
    ledger = Ledger.open(f"{url}{'&' if '?' in url else '?'}password={quote(secret)}", PureDP(1))
    receipt = ledger.debit(PureDP(0.1), neighbors="add_remove", contributions=1, memo="median")
    said = [repr(ledger), str(receipt), repr(receipt), str(receipt.to_dict()), str(ledger.report())]
    assert [text for text in said if secret in text or quote(secret) in text] == []
    assert secret.encode() not in pickle.dumps(receipt)
    with pytest.raises(LedgerError, match="PGPASSWORD"):
        pickle.dumps(ledger)
    assert copy.deepcopy(ledger).verify(receipt) == 1
