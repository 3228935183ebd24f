"""Permute-and-flip: inherited laws, whole worlds of medians, and what is refused before it is paid."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import noisewise as nws
from noisewise import ParameterError, PureDP, Quantile, hazmat
from noisewise.audit.worlds import World
from noisewise.kernel.laws.envelope import level_rule
from noisewise.kernel.mechanisms import PermuteAndFlip
from noisewise.kernel.numbers.answers import Answers
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request
from tests.kernel.laws.mechanism_laws import MechanismLaws, median
from tests.kernel.laws.moves import FLOAT, worst_move, worst_range, worst_ratio

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
    law = hazmat.law(Quantile("1/2"), [3], bounds=(0, 9), epsilon=3, mechanism="permute_and_flip")
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
