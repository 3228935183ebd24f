"""Privacy in rho: between all small neighbours, what is drawn keeps every Rényi divergence of order a below a*rho.

The divergences are those of all draws of an answer together, of orders from 1.05 to 60, in both directions.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise.audit.worlds import World
from noisewise.dataset.batches import SharedReads
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.planning.asked import Asked
from tests.kernel.laws.renyi import FLOAT, ORDERS, Drawn, gaussian_rho, log_chances, worst_rho

RHOS = [Fraction(1, 50), Fraction(1, 2), Fraction(5)]
BETWEEN = {"bounds": (0, 4)}
STEPS = {**BETWEEN, "granularity": 1}

NOISY: dict[str, dict[str, Any]] = {
    "count": {},
    "sum": BETWEEN,
    "mean": BETWEEN,
    "proportion": {"category": 4},
    "histogram": {"bins": [0.0, 1.0, 2.0, 4.0]},
}
"""Questions that are answered by Gaussian noise, at prices in rho."""

RANGED: dict[str, dict[str, Any]] = {
    "median": STEPS,
    "quantile": {"q": 0.9, **STEPS},
    "max": STEPS,
    "most_common": {"categories": [0, 1, 4]},
}
"""Questions that are answered by laws of bounded range."""

NAMED = {
    name: {**STEPS, "mechanism": name}
    for name in (
        "balance",
        "gaussian",
        "gaussian_balance",
        "inverse_sensitivity",
        "laplace",
        "permute_and_flip",
        "piecewise_laplace",
    )
}
"""Medians by each mechanism."""


def asked(name: str, **keywords: Any) -> Asked:
    return Asked.of("a test", name, (), keywords)


def worst(name: str, world: World, **keywords: Any) -> float:
    """The largest D_a/a between neighbours of the world."""
    question = asked(name, neighbors=world.relation, contributions=world.owned, **keywords)
    drawn = {x: Drawn(question.bind(list(x))) for x in world.datasets()}
    return max(worst_rho(drawn[x], drawn[y]) for x, y in world.pairs())


@pytest.mark.parametrize("rho", RHOS, ids=str)
@pytest.mark.parametrize("owned", [1, 2, 3])
@pytest.mark.parametrize("name", NOISY)
def test_gaussian_noise_costs_rho(name: str, owned: int, rho: Fraction) -> None:
    """All of rho is used: no smaller noise would do."""
    found = worst(name, World((0, 1, 4), 3, owned=owned), rho=rho, **NOISY[name])
    assert 0.999 * rho <= found <= rho * (1 + FLOAT)


@pytest.mark.parametrize("name", [name for name in (*NOISY, *RANGED) if name != "count"])
def test_a_record_that_is_replaced_costs_rho(name: str) -> None:
    rho = Fraction(1, 2)
    asked_with = {**NOISY, **RANGED}[name]
    found = worst(name, World((0, 1, 4), 3, "swap", least=3), rho=rho, **asked_with)
    assert 0.1 * rho <= found <= rho * (1 + FLOAT)


@pytest.mark.parametrize("rho", RHOS, ids=str)
@pytest.mark.parametrize("owned", [1, 2, 3])
@pytest.mark.parametrize("name", RANGED)
def test_laws_of_bounded_range_cost_rho(name: str, owned: int, rho: Fraction) -> None:
    found = worst(name, World((0, 1, 4), 3, owned=owned), rho=rho, **RANGED[name])
    assert 0.1 * rho <= found <= rho * (1 + FLOAT)


@pytest.mark.rest
@pytest.mark.parametrize("owned", [1, 2])
def test_joint_quantiles_cost_rho(owned: int) -> None:
    """The second draw is from a part of the records, which the first one decides."""
    found = worst(
        "quantiles", World((0, 2), 2, owned=owned), rho=0.5, qs=[0.25, 0.75], bounds=(0, 2), granularity=1
    )
    assert 0.05 <= found <= 0.5 * (1 + FLOAT)


@pytest.mark.parametrize("rho", RHOS, ids=str)
@pytest.mark.parametrize("owned", [1, 3])
@pytest.mark.parametrize("name", NAMED)
def test_any_mechanism_costs_rho(name: str, owned: int, rho: Fraction) -> None:
    found = worst("median", World((0, 1, 4), 3, owned=owned), rho=rho, **NAMED[name])
    assert 0.05 * rho <= found <= rho * (1 + FLOAT)


def test_the_closed_form_is_the_sum() -> None:
    """Noise around two centres, summed up with a clamp and without one."""
    wide = np.arange(-1000, 1001)
    for variance, apart in ((Fraction(1, 3), 1), (Fraction(4), 2), (Fraction(50), 9)):
        ours, theirs = (GaussianLaw(np.array([centre]), variance) for centre in (0, apart))
        right = float(gaussian_rho(ours, theirs)) * ORDERS
        for clamp, exact in ((None, variance > 1), (0, False)):
            table = []
            for centre in (0, apart):
                logs = -((wide - centre) ** 2) / (2 * float(variance))
                logs -= np.logaddexp.reduce(logs)
                if clamp is not None:
                    logs = np.append(np.logaddexp.reduce(logs[wide <= clamp]), logs[wide > clamp])
                table.append(logs)
            mixed = ORDERS[:, None] * table[0] + (1 - ORDERS[:, None]) * table[1]
            summed = np.logaddexp.reduce(mixed, axis=1) / (ORDERS - 1)
            assert np.all(summed <= right * (1 + 1e-6))
            assert not exact or summed == pytest.approx(right, rel=1e-6)


# In groups


def grouped(rows: list[tuple[str, str, int]], caps: dict[str, Any], keys: list[str], question: Any) -> Drawn:
    """The draws of a question in groups about rows of a person, a group and a value."""
    people, groups, values = zip(*rows, ("nobody", "none", 0), strict=True)
    frame = pl.DataFrame({"id": people, "g": groups, "x": [float(value) for value in values]})
    by = nws.Dataset(frame, unit="id", **caps).group_by("g", keys=keys)
    return Drawn(by._bind(question, SharedReads()))


def persons(
    keys: list[str], owned: int, most: int, values: tuple[int, ...]
) -> Iterator[list[tuple[str, int]]]:
    """All rows that a person can have with as many records as allowed: ``owned`` in all, ``most`` in one group."""
    for numbers in product(range(most + 1), repeat=len(keys)):
        if sum(numbers) == min(owned, most * len(keys)):
            each = [combinations_with_replacement(values, number) for number in numbers]
            for chosen in product(*each):
                yield [(key, value) for key, one in zip(keys, chosen, strict=True) for value in one]


OTHERS = ([], [("b1", "a", 0), ("b2", "a", 4), ("b3", "b", 4)])
"""The rows of other people."""

GROUPED: dict[str, tuple[Any, float]] = {
    "count": (nws.ask.count, 0.999),
    "sum": (lambda **price: nws.ask.sum("x", bounds=(0, 4), **price), 0.999),
    "mean": (lambda **price: nws.ask.mean("x", bounds=(0, 4), **price), 0.999),
    "histogram": (lambda **price: nws.ask.histogram("x", bins=[0.0, 2.0, 4.0], **price), 0.999),
    "median": (lambda **price: nws.ask.median("x", bounds=(0, 4), granularity=1, **price), 0.1),
}

SHARED = [
    pytest.param(owned, most, groups, marks=[pytest.mark.rest] if groups == 3 else [])
    for groups in (2, 3)
    for owned in range(1, 5)
    for most in range(1, owned + 1)
]


@pytest.mark.parametrize(("owned", "most", "groups"), SHARED)
@pytest.mark.parametrize("name", GROUPED)
def test_all_groups_together_cost_rho(name: str, owned: int, most: int, groups: int) -> None:
    """A person leaves with all records, in whatever groups they are."""
    (ask, least), keys, rho = GROUPED[name], ["a", "b", "c"][:groups], Fraction(1, 2)
    caps, values = {"contributions": owned, "per_group": most}, (0, 4)
    found = 0.0
    for others in OTHERS:
        with_nobody = grouped(others, caps, keys, ask(rho=rho))
        for rows in persons(keys, owned, most, values):
            together = [*others, *(("new", *row) for row in rows)]
            found = max(found, worst_rho(with_nobody, grouped(together, caps, keys, ask(rho=rho))))
    assert least * rho <= found <= rho * (1 + FLOAT)


def test_all_outcomes_are_added_up() -> None:
    for name, keywords in NAMED.items():
        if name != "gaussian":
            law = Drawn(asked("median", rho=1, **keywords).bind([0, 1, 4])).law(())
            low, high = law.ends
            assert np.exp(log_chances(law[0], np.arange(low, high + 1))).sum() == pytest.approx(1)
