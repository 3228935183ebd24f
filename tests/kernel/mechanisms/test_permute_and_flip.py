"""Permute-and-flip: inherited laws, whole worlds of medians, and what is refused before it is paid."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb
from typing import Any

import numpy as np
import pytest
from flint import acb, ctx

import noisewise as nws
from noisewise import ParameterError, PureDP, Quantile, hazmat
from noisewise.audit.worlds import World
from noisewise.kernel.laws.envelope import Envelope, level_rule
from noisewise.kernel.mechanisms import PermuteAndFlip, WholePermuteAndFlip
from noisewise.kernel.mechanisms.permute_and_flip import LEAST_GAIN, PARTS, is_private, true_rate
from noisewise.kernel.numbers.answers import Answers
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request
from tests.kernel.laws.mechanism_laws import MechanismLaws, median
from tests.kernel.laws.moves import FLOAT, worst_move, worst_range, worst_ratio
from tests.kernel.sampling.goodness import LEVEL, ball, p_value, tilted

ANSWERS = Answers(0, 1000, Fraction(1))


class TestPermuteAndFlip(MechanismLaws):
    make = staticmethod(lambda epsilon, sensitivity: PermuteAndFlip(epsilon=epsilon))

    def test_the_range_goes_beyond_epsilon(self) -> None:
        """So the loss is pure, and no bounded range is claimed."""
        world = World((0, 2, 3, 6), 4)
        laws = self.laws(world, median, Fraction(2), 6)
        assert 2.5 < worst_range(laws, world) <= 4 + FLOAT


@pytest.mark.parametrize(
    ("neighbors", "contributions"), [("add_remove", 1), ("add_remove", 2), ("add_remove", 3), ("swap", 1)]
)
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(3)])
def test_releases_of_medians_keep_the_loss(neighbors: str, contributions: int, epsilon: Fraction) -> None:
    world = World((-99.0, 0.4, 2.6, 9.0), 4, neighbors, contributions)
    laws = {
        x: Request.of(
            Quantile("1/2"),
            [None if record == -99.0 else record for record in x],
            bounds=(0, 4),
            epsilon=epsilon,
            neighbors=neighbors,
            contributions=contributions,
            mechanism="permute_and_flip",
        ).look()
        for x in world.datasets()
    }
    assert worst_ratio(laws, world) <= float(epsilon) + FLOAT
    full = {x: replace(law, rate=epsilon) for x, law in laws.items()}
    assert worst_ratio(full, world) > float(epsilon) + 0.1  # the world is large enough to judge
    assert worst_move(laws, world)[0] <= 1


def test_the_loss_is_pure_and_its_price_in_zcdp_that_of_any_pure_loss() -> None:
    loss = PermuteAndFlip(epsilon=1).loss
    assert loss == PureDP(1)
    assert math.isclose(loss.as_zcdp().rho, math.tanh(0.5), rel_tol=1e-12)


def test_levels_and_rate_are_those_of_the_scored_mechanisms() -> None:
    assert PermuteAndFlip(epsilon=3).levels(ANSWERS) == level_rule(1001, Fraction(3, 2))
    law = hazmat.law(Quantile("1/2"), [3], bounds=(0, 9), epsilon=3, mechanism=PermuteAndFlip(epsilon=3))
    assert law.rate == Fraction(3, 2)
    assert law.graded


def test_what_lies_beyond_the_levels_has_no_mass_to_speak_of() -> None:
    law = hazmat.law(Quantile("1/2"), [500] * 4000, bounds=(0, 1000), epsilon=1, mechanism="permute_and_flip")
    beyond = [v for v in range(1001) if not law.envelope.lower[-1] <= v <= law.envelope.upper[-1]]
    assert len(beyond) == 1000
    assert 0 < np.sum(read_law(law).pmf(beyond)) < math.exp(-30)


def test_a_release_says_what_it_is() -> None:
    released = hazmat.replay(
        Quantile("1/2"), [1, 2, 2], bounds=(0, 4), epsilon=1, mechanism="permute_and_flip", seed=1
    )
    assert released.mechanism == "permute_and_flip"
    assert released.law == "permute-and-flip/1"
    assert released.privacy == PureDP(1)
    assert 0 <= released.value <= 4


class Ledger:
    """Refuses nothing and counts."""

    def __init__(self) -> None:
        self.debits = 0

    def debit(self, loss: Any, **about: Any) -> str:
        self.debits += 1
        return "paid"


@pytest.mark.parametrize("mechanism", ["permute_and_flip", PermuteAndFlip(epsilon=1)])
def test_too_many_answers_are_refused_before_the_debit(mechanism: Any) -> None:
    ledger, data = Ledger(), [1.5, 2.5]
    with pytest.raises(ParameterError, match="granularity must leave at most 1,048,576 answers") as error:
        nws.median(data, bounds=(0.0, 10.0), epsilon=1, mechanism=mechanism, ledger=ledger)
    assert "choose a coarser one" in str(error.value)
    with pytest.raises(ParameterError, match="no public ends"):
        nws.count(data, epsilon=1, mechanism=mechanism, ledger=ledger)
    assert ledger.debits == 0
    nws.median(data, bounds=(0.0, 10.0), epsilon=1, granularity=0.01, mechanism=mechanism, ledger=ledger)
    assert ledger.debits == 1


def test_the_most_answers_are_accepted() -> None:
    PermuteAndFlip(epsilon=1).check_answers(Answers(1, 2**20, Fraction(1)))
    with pytest.raises(ParameterError, match="got 1,048,577"):
        PermuteAndFlip(epsilon=1).check_answers(Answers(0, 2**20, Fraction(1)))


def test_wrong_parameters_are_named() -> None:
    with pytest.raises(ParameterError, match="epsilon must"):
        PermuteAndFlip(epsilon=0)


# Whole costs of which one is 0, at their true rate


WHOLE = partial(WholePermuteAndFlip, epsilon=4)


class TestWholePermuteAndFlip(MechanismLaws):
    make = staticmethod(lambda epsilon, sensitivity: WholePermuteAndFlip(epsilon=epsilon))


def chances_of(accepted: list[Fraction]) -> list[Fraction]:
    """The integral of the definition, by the coefficients of its polynomial."""
    found = []
    for y, own in enumerate(accepted):
        polynomial = [Fraction(1)]
        for other in accepted[:y] + accepted[y + 1 :]:
            shifted = zip([*polynomial, Fraction(0)], [Fraction(0), *polynomial], strict=True)
            polynomial = [a - other * b for a, b in shifted]
        found.append(own * sum(c / (k + 1) for k, c in enumerate(polynomial)))
    return found


def worst_exactly(costs: list[tuple[int, ...]], accepted: Fraction) -> Fraction:
    """The greatest ratio of probabilities under two costs that differ by at most one everywhere."""
    chances = {each: chances_of([accepted**cost for cost in each]) for each in costs}
    return max(
        max(a / b for a, b in zip(chances[one], chances[other], strict=True))
        for one in costs
        for other in costs
        if all(abs(a - b) <= 1 for a, b in zip(one, other, strict=True))
    )


def claimed(accepted: Fraction, points: int) -> Fraction:
    """The worst ratio of the proof: integrals of (1 - v) * (1 - q*v)^(M - 2), up to q over up to 1, over q^2."""

    def up_to(end: Fraction) -> Fraction:
        terms = [comb(points - 2, k) * (-accepted) ** k for k in range(points - 1)]
        return sum(
            (c * (end ** (k + 1) / (k + 1) - end ** (k + 2) / (k + 2)) for k, c in enumerate(terms)),
            Fraction(0),
        )

    return up_to(accepted) / up_to(Fraction(1)) / accepted**2


@pytest.mark.parametrize(("points", "most"), [(2, 4), (3, 3), (4, 3), (5, 2)])
@pytest.mark.parametrize("accepted", ["1/50", "1/5", "9/10"])
def test_the_worst_ratio_of_all_small_costs_is_the_one_of_the_proof(
    points: int, most: int, accepted: str
) -> None:
    costs = [each for each in product(range(most + 1), repeat=points) if each.count(0) == 1]
    assert worst_exactly(costs, Fraction(accepted)) == claimed(Fraction(accepted), points)


def test_several_zeros_would_break_it() -> None:
    """So level 0 must be one answer: with the rate for one zero, five answers and epsilon 4, the loss would be 4.8."""
    accepted = Fraction(math.exp(-true_rate(Fraction(4), 5)))
    ties = worst_exactly([(0, 1, 1, 1, 1), (1, 0, 0, 0, 0)], accepted)
    assert ties == (1 - (1 - accepted) ** 5) / accepted**2
    assert 1.19 < math.log(ties) / 4 < 1.22


@pytest.mark.parametrize("points", [2, 3, 5, 100, 2**20])
@pytest.mark.parametrize("epsilon", ["1/1000", "1/2", "4", "64"])
def test_the_rate_is_the_largest_one(points: int, epsilon: str) -> None:
    price = Fraction(epsilon)
    rate = true_rate(price, points)
    assert price / 2 <= rate < price and (rate / price * PARTS).denominator == 1
    assert not is_private(rate + price / PARTS, price, points)
    if rate == price / 2:  # the loss is epsilon but for (1 - q)^points
        return
    assert is_private(rate, price, points)
    with ctx.workprec(256):
        accepted = acb((-ball(rate)).exp())

        def up_to(end: acb) -> acb:
            """The integral of the proof, by quadrature with error bounds."""
            return acb.integral(lambda v, _: (1 - v) * (1 - accepted * v) ** (points - 2), 0, end)

        loss = (up_to(accepted) / up_to(acb(1)) / accepted**2).log().real
        assert ball(price) * (1 - ball("1e-8")) < loss < ball(price)


def test_small_epsilons_gain_nothing() -> None:
    """Of two answers the rate is log((1 + e^epsilon)/2), and that of more answers is smaller."""
    for epsilon in (LEAST_GAIN, Fraction(1)):
        rate = true_rate(epsilon, 2)
        assert math.isclose(float(rate), math.log((1 + math.exp(epsilon)) / 2), rel_tol=1e-9)
        assert rate < epsilon / 2 + Fraction(3, 10)
        assert not any(
            WholePermuteAndFlip(epsilon=epsilon).gains(Answers(1, points, Fraction(1))) for points in (2, 9)
        )
    assert WholePermuteAndFlip(epsilon=2).gains(Answers(1, 2, Fraction(1)))


def test_one_answer_has_nothing_to_hide() -> None:
    assert true_rate(Fraction(3), 1) == 3
    law = WHOLE().law(Envelope.of([2], [2], (2, 2)), Answers(2, 2, Fraction(1)))
    assert law.draw(3).tolist() == [2, 2, 2]


def levels_of(points: int) -> list[Envelope]:
    """All envelopes of two levels on so many answers."""
    ends = [(a, b) for a in range(points) for b in range(a, points)]
    return [
        Envelope.of([a, low], [b, high], (0, points - 1))
        for a, b in ends
        for low, high in ends
        if low <= a and b <= high
    ]


def nest(one: Envelope, other: Envelope) -> bool:
    inner, outer = (one.lower[0], one.upper[0]), (other.lower[1], other.upper[1])
    return bool(outer[0] <= inner[0] and inner[1] <= outer[1])


def worst_of_levels(points: int) -> float:
    """The greatest log ratio over all pairs of envelopes that nest, with plateaus of any width."""
    answers, given = Answers(0, points - 1, Fraction(1)), levels_of(points)
    logs = [read_law(WHOLE().law(each, answers)).logpmf(np.arange(points)) for each in given]
    return max(
        float(np.max(np.abs(logs[i] - logs[j])))
        for i, one in enumerate(given)
        for j, other in enumerate(given)
        if nest(one, other) and nest(other, one)
    )


def test_no_plateau_breaks_the_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever levels somebody made: the middle of level 0 alone costs nothing. Without that they could."""
    assert worst_of_levels(4) <= 4 + FLOAT
    monkeypatch.setattr(Envelope, "centred", lambda self: self)
    assert worst_of_levels(4) > 4.5


