"""Gaussian balance: its price, the scores it is proved for, what is refused before the debit, and what auto takes."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise import Dataset, ParameterError, ParameterTypeError, Quantile
from noisewise.audit.score_check import _differences
from noisewise.audit.worlds import World
from noisewise.dataset.batches import SharedReads
from noisewise.dataset.methods import ask
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.mechanisms import GaussianBalance
from noisewise.kernel.numbers.exact import spell
from noisewise.kernel.prices import Rho
from noisewise.kernel.sampling.balance_noise import NORMAL
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.pull import COUNTS, FRACTIONS, SUMS, move_of
from noisewise.questions.request import Request
from noisewise.statistics.quantile import QuantileEnd

SHARES = ["0", "1/10", "1/4", "1/2", "9/10", "1"]
HALF = Fraction(1, 2)
K = {"add_remove": Decimal("1.04"), "swap": Decimal("1.01")}
PAIRS = ((0, 0), (0, 1), (1, 1), (4, 1), (3, 4))


def request(
    statistic: Any, data: Any, rho: Any, mechanism: Any = "gaussian_balance", **asked: Any
) -> Request:
    return Request.of(statistic, data, epsilon=Rho.of(rho), mechanism=mechanism, **asked)


def law_of(statistic: Any, data: Any, rho: Any, **asked: Any) -> BalanceLaw:
    law = request(statistic, data, rho, **asked).look()
    assert isinstance(law, BalanceLaw) and law.noise is NORMAL
    return law


class TestPrice:
    @pytest.mark.parametrize(
        ("neighbors", "contributions"), [("add_remove", 1), ("add_remove", 2), ("add_remove", 5), ("swap", 1)]
    )
    @pytest.mark.parametrize("rho", ["0.000001", "0.03", "0.5", "7.9"])
    @pytest.mark.parametrize("q", SHARES)
    def test_a_record_moves_the_logarithms_by_what_is_paid_for(
        self, q: str, rho: str, contributions: int, neighbors: Any
    ) -> None:
        """rho = k*m^2*c^2/2 with c = 2*kappa*pull; the pull is the most that the count less its target moves."""
        asked: Any = {"bounds": (0, 9), "neighbors": neighbors, "contributions": contributions}
        law = law_of(Quantile(q), [1, 5, 5], Fraction(rho), **asked)
        c = (2 * Decimal(rho) / K[neighbors]).sqrt() / contributions
        share = Fraction(q)
        between = neighbors == "add_remove" and (share == HALF or (share > 0 and c <= 1))
        pull = max(share, 1 - share) if between else 1
        kappa = c * pull.denominator / (2 * pull.numerator)
        assert (
            Decimal(1) - Decimal("1e-8") < Decimal(law.kappa.numerator) / law.kappa.denominator / kappa <= 1
        )

    def test_the_root_is_never_rounded_up(self) -> None:
        for rho in [*(Fraction(n, 7) for n in range(1, 58)), Fraction(1, 10**30), Fraction(832, 100)]:
            by = GaussianBalance(rho=rho, shape="rises")
            more = by.reach * (1 + Fraction(1, 10**8))
            assert by.reach**2 * Fraction(52, 100) <= rho < more**2 * Fraction(52, 100)
            assert by.loss == nws.ZCDP(rho)

    @pytest.mark.parametrize(("shape", "k"), [("rises", Fraction(104, 100)), ("bump", Fraction(101, 100))])
    def test_one_record_moves_them_by_at_most_4(self, shape: Any, k: Fraction) -> None:
        for steps, squares in ((1, 1), (2, 1), (1, 6)):
            most = 8 * k * steps**2 * squares
            assert GaussianBalance(rho=most, shape=shape, steps=steps, squares=squares).reach == 4 * steps
            with pytest.raises(
                ParameterError, match=f"rho must be at most {spell(most)} for gaussian_balance"
            ):
                GaussianBalance(
                    rho=most * (1 + Fraction(1, 10**20)), shape=shape, steps=steps, squares=squares
                )

    def test_a_swap_in_two_steps_pays_for_the_square_of_two(self) -> None:
        asked: Any = {"bounds": (0, 9), "neighbors": "swap"}
        law = law_of(nws.HuberMean(1), [1, 5], Fraction(832, 25), **asked)
        assert law.kappa == 2  # c = 4 for each step of a pull of 1, and 1.04*2^2*4^2/2 = 33.28
        with pytest.raises(ParameterError, match=r"rho must be at most 33\.28 for gaussian_balance"):
            law_of(nws.HuberMean(1), [1, 5], 34, **asked)

    def test_groups_pay_for_the_squares_of_records_in_each(self) -> None:
        """m records, at most c of them in a group: Q = floor(m/c)*c^2 + (m mod c)^2 prices of one record."""
        frame = pl.DataFrame({"p": [1, 2, 3], "g": ["a", "b", "a"], "x": [1, 2, 3]})
        for how, squares in (
            ({"contributions": 7}, 49),
            ({"contributions": 7, "max_groups": 3, "per_group": 3}, 19),
            ({"contributions": 7, "per_group": 1}, 3),
        ):
            groups = Dataset(frame, unit="p", **how).group_by("g", keys=["a", "b", "c"])  # type: ignore[arg-type]
            bound: Any = groups._bind(
                ask.median("x", bounds=(0, 9), rho=HALF, mechanism="gaussian_balance"), SharedReads()
            )
            one = bound.inner.inner
            assert (one.mechanism.steps, one.mechanism.squares) == (1, squares)
            single = GaussianBalance(rho=HALF / squares, shape="rises")
            assert one.mechanism.reach == pytest.approx(float(single.reach), rel=1e-8)
            assert bound.loss == nws.ZCDP(HALF)

    def test_a_copy_at_another_price_has_that_price(self) -> None:
        asked = request(Quantile("1/4"), [1, 2, 3], HALF, bounds=(0, 9))
        dear = asked.about(Quantile("1/4"), price=Rho.of(2))
        assert dear.mechanism == request(Quantile("1/4"), [1], 2, bounds=(0, 9)).mechanism
        assert dear.loss == nws.ZCDP(2) and dear.pull == 1 and asked.pull == Fraction(3, 4)
        assert dear.record_epsilon == GaussianBalance(rho=2, shape="rises").reach
        with pytest.raises(ParameterError, match="mechanism must be another one for this question"):
            asked.about(nws.TrimmedMean("1/4"))


class TestScores:
    """Gaussian balance is proved for scores that move in certain shapes, and only for these."""

    CASES: tuple[tuple[Any, tuple[Any, ...], dict[str, Any]], ...] = (
        *((Quantile(q), (0, 1, 2, 4), {"bounds": (0, 4)}) for q in SHARES),
        (QuantileEnd("1/4", Fraction(-3, 2)), (0, 1, 2, 4), {"bounds": (0, 4)}),
        (nws.Mean(), (0, 1, 4), {"bounds": (0, 4), "granularity": HALF}),
        (nws.Proportion(), (0, 1), {"granularity": Fraction(1, 9)}),
        (nws.MAE(), PAIRS, {"bounds": (0, 3), "granularity": Fraction(1, 4)}),
        (nws.MSE(), PAIRS, {"bounds": (0, 3), "granularity": Fraction(1, 4)}),
        (nws.Accuracy(), PAIRS, {"granularity": Fraction(1, 7)}),
        (nws.LogLoss(), ((0, 0.5), (1, 0.25), (1, 1)), {"bounds": (0, 3), "granularity": Fraction(1, 4)}),
        (nws.F1(), ((1, 1), (1, 0), (0, 0)), {"granularity": Fraction(1, 7)}),
        (nws.HuberMean(1), (0, 1, 4), {"bounds": (0, 4), "granularity": HALF}),
        (nws.Ratio(), PAIRS, {"bounds": ((0, 4), (0, 4)), "granularity": Fraction(1, 2)}),
        (nws.Rate(2), PAIRS, {"bounds": ((0, 4), (0, 4)), "granularity": Fraction(1, 2)}),
        (nws.WeightedMean(), PAIRS, {"bounds": ((0, 4), (0, 4)), "granularity": Fraction(1, 2)}),
    )

    @pytest.mark.parametrize("rho", [Fraction(1, 50), Fraction(4)])
    @pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
    @pytest.mark.parametrize(("statistic", "domain", "asked"), CASES, ids=lambda value: str(value)[:20])
    def test_each_moves_as_is_said_of_it(
        self, statistic: Any, domain: Any, asked: Any, neighbors: Any, rho: Fraction
    ) -> None:
        move = move_of(statistic, neighbors, 1)
        if neighbors == "swap" and type(statistic) in FRACTIONS:
            assert move is None
            return
        assert move is not None

        def score(x: Any) -> tuple[Any, Request]:
            columns = [[domain[k][i] for k in x] for i in range(statistic.columns) if statistic.columns > 1]
            data: Any = [domain[k] for k in x] if statistic.columns == 1 else tuple(columns)
            one = request(statistic, data, rho, neighbors=neighbors, **asked)
            law = one.look(people=9)
            assert isinstance(law, BalanceLaw) and not law.score.more.any()
            return law.score, one

        relation: Any = "add_remove" if move.shape == "rises" else "swap"
        world = World(tuple(range(len(domain))), 3, relation, 1, 0)
        scores = {x: score(x) for x in world.datasets()}
        pull = next(iter(scores.values()))[1].person_pull / move.steps
        for x, y in world.pairs():
            moves = _differences(scores[x][0], scores[y][0])
            if move.shape == "rises" and len(x) > len(y):
                moves = [-each for each in moves]  # as if the record were added
            if move.shape == "bump" and sum(moves) < 0:
                moves = [-each for each in moves]
            assert all(abs(each) <= pull for each in moves)
            falls = [each for each in np.diff(np.array(moves)).tolist() if each]
            if move.shape == "rises":
                assert all(each > 0 for each in falls)
            else:
                assert all(each >= 0 for each in moves)
                assert [each > 0 for each in falls] == sorted((each > 0 for each in falls), reverse=True)

    def test_every_proved_score_is_looked_at_above(self) -> None:
        assert {type(case[0]) for case in self.CASES} == {*COUNTS, *FRACTIONS, *SUMS}

    @pytest.mark.parametrize(
        "statistic",
        [nws.TrimmedMean("1/4"), nws.WinsorizedMean("1/4"), nws.TheilSen(parts=1), nws.Variance(), nws.Sum()],
    )
    @pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
    def test_no_other_score_is(self, statistic: Any, neighbors: Any) -> None:
        assert move_of(statistic, neighbors, 1) is None

    def test_a_score_of_ones_own_is_not(self) -> None:
        class Mine(nws.HuberMean):
            def score(self, *given: Any) -> Any:
                return nws.HuberMean.score(self, *given)

        class Inherited(Quantile):
            pass

        for statistic, enveloped in ((Mine(1), False), (Inherited("1/2"), True)):
            with pytest.raises(ParameterError, match="mechanism must be another one for this question"):
                request(statistic, [1, 2], HALF, bounds=(0, 4))
            auto = request(statistic, [1, 2], Fraction(1, 4), "auto", bounds=(0, 4)).mechanism
            assert auto.name == ("piecewise_laplace" if enveloped else "balance")


REFUSED: dict[str, tuple[Callable[[Dataset], Any], str]] = {
    "epsilon": (
        lambda d: d.median("x", bounds=(0, 9), epsilon=1, mechanism="gaussian_balance"),
        'where epsilon is given, such as "balance", got "gaussian_balance": Gaussian noise is priced in rho alone',
    ),
    "large rho": (
        lambda d: d.median("x", bounds=(0, 9), rho=9, mechanism="gaussian_balance"),
        "rho must be at most 8.32 for gaussian_balance, got 9",
    ),
    "no shape": (
        lambda d: d.variance("x", bounds=(0, 9), rho=HALF, mechanism="gaussian_balance"),
        "its price is proved for quantiles",
    ),
    "several quantiles": (
        lambda d: d.quantiles("x", ["1/4", "1/2"], bounds=(0, 9), rho=HALF, mechanism="gaussian_balance"),
        "mechanism must be",
    ),
    "a vector": (
        lambda d: d.vector_mean(["x", "y"], bounds=(0, 9), rho=HALF, mechanism="gaussian_balance"),
        "mechanism must be",
    ),
    "many digits": (
        lambda d: d.median(
            "x",
            bounds=(0, 9),
            granularity=Fraction(1, 10) + Fraction(1, 10**40),
            rho=HALF,
            mechanism="gaussian_balance",
        ),
        "granularity must have at most 38 digits for balance",
    ),
    "an object": (
        lambda d: d.median("x", bounds=(0, 9), rho=HALF, mechanism=GaussianBalance(rho=HALF, shape="rises")),
        "mechanism must be a name where rho is given",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("lazily", [False, True])
def test_what_is_refused_costs_nothing(case: str, lazily: bool, tmp_path: Path) -> None:
    frame = pl.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]})
    ledger = nws.Ledger.open(tmp_path / "ledger", nws.ZCDP(64))
    ask_it, message = REFUSED[case]
    with pytest.raises((ParameterError, ParameterTypeError), match=message.replace("(", "[(]")):
        ask_it(Dataset(frame.lazy() if lazily else frame, ledger=ledger))
    assert ledger.spent == nws.ZCDP(0) and not list(ledger.entries())


def test_an_object_is_no_mechanism_at_a_price_in_epsilon() -> None:
    made: Any = GaussianBalance(rho=HALF, shape="rises")
    with pytest.raises(ParameterTypeError, match="mechanism must be one of"):
        nws.median([1, 2], bounds=(0, 9), epsilon=1, mechanism=made)


def test_the_receipt_and_the_ledger_say_what_was_paid(tmp_path: Path) -> None:
    ledger = nws.Ledger.open(tmp_path / "ledger", nws.ZCDP(1))
    release = nws.median(
        [1, 2, 3], bounds=(0, 9), rho=Fraction(1, 4), ledger=ledger, mechanism="gaussian_balance"
    )
    assert release.law == "gaussian-balance/1" and release.mechanism == "gaussian_balance"
    assert release.privacy == nws.ZCDP(Fraction(1, 4)) == ledger.spent
    (entry,) = ledger.entries()
    assert "median by gaussian-balance/1" in entry.memo and entry.loss == release.privacy


@pytest.mark.parametrize("lazily", [False, True])
@pytest.mark.parametrize("shown", ["no rows", "no row passes", "all missing"])
def test_no_records_are_answered(shown: str, lazily: bool) -> None:
    frame = pl.DataFrame(
        {"x": [1.0, None], "w": [1.0, 1.0], "g": ["a", "b"]}, schema_overrides={"x": pl.Float64}
    )
    if shown != "no row passes":
        frame = frame.filter(pl.col("x").is_null() if shown == "all missing" else pl.lit(False))
    data = Dataset(frame.lazy() if lazily else frame)
    data = data.where("w > 5") if shown == "no row passes" else data
    how: Any = {"rho": HALF, "mechanism": "gaussian_balance"}
    for one in (
        ask.median("x", bounds=(0, 9), **how),
        ask.max("x", bounds=(0, 9), **how),
        ask.mean("x", bounds=(0, 9), **how),
        ask.huber_mean("x", 1, bounds=(0, 9), **how),
        ask.ratio("x", "w", bounds=(0, 9), **how),
    ):
        release = data.agg(it=one)["it"]
        assert 0 <= release.value <= 9 * 1024
    grouped = data.group_by("g", keys=["a", "b", "nobody"]).median("x", bounds=(0, 9), **how)
    assert len(grouped.value) == 3


class TestAuto:
    """Public facts decide: the question, whom to protect, and the price."""

    @pytest.mark.parametrize(
        ("statistic", "neighbors", "rho", "owned", "taken"),
        [
            (Quantile("1/2"), "add_remove", "0.49", 1, "gaussian_balance"),
            (Quantile("1/2"), "add_remove", "0.5", 1, "piecewise_laplace"),
            (Quantile("9/10"), "swap", "0.49", 1, "gaussian_balance"),
            (Quantile("1/2"), "add_remove", "1.9", 2, "gaussian_balance"),
            (Quantile("1/2"), "add_remove", "2", 2, "piecewise_laplace"),
            (nws.Mean(), "add_remove", "0.1", 1, "gaussian_balance"),
            (nws.Mean(), "swap", "0.1", 1, "gaussian"),
            (nws.HuberMean(1), "add_remove", "1.9", 1, "gaussian_balance"),
            (nws.HuberMean(1), "add_remove", "2", 1, "balance"),
            (nws.HuberMean(1), "swap", "1.9", 1, "gaussian_balance"),
            (nws.HuberMean(1), "add_remove", "2", 3, "balance"),
            (nws.Variance(), "add_remove", "0.1", 1, "piecewise_laplace"),
            (nws.TrimmedMean("1/4"), "swap", "0.1", 1, "piecewise_laplace"),
        ],
    )
    def test_it_is_taken_at_small_prices(
        self, statistic: Any, neighbors: Any, rho: str, owned: int, taken: str
    ) -> None:
        asked: Any = {"bounds": (0, 9), "neighbors": neighbors, "contributions": owned}
        assert request(statistic, [1, 2, 3], Fraction(rho), "auto", **asked).mechanism.name == taken

    def test_a_budget_in_epsilon_keeps_balance(self) -> None:
        release = nws.median([1, 2], bounds=(0, 9), epsilon=Fraction(1, 10))
        assert release.mechanism == "balance"

    def test_noise_is_smaller_than_that_of_the_others(self) -> None:
        data = np.random.default_rng(2).lognormal(10.5, 0.6, 1000)
        errors = {
            name: read_law(
                request(Quantile("1/2"), data, Fraction(1, 8), name, bounds=(0, 10**6)).look()
            ).expected_error()
            for name in ("gaussian_balance", "piecewise_laplace", "balance")
        }
        assert errors["gaussian_balance"] < 0.9 * min(errors["piecewise_laplace"], errors["balance"])


def test_a_population_interval_by_gaussian_balance_covers_the_quantile() -> None:
    dice = np.random.default_rng(8)
    held = 0
    for seed in range(60):
        data = dice.normal(50, 10, 2000)
        low, high = nws.quantile_interval(
            data, "1/2", bounds=(0, 100), rho=Fraction(1, 4), mechanism="gaussian_balance"
        ).value
        held += low <= 50 <= high
        assert high - low < 10, seed
    assert held >= 55
