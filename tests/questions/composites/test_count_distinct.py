"""How many categories occur, and how many people there are: by at most so much per person, in every small world."""

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise import Dataset, ParameterError, ParameterTypeError
from noisewise.audit.worlds import World
from noisewise.kernel.losses import discrete_laplace_rho
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites.count_distinct import CountDistinct
from tests.dataset.test_grouped import Book

CATEGORIES = ["a", "b", "c"]
WAYS_OUT = (
    r"^categories must be given .*; pass categories=\[\.\.\.\], or use count_people\(\) to count people$"
)


def payable(x, **terms):
    return CountDistinct.of([record or None for record in x], CATEGORIES, epsilon=1, **terms)


@pytest.mark.parametrize(
    ("relation", "owned", "reach"),
    [("add_remove", 1, 1), ("add_remove", 2, 2), ("add_remove", 4, 3), ("swap", 1, 1)],
)
def test_the_loss_is_kept_and_met_in_every_world(relation, owned, reach):
    """Every dataset of up to four records, missing ones and ones of no category among them."""
    world = World(("", "a", "b", "c", "z"), 4, relation, owned)
    laws = {
        x: np.log(read_law(payable(x, neighbors=relation, contributions=owned).look()).pmf([0, 1, 2, 3]))
        for x in world.datasets()
    }
    occur = {x: len(set(x) & set(CATEGORIES)) for x in laws}
    assert max(abs(occur[x] - occur[y]) for x, y in world.pairs()) == reach
    worst = max(float(np.abs(laws[x] - laws[y]).max()) for x, y in world.pairs())
    assert worst <= 1 + 1e-9
    assert worst > 1 - 1e-9
    asked = payable((), neighbors=relation, contributions=owned)
    assert asked.loss.rho == discrete_laplace_rho(Fraction(1), reach)


def test_an_answer_is_a_whole_number_of_what_is_possible():
    answers = {nws.count_distinct(["a", "a", "z", None], CATEGORIES, epsilon=0.5).value for _ in range(60)}
    assert answers <= {0, 1, 2, 3} and all(type(answer) is int for answer in answers)
    release = nws.count_distinct(["a", "b"] * 9, CATEGORIES, epsilon=60, interval=0.9)
    assert release.value == 2 and tuple(release.interval) == (2, 2)
    assert "of 3 declared categories" in str(release)


def test_people_are_counted_once_each_whatever_they_contribute():
    rows = pl.DataFrame(
        {
            "p": [1, 1, 1, 2, 2, 3, None],
            "x": [5, None, 5, None, None, 7, 8],
            "s": ["a", "a", "b", None, "c", None, "a"],
        }
    )
    for frame in (rows, rows.lazy()):
        data = Dataset(frame, unit="p", contributions=3)
        assert [data.count_people(*of, epsilon=60).value for of in ((), ("x",), ("s",))] == [3, 2, 2]
        release = data.count_people(epsilon=1)
        assert release.contributions == 1 and release.people == "p"
        assert release.privacy.rho == discrete_laplace_rho(Fraction(1), 1)
        assert data.count_distinct("s", ["a", "b"], epsilon=1).contributions == 3


def test_people_without_a_name_are_not_counted():
    rows = pl.DataFrame({"p": [1, 1], "g": ["u", "v"]})
    with pytest.raises(ParameterError, match=r"^count_people must be asked of a Dataset with a unit"):
        nws.count_people([1, 2], epsilon=1)
    with pytest.raises(ParameterError, match=r"^unit must be given to count people by count_people"):
        Dataset(rows).count_people(epsilon=1)
    with pytest.raises(
        ParameterError, match=r"^count_people must be asked of the whole table: a person may be"
    ):
        Dataset(rows, unit="p").group_by("g", keys=["u"]).count_people(epsilon=1)


def test_different_values_are_counted_among_declared_ones_alone():
    """Without categories people were counted: it is refused before the debit, with both ways out."""
    book, rows = Book(), pl.DataFrame({"p": [1, 1], "g": ["u", "v"]})
    for frame in (rows, rows.lazy()):
        data = Dataset(frame, unit="p", ledger=book)
        for asked in (data, data.group_by("g", keys=["u"])):
            with pytest.raises(ParameterError, match=WAYS_OUT):
                asked.count_distinct("g", epsilon=1)
        with pytest.raises(ParameterError, match=WAYS_OUT):
            data.agg(n=nws.ask.count_distinct("g", epsilon=1))
        with pytest.raises(ParameterTypeError, match="missing a required argument: 'column'"):
            data.count_distinct(epsilon=1)
    with pytest.raises(ParameterError, match=WAYS_OUT):
        nws.count_distinct(["u"], epsilon=1, ledger=book)
    assert not book.debits
