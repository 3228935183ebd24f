"""Balance: whole worlds under both relations keep epsilon and reach it; what is refused; what it costs."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

import noisewise as nws
from noisewise import Balance, ParameterError, ParameterTypeError, PureDP, Quantile, hazmat
from noisewise.audit.worlds import World
from noisewise.kernel.laws.score import Score
from noisewise.planning.readings.read_law import read_law
from tests.kernel.laws.moves import FLOAT, worst_range, worst_ratio

SHARES = ["0", "1/10", "1/4", "1/3", "1/2", "9/10", "1"]


def laws(statistic: Any, world: World, **asked: Any) -> dict[Any, Any]:
    def data(x: Any) -> Any:
        return list(x) if statistic.columns == 1 else tuple([row[i] for row in x] for i in range(2))

    return {
        x: hazmat.law(
            statistic,
            data(x),
            mechanism="balance",
            neighbors=world.relation,
            contributions=world.owned,
            **asked,
        )
        for x in world.datasets()
    }


@pytest.mark.parametrize("q", SHARES)
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(3)])
@pytest.mark.parametrize(
    ("neighbors", "contributions"), [("add_remove", 1), ("add_remove", 2), ("add_remove", 3), ("swap", 1)]
)
def test_quantiles_keep_the_whole_of_epsilon(
    q: str, epsilon: Fraction, neighbors: str, contributions: int
) -> None:
    sizes = (0,) if neighbors == "add_remove" else (3, 4)
    worst = 0.0
    for least in sizes:
        world = World((0, 1, 2, 3, 4), least or 4, neighbors, contributions, least)
        worst = max(worst, worst_ratio(laws(Quantile(q), world, bounds=(0, 4), epsilon=epsilon), world))
    assert worst <= float(epsilon) + FLOAT
    assert worst >= 0.8 * float(epsilon)  # no budget is wasted


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), Fraction(3)])
@pytest.mark.parametrize("contributions", [1, 2])
@pytest.mark.parametrize(
    ("statistic", "domain", "asked"),
    [
        (nws.Mean(), (0, 1, 2, 4), {"bounds": (0, 4), "granularity": Fraction(1, 2)}),
        (nws.Proportion(), (0, 1), {"granularity": Fraction(1, 9)}),
        (nws.MAE(), ((0, 0), (0, 1), (1, 4)), {"bounds": (0, 3), "granularity": Fraction(1, 4)}),
        (nws.Accuracy(), ((0, 0), (0, 1)), {"granularity": Fraction(1, 7)}),
        (nws.F1(), ((1, 1), (1, 0), (0, 0)), {"granularity": Fraction(1, 7)}),
    ],
    ids=["mean", "proportion", "mae", "accuracy", "f1"],
)
def test_fractions_keep_epsilon(
    statistic: Any, domain: Any, asked: Any, contributions: int, epsilon: Fraction
) -> None:
    world = World(domain, 4, "add_remove", contributions)
    worst = worst_ratio(laws(statistic, world, epsilon=epsilon, **asked), world)
    assert 0.6 * float(epsilon) <= worst <= float(epsilon) + FLOAT


def test_the_range_goes_beyond_epsilon_so_the_loss_is_pure() -> None:
    world = World((0, 1, 2, 3), 4)
    assert worst_range(laws(Quantile("1/2"), world, bounds=(0, 3), epsilon=1), world) > 1.5
    assert Balance(epsilon=1).loss == PureDP(1)


def test_at_full_scale_it_is_laplace_noise() -> None:
    """With equal steps the law falls by the same factor on every step of a record."""
    law = hazmat.law(
        Quantile("1/2"), range(0, 401, 4), bounds=(0, 400), epsilon=1, neighbors="swap", mechanism="balance"
    )
    logs = read_law(law).logpmf(np.arange(120, 181, 4))
    assert np.allclose(np.diff(logs), 1, atol=0.01)


def test_its_error_is_half_that_of_piecewise_laplace() -> None:
    incomes = np.random.default_rng(2).lognormal(10.5, 0.6, 1000)
    for statistic in (Quantile("1/2"), Quantile("1/4"), nws.Mean()):
        error = {
            name: read_law(
                hazmat.law(
                    statistic, incomes, bounds=(0, 1_000_000), epsilon=1, granularity=1, mechanism=name
                )
            ).expected_error()
            for name in ("balance", "piecewise_laplace")
        }
        assert error["balance"] < 0.6 * error["piecewise_laplace"]


@pytest.mark.parametrize("granularity", [1e-12, 1e-9, 0.1, Fraction(1, 3)])
def test_answers_may_be_finer_than_records_and_end_beside_them(granularity: Any) -> None:
    """0.1 is no point of the records' lattice: the answers next to it are answers all the same."""
    asked: Any = {"bounds": (0.1, 0.9), "epsilon": 64, "granularity": granularity, "mechanism": "balance"}
    release = nws.mean([0.1, 0.5, 0.9] * 200, **asked)
    assert abs(release.value - 0.5) <= max(float(granularity), 0.01)


