"""Forgeries: rows that somebody adds by hand, well sealed, and what everybody else makes of them.

Whoever may spend from a ledger may add rows, so forged ones must not make anybody spend more: neither who has the
ledger open nor who opens it later.
"""

import json

import pytest

from noisewise.errors import BudgetExceeded, LedgerError
from noisewise.kernel.losses import BoundedRange, PureDP
from noisewise.ledger.books import open_book
from noisewise.ledger.entries import seal
from noisewise.ledger.ledger import Ledger
from tests.kernel.laws.book_laws import ASKED, Placed

NONE = {"epsilon": "0", "rho": "0", "delta": "0"}
FREE = {"loss": {"loss": "PureDP", "epsilon": "0"}, "cost": NONE, "spent": NONE}


class ForgeryLaws(Placed):
    """What one forged row can do: stop a ledger, and nothing else."""

    @pytest.fixture
    def ledger(self, place, name):
        ledger = Ledger.open(place, PureDP(1), name=name)
        ledger.debit(PureDP(1), **ASKED)
        return ledger

    @pytest.fixture
    def forge(self, place, name):
        """Add a row like the last one, but for some of what it says, sealed as the real ones are."""

        def forge(**changes):
            def write(rows):
                said = json.loads(rows[-1].body) | {"number": rows[-1].number + 1, "previous": rows[-1].hash}
                body = json.dumps(said | changes, sort_keys=True, separators=(",", ":"))
                return body, seal(body)

            open_book(place, name).append(write)

        return forge

    @pytest.mark.parametrize("then", [None, {}])
    def test_a_row_that_says_that_nothing_was_spent_stops_everybody(self, place, name, ledger, forge, then):
        forge(**FREE)
        if then is not None:
            forge()  # of the same loss, so that the last row follows the one before
        for opened in (ledger, Ledger.open(place, name=name)):
            for ask in (lambda o=opened: o.debit(PureDP(1), **ASKED), opened.report, opened.verify,
                        lambda o=opened: o.spent, lambda o=opened: o.remaining, lambda o=opened: len(o),
                        lambda o=opened: o.fits(PureDP(1)), opened.largest_epsilon):  # fmt: skip
                with pytest.raises(LedgerError, match=r"entry 2 of .* does not add up"):
                    ask()
        assert [entry.number for entry in ledger.entries()] == [1, 2, *([3] if then == {} else [])]

    def test_a_row_of_a_loss_that_is_charged_nothing_stops_everybody(self, place, name, ledger, forge):
        forge(loss={"loss": "BoundedRange", "epsilon": "1/2"}, cost=NONE)
        with pytest.raises(LedgerError, match=r"entry 2 of .* is more than the terms allow"):
            ledger.debit(PureDP(0), **ASKED)

    def test_a_row_of_nonsense_stops_everybody_by_its_number(self, place, name, ledger):
        open_book(place, name).append(lambda rows: ("nonsense", "hash"))
        for opened in (ledger, Ledger.open(place, name=name)):
            with pytest.raises(LedgerError, match=r"entry 2 of .* was edited: it cannot be read"):
                opened.debit(PureDP(0), **ASKED)

    def test_an_honest_row_of_others_is_followed(self, place, name, ledger):
        assert Ledger.open(place, name=name).debit(PureDP(0), **ASKED).number == 2
        assert ledger.debit(BoundedRange(0), **ASKED).number == 3
        with pytest.raises(BudgetExceeded):
            ledger.debit(PureDP(0.1), **ASKED)
        assert (len(ledger), ledger.verify()) == (3, 3)
