"""Shifted piecewise Laplace: its range on whole small worlds, its aim, and what it does not answer."""

from fractions import Fraction

import numpy as np
import pytest

import noisewise as nws
from noisewise.audit.worlds import World
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.kernel.mechanisms import ShiftedPiecewiseLaplace
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request
from tests.kernel.laws.moves import worst_move

ASKED = {"mechanism": "shifted_piecewise_laplace", "epsilon": 1}
TOP = 4


def test_levels_go_out_from_what_the_answer_is_after_removals():
    envelope = Envelope.of([9, 7, 4, 1], [9, 10, 12, 12], (0, 12))
    around = envelope.shifted(2, "lower")
    assert [around.level(k) for k in range(5)] == [(4, 4), (1, 7), (0, 9), (0, 12), (0, 12)]
    mirrored = envelope.shifted(1, "upper")
    assert [mirrored.level(k) for k in range(5)] == [(10, 10), (9, 12), (0, 12), (0, 12), (0, 12)]
    counted = Envelope.of([3, 2, 1, 0], [3, 4, 5, 6], (0, None), 1).shifted(1, "lower")
    assert [counted.level(k) for k in range(5)] == [(2, 2), (1, 3), (0, 4), (0, 5), (0, 6)]


def test_a_batch_is_shifted_one_by_one():
    several = [Envelope.of([5], [5], (0, 9)), Envelope.of([4, 2, 2, 0], [4, 6, 7, 9], (0, 9))]
    for edits, side in ((0, "lower"), (2, "lower"), (3, "upper")):
        together = Envelope.stack(several).shifted(edits, side)
        for index, each in enumerate(several):
            alone = each.shifted(edits, side)
            assert [together[index].level(k) for k in range(9)] == [alone.level(k) for k in range(9)]


@pytest.mark.parametrize("removals", [0, 1, 2])
@pytest.mark.parametrize("relation, owned", [("add_remove", 1), ("add_remove", 2), ("swap", 1)])
@pytest.mark.parametrize("statistic", [nws.Quantile(1), nws.Quantile(0), nws.Quantile("1/2")], ids=str)
def test_no_cost_moves_by_more_than_one(statistic, relation, owned, removals):
    """For any nested levels: privacy needs nothing of the statistic."""
    world = World(tuple(range(TOP + 1)), 3, relation, owned, 1 if relation == "swap" else 0)
    laws = {}
    for x in world.datasets():
        asked = {"bounds": (0, TOP), "epsilon": 1, "neighbors": relation, "contributions": owned}
        request = Request.of(statistic, list(x), mechanism="piecewise_laplace", **asked)
        envelope = request.look().envelope
        for side in ("lower", "upper"):
            by = ShiftedPiecewiseLaplace(epsilon=1, side=side, removals=removals)
            laws.setdefault(side, {})[x] = by.law(envelope, request.frame.answers)
    for each in laws.values():
        assert worst_move(each, world)[0] <= 1


def test_sums_move_no_cost_by_more_than_one():
    world = World((0, 1, 2), 3)
    laws = {}
    for x in world.datasets():
        request = Request.of(
            nws.Sum(), list(x), bounds=(0, 2), granularity=1, epsilon=6, mechanism="shifted_piecewise_laplace"
        )
        laws[x] = request.look()
    costs = {x: [read_law(law).cost(y) for y in range(30)] for x, law in laws.items()}
    for x, y in world.pairs():
        assert all(abs(a - b) <= 1 for a, b in zip(costs[x], costs[y], strict=True))


def test_it_is_the_exact_law_that_is_drawn():
    law = nws.hazmat.law(nws.Quantile(1), [1, 2, 4, 7, 7, 9] * 10, bounds=(0, 12), **ASKED)
    drawn = np.bincount(law.draw(40_000).astype(int), minlength=13)
    expected = law.pmf(range(13)) * 40_000
    kept = expected > 5
    assert np.sum((drawn - expected)[kept] ** 2 / expected[kept]) < 60
    other = nws.hazmat.law(
        nws.Quantile(1), [1, 2, 4, 7, 7, 9] * 10, bounds=(0, 12), **ASKED | {"epsilon": 1.3}
    )
    assert np.sum((drawn - other.pmf(range(13)) * 40_000)[kept] ** 2 / expected[kept]) > 200


@pytest.mark.parametrize("statistic", [nws.Quantile(1), nws.Quantile(0)], ids=str)
@pytest.mark.parametrize("bound", [1_000, 10**6])
def test_errors_are_told_from_the_true_answer_and_it_is_hardly_ever_passed(statistic, bound):
    data = [*range(200, 300)]
    law = nws.hazmat.law(statistic, data, bounds=(0, bound), **ASKED)
    truth, outcomes = (299 if statistic.q == 1 else 200), np.arange(bound + 1)
    chances = law.pmf(outcomes)
    assert law.centre == truth
    assert law.expected_error() == pytest.approx(chances @ np.abs(outcomes - truth), rel=1e-9)
    assert law.bias() == pytest.approx(chances @ (outcomes - truth), rel=1e-9)
    beyond = chances[outcomes > truth] if statistic.q == 1 else chances[outcomes < truth]
    assert beyond.sum() <= 1 / 20


def test_the_price_the_receipt_and_groups():
    released = nws.max([1, 2, 3] * 50, bounds=(0, 10**6), **ASKED)
    assert released.privacy == nws.BoundedRange(1) and released.law == "shifted-piecewise-laplace/1"
    assert any("drawn around the answer after 34 removals" in note for note in released.notes)
    assert (
        nws.plan("max", bounds=(0, 10**6), **ASKED).people
        == 34 + nws.plan("max", bounds=(0, 10**6), epsilon=1, mechanism="piecewise_laplace").people
    )
    assert nws.release(nws.Sum(), [1, 2] * 99, bounds=(0, 5), **ASKED).value <= 400
    compared = nws.compare("max", [1, 2, 3] * 50, [1], bounds=(0, 10**6))
    assert compared.answer == 3
    assert "shifted_piecewise_laplace" in [each.mechanism for each in compared]


@pytest.mark.parametrize(
    "question",
    [
        lambda: nws.median([1, 2], bounds=(0, 9), **ASKED),
        lambda: nws.sum([1, 2], bounds=(-1, 9), **ASKED),
        lambda: nws.mean([1, 2], bounds=(0, 9), **ASKED),
        lambda: nws.count([1, 2], **ASKED),
    ],
)
def test_other_questions_are_refused(question):
    with pytest.raises(
        nws.ParameterError, match="unless a maximum, a minimum or a sum of numbers of one sign"
    ):
        question()


def test_what_it_says_of_itself():
    made = ShiftedPiecewiseLaplace(epsilon=0.5, side="upper", removals=3)
    assert (made.epsilon, made.loss) == (Fraction(1, 2), nws.BoundedRange(0.5))
    assert isinstance(
        made.law(
            Envelope.of([1], [1], (0, 3)),
            Request.of(nws.Quantile(1), [], bounds=(0, 3), epsilon=1).frame.answers,
        ),
        Law,
    )