def test_it_is_refused_where_there_is_no_score() -> None:
    with pytest.raises(ParameterError, match="mechanism must be another one where there is no score"):
        nws.variance([1, 2, 3], bounds=(0, 4), epsilon=1, mechanism="balance")
    with pytest.raises(ParameterError, match="no score"):
        nws.mean([1, 2, 3], bounds=(0, 4), epsilon=1, neighbors="swap", mechanism="balance")


def test_an_envelope_of_ones_own_is_not_answered_by_the_score_of_another() -> None:
    class Mine(Quantile):
        __slots__ = ()

        def envelope(self, column: Any, answers: Any, levels: int) -> Any:
            return Quantile.envelope(self, column, answers, levels)

    with pytest.raises(ParameterError, match="no score"):
        nws.release(Mine("1/2"), [1, 2, 3], bounds=(0, 4), epsilon=1, mechanism="balance")


class PayingNobody:
    """A ledger that notes whether anything was paid."""

    paid = False

    def debit(self, loss: Any, **said: Any) -> None:
        self.paid = True


def refused(statistic: Any, said: str, **asked: Any) -> None:
    for how in ("balance", "auto"):
        ledger = PayingNobody()
        with pytest.raises(ParameterTypeError, match=said):
            nws.release(statistic, [1, 2, 3], bounds=(0, 4), epsilon=1, mechanism=how, ledger=ledger, **asked)
        assert not ledger.paid


def test_a_pull_belongs_to_the_score_beside_it() -> None:
    """Neither half of the pair may be replaced alone: a score three times as strong, a pull a tenth as large."""

    def score(self: Any, column: Any, answers: Any, levels: int, epsilon: Fraction) -> Score:
        own = Quantile.score(self, column, answers, levels, epsilon)
        return replace(own, first=3 * own.first, last=3 * own.last)

    def pull(self: Any, neighbors: Any, epsilon: Fraction) -> Fraction:
        return Fraction(1, 10)

    class Mixed:
        __slots__ = ()

    Mixed.score = score  # type: ignore[attr-defined]
    rule = r" must define pull\(\) in the class that defines score\(\), which is "
    for bases, own, which in (
        ((Quantile,), {"score": score}, "Mine"),
        ((Mixed, Quantile), {}, "Mixed"),
        ((Quantile,), {"pull": pull}, "Quantile"),
        ((nws.HuberMean,), {"pull": pull}, "HuberMean"),
    ):
        with pytest.raises(ParameterTypeError, match=f"^Mine{rule}{which}"):
            type("Mine", bases, {"__slots__": (), **own})


@pytest.mark.parametrize("pull", [0, -1, 0.5, True, "1", math.nan])
def test_a_pull_that_is_no_fraction_is_refused_before_anything_is_paid(pull: Any) -> None:
    class Mine(nws.HuberMean):
        def pull(self, neighbors: Any, epsilon: Fraction) -> Any:
            return pull

        def score(self, column: Any, answers: Any, levels: int, epsilon: Fraction) -> Score:
            return nws.HuberMean.score(self, column, answers, levels, epsilon)

    refused(Mine(1), r"pull\(\) of .* must return a Fraction above 0, or None where there is no score, got ")


def test_a_score_is_read_as_far_as_its_pull_asks_for() -> None:
    """Ranks on either side of a median of many records: half as many where half as many decide."""
    read = {
        neighbors: hazmat.law(
            Quantile("1/2"),
            np.arange(10_000),
            bounds=(0, 9999),
            granularity=1,
            epsilon=1,
            neighbors=neighbors,
            mechanism="balance",
        ).score.first.size
        for neighbors in ("add_remove", "swap")
    }
    exponent = 2 * math.log(10_000) + 46
    assert 2 * exponent < read["add_remove"] < 2 * exponent + 5
    assert 4 * exponent < read["swap"] < 4 * exponent + 5


def test_a_release_says_how_it_was_drawn() -> None:
    release = nws.median([1, 2, 3], bounds=(0, 4), epsilon=1, mechanism="balance")
    assert (release.mechanism, release.law, release.privacy) == ("balance", "balance/1", PureDP(1))
    assert nws.median([1, 2, 3], bounds=(0, 4), epsilon=1, mechanism=Balance(epsilon=1)).law == "balance/1"


FINE = Fraction(1, 10**15)
LONG = Fraction(123456789012345, 10**15)


