"""What was spent may be handed over as losses, releases, entries, a ledger or several; but only of the same people."""

from dataclasses import replace

import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.losses import BoundedRange, PureDP
from noisewise.ledger.composition import Composed
from noisewise.ledger.ledger import Ledger
from noisewise.ledger.spending import losses_of, several


@pytest.fixture
def ledger(tmp_path):
    return Ledger.open(tmp_path / "staff.ledger", nws.ZCDP(2))


def paid(ledger, epsilon=0.5):
    return nws.median([1, 2, 3], bounds=(0, 10), epsilon=epsilon, ledger=ledger)


def test_releases_entries_and_ledgers_add_up_like_their_losses(ledger):
    one, two = paid(ledger), paid(ledger, 0.25)
    plain = nws.compose(BoundedRange(0.5), BoundedRange(0.25))
    for given in ([one, two], (one, two), iter([one, two]), [one.receipt, two.receipt], ledger,
                  (release.privacy for release in (one, two)), [one, two.receipt]):  # fmt: skip
        assert nws.compose(given) == plain
    assert nws.compose(one, two) == nws.compose(one, nws.compose(two)) == plain
    assert nws.epsilon_at([one, two], 1e-6) == nws.epsilon_at(ledger, 1e-6) == nws.epsilon_at(plain, 1e-6)
    assert nws.delta_at(iter([one, two]), 0.1, fixed="releases") == nws.delta_at(
        [BoundedRange(0.5), BoundedRange(0.25)], 0.1, fixed="releases"
    )
    assert nws.compose([]) == nws.compose() == Composed(0, 0, 0)


def test_groups_are_one_release(ledger):
    rows = nws.Dataset(pl.DataFrame({"g": ["a", "b"], "x": [1, 2]}), ledger=ledger)
    both = rows.group_by("g", keys=["a", "b"]).median("x", bounds=(0, 10), epsilon=0.5)
    assert nws.compose(both, paid(ledger)) == nws.compose([BoundedRange(0.5)] * 2)


@pytest.mark.parametrize("other", [{"neighbors": "swap"}, {"contributions": 3}])
def test_what_protects_others_does_not_add_up(ledger, other):
    one, two = paid(ledger), nws.median([1, 2, 3], bounds=(0, 10), epsilon=0.5, **other)
    for given in ([one, two], [one.receipt, two], [ledger, two], [PureDP(1), two, one]):
        with pytest.raises(ParameterError, match="releases must protect the same people to be added up"):
            nws.compose(*given)
        with pytest.raises(ParameterError, match="releases must protect the same people to be added up"):
            nws.epsilon_at(given, 1e-6)
    assert nws.compose(two, two).as_pure() == PureDP(1)


def test_where_a_column_names_people_how_many_records_took_part_does_not_matter():
    median = nws.median([1, 2, 3], bounds=(0, 10), epsilon=0.5)
    one, two = (replace(median, people="person_id", contributions=owned) for owned in (1, 3))
    assert nws.compose(one, two).as_pure() == PureDP(1)
    with pytest.raises(
        ParameterError, match="add_remove of 1 record and add_remove of everything by person_id"
    ):
        nws.compose(one, median)


@pytest.mark.parametrize(
    "spent",
    [1.0, "loss", None, PureDP, {PureDP(1)}, {"a": PureDP(1)}, [0.5], [[PureDP(1)]], nws.Release],
    ids=repr,
)
def test_what_is_no_loss_is_refused_by_its_type(spent):
    with pytest.raises(
        ParameterTypeError, match="losses must be losses, releases, entries, a ledger or a list"
    ):
        losses_of(several(spent), Composed)
