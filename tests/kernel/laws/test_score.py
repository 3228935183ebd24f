"""Scores: pieces over answers, their root, and what is wrong with those that are none."""

from fractions import Fraction

import numpy as np
import pytest

from noisewise.hazmat import SeededBits
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.score import Odds, Score
from noisewise.planning.readings.balance_reading import root

ONE = Fraction(1)


def steps(starts: list[int], levels: list[int], support: tuple[int, int] = (0, 10)) -> Score:
    return Score.steps(starts, levels, support)


def test_a_score_is_withheld() -> None:
    assert repr(steps([0, 4], [-1, 1])) == "<Score: withheld>"


def test_steps_are_level_and_change_sign_at_the_root() -> None:
    score = steps([0, 4, 7], [-3, 1, 3])
    assert [score.at(k) for k in (0, 3, 4, 6, 7, 9)] == [-3, -3, 1, 1, 3, 3]
    assert root(score) == 4
    assert root(steps([0], [-1])) == 10  # always too low
    assert root(steps([0], [1])) == 0


def test_lines_are_straight_between_their_points() -> None:
    score = Score.lines([0, 8, 20], [-4, 0, 12], (0, 10))
    assert [score.at(k) for k in (0, 3, 4)] == [Fraction(-7, 2), Fraction(-1, 2), 1]  # halfway to k + 1
    assert root(score) == 4
    assert score.fault(score.support) is None


def test_a_fraction_has_its_root_at_its_odds() -> None:
    for up, down in ((1, 3), (3, 1), (2, 2), (0, 5), (5, 0)):
        score = Score.fraction(up, down, (0, 100), odds=Odds(0, 200))
        assert root(score) == round(100 * up / (up + down)), (up, down)
        assert score.fault(score.support) is None
        for k in (0, 20, 49, 50, 51, 80, 99):
            r = Fraction(2 * k + 1, 200 - 2 * k - 1)
            assert score.at(k) == (down * r - up) / max(r, ONE)


@pytest.mark.parametrize("end", [3, 20, 40])
def test_a_fraction_may_end_before_its_odds_do(end: int) -> None:
    """Odds without a highest position: r = p/8, cut off at ``end``."""
    score = Score.fraction(3, 2, (0, end // 2), odds=Odds(0, None, 1, 8), end=end)
    for k in range(end // 2):
        r = Fraction(2 * k + 1, 8)
        assert score.at(k) == (2 * r - 3) / max(r, ONE)


def test_many_are_one_behind_the_other() -> None:
    scores = [steps([0, 4], [-1, 1]), steps([0, 2, 5], [-2, 1, 3]), steps([0], [1])]
    together = Score.stack(scores)
    assert len(together) == 3
    for own, alone in zip((together[g] for g in range(3)), scores, strict=True):
        assert [own.at(k) for k in range(10)] == [alone.at(k) for k in range(10)]
    table = together.pieces(np.arange(3), ONE)
    assert table.edges.tolist() == [[0, 4, 4, 10], [0, 2, 5, 10], [0, 0, 0, 10]]
    assert table.first[2].tolist() == [1, 1, 1]


def test_different_denominators_are_brought_together() -> None:
    half = Score.steps([0, 5], [-1, 1], (0, 10), bottom=2)
    third = Score.steps([0, 5], [-1, 1], (0, 10), bottom=3)
    both = Score.stack([half, third])
    assert [both[0].at(0), both[1].at(0)] == [Fraction(-1, 2), Fraction(-1, 3)]


@pytest.mark.parametrize(
    ("score", "fault"),
    [
        (steps([0, 4], [1, -1]), "rise with the answer"),
        (steps([4, 0], [-1, 1]), "have positions that rise"),
        (steps([3], [1]), "reach over all answers of the public support"),
        (Score.steps([], [], (0, 10)), "have as many positions as values, and at least one piece"),
        (Score.lines([0, 20], [1, -1], (0, 10)), "rise with the answer"),
        (
            Score.lines([0, 10], [-1, 1], (0, 10), unit=1),
            "be level between places, or have an even unit",
        ),
        (steps([0, 4], [-1, 1]), None),
    ],
)
def test_faults_are_named(score: Score, fault: str | None) -> None:
    assert score.fault(score.support) == fault


def test_a_score_has_the_support_of_the_answers_that_were_judged() -> None:
    for support in ((0, 9), (0, 11), (1, 10), (0, None)):
        assert "answers.support" in str(steps([0, 4], [-1, 1]).fault(support))


def test_large_numbers_stay_exact() -> None:
    score = Score.fraction(10**30, 3 * 10**30, (0, 100), odds=Odds(0, 200))
    assert root(score) == 25
    assert score.first.dtype == object


def test_sums_of_nothing_are_scaled_as_others_are() -> None:
    """Nobody pulls, and the end of the coordinate has a denominator of more than 64 bits."""
    score = Score.fraction(0, 0, (0, 10), odds=Odds(0, None, 1, 2**70), end=2 * 3**50)
    assert score.fault(score.support) is None and root(score) == 0
    assert {score.at(k) for k in range(10)} == {0}


def test_lines_of_fractions_are_those_over_a_common_denominator():
    """In odds, too: such a score has a line for each record, and no denominator that all of them share."""
    values = [Fraction(-1, 3), Fraction(1, 7), Fraction(5, 2)]
    for odds in (None, Odds(0, 20)):
        fractions = Score.lines([0, 8, 20], values, (0, 10), odds=odds)
        whole = Score.lines([0, 8, 20], [int(42 * v) for v in values], (0, 10), bottom=42, odds=odds)
        assert [fractions.at(k) for k in range(10)] == [whole.at(k) for k in range(10)]
        laws = [BalanceLaw(score, Fraction(3, 2)) for score in (fractions, whole)]
        drawn = [law.draw(200, bits=SeededBits(1)).tolist() for law in laws]
        assert drawn[0] == drawn[1] and len({*drawn[0]}) > 5
