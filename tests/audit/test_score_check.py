"""The check of a score names in words what is wrong with any part of it."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import noisewise as nws
from noisewise import ParameterError, Quantile, Statistic
from noisewise.kernel.laws.score import Score
from noisewise.statistics.statistic import BOTH
from noisewise.testing import Violation, check_privacy, check_score

ONE = Fraction(1)
MEDIAN = Quantile("1/2")


NUMBERS: dict[str, Any] = {"domain": [0, 1, 4], "bounds": (0, 4)}
COARSE, THIRD = {**NUMBERS, "granularity": 1, "most": 3}, Fraction(1, 3)
ROWS = [(0, 0), (1, 0), (1, 4), (4, 2)]
PAIRS: dict[str, Any] = {"domain": ROWS, "bounds": (0, 4), "granularity": 1, "most": 3}
RIGHT: list[tuple[Statistic, dict[str, Any]]] = [
    (MEDIAN, {"domain": [0, 1, 2, 4], "bounds": (0, 4)}),
    (MEDIAN, {"domain": [None, 0, 3, 9], "bounds": (0, 4), "neighbors": "swap"}),
    (MEDIAN, {**NUMBERS, "contributions": 2}),
    (Quantile("9/10"), {**NUMBERS, "epsilon": Fraction(1, 2)}),
    (Quantile("9/10"), {**NUMBERS, "epsilon": 3}),
    (Quantile(0), {**NUMBERS, "neighbors": "swap"}),
    (nws.Mean(), {"domain": [None, 0, 2.5, 9], "bounds": (0.1, 4), "granularity": THIRD}),
    (nws.Mean(), {**COARSE, "contributions": 2}),
    (nws.Proportion(), {"domain": [0, 1], "granularity": Fraction(1, 7)}),
    (nws.Accuracy(), {"domain": [(0, 0), (0, 1)], "granularity": THIRD}),
    (nws.F1(), {"domain": [(0, 0), (1, 0), (1, 1)], "granularity": Fraction(1, 7)}),
    (nws.MAE(), {"domain": [(0, 0), (1, 0), (1, 9)], "bounds": (0, 3), "granularity": 1}),
    (nws.MSE(), {"domain": [(0, 0), (1, 0), (1, 9)], "bounds": (0, 3), "granularity": 1}),
    (nws.LogLoss(), {"domain": [(0, 0), (1, 0), (1, 0.5)], "bounds": (0, 3), "granularity": 1}),
    (nws.WeightedMean(), PAIRS),
    (nws.WeightedMean(), {**PAIRS, "bounds": ((0.1, 4), (0, 3)), "granularity": THIRD, "neighbors": "swap"}),
    (nws.Ratio(), PAIRS),
    (nws.Ratio(3), {**PAIRS, "neighbors": "swap"}),
    (nws.Rate(100), {**PAIRS, "contributions": 2}),
    (nws.HuberMean(1), COARSE),
    (nws.HuberMean(Fraction(3, 2)), {**COARSE, "bounds": (0.1, 4), "neighbors": "swap"}),
    (nws.TrimmedMean("1/4"), {**NUMBERS, "granularity": Fraction(1, 2), "most": 5, "neighbors": "swap"}),
    (nws.WinsorizedMean("1/4"), {**NUMBERS, "granularity": Fraction(1, 2), "most": 5, "neighbors": "swap"}),
    (nws.TheilSen(), {**PAIRS, "most": 4, "bounds": (-3, 3)}),
    (nws.TheilSen(), {**PAIRS, "contributions": 2, "bounds": (1, 3)}),
    (nws.TheilSen(parts=1), {**PAIRS, "neighbors": "swap", "bounds": (-3, 3)}),
]


def test_every_statistic_with_a_score_is_checked() -> None:
    public = (getattr(nws, name) for name in nws.__all__)
    scored = {
        kind
        for kind in public
        if isinstance(kind, type) and issubclass(kind, Statistic) and kind.score is not Statistic.score
    }
    scored -= {nws.RMSE}  # it inherits one, and says that it has none
    assert not nws.RMSE().has_score_on(nws.RMSE().frame((0, 1), None).answers)
    assert scored == {type(statistic) for statistic, _ in RIGHT}


@pytest.mark.parametrize(
    ("statistic", "asked"),
    RIGHT,
    ids=lambda part: str(part) if isinstance(part, Statistic) else "",
)
def test_what_is_right_passes(statistic: Any, asked: dict[str, Any]) -> None:
    checked = check_score(statistic, **asked)
    assert checked.datasets >= 10 and checked.pairs >= 16
    assert str(checked).startswith("rises, and moves in shape by at most ")


@dataclass(frozen=True)
class Broken(Statistic):
    """A median with a wrong score; ``how`` says what is wrong."""

    how: str
    relations = BOTH

    def __str__(self) -> str:
        return "broken"

    def envelope(self, column: Any, answers: Any, levels: int) -> Any:
        return MEDIAN.envelope(column, answers, levels)

    def pull(self, neighbors: Any, epsilon: Fraction) -> Fraction:
        return ONE / 4 if self.how == "weak" else MEDIAN.pull(neighbors, epsilon)

    def score(self, column: Any, answers: Any, levels: int, epsilon: Fraction) -> Score:
        true = MEDIAN.score(column, answers, 1 if self.how == "cut" else levels, epsilon)
        known = np.zeros((1, 2), np.bool_)
        match self.how:
            case "strong":
                return replace(true, first=3 * true.first, last=3 * true.last)
            case "cut" | "levels":
                return replace(true, more=known)
            case "more":
                return replace(true, more=~known)
            case "falling":
                return replace(true, first=-true.first, last=-true.last)
            case "end" if column.count:
                return replace(true, end=answers.high + 1)
            case "start" if column.count:
                positions = true.positions.copy()
                positions[0] -= 1
                return replace(true, positions=positions)
            case "twice":  # each record counts at its value, and again two steps further on
                n, rank = column.count, 2 * max(1, -(-column.count // 2)) - 1
                starts = np.sort(np.concatenate([column.ordered(), np.minimum(column.ordered() + 2, 4)]))
                counts = np.arange(2 * n + 1)
                return Score.steps([0, *starts.tolist()], counts - rank, (0, 4))
            case "nothing":
                return None  # type: ignore[return-value]
        return true

    def scores(self, groups: Any, answers: Any, levels: int, epsilon: Fraction) -> Score:
        scores = [self.score(groups.group(g), answers, levels, epsilon) for g in range(len(groups))]
        if self.how == "groups":
            scores = [scores[0], *scores[:-1]]
        return Score.stack(scores)


@pytest.mark.parametrize(
    ("how", "neighbors", "said"),
    [
        (
            "weak",
            "add_remove",
            r"too strong: from \[\] to its neighbour \[0\] the score moves by 0.5 at the answer 0, "
            r"but a person may move it by 0.25",
        ),
        (
            "strong",
            "add_remove",
            "too strong: .* moves by 1.5 at the answer 0, but a person may move it by 0.5",
        ),
        (
            "cut",
            "add_remove",
            r"wrong shape: from .* moves by 0.5, -0.5, 0.5, from the lowest answer to the highest, but it must "
            r"rise all the way, or fall all the way; a pull of 1 instead of 0.5 would do",
        ),
        ("levels", "add_remove", r"1 level of the score at .* do not agree with all of them: .* for "),
        ("more", "swap", r"levels are missing at \[\]: the score says that there are more"),
        ("falling", "swap", r"broken at \[.*\]: the score of broken must rise with the answer"),
        ("end", "add_remove", r"the end of the score at \[0\] differs from that of other data"),
        ("start", "add_remove", r"the score at \[0\] does not begin where that of other data begins"),
        (
            "twice",
            "swap",
            r"wrong shape: .* the score moves by .*, but it must have one sign, and its size must first grow and then "
            r"shrink; a pull of 1.5 instead of 1 would do",
        ),
        ("groups", "add_remove", r"scores\(\) of groups is not score\(\) of each: it differs at \[0\]"),
        ("nothing", "add_remove", r"broken at \[\]: score\(\) of broken must return a Score"),
    ],
)
def test_what_is_wrong_is_named(how: str, neighbors: Any, said: str) -> None:
    with pytest.raises(Violation, match=said):
        check_score(Broken(how), domain=[0, 1, 3], bounds=(0, 4), neighbors=neighbors, most=5)


def test_nothing_is_wrong_with_what_is_not_broken() -> None:
    for neighbors in ("add_remove", "swap"):
        check_score(Broken(""), domain=[0, 1, 3], bounds=(0, 4), neighbors=neighbors)  # type: ignore[arg-type]


def test_the_order_of_rows_must_not_show() -> None:
    class Last(nws.F1):
        def pull(self, neighbors: Any, epsilon: Fraction) -> Fraction:
            return ONE

        def score(self, rows: Any, answers: Any, levels: int, epsilon: Fraction) -> Score:
            kept = replace(rows, values=tuple(values[-1:] for values in rows.values))
            return nws.F1.score(self, kept, answers, levels, epsilon)

        def envelope(self, rows: Any, answers: Any, levels: int) -> Any:
            return nws.F1.envelope(self, rows, answers, levels)

    with pytest.raises(Violation, match=r"depends on the order of the records at \[\(1, 0\), \(1, 1\)\]"):
        check_score(Last(), domain=[(1, 0), (1, 1)], granularity=Fraction(1, 7))


def test_a_line_may_be_too_strong_at_its_end() -> None:
    """Each record adds a line from -1/2 to 3/2, which is too large at the highest answer."""

    class Steep(Broken):
        def pull(self, neighbors: Any, epsilon: Fraction) -> Fraction:
            return ONE

        def score(self, column: Any, answers: Any, levels: int, epsilon: Fraction) -> Score:
            return Score.lines([0, 8], [-column.count, 3 * column.count], (0, 4), bottom=2)

        def envelope(self, column: Any, answers: Any, levels: int) -> Any:
            return MEDIAN.envelope(column, answers, levels)

        def scores(self, groups: Any, answers: Any, levels: int, epsilon: Fraction) -> Score:
            return Statistic.scores(self, groups, answers, levels, epsilon)

    with pytest.raises(
        Violation, match=r"too strong: .* moves by 1.5 at the answer 4, but a person may move it by 1"
    ):
        check_score(Steep(""), domain=[0, 1], bounds=(0, 4))


def test_a_pull_that_would_do_does() -> None:
    """The pull that the message proposes is private, by the looser bounds of the proof."""

    @dataclass(frozen=True)
    class Patient(Broken):
        def pull(self, neighbors: Any, epsilon: Fraction) -> Fraction:
            return Fraction(3, 2)

        def score(self, column: Any, answers: Any, levels: int, epsilon: Fraction) -> Score:
            return Broken.score(self, column, answers, levels, epsilon)

        def envelope(self, column: Any, answers: Any, levels: int) -> Any:
            return MEDIAN.envelope(column, answers, levels)

    asked: dict[str, Any] = {"domain": [0, 1], "bounds": (0, 4), "neighbors": "swap"}
    check_score(Patient("twice"), **asked)
    check_privacy(Patient("twice"), epsilon=1, mechanism="balance", **asked)


def test_what_has_no_score_is_refused() -> None:
    with pytest.raises(ParameterError, match="no score"):
        check_score(nws.Variance(), domain=[0, 1], bounds=(0, 4))
    with pytest.raises(ParameterError, match="domain and most"):
        check_score(MEDIAN, domain=range(50), bounds=(0, 4), most=9)