@pytest.mark.parametrize(
    ("statistic", "data", "asked"),
    [
        (Quantile(LONG), np.arange(10**5) % 1000, {"bounds": (0, 1000)}),
        (Quantile(Fraction(1, 10**400)), [], {"bounds": (0, 1000)}),
        (Quantile(Fraction(1, 10**400)), [1, 2, 3], {"bounds": (0, 1000)}),
        (Quantile("1/2"), range(100), {"bounds": (0, 1000), "epsilon": Fraction(1, 10**30)}),
        (Quantile("1/4"), range(100), {"bounds": (0, 1000), "contributions": 10**6}),
        (Quantile("1/2"), [np.inf, -np.inf, np.nan, 1e308], {"bounds": (-1e300, 1e300)}),
        (nws.Mean(), [0.1, 0.2], {"bounds": (0, 1), "granularity": FINE}),
        (nws.Mean(), [0.1, 0.2], {"bounds": (-2, 6), "granularity": 10 * FINE}),
        (nws.Mean(), [0.0, 0.0], {"bounds": (0.1, 0.9), "granularity": Fraction(1, 10**12)}),
        (nws.Mean(), [], {"bounds": (Fraction(1, 3), Fraction(2, 3)), "granularity": Fraction(1, 10**9 + 7)}),
        (nws.Mean(), [np.inf, -np.inf, np.nan, 1e308], {"bounds": (-1e300, 1e300)}),
        (nws.Mean(), [1, 2], {"bounds": (0, 1e-300), "epsilon": 64}),
        (
            nws.MAE(),
            ([1, np.nan, np.inf], [0, np.nan, -np.inf]),
            {"bounds": (0.1, 10), "granularity": 10 * FINE},
        ),
        (nws.F1(), ([1, 0, 1], [1, 1, 1]), {"granularity": Fraction(1, 3**32)}),
        (
            nws.HuberMean(1),
            [0] * 900,
            {"bounds": (-20_000, 1), "granularity": Fraction(1, 10**9 + 7), "epsilon": 64},
        ),
        (nws.Proportion(), [], {"granularity": Fraction(1, 3**32)}),
    ],
)
def test_nothing_fails_once_it_is_paid_for(statistic: Any, data: Any, asked: dict[str, Any]) -> None:
    """Whatever was not refused is answered: long fractions, fine steps, steps that do not fit, extreme records."""
    with np.errstate(all="raise"):
        release = nws.release(statistic, data, mechanism="balance", **{"epsilon": 1, **asked})
        assert math.isfinite(release.value)
        law = hazmat.law(statistic, data, mechanism="balance", **{"epsilon": 1, **asked})
        low, high = read_law(law).support
        assert low <= release.value <= high
        assert 0 <= read_law(law).cdf(release.value) <= 1


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("mean", {"granularity": FINE}),
        ("mean", {"granularity": Fraction(1, 3**32)}),
        ("quantile", {"q": LONG}),
        ("quantile", {"q": Fraction(1, 10**400)}),
        ("median", {"granularity": Fraction(1, 2**51)}),
    ],
)
def test_nothing_fails_in_groups_either(question: str, asked: dict[str, Any]) -> None:
    frame = pd.DataFrame({"g": [0, 0, 1, 1, 1, 3], "x": [0.0, np.inf, 0.5, -7.0, np.nan, 1.0]})
    grouped = nws.Dataset(frame).group_by("g", keys=[0, 1, 2, 3])
    with np.errstate(all="raise"):
        release = getattr(grouped, question)("x", bounds=(0, 1), epsilon=1, mechanism="balance", **asked)
    assert all(0 <= value <= 1 for value in release.value)


def test_groups_are_drawn_like_single_columns() -> None:
    frame = pd.DataFrame({"g": [0, 0, 1, 1, 1, 3] * 50, "x": list(range(300))})
    grouped = nws.Dataset(frame).group_by("g", keys=[0, 1, 2, 3])
    for name, asked in (("median", {"granularity": 1}), ("mean", {})):
        release = getattr(grouped, name)("x", bounds=(0, 300), epsilon=64, mechanism="balance", **asked)
        truth = [frame.x[frame.g == g].median() for g in (0, 1, 3)]
        values = list(release.value)
        assert np.allclose([values[0], values[1], values[3]], truth, atol=8)


def test_plan_promises_half_as_many_people() -> None:
    asked: dict[str, Any] = {"bounds": (0, 1000), "granularity": 1, "epsilon": 1}
    ours = nws.plan(Quantile("1/2"), mechanism="balance", **asked)
    other = nws.plan(Quantile("1/2"), mechanism="piecewise_laplace", **asked)
    assert ours.people == 10 and other.people == 20


def test_a_granularity_too_long_for_float64_is_refused_before_anything_is_paid() -> None:
    long = Fraction(10**3000 + 1, 10**3001)
    book: list[Any] = []

    class Book:
        def debit(self, loss: Any, **said: Any) -> None:
            book.append(loss)

    for step in (long, Fraction(1, 10) + Fraction(1, 10**40)):
        with pytest.raises(ParameterError, match="granularity must have at most 38 digits for balance, got "):
            nws.mean([0.5], bounds=(0, 1), epsilon=1, granularity=step, mechanism="balance", ledger=Book())
    assert not book
    for step in (Fraction(1, 10) + Fraction(1, 10**36), Fraction(10**37 + 1, 10**38)):
        assert (
            0 <= nws.mean([0.5], bounds=(0, 1), epsilon=1, granularity=step, mechanism="balance").value <= 1
        )
