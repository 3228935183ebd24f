"""Gaussian noise of whole questions: what neighbours can tell from all draws together costs at most rho, exactly.

Whole numbers a and b with Gaussian noise of variance v cost (a - b)^2 / (2*v) in zCDP; independent draws add up.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise.kernel.laws.gaussian_law import GaussianLaw

RHO = Fraction(1, 3)
Noisy = list[tuple[list[int], Fraction]]
"""The centres and the variance of each law that was drawn from."""


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], Noisy]:
    """Answers a question without noise, and returns what noise would have hidden."""
    seen: Noisy = []

    def around(law: GaussianLaw, count: int, *_: object) -> Any:
        seen.append((law.centres.tolist(), law.variance))
        return np.broadcast_to(law.centres, count).copy()

    def ask(question: Callable[[], object]) -> Noisy:
        seen.clear()
        question()
        return list(seen)

    monkeypatch.setattr(GaussianLaw, "_around", around)
    return ask


def cost(one: Noisy, other: Noisy) -> Fraction:
    """The price of telling one dataset from another one."""
    assert one and [variance for _, variance in one] == [variance for _, variance in other]
    return sum(
        Fraction((a - b) ** 2) / (2 * variance)
        for (centres, variance), (others, _) in zip(one, other, strict=True)
        for a, b in zip(centres, others, strict=True)
    )


BOUNDS = (-1, 2)
VALUES: list[float | None] = [None, -5, -1, -0.25, 0, 0.625, 2, 7]
PAIRS = [(None, 1), (-1, 2), (2, -1), (2, 2), (-5, 7), (0.5, None), (0.625, -0.25)]


def columns(pairs: list[Any]) -> Any:
    return tuple([pair[k] for pair in pairs] for k in (0, 1))


def matrix(pairs: list[Any]) -> Any:
    return np.array([[0 if each is None else each for each in pair] for pair in pairs], np.float64).reshape(
        -1, 2
    )


Ask = Callable[..., object]
ABOUT_NUMBERS: dict[str, Ask] = {
    "count": nws.count,
    "sum": lambda x, **how: nws.sum(x, bounds=BOUNDS, granularity=0.5, **how),
    "mean": lambda x, **how: nws.mean(x, bounds=BOUNDS, granularity=0.25, **how),
    "mean with an interval": lambda x, **how: nws.mean(x, bounds=BOUNDS, interval=0.9, **how),
    "interval of a mean": lambda x, **how: nws.mean(
        x, bounds=BOUNDS, interval=0.9, mechanism="piecewise_laplace", **how
    ),
    "proportion": lambda x, **how: nws.proportion([None if each is None else each > 0 for each in x], **how),
    "histogram": lambda x, **how: nws.histogram(x, [-2, 0, 1, 9], **how),
    "histogram of labels": lambda x, **how: nws.histogram([str(each) for each in x], ["-1", "2", "7"], **how),
    "count distinct": lambda x, **how: nws.count_distinct([str(each) for each in x], ["-1", "2", "7"], **how),
    "mean interval": lambda x, **how: nws.mean_interval(x, bounds=BOUNDS, **how),
    "variance with an interval": lambda x, **how: nws.variance(
        x, bounds=BOUNDS, interval=0.9, mechanism="gaussian", **how
    ),
}
ABOUT_PAIRS: dict[str, Ask] = {
    "vector mean": lambda pairs, **how: nws.vector_mean(matrix(pairs), bounds=BOUNDS, **how),
    "vector mean in a diamond": lambda pairs, **how: nws.vector_mean(
        matrix(pairs), bounds=BOUNDS, norm="l1", **how
    ),
    "covariance": lambda pairs, **how: nws.covariance(matrix(pairs), bounds=BOUNDS, **how),
    "ratio": lambda pairs, **how: nws.ratio(*columns(pairs), bounds=(0, 2), interval=0.9, **how),
    "crosstab": lambda pairs, **how: nws.crosstab(
        tuple([str(each) for each in column] for column in columns(pairs)), [["-1", "2"], ["2", "7"]], **how
    ),
}


def pairs_of_neighbours(
    values: list[Any], neighbors: str, records: int
) -> Iterator[tuple[list[Any], list[Any]]]:
    """Datasets of neighbours: one record is another one, or a person with up to so many records joins."""
    for others in ([], [values[0], values[3]]):
        if neighbors == "swap":
            yield from (([*others, a], [*others, b]) for a, b in product(values, repeat=2) if a != b)
            continue
        for many in range(1, records + 1):
            yield from (([*others, *own], others) for own in combinations_with_replacement(values, many))


HALF, THIRD = Fraction(1, 2), Fraction(3, 10)
LEAST = {
    ("interval of a mean", "add_remove"): Fraction(49, 100),
    ("interval of a mean", "swap"): Fraction(49, 100),
    ("count", "swap"): Fraction(0),  # the number of records is public
    ("variance with an interval", "add_remove"): THIRD,
    ("variance with an interval", "swap"): HALF,
    ("vector mean in a diamond", "swap"): Fraction(49, 100),
    ("covariance", "swap"): HALF,
    ("ratio", "add_remove"): Fraction(49, 100),
    ("ratio", "swap"): Fraction(49, 100),
}
"""The part of rho that is reached, if it is below nine tenths: no record moves all of several sums furthest."""


@pytest.mark.parametrize(("neighbors", "records"), [("add_remove", 1), ("add_remove", 2), ("swap", 1)])
@pytest.mark.parametrize("name", [*ABOUT_NUMBERS, *ABOUT_PAIRS])
def test_gaussian_noise_hides_a_person_in_all_draws_together(
    drawn: Callable[[Callable[[], object]], Noisy], name: str, neighbors: str, records: int
) -> None:
    if name == "vector mean in a diamond" and neighbors == "add_remove":
        return  # such an answer is not drawn with noise of a public width
    ask, values = (ABOUT_NUMBERS[name], VALUES) if name in ABOUT_NUMBERS else (ABOUT_PAIRS[name], PAIRS)
    how = {"rho": RHO, "neighbors": neighbors, "contributions": records}
    found: dict[str, Noisy] = {}

    def noisy(data: list[Any]) -> Noisy:
        if str(data) not in found:
            found[str(data)] = drawn(lambda: ask(data, **how))
        return found[str(data)]

    pairs = pairs_of_neighbours(values, neighbors, records)
    worst = max(cost(noisy(one), noisy(other)) for one, other in pairs)
    most = HALF if name == "interval of a mean" else 1  # the other half pays for the mean
    assert LEAST.get((name, neighbors), Fraction(9, 10)) * RHO <= worst <= most * RHO


HELD: list[tuple[dict[str, Any], int]] = [
    ({"contributions": 3}, 9),
    ({"contributions": 3, "per_group": 1}, 3),
    ({"contributions": 3, "per_group": 2}, 5),
    ({"contributions": 4, "per_group": 2, "max_groups": 2}, 8),
    ({"contributions": 2, "max_groups": 1}, 4),
]
"""What one person can have in groups, and the largest sum of squares over the groups."""
IN_GROUPS: dict[str, Ask] = {
    "count": lambda by, **how: by.count("v", **how),
    "sum": lambda by, **how: by.sum("v", bounds=BOUNDS, granularity=1, **how),
    "mean": lambda by, **how: by.mean("v", bounds=BOUNDS, **how),
    "mean with a count": lambda by, **how: by.mean("v", bounds=BOUNDS, with_count=True, **how),
    "histogram": lambda by, **how: by.histogram("v", [-2, 0, 9], **how),
    "vector mean": lambda by, **how: by.vector_mean(["v", "w"], bounds=BOUNDS, **how),
    "two questions": lambda by, **how: by.agg(
        n=nws.ask.count(),
        pay=nws.ask.sum("v", bounds=BOUNDS, granularity=1),
        shares={"n": 1, "pay": 2},
        **how,
    ),
}


def spreads(
    most: int, per_group: int | None = None, max_groups: int | None = None
) -> Iterator[tuple[int, ...]]:
    """How many records a person may have in each of three groups."""
    for own in product(range((per_group or most) + 1), repeat=3):
        if 0 < sum(own) <= most and sum(map(bool, own)) <= (max_groups or 3):
            yield own


@pytest.mark.parametrize(("held", "squares"), HELD)
@pytest.mark.parametrize("name", IN_GROUPS)
def test_gaussian_noise_hides_a_person_in_all_groups_together(
    drawn: Callable[[Callable[[], object]], Noisy], name: str, held: dict[str, Any], squares: int
) -> None:
    """However the records of a person are spread."""

    def noisy(own: tuple[int, ...], value: int) -> Noisy:
        groups = [0, 1, *(group for group, many in enumerate(own) for _ in range(many))]
        people = [8, 9, *[7] * sum(own)]
        frame = pl.DataFrame({"p": people, "k": groups, "v": [0, 1, *[value] * sum(own)]}).with_columns(
            w=pl.col("v")
        )
        by = nws.Dataset(frame, unit="p", **held).group_by("k", keys=[0, 1, 2])
        return drawn(lambda: IN_GROUPS[name](by, rho=RHO))

    most, per_group = held["contributions"], held.get("per_group")
    without = noisy((0, 0, 0), 0)
    costs = {
        own: max(cost(noisy(own, value), without) for value in BOUNDS)
        for own in spreads(most, per_group, held.get("max_groups"))
    }
    assert RHO * 9 / 10 <= max(costs.values()) <= RHO
    assert max(sum(each**2 for each in own) for own in costs) == squares
