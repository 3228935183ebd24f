"""The laws of a statistic. A new one inherits them:

class TestMean(StatisticLaws):
    statistic = Mean()
    answer = staticmethod(lambda records: Fraction(sum(records), len(records)) if records else 0)

``answer`` is a naive, independent definition on values. Envelopes are compared with brute force over every dataset in
reach, in exact arithmetic; a statistic whose envelope is only a bound says ``exact = False`` and must hold it.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest

from noisewise import BoundedRange, InverseSensitivity, PiecewiseLaplace
from noisewise.audit.nesting import is_monotone, nests_in
from noisewise.audit.worlds import Dataset, World
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request
from tests.kernel.laws.moves import FLOAT, distinct, log_ratios, numbers, worst_move
from tests.kernel.laws.pairwise import Case, covering

MISSING = -99.0
"""Stands for None in an enumerated dataset, which must sort."""

FACTORS = {
    "mechanism": ["piecewise_laplace", "inverse_sensitivity", "laplace"],
    "neighbors": ["add_remove", "swap"],
    "contributions": [1, 2, 3],
    "levels": [None, 0, 1, 2],
    "granularity": [1, Fraction(1, 2), 2],
    "rho": [0, 3, Fraction(7, 2)],
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
    return smooth[case["mechanism"]](epsilon=case["epsilon"], smooth=case["rho"])


class StatisticLaws:
    """Inherited by the tests of every statistic."""

    statistic: ClassVar[Any]
    answer: ClassVar[Callable[[Dataset], Any]]
    exact: ClassVar[bool] = True
    bounds: ClassVar[tuple[Any, Any] | None] = (0, 4)
    domain: ClassVar[tuple[Any, ...]] = (0, 1, 2, 3, 4)
    """What is enumerated against brute force: values that are lattice points."""
    records: ClassVar[tuple[Any, ...]] = (MISSING, 0.4, 1.5, 2.6, 9.0)
    """What is enumerated for privacy: missing, out of bounds, between lattice points and on their edges."""
    relations: ClassVar[tuple[str, ...]] = ("add_remove", "swap")
    most: ClassVar[int] = 4
    """How many records the largest enumerated dataset has."""
    levels: ClassVar[int] = 5
    """How far envelopes are compared with brute force."""
    rule: ClassVar[int | None] = None
    """Levels in place of the level rule, where a side is open and the rule would make thousands of outcomes."""
    granularities: ClassVar[tuple[Any, ...]] = (1, Fraction(1, 2), 2)
    """Of the answer; the first two are used for comparing envelopes, all for privacy."""

    def data(self, x: Dataset) -> Any:
        """An enumerated dataset as a user would hand it over."""
        return [None if record == MISSING else record for record in x]

    def request(self, x: Dataset, case: Case) -> Request:
        keys = ("epsilon", "granularity", "neighbors", "contributions")
        asked = {key: case[key] for key in keys}
        return Request.of(
            self.statistic, self.data(x), bounds=self.bounds, mechanism=mechanism_of(case), **asked
        )

    def laws(self, world: World, case: Case) -> dict[Dataset, Law]:
        return {x: self.request(x, case).look(case["levels"]) for x in world.datasets()}

    def envelope(self, x: Dataset, relation: str, levels: int, granularity: Any) -> Envelope:
        case = {"epsilon": 1, "granularity": granularity, "neighbors": relation, "contributions": 1}
        request = self.request(x, case | {"mechanism": "piecewise_laplace", "rho": 0})
        return request.look(levels).envelope

    def world(self, relation: str, owned: int = 1) -> World:
        return World(self.domain, self.most, relation, owned)

    def skip_unless(self, relation: str) -> None:
        if relation not in self.relations:
            pytest.skip(f"not asked when records are of the relation {relation}")

    @pytest.mark.parametrize("relation", ["add_remove", "swap"])
    def test_envelope_holds_brute_force(self, relation: str) -> None:
        """And equals it where the envelope is exact, on two lattices of the answer."""
        self.skip_unless(relation)
        world, answer, loose = self.world(relation), cache(type(self).answer), 0
        for x in world.datasets():
            levels = self.levels if relation == "add_remove" else min(self.levels, len(x))
            least, most = world.envelope(answer, x, levels)
            for granularity in self.granularities[:2]:
                ours = self.envelope(x, relation, self.levels, granularity)
                floors = [
                    (self.floor(low, granularity), self.floor(high, granularity))
                    for low, high in zip(least, most, strict=True)
                ]
                levelled = [ours.level(l) for l in range(levels + 1)]
                assert levelled[0] == floors[0], (x, "the answer itself")
                assert not self.exact or levelled == floors, x
                assert all(o[0] <= f[0] and f[1] <= o[1] for o, f in zip(levelled, floors, strict=True)), x
                loose += levelled != floors
        assert loose == 0 or not self.exact

    def floor(self, value: Any, granularity: Any) -> int:
        return math.floor(Fraction(value) / granularity)

    @pytest.mark.parametrize("relation", ["add_remove", "swap"])
    @pytest.mark.parametrize("owned", [1, 2])
    def test_neighbours_nest_and_levels_are_monotone(self, relation: str, owned: int) -> None:
        self.skip_unless(relation)
        if relation == "swap" and owned > 1:
            owned = 1
        world = self.world(relation, owned)
        for granularity in self.granularities[1:2]:
            envelopes = {
                x: self.envelope(x, relation, 9, granularity).per_person(owned) for x in world.datasets()
            }
            assert all(is_monotone(envelope) for envelope in envelopes.values())
            for x, y in world.pairs():
                assert nests_in(envelopes[x], envelopes[y]), (x, y)
                assert nests_in(envelopes[y], envelopes[x]), (x, y)

    @pytest.mark.parametrize(
        "case", covering(FACTORS, _sensible), ids=lambda c: "-".join(map(str, c.values()))
    )
    def test_privacy(self, case: Case) -> None:
        self.skip_unless(case["neighbors"])
        choice = FACTORS["granularity"].index(case["granularity"])
        levels = self.rule if case["levels"] is None else case["levels"]
        case = case | {"granularity": self.granularities[choice], "levels": levels}
        world = World(self.records, self.most, case["neighbors"], case["contributions"])
        laws, loss = self.laws(world, case), self.request((), case).mechanism.loss
        if case["neighbors"] == "swap":
            self.judge_swapped(laws, world, case, loss)
        else:
            self.check(laws, world, case, loss)

    def judge_swapped(self, laws: dict[Dataset, Law], world: World, case: Case, loss: Any) -> None:
        """Data of different sizes are no neighbours under swap and may have different supports."""
        for size in range(1, world.most + 1):
            same = {x: law for x, law in laws.items() if len(x) == size}
            self.check(same, World(world.domain, size, "swap", least=size), case, loss)

    def check(self, laws: dict[Dataset, Law], world: World, case: Case, loss: Any) -> None:
        epsilon = float(case["epsilon"])
        ratios = log_ratios(laws, world)
        assert ratios and all(max(-low, high) <= epsilon + FLOAT for low, high, _, _ in ratios)
        if isinstance(loss, BoundedRange):
            move, x, y = worst_move(laws, world)
            assert move <= 1, (move, x, y)
            assert all(high - low <= epsilon + FLOAT for low, high, _, _ in ratios)
        for law in distinct(laws).values():
            if (support := _support(law)) is not None:
                assert np.isclose(np.sum(read_law(law).pmf(support)), 1, rtol=0, atol=1e-12)


def _support(law: Law) -> Any:
    """Every value that can be drawn; None where a side is open."""
    low, high = law.clamp or law.envelope.support
    return (
        None if low is None or high is None else numbers([k * law.granularity for k in range(low, high + 1)])
    )