@pytest.mark.parametrize("statistic", [Quantile("1/2"), Quantile("3/4"), nws.IQR(), nws.MAD()], ids=str)
@pytest.mark.parametrize(("neighbors", "contributions"), [("add_remove", 1), ("add_remove", 2), ("swap", 1)])
def test_releases_on_whole_costs_keep_the_loss(statistic: Any, neighbors: str, contributions: int) -> None:
    world = World((-99.0, 0.4, 2.6, 9.0), 4, neighbors, contributions)
    laws = {
        x: Request.of(
            statistic,
            [None if record == -99.0 else record for record in x],
            bounds=(0, 4),
            granularity=1,
            epsilon=4,
            neighbors=neighbors,
            contributions=contributions,
            mechanism="permute_and_flip",
        ).look()
        for x in world.datasets()
    }
    assert {len({*law.envelope.lower[:1], *law.envelope.upper[:1]}) for law in laws.values()} == {1}
    assert worst_ratio(laws, world) <= 4 + FLOAT
    faster = {x: replace(law, rate=law.rate + Fraction(1, 2)) for x, law in laws.items()}
    assert worst_ratio(faster, world) > 4.1  # the world is large enough to judge
    assert worst_move(laws, world)[0] <= 1


def test_whole_costs_are_drawn_with_their_chances() -> None:
    answers = Answers(0, 5, Fraction(1))
    law = WholePermuteAndFlip(epsilon=2).law(Envelope.of([1, 1, 0], [2, 3, 4], (0, 5)), answers)
    accepted = Fraction(math.exp(-law.rate))
    right = np.array([float(p) for p in chances_of([accepted**cost for cost in (2, 0, 1, 1, 2, 3)])])
    counts = np.bincount(law.draw(60_000, bits=hazmat.SeededBits(1)), minlength=6)
    assert p_value(counts, right) > LEVEL
    assert p_value(counts, tilted(right)) < LEVEL


