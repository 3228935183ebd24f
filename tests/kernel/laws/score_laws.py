"""The laws of a statistic that has a score alone. A new one inherits them:

class TestWeightedMean(ScoreLaws):
    statistic = WeightedMean()
    part = staticmethod(...)        what one record says of an answer, as a Fraction, by the definition
    answer = staticmethod(...)      the answer without noise, by the definition

``part`` and ``answer`` are naive and independent. A record is a number, or a tuple where there are several columns.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import pytest

from noisewise import hazmat
from noisewise.audit.worlds import Dataset, World
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.losses import Neighbors
from noisewise.planning.readings.read_law import read_law
from noisewise.testing import check_score
from tests.kernel.laws.moves import FLOAT, worst_ratio

MISSING = -99
"""Stands for None in an enumerated dataset, which must sort."""


class ScoreLaws:
    """Inherited by the tests of every statistic that has a score alone."""

    statistic: ClassVar[Any]
    part: ClassVar[Callable[[Any, Fraction], Fraction]]
    answer: ClassVar[Callable[[Dataset], Any]]
    bounds: ClassVar[Any] = (0, 4)
    granularity: ClassVar[Any] = Fraction(1, 2)
    domain: ClassVar[tuple[Any, ...]]
    """What is enumerated against the definition: values that are lattice points."""
    records: ClassVar[tuple[Any, ...]]
    """What is enumerated for privacy: missing, out of bounds, between lattice points."""
    most: ClassVar[int] = 4
    least_spent: ClassVar[tuple[float, float]] = (0.85, 0.7)
    """The part of epsilon that the worst of all pairs comes to, under add/remove and under swap: little is wasted."""

    def data(self, x: Dataset) -> Any:
        """An enumerated dataset as a user would hand it over."""
        if self.statistic.columns == 1:
            return [None if record == MISSING else record for record in x]
        return tuple(
            [None if row[i] == MISSING else row[i] for row in x] for i in range(self.statistic.columns)
        )

    def law(self, x: Dataset, **asked: Any) -> BalanceLaw:
        asked = {"bounds": self.bounds, "granularity": self.granularity, "epsilon": 1} | asked
        law = hazmat.law(self.statistic, self.data(x), **asked)
        assert isinstance(law, BalanceLaw)
        return law

    def test_the_score_is_the_sum_of_what_records_say(self) -> None:
        for x in World(self.domain, self.most).datasets():
            score = self.law(x).score
            low, high = score.support
            for k in range(low, high):
                y = (k + Fraction(1, 2)) * self.granularity
                assert score.at(k) == sum((type(self).part(v, y) for v in x), Fraction(0)), (x, y)

    def test_what_a_record_says_rises_within_one(self) -> None:
        for record in self.records:
            score = self.law((record,)).score
            parts = [score.at(k) for k in range(score.support[0], score.support[1])]
            assert all(a <= b for a, b in pairwise(parts)), record
            assert -1 <= parts[0] <= parts[-1] <= 1, record

    def test_a_swapped_record_counts_twice(self) -> None:
        added, swapped = (self.law(self.records[:1], neighbors=each) for each in ("add_remove", "swap"))
        assert (added.kappa, swapped.kappa) == (Fraction(1, 2), Fraction(1, 4))

    def test_the_centre_is_the_answer_to_the_nearest_step(self) -> None:
        for x in World(self.domain, self.most).datasets():
            law = self.law(x)
            low, high = law.ends
            nearest = math.ceil(Fraction(type(self).answer(x)) / self.granularity - Fraction(1, 2))
            assert read_law(law).centre == min(max(nearest, low), high), x

    @pytest.mark.parametrize(
        ("epsilon", "neighbors", "contributions"),
        [
            (Fraction(1, 2), "add_remove", 1),
            (Fraction(3), "add_remove", 1),
            (Fraction(3), "add_remove", 2),
            (Fraction(1, 2), "add_remove", 3),
            (Fraction(3), "swap", 1),
        ],
    )
    def test_privacy(self, epsilon: Fraction, neighbors: str, contributions: int) -> None:
        """No outcome becomes more than e^epsilon times as likely, and some pair comes close to it."""
        worst = 0.0
        for domain in (self.domain, self.records):
            for size in (0,) if neighbors == "add_remove" else range(1, self.most + 1):
                world = World(domain, size or self.most, neighbors, contributions, size)
                laws = {
                    x: self.law(x, epsilon=epsilon, neighbors=neighbors, contributions=contributions)
                    for x in world.datasets()
                }
                worst = max(worst, worst_ratio(laws, world))
        spent = self.least_spent[neighbors == "swap"] * float(epsilon)
        assert spent <= worst <= float(epsilon) + FLOAT

    @pytest.mark.parametrize(
        ("neighbors", "contributions"), [("add_remove", 1), ("add_remove", 2), ("swap", 1)]
    )
    def test_the_checker_finds_nothing(self, neighbors: Neighbors, contributions: int) -> None:
        """It looks at scores between all neighbours of a small world, at every answer, in Fractions."""
        check_score(
            self.statistic,
            domain=self.domain,
            bounds=self.bounds,
            granularity=self.granularity,
            neighbors=neighbors,
            contributions=contributions,
            most=3,
        )

    @pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
    def test_larger_neighbours(self, neighbors: str) -> None:
        """Random data of up to 60 records, and one record less or another in its place."""
        rng = np.random.default_rng(5)
        pairs = self.bounds if isinstance(self.bounds[0], tuple) else (self.bounds,) * self.statistic.columns

        def drawn() -> Any:
            numbers = [float(rng.choice([*pair, rng.uniform(*pair)])) for pair in pairs]
            return numbers[0] if len(numbers) == 1 else tuple(numbers)

        for n in (1, 2, 7, 20, 60):
            for _ in range(4):
                x = [drawn() for _ in range(n)]
                other = x[1:] if neighbors == "add_remove" else [drawn(), *x[1:]]
                one, two = (
                    self.law(tuple(each), epsilon=Fraction(3, 2), neighbors=neighbors) for each in (x, other)
                )
                low, high = one.ends
                outcomes: list[Any] = [k * self.granularity for k in range(low, high + 1)]
                assert (
                    np.abs(read_law(one).logpmf(outcomes) - read_law(two).logpmf(outcomes)).max()
                    <= 1.5 + FLOAT
                )

    def test_missing_records_are_left_out_and_their_order_does_not_matter(self) -> None:
        missing = MISSING if self.statistic.columns == 1 else (MISSING,) * self.statistic.columns
        x = self.domain[:3]
        plain, mixed = self.law(x).score, self.law((missing, *x[::-1])).score
        low, high = plain.support
        assert [plain.at(k) for k in range(low, high)] == [mixed.at(k) for k in range(low, high)]
