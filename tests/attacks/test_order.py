"""Spreads and median absolute deviations where exact levels end, at 512, by data of up to 7000 records."""

from typing import Any

import numpy as np
import pytest

from noisewise.kernel.laws.envelope import Envelope
from noisewise.statistics.spread.mad import MAD, NEAR_LEVELS
from noisewise.statistics.spread.quantile_range import EXACT_LEVELS, IQR, Range, Spread
from tests.attacks.pairs import HIGH, Attack, Data, neighbours
from tests.statistics.test_envelopes import grouped, one_by_one, same

RELATIONS = ["add_remove", "swap"]
SPREADS = [IQR(), Range(), Spread("3/5", "9/10"), Spread("1/3", "1/2")]


def attack_on(statistic: Any, relation: str) -> Attack:
    joint = NEAR_LEVELS if isinstance(statistic, MAD) else EXACT_LEVELS
    return Attack(statistic, joint, relation, granularity=1)


def pinned(low: float, high: float, n: int = 7000) -> list[Data]:
    """One of two quantiles is in a tie at a bound that no edits leave, so that the other one alone decides: then the
    two quantiles each for itself are no looser than the exact levels.
    """
    stairs, tied = np.linspace(0, HIGH, n).astype(int), int(n * (low + high) / 2)
    up = np.where(np.arange(n) < tied, 0, stairs)
    return [up.tolist(), np.where(np.arange(n) >= tied, HIGH, stairs).tolist()]


def gathered(n: int, tie: int) -> list[Data]:
    """A tie around the median that no edits leave, and the others on one side or on both, further and further away."""
    rest = n - tie
    away = np.linspace(0, HIGH // 2, rest // 2 + 1)[1:].astype(int)
    both = [HIGH // 2] * tie + (HIGH // 2 - away).tolist() + (HIGH // 2 + away).tolist()
    return [both, [HIGH // 2] * tie + (HIGH // 2 - away).tolist() + [HIGH] * (rest - away.size)]


def tight(statistic: Any, relation: str) -> list[Data]:
    """Data that leave the bound no room to spare. A swapped record moves the median by a rank, others by half."""
    if isinstance(statistic, MAD):
        return gathered(1400, 1100) if relation == "swap" else gathered(600, 520)
    return pinned(float(statistic.low), float(statistic.high))


def wild(rng: np.random.Generator, n: int) -> list[Data]:
    return [
        rng.integers(0, HIGH + 1, n).tolist(),
        np.minimum(rng.lognormal(7, 2, n), HIGH).astype(int).tolist(),
        rng.choice([0, 1, HIGH // 2 - 1, HIGH // 2, HIGH], n).tolist(),
    ]


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("statistic", SPREADS, ids=str)
def test_neighbours_nest_where_exact_spreads_end(relation: str, statistic: Any) -> None:
    rng, attack = np.random.default_rng(1), attack_on(statistic, relation)
    for x in (*tight(statistic, relation), wild(rng, 600)[0], wild(rng, EXACT_LEVELS + 2)[2]):
        assert attack.worst(x, list(neighbours(x, relation))[:4]) <= 0


@pytest.mark.parametrize("relation", RELATIONS)
def test_neighbours_nest_where_the_search_for_a_centre_ends(relation: str) -> None:
    rng, attack = np.random.default_rng(2), attack_on(MAD(), relation)
    for x in (*gathered(600, 520), *gathered(1400, 1100), *wild(rng, 700), *wild(rng, NEAR_LEVELS + 2)):
        assert attack.worst(x) <= 0


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("statistic", [IQR(), MAD()], ids=str)
def test_climbing_finds_no_break(relation: str, statistic: Any) -> None:
    rng, attack = np.random.default_rng(3), attack_on(statistic, relation)
    assert attack.climb(rng, tight(statistic, relation)[0], 15) <= 0


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("statistic", [IQR(), MAD()], ids=str)
def test_costs_move_by_at_most_one_across_the_joint(relation: str, statistic: Any) -> None:
    x = tight(statistic, relation)[0]
    assert attack_on(statistic, relation).dearest(x, list(neighbours(x, relation))[::2]) <= 1


def test_groups_at_once_are_one_by_one_across_the_joint() -> None:
    rng, statistic = np.random.default_rng(4), IQR()
    groups = [*pinned(0.25, 0.75), *wild(rng, 600), wild(rng, EXACT_LEVELS - 1)[0]]
    frame = statistic.frame((0, HIGH), None)
    found = statistic.envelopes(grouped(groups, frame.records), frame.answers, EXACT_LEVELS + 4)  # type: ignore[arg-type]
    assert same(found, one_by_one(statistic, groups, frame, EXACT_LEVELS + 4))  # type: ignore[arg-type]


# The attacks themselves, on a bound that is used one level too late.


SPLICE = Envelope.splice


def late(self: Envelope, looser: Envelope, at: int) -> Envelope:
    later = (np.append(side[:1], side[:-1]) for side in (looser.lower, looser.upper))
    return SPLICE(self, Envelope.of(*later, looser.support, looser.stride), at)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("statistic", [*SPREADS[:3], MAD()], ids=str)
def test_the_attacks_notice_a_bound_that_comes_one_level_late(
    relation: str, statistic: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Envelope, "splice", late)
    attack, data = attack_on(statistic, relation), tight(statistic, relation)
    assert any(attack.worst(x) > 0 for x in data)
    assert any(attack.dearest(x) > 1 for x in data)
