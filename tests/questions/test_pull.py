"""Every statistic is asked for its own pull, at its own epsilon."""

import pytest

import noisewise as nws
from noisewise.questions.request import Request


@pytest.mark.parametrize(("q", "other", "epsilon"), [("1/2", "9/10", 1), ("1/3", "1/3", 4)])
def test_another_statistic_has_a_pull_of_its_own(q, other, epsilon):
    """A person moves the score of one quantile further than that of another, and less far at another epsilon."""
    asked = Request.of(nws.Quantile(q), [1, 2], bounds=(0, 9), epsilon=epsilon)
    alone = Request.of(nws.Quantile(other), [1, 2], bounds=(0, 9), epsilon=1)
    moved = asked.about(nws.Quantile(other), alone.mechanism, alone.price)
    assert (moved.pull, moved.loss, moved.statistic) == (alone.pull, alone.loss, alone.statistic)
    assert asked.pull != alone.pull