def test_groups_have_the_laws_of_one() -> None:
    answers = Answers(0, 5, Fraction(1))
    each = [Envelope.of([1, 0], [3, 4], (0, 5)), Envelope.of([5], [5], (0, 5)), Envelope.of([0], [1], (0, 5))]
    batch = WHOLE().law(Envelope.stack(each), answers)
    for group, one in enumerate(each):
        alone = read_law(WHOLE().law(one, answers))
        assert read_law(batch[group]).cost(range(6)).tolist() == alone.cost(range(6)).tolist()
    assert list(read_law(batch[0]).cost(range(6))) == [1, 1, 0, 1, 1, 2]


def test_the_rate_decides_the_levels_and_what_is_promised() -> None:
    five = Answers(1, 5, Fraction(1))
    assert (
        WHOLE().levels(five)
        == level_rule(5, true_rate(Fraction(4), 5))
        < PermuteAndFlip(epsilon=4).levels(five)
    )
    planned = nws.plan("median", bounds=(1, 5), granularity=1, epsilon=4)
    assert planned.people == math.ceil((math.log(5) + math.log(20)) / 3.29)


def test_many_answers_have_no_whole_costs_before_the_debit() -> None:
    with pytest.raises(ParameterError, match="got 1,048,577"):
        WHOLE().check_answers(Answers(0, 2**20, Fraction(1)))
    assert not WholePermuteAndFlip(epsilon=64).gains(Answers(0, 2**20, Fraction(1)))
