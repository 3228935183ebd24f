"""What Gaussian balance costs: the Rényi divergences of all small worlds, under both relations and both ways."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import noisewise as nws
from noisewise import Quantile, hazmat
from noisewise.audit.worlds import Dataset, World
from noisewise.kernel.mechanisms.gaussian_balance import PROVED
from tests.kernel.laws.renyi import FLOAT, ORDERS, Drawn, mixed
from tests.questions.test_renyi import asked

RHOS = [Fraction(1, 200), Fraction(1, 2), Fraction(8)]
SHARES = ["0", "1/10", "1/4", "1/2", "9/10", "1"]
ADDED = [World((0, 1, 2, 3), 4, owned=owned) for owned in (1, 2, 3)]
SWAPPED = [World((0, 1, 2, 3), size, "swap", least=size) for size in (3, 4)]
"""Worlds in which all datasets are enumerated, the empty one included."""

FRACTIONS: dict[str, tuple[Any, Dataset, dict[str, Any]]] = {
    "mean": (nws.Mean(), (0, 1, 2, 4), {"bounds": (0, 4), "granularity": Fraction(1, 2)}),
    "proportion": (nws.Proportion(), (0, 1), {"granularity": Fraction(1, 9)}),
    "mae": (nws.MAE(), ((0, 0), (0, 1), (1, 4)), {"bounds": (0, 3), "granularity": Fraction(1, 4)}),
    "accuracy": (nws.Accuracy(), ((0, 0), (0, 1)), {"granularity": Fraction(1, 7)}),
    "f1": (nws.F1(), ((1, 1), (1, 0), (0, 0)), {"granularity": Fraction(1, 7)}),
    "huber": (nws.HuberMean(1), (0, 1, 2, 4), {"bounds": (0, 4), "granularity": Fraction(1, 2)}),
    "weighted": (
        nws.WeightedMean(),
        ((0, 1), (1, 0), (3, 2), (4, 2)),
        {"bounds": ((0, 4), (0, 2)), "granularity": Fraction(1, 2)},
    ),
    "ratio": (
        nws.Ratio(ceiling=4),
        ((0, 1), (0, 2), (1, 2), (3, 0), (3, 2)),
        {"bounds": ((0, 3), (0, 2)), "granularity": Fraction(1, 2)},
    ),
}


def laws(statistic: Any, world: World, rho: Fraction, **asked: Any) -> dict[Dataset, Any]:
    def data(x: Dataset) -> Any:
        return list(x) if statistic.columns == 1 else tuple([row[i] for row in x] for i in range(2))

    terms = {
        "neighbors": world.relation,
        "contributions": world.owned,
        "rho": rho,
        "mechanism": "gaussian_balance",
    }
    return {x: hazmat.law(statistic, data(x), **terms, **asked) for x in world.datasets()}


def worst(table: dict[Dataset, Any], world: World) -> float:
    """The largest D_a/a between neighbours, over the orders, both ways."""
    logs = {}
    for x, law in table.items():
        low, high = law.ends
        logs[x] = np.asarray(law.logpmf([k * law.granularity for k in range(low, high + 1)]))
        assert np.logaddexp.reduce(logs[x]) == pytest.approx(0, abs=1e-9)
    ways = [way for x, y in world.pairs() for way in ((x, y), (y, x))]
    divergences = np.array([np.logaddexp.reduce(mixed(logs[x], logs[y]), axis=1) for x, y in ways])
    return float((divergences / (ORDERS * (ORDERS - 1))).max())


def check(statistic: Any, world: World, rho: Fraction, least: float, **asked: Any) -> None:
    """The divergences keep rho, and use ``least`` of it or more."""
    assert least * rho <= worst(laws(statistic, world, rho, **asked), world) <= rho * (1 + FLOAT)


@pytest.mark.parametrize("rho", RHOS, ids=str)
@pytest.mark.parametrize("q", SHARES)
@pytest.mark.parametrize(
    "world", [*ADDED, *SWAPPED], ids=lambda world: f"{world.relation} {world.owned} {world.most}"
)
def test_quantiles_cost_rho(world: World, q: str, rho: Fraction) -> None:
    check(Quantile(q), world, rho, 0.8, bounds=(0, 3), granularity=1)


@pytest.mark.parametrize("rho", RHOS, ids=str)
@pytest.mark.parametrize("owned", [1, 2])
@pytest.mark.parametrize("name", FRACTIONS)
def test_fractions_cost_rho(name: str, owned: int, rho: Fraction) -> None:
    statistic, domain, asked = FRACTIONS[name]
    check(statistic, World(domain, 4, owned=owned), rho, 0.4, **asked)


@pytest.mark.parametrize("rho", RHOS, ids=str)
@pytest.mark.parametrize("name", ["huber", "weighted", "ratio"])
def test_a_swap_in_two_steps_costs_rho(name: str, rho: Fraction) -> None:
    statistic, domain, asked = FRACTIONS[name]
    world = World(domain, 3, "swap", least=3)
    check(statistic, world, rho, 0.2, **asked)


def test_the_ends_of_an_interval_cost_rho_together() -> None:
    """Each is drawn at its own share of rho, which its kappa says."""
    rho, asked_with = Fraction(1, 2), {"q": 0.5, "bounds": (0, 100), "neighbors": "swap"}
    drawn = Drawn(asked("quantile_interval", rho=rho, granularity=1, **asked_with).bind(list(range(101))))
    path, spent = (), Fraction(0)
    while (law := drawn.law(path)) is not None:
        spent += PROVED["bump"] * (2 * law.kappa) ** 2 / 2
        path = (*path, (law.ends[0],))
    assert len(path) == 2 and Fraction("0.999") * rho <= spent <= rho
