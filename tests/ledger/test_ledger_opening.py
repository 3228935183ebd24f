"""A ledger is created once, opened again by the same terms or none, and says what they are."""

import inspect

import pytest

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.losses import ZCDP, ApproxDP, PureDP
from noisewise.ledger.ledger import Ledger

ASKED = {"neighbors": "add_remove", "contributions": 1, "memo": "median"}


def test_a_ledger_says_its_terms(path):
    ledger = Ledger.open(path, ZCDP(1), unit="person", contributions=3, name="staff")
    assert (ledger.budget, ledger.neighbors, ledger.unit, ledger.contributions, ledger.name) == (
        ZCDP(1), "add_remove", "person", 3, "staff",
    )  # fmt: skip


def test_a_ledger_counts_its_entries_and_is_never_nothing(ledger):
    assert (len(ledger), bool(ledger)) == (0, True)
    ledger.debit(PureDP(0.1), **ASKED)
    assert (len(ledger), bool(ledger)) == (1, True)


def test_a_ledger_that_was_closed_has_nothing_left_beside_it_and_opens_itself_again(path):
    with Ledger.open(path, PureDP(1)) as ledger:
        ledger.debit(PureDP(0.1), **ASKED)
        assert path.with_name("staff.ledger-journal").exists()
    assert [file.name for file in path.parent.iterdir()] == ["staff.ledger"]
    assert ledger.debit(PureDP(0.1), **ASKED).number == 2
    ledger.close()
    ledger.close()
    assert Ledger.open(path_or_url=path).verify() == 2


def test_the_signature_shows_its_defaults():
    shown = {name: repr(p.default) for name, p in inspect.signature(Ledger.open).parameters.items()}
    assert shown | {"path_or_url": ""} == {
        "path_or_url": "", "budget": "None", "neighbors": "'add_remove'", "unit": "None", "contributions": "1",
        "name": "None", "conversion_delta": "None",
    }  # fmt: skip


def test_a_ledger_is_opened_again_with_the_same_terms_or_none(path):
    terms = {"neighbors": "add_remove", "unit": "person", "contributions": 3, "name": "staff"}
    created = Ledger.open(path, ApproxDP(1, 1e-6), conversion_delta=1e-7, **terms)
    again = [Ledger.open(path), Ledger.open(path, ApproxDP(1.0, 1e-6), conversion_delta=1e-7, **terms)]
    assert [ledger.terms for ledger in again] == [created.terms] * 2
    assert repr(again[0]) == (
        f"<Ledger {path}: ApproxDP(epsilon=1, delta=1e-06), neighbors='add_remove', unit='person', "
        "contributions=3, name='staff'>"
    )


def test_a_ledger_is_opened_and_not_made_by_its_class(path):
    for arguments in ({"budget": PureDP(1)}, {"opening": PureDP(1)}, {}):
        with pytest.raises(ParameterTypeError, match=r"use Ledger.open\(path, budget=...\)"):
            Ledger(str(path), **arguments)
    assert not path.exists()


def test_nothing_is_created_without_a_budget(path):
    with pytest.raises(
        ParameterError, match=r"budget must be given to create a ledger, and there is none at /.*staff.led"
    ):
        Ledger.open(path)
    with pytest.raises(ParameterError, match="contributions"):
        Ledger.open(path, PureDP(1), contributions=0)
    assert not path.exists()
