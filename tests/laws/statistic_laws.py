"""The laws of a statistic. A new one inherits them:

class TestMedian(StatisticLaws):
    statistic = Quantile("1/2")
    answer = staticmethod(lambda records: ...)      # a naive, independent definition on lattice indices
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pytest

from noisewise import BoundedRange, InverseSensitivity, PiecewiseLaplace, hazmat
from noisewise.envelope import Envelope
from noisewise.law import Law
from noisewise.release import Request
from tests.laws.judge import FLOAT, worst_move, worst_range, worst_ratio
from tests.laws.pairwise import Case, covering
from tests.laws.worlds import Dataset, World

MISSING = -99.0
"""Stands for None in an enumerated dataset, which must sort."""

FACTORS = {
    "mechanism": ["piecewise_laplace", "inverse_sensitivity", "laplace"],
    "neighbors": ["add_remove", "swap"],
    "contributions": [1, 2, 3],
    "levels": [None, 0, 1, 2],
    "granularity": [1, Fraction(1, 2), 2],
    "rho": [0, 1, Fraction(5, 2)],
    "epsilon": [Fraction(1, 2), 3],
}


def _sensible(case: Case) -> bool:
    one_record = case["neighbors"] == "add_remove" or case["contributions"] == 1
    return one_record and (case["mechanism"] != "laplace" or case["rho"] == 0)


def mechanism_of(case: Case) -> Any:
    """A name, or an object where a rho is asked for."""
    smooth = {"piecewise_laplace": PiecewiseLaplace, "inverse_sensitivity": InverseSensitivity}
    if case["rho"] == 0:
        return case["mechanism"]
    return smooth[case["mechanism"]](epsilon=case["epsilon"], rho=case["rho"])


class StatisticLaws:
    """Inherited by the tests of every statistic on one bounded column."""

    statistic: ClassVar[Any]
    answer: ClassVar[Callable[[Dataset], Any]]
    bounds: ClassVar[tuple[int, int]] = (0, 4)
    records: ClassVar[Dataset] = (MISSING, 0.4, 1.5, 2.6, 9.0)
    """What is enumerated for privacy: missing, out of bounds, between lattice points and on their edges."""

    def request(self, x: Dataset, case: Case) -> Request:
        keys = ("epsilon", "granularity", "neighbors", "contributions")
        asked = {key: case[key] for key in keys}
        data = [None if record == MISSING else record for record in x]
        return Request.of(self.statistic, data, bounds=self.bounds, mechanism=mechanism_of(case), **asked)

    def laws(self, world: World, case: Case) -> dict[Dataset, Law]:
        return {x: self.request(x, case).look(case["levels"]) for x in world.datasets()}

    def envelope(self, x: Dataset, relation: str, levels: int) -> Envelope:
        law = hazmat.law(
            self.statistic, list(x), bounds=self.bounds, epsilon=1, neighbors=relation, levels=levels
        )
        return law.envelope

    @pytest.mark.parametrize("relation", ["add_remove", "swap"])
    def test_envelope_equals_brute_force(self, relation: str) -> None:
        world = World(tuple(range(self.bounds[0], self.bounds[1] + 1)), 4, relation)
        for x in world.datasets():
            ours, levels = self.envelope(x, relation, 5), 5 if relation == "add_remove" else len(x)
            lower, upper = world.envelope(type(self).answer, x, levels)
            assert [ours.level(l) for l in range(levels + 1)] == list(zip(lower, upper, strict=True)), x

    @pytest.mark.parametrize("relation", ["add_remove", "swap"])
    @pytest.mark.parametrize("owned", [1, 2])
    def test_neighbours_nest_and_levels_are_monotone(self, relation: str, owned: int) -> None:
        if relation == "swap" and owned > 1:
            owned = 1
        world = World(tuple(range(self.bounds[0], self.bounds[1] + 1)), 4, relation, owned)
        envelopes = {x: self.envelope(x, relation, 9).every(owned) for x in world.datasets()}
        assert all(envelope.is_monotone() for envelope in envelopes.values())
        for x, y in world.pairs():
            assert envelopes[x].nests_in(envelopes[y]), (x, y)
            assert envelopes[y].nests_in(envelopes[x]), (x, y)

    @pytest.mark.parametrize(
        "case", covering(FACTORS, _sensible), ids=lambda c: "-".join(map(str, c.values()))
    )
    def test_privacy(self, case: Case) -> None:
        world = World(self.records, 4, case["neighbors"], case["contributions"])
        laws, loss = self.laws(world, case), self.request((), case).mechanism.loss
        epsilon = float(case["epsilon"])
        assert worst_ratio(laws, world) <= epsilon + FLOAT
        if isinstance(loss, BoundedRange):
            move, x, y = worst_move(laws, world)
            assert move <= 1, (move, x, y)
            assert worst_range(laws, world) <= epsilon + FLOAT
        for law in laws.values():
            assert np.isclose(np.sum(law.pmf(_support(law))), 1, rtol=0, atol=1e-12)


def _support(law: Law) -> list[Fraction]:
    low, high = law.clamp or law.envelope.support
    return [k * law.granularity for k in range(low, high + 1)]
