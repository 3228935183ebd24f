"""A count beside an answer: paid with it, of the same records, and a public rule for answers that say little."""

from fractions import Fraction

import numpy as np
import pytest

import noisewise as nws
from noisewise import ParameterError, ParameterTypeError, PureDP
from noisewise.audit.worlds import World
from noisewise.kernel.losses import discrete_laplace_rho
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.question import Question, kind_of
from noisewise.questions.with_count import Counting

ASKED = {"bounds": (0, 2), "epsilon": 1, "with_count": "1/4"}


class Book:
    def __init__(self):
        self.debits = []

    def debit(self, loss, **said):
        self.debits.append((loss, said["memo"]))
        return "paid"


@pytest.mark.parametrize("contributions", [1, 2])
@pytest.mark.parametrize("mechanism", ["laplace", "piecewise_laplace"])
def test_both_draws_together_cost_epsilon_in_every_world(contributions, mechanism):
    """Every dataset of up to three records, missing ones among them: answer and count are drawn by themselves, so that
    their log ratios add up. That of the count is met exactly."""
    world = World((-1.0, 0.0, 1.0, 2.0), 3, "add_remove", contributions)
    laws = {}
    for x in world.datasets():
        data = [None if record < 0 else record for record in x]
        question = Question(
            kind_of(nws.median), (), (), {**ASKED, "mechanism": mechanism, "contributions": contributions}
        )
        payable = question.bind((data,))
        assert payable.loss.epsilon == 1
        law = payable.inner.look()
        points = np.log(read_law(law).pmf([0, 1, 2]))
        payable.inner.answer()
        count, noise = payable.witness.count, payable.counting.noise
        assert count == sum(record is not None for record in data)
        laws[x] = points, count * float(noise.epsilon / noise.sensitivity)
    worst = 0.0
    for x, y in world.pairs():
        (answer, count), (other, others) = laws[x], laws[y]
        worst = max(worst, float(np.abs(answer - other).max()) + abs(count - others))
        assert abs(count - others) <= 0.25 + 1e-12
    assert worst <= 1 + 1e-9
    assert worst > 0.5


def test_one_debit_pays_for_both_before_anything_is_read():
    book = Book()
    release = nws.sum([1, 2, 2], bounds=(0, 2), epsilon=1, with_count=True, contributions=3, ledger=book)
    ((loss, memo),) = book.debits
    assert loss == release.privacy == PureDP(1, rho=loss.rho)
    alone = nws.sum([], bounds=(0, 2), epsilon=0.9, contributions=3).privacy
    assert loss.rho == alone.rho + discrete_laplace_rho(Fraction(1, 10), 3)
    assert memo == "sum by discrete-laplace/1, count by discrete-laplace/1"
    with pytest.raises(ParameterError):
        nws.sum([1], bounds=(0, 2), epsilon=1, with_count=2, ledger=book)
    assert len(book.debits) == 1


def test_few_records_are_said_to_say_little_by_released_numbers_alone():
    counting = Counting.of(Fraction(1, 2), True, 3)
    assert (counting.noise.epsilon, counting.rest, counting.few) == (Fraction(1, 20), Fraction(9, 20), 134)
    release = nws.mean([1.0], bounds=(0, 2), epsilon=1)
    for count, says in ((133, True), (134, False)):
        beside = counting.beside(release, count, PureDP(1))
        assert beside.count == count and f"about {count} records took part" in beside.notes[-1 - says]
        assert any("says little" in note for note in beside.notes) is says
    assert counting.draw([0] * 2000, None) and min(counting.draw([0] * 2000, None)) == 0


def test_the_count_is_a_whole_number_on_the_receipt():
    release = nws.median([1] * 500, bounds=(0, 2), epsilon=30, with_count=0.5)
    assert type(release.count) is int and abs(release.count - 500) < 20 and release.value == 1
    assert release.to_dict()["count"] == release.count == release.card()["count"]
    assert "count" not in nws.median([1], bounds=(0, 2), epsilon=1).to_dict()


def test_what_cannot_be_counted_is_refused():
    for share in (0, 1, -1, 2, "x", float("nan")):
        with pytest.raises((ParameterError, ParameterTypeError), match=r"^with_count must be"):
            nws.median([1], bounds=(0, 2), epsilon=1, with_count=share)
    with pytest.raises(ParameterError, match=r"^with_count must be left out under swap: there the number of"):
        nws.median([1], bounds=(0, 2), epsilon=1, with_count=True, neighbors="swap")
    for ask in (
        lambda **own: nws.triangles([(0, 1)], nodes=3, **own),
        lambda **own: nws.release(nws.Triangles(), [(0, 1)], **own),
    ):
        with pytest.raises(ParameterError, match=r"^with_count must be left out for triangles"):
            ask(epsilon=1, with_count=True)
    with pytest.raises(ParameterTypeError, match=r"^mechanism must be a name where a part of epsilon pays"):
        nws.median([1], bounds=(0, 2), epsilon=1, with_count=True, mechanism=nws.Balance(epsilon=1))


def test_any_statistic_is_counted_beside():
    asked = {"epsilon": 60, "with_count": True}
    assert abs(nws.release(nws.Mean(), [1, None, 2], bounds=(0, 2), **asked).count - 2) < 9
    rows = ([1.0] * 300, [2.0] * 299 + [None])
    assert abs(nws.release(nws.MAE(), rows, bounds=(0, 2), **asked).count - 299) < 9
    with pytest.raises(nws.SchemaError, match="must be 2 columns as a tuple"):
        nws.release(nws.MAE(), [1.0], bounds=(0, 2), **asked)
