"""Shifted inverse sensitivity: whole worlds keep epsilon and reach it; its draws; what it costs and what is refused."""

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise import ParameterError, PureDP, Quantile, ShiftedInverse, hazmat
from noisewise.audit.worlds import World
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.choice import for_one_record
from noisewise.statistics.quantile import QuantileEnd
from tests.kernel.laws.moves import FLOAT, worst_ratio
from tests.payable import payable_of
from tests.vectors.ours import seeded

HOW: dict[str, Any] = {"mechanism": "shifted_inverse"}
LOOSE: dict[str, Any] = {"bounds": (0, 10**6), "granularity": 1, **HOW}
PAY = [*range(100, 300), 990]


def law_of(q: str, data: Any, **asked: Any) -> Any:
    return hazmat.law(Quantile(q), data, **{"epsilon": 1, **HOW, **asked})


@pytest.mark.parametrize("q", ["0", "1"])
@pytest.mark.parametrize(
    ("neighbors", "contributions", "epsilon"),
    [("add_remove", 1, Fraction(3)), ("add_remove", 2, Fraction(5)), ("swap", 1, Fraction(3))],
)
def test_the_whole_of_epsilon_is_kept(
    q: str, neighbors: Any, contributions: int, epsilon: Fraction, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With as many removals as it takes, and with only half of one, which is as private."""
    for shift in (None, 1):
        if shift is not None:
            monkeypatch.setattr(Quantile, "_half_ranks_off", lambda *_, halves=shift: halves)
        least = 0 if neighbors == "add_remove" else 3
        world = World((0, 1, 2, 3), 3, neighbors, contributions, least)
        how: Any = {"bounds": (0, 3), "neighbors": neighbors, "contributions": contributions}
        laws = {x: law_of(q, list(x), epsilon=epsilon, **how) for x in world.datasets()}
        assert 0.5 * float(epsilon) < worst_ratio(laws, world) <= float(epsilon) + FLOAT


def test_a_target_that_follows_the_data_would_not_be_private() -> None:
    """Why the number of removals is public: the same law with a shift of a tenth of the records."""

    def law(records: list[int]) -> Any:
        aimed = QuantileEnd("1", Fraction(-3 * (len(records) // 2)))
        return hazmat.law(aimed, records, bounds=(0, 4), epsilon=1, mechanism="balance")

    world = World((0, 2, 4), 4)
    assert worst_ratio({x: law(list(x)) for x in world.datasets()}, world) > 1.4


@pytest.mark.parametrize(("q", "beyond"), [("1", 1), ("0", -1)])
def test_draws_are_near_the_records_and_hardly_ever_beyond_them(q: str, beyond: int) -> None:
    for epsilon in (Fraction(1, 2), 1, 4):
        law = law_of(q, PAY, epsilon=epsilon, bounds=(-(10**6), 10**6), granularity=1)
        true = max(PAY) if q == "1" else min(PAY)
        assert read_law(law).centre == true
        outside = 1 - read_law(law).cdf(true) if beyond > 0 else read_law(law).cdf(true - 1)
        assert 1e-6 < outside <= 0.05
        assert read_law(law).expected_error() < 1000 and beyond * read_law(law).bias() < 0
    balance = hazmat.law(
        Quantile(q), PAY, bounds=(-(10**6), 10**6), granularity=1, epsilon=1, mechanism="balance"
    )
    assert read_law(balance).expected_error() > 100_000


def test_errors_are_those_from_the_true_answer() -> None:
    law = law_of("1", [1, 2, 2, 3, 5, 5, 7], bounds=(0, 9), granularity=1, epsilon=2)
    away = np.arange(10) - 7
    chances = read_law(law).pmf(np.arange(10))
    assert read_law(law).expected_error() == pytest.approx(chances @ np.abs(away))
    assert read_law(law).bias() == pytest.approx(chances @ away)


def test_draws_follow_the_law_and_no_law_that_is_a_tenth_off() -> None:
    records, size = [3, 4, 4, 5, 6, 7, 7, 8], 20_000

    def distance(epsilon: Fraction) -> float:
        law = law_of("1", records, bounds=(0, 9), granularity=1, epsilon=epsilon)
        expected = size * read_law(law).pmf(np.arange(10))
        return float(((seen - expected) ** 2 / expected).sum())

    drawn = law_of("1", records, bounds=(0, 9), granularity=1, epsilon=2).draw(
        size, bits=hazmat.SeededBits(3)
    )
    seen = np.bincount(drawn, minlength=10)
    assert distance(Fraction(2)) < 43  # 9 degrees of freedom: one in a million
    assert min(distance(Fraction(18, 10)), distance(Fraction(22, 10))) > 100


def test_groups_and_engines_draw_what_memory_draws() -> None:
    frame = pl.DataFrame({"team": [i % 3 for i in range(201)], "pay": PAY})
    asked: dict[str, Any] = {**LOOSE, "epsilon": 4}
    drawn = []
    for data in (frame, frame.lazy()):
        with seeded(5):
            together = nws.Dataset(data).max("pay", **asked)
            each = nws.Dataset(data).group_by("team", keys=[0, 1, 2]).max("pay", **asked)
        drawn.append((together.value, each.value))
        assert together.law == "shifted-inverse/1"
    assert drawn[0] == drawn[1]
    near = [law_of("1", PAY[team::3], epsilon=4, bounds=(0, 10**6), granularity=1) for team in range(3)]
    assert all(
        100 <= value < 1000 and read_law(law).cdf(value) > 1e-4
        for law, value in zip(near, drawn[0][1], strict=True)
    )
    assert for_one_record(ShiftedInverse(epsilon=1), 2) == ShiftedInverse(epsilon=Fraction(1, 2))


class PayingNobody:
    paid = False

    def debit(self, loss: Any, **said: Any) -> None:
        self.paid = True


@pytest.mark.parametrize(
    ("question", "arguments", "asked"),
    [
        ("median", (), {"bounds": (0, 9)}),
        ("quantile", ("99/100",), {"bounds": (0, 9)}),
        ("quantiles", (["0", "1"],), {"bounds": (0, 9)}),
        ("sum", (), {"bounds": (0, 9)}),
        ("count", (), {}),
        ("quantile_interval", ("1",), {"bounds": (0, 9)}),
        ("max", (), {"bounds": (0, 9), "epsilon": Fraction(1, 2**600)}),
    ],
)
def test_it_is_refused_before_the_debit_where_there_is_no_proof(
    question: str, arguments: Any, asked: Any
) -> None:
    ledger = PayingNobody()
    with pytest.raises(
        ParameterError, match=r"mechanism must be|epsilon must be larger for max by shifted_inverse"
    ):
        getattr(nws, question)([1, 2, 3], *arguments, **{"epsilon": 1, **asked, **HOW}, ledger=ledger)
    assert not ledger.paid


def test_a_score_of_ones_own_is_not_shifted_by_another() -> None:
    class Mine(Quantile):
        __slots__ = ()

        def pull(self, neighbors: Any, epsilon: Fraction) -> Fraction:
            return Fraction(1)

        def score(self, column: Any, answers: Any, levels: int, epsilon: Fraction) -> Any:
            return Quantile.score(self, column, answers, levels, epsilon)

    class Stronger(Mine):
        __slots__ = ()

        def pull(self, neighbors: Any, epsilon: Fraction) -> Fraction:
            return Fraction(2)

        def score(self, column: Any, answers: Any, levels: int, epsilon: Fraction) -> Any:
            return Quantile.score(self, column, answers, levels, epsilon)

    class Shifting(Mine):
        __slots__ = ()

        def pull(self, neighbors: Any, epsilon: Fraction) -> Fraction:
            return Fraction(1)

        def score(self, column: Any, answers: Any, levels: int, epsilon: Fraction) -> Any:
            return Quantile.score(self, column, answers, levels, epsilon)

        def shifted(self, *_: Any) -> Any:
            return Stronger("1"), Fraction(1)

    for statistic in (Mine("1"), Shifting("1")):
        with pytest.raises(ParameterError, match="unless a maximum or a minimum is asked for"):
            nws.release(statistic, [1, 2, 3], bounds=(0, 4), epsilon=1, **HOW)


def test_a_receipt_says_what_was_drawn() -> None:
    release = nws.max(PAY, epsilon=1, interval=0.9, **LOOSE)
    assert release.privacy == PureDP(1) and release.mechanism == "shifted_inverse"
    assert release.law == "shifted-inverse/1, interval by two-ends/1 by balance/1"
    assert "drawn around the answer after 32 removals" in str(release)
    assert payable_of(nws.max, PAY, epsilon=1, **LOOSE).levels < 200


def test_a_plan_counts_the_removals() -> None:
    shifted, balance = (
        nws.plan("max", bounds=(0, 10**6), granularity=1, epsilon=1, mechanism=name)
        for name in ("shifted_inverse", "balance")
    )
    assert shifted.people > balance.people + 15
