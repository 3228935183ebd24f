"""Ends by a score: their draws lie on their side of the answer as often as they say."""

from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise.hazmat import SeededBits
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.noise_interval import BetweenEnds, bound
from noisewise.questions.request import Request
from noisewise.statistics.level_end import FARTHEST_END
from noisewise.statistics.score_end import ScoreEnd
from tests.statistics.test_huber_mean import naive as huber_mean

STEP = Fraction(1, 2)
ASKED = {
    "huber_mean": (nws.HuberMean(0.25), lambda data: huber_mean(0.25, data)),
}


def asked(name, data, **more):
    keywords = {"bounds": (0, 4), "granularity": STEP, "epsilon": 8, "interval": Fraction(4, 5), **more}
    return bound(lambda **own: Request.of(ASKED[name][0], data, **own), keywords)


def chances(question, truth, steps=2):
    """How often the low end lies above the truth, and the high end below it."""
    values = np.arange(0, 9) / 2
    low, high = read_law(question.low.look()).pmf(values), read_law(question.high.look()).pmf(values)
    out = steps * float(STEP)
    return low[np.maximum(values - out, 0) > truth].sum(), high[np.minimum(values + out, 4) < truth].sum()


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("name", ASKED)
def test_chances_of_both_ends_are_read_off_their_laws(name, neighbors):
    """Of all small columns, and of many equal records, where a score is as steep as one likes."""
    for size in range(4):
        for data in combinations_with_replacement((0, 1, Fraction(9, 5), 4), size):
            question = asked(name, [float(v) for v in data], neighbors=neighbors)
            assert isinstance(question, BetweenEnds)
            assert max(chances(question, float(ASKED[name][1](data)))) <= 0.1 + 1e-9, data
    missed = []
    for v in (1.7, 1.8, 0.0, 4.0):
        question = asked(name, [v] * 3000, neighbors=neighbors)
        assert max(chances(question, v)) <= 0.1 + 1e-9
        missed.append(max(chances(question, v, steps=0)))
    assert max(missed) > 0.5, "the nearest answer is on the wrong side"


@pytest.mark.parametrize("name", ASKED)
def test_ends_are_drawn_and_moved_out(name):
    """Alone and in groups, and never beyond the bounds."""
    data = [1.8] * 3000
    for epsilon, most in ((32, 2.0), (Fraction(1, 1000), 4.0)):
        release = asked(name, data, epsilon=epsilon).answer(bits=SeededBits(1))
        low, high = release.interval
        assert low <= 1.5 and high >= 2.0 and high - low >= most
    assert release.law.endswith("interval by score-ends/1 by balance/1")
    groups = nws.Dataset(pl.DataFrame({"g": ["a"] * 3000, "x": data})).group_by("g", keys=["a", "b"])
    each = groups.huber_mean("x", 0.25, bounds=(0, 4), granularity=STEP, epsilon=32, interval=1 - 1e-9)
    assert each.about.interval.low[0] <= 1.5 and each.about.interval.high[0] >= 2.5
    assert (each.about.interval.low[1], each.about.interval.high[1]) == (0, 4), "no records, no news"


def test_what_it_costs():
    question = asked("huber_mean", [1, 2, 3], epsilon=2)
    release = question.answer()
    assert question.loss.epsilon == release.privacy.epsilon == 2 and release.interval.epsilon == 1
    assert [end.person_pull for end in question.drawn] == [1, 1]
    assert [end.person_pull for end in asked("huber_mean", [1], neighbors="swap").drawn] == [2, 2]
    assert [end.person_pull for end in asked("huber_mean", [1], contributions=3).drawn] == [3, 3]


def test_no_end_is_nearer_than_the_noise_needs():
    low, high = (
        end.statistic for end in asked("huber_mean", [1], epsilon=4, granularity=Fraction(1, 4)).drawn
    )
    cells = 18
    assert -low.pulls == high.pulls and cells / 2 * np.exp(-high.pulls) <= 0.1 < cells / 2 * np.exp(
        1 - high.pulls
    )


def test_heights_beyond_64_bits():
    """A shift far beyond the records is exact, whatever numbers hold the score."""
    for name, (statistic, _) in ASKED.items():
        request = asked(name, [1.0, 2.5]).inner
        column, answers = request.data.read(request.frame.records, "add_remove"), request.frame.answers
        score = statistic.score(column, answers, 9, Fraction(1))
        for pulls in (-FARTHEST_END, 3, 2**40):
            end = ScoreEnd(statistic, pulls).score(column, answers, 9, Fraction(1))
            assert [end.at(k) - score.at(k) for k in range(8)] == [-pulls] * 8
    with pytest.raises(nws.ParameterError, match="epsilon must be larger for an interval of huber_mean"):
        asked("huber_mean", [1], epsilon=Fraction("1e-130"))
