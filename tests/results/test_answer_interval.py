"""An interval says in one sentence what it holds and how surely, and travels with its release."""

import json
import pickle
from fractions import Fraction

import pytest

import noisewise as nws
from noisewise.results.answer_interval import AnswerInterval

SURE = Fraction(95, 100)


def test_it_is_a_pair_with_a_probability():
    interval = AnswerInterval(41, 44, SURE)
    low, high = interval
    assert (low, high, interval.confidence, interval.kind) == (41, 44, SURE, "noise")
    assert (interval[0], interval[1], interval[-1], len(interval)) == (41, 44, 44, 2)
    assert pickle.loads(pickle.dumps(interval)) == interval
    assert json.loads(json.dumps(interval.to_dict()))["low"] == 41


@pytest.mark.parametrize(
    ("interval", "sentence"),
    [
        (
            AnswerInterval(41, 44, SURE),
            "the true median of pay lies between 41 and 44 with probability 95%, whatever the data are",
        ),
        (
            AnswerInterval((1, 2), (3, 4), SURE, scope="all"),
            "with probability 95% all true numbers of the median of pay lie in their intervals, whatever the data are: "
            "41 to 44; 5 to 6",
        ),
        (
            AnswerInterval((1, 2), (3, 4), SURE, scope="each"),
            "in each group the true median of pay lies in its interval with probability 95%, whatever the data are",
        ),
        (
            AnswerInterval(41, 44, Fraction(1, 3), "population"),
            "the true median of pay lies between 41 and 44 with probability 100/3%, whatever the population is",
        ),
    ],
)
def test_it_says_what_it_holds(interval, sentence):
    ends = [("41", "44"), ("5", "6")][: 1 + (interval.scope == "all")]
    assert interval.sentence("median of pay", ends) == sentence


def test_of_many_intervals_the_first_are_told():
    many = AnswerInterval((0,) * 30, (1,) * 30, SURE, scope="all")
    assert many.sentence("histogram", [("0", "1")] * 30).endswith("; 0 to 1; ... (30 in all)")


def test_a_receipt_says_it_too_and_what_it_cost():
    release = nws.count(range(100), epsilon=1, interval=0.95)
    low, high = release.interval
    assert (low, high) == (release.value - 3, release.value + 3)
    said = f"the true count of these records lies between {low:,} and {high:,} with probability 95%"
    assert said in str(release) and "costs nothing: its noise is public" in str(release)
    assert release.card()["interval"] == release.interval.to_dict()
    assert "interval" not in str(nws.count([1], epsilon=1))
