"""Promises that fall with what is secret, in words."""

from datetime import date

import noisewise as nws
from noisewise.planning.falling import Falling


def test_it_is_said_in_the_unit_of_the_answer():
    said = Falling(far=12.0, total="the number of records", least=40, coarse=False, sure="surely")
    assert (
        said.said() == "surely it is off by at most 12 over the number of records, where that is 40 or more"
    )
    bounds = (date(2000, 1, 1), date(2020, 1, 1))
    assert "26,300 days over the number of records and a step" in str(
        nws.plan("mean", bounds=bounds, epsilon=1)
    )


def test_a_coarse_step_is_said():
    assert "and a step" in str(nws.plan("mean", bounds=(0, 10), epsilon=1, granularity=1))
    assert "and a step" not in str(nws.plan("mean", bounds=(0.0, 10.0), epsilon=1))


def test_nothing_falls_where_epsilon_is_too_small():
    assert "over the number" not in str(nws.plan("mean", bounds=(0, 10), epsilon=1e-20))
