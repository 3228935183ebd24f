"""Every question has a call, and answers it both as a function and as a method."""

import polars as pl
import pytest

import noisewise as nws
from noisewise.questions.question import KINDS
from tests.every_question import CALLS, GRAPHS, ROWS, STATISTICS, without_example


def test_every_question_has_a_call():
    assert set(CALLS) == set(KINDS)
    assert list(without_example()) == [], "lines to add"


@pytest.mark.parametrize("name", CALLS)
def test_every_call_is_answered(name):
    held = CALLS[name].of(nws.Dataset(pl.DataFrame(ROWS), **CALLS[name].dataset_keywords))
    if CALLS[name].dataset_keywords:  # only a table says who its people are
        assert held.privacy == nws.PureDP(1)
        return
    asked = CALLS[name].release()
    assert (held.statistic, held.privacy) == (asked.statistic, asked.privacy)


def test_questions_that_release_no_statistic_are_known():
    """The questions with several numbers or draws. Every other one has the name of its statistic."""
    assert set(CALLS) - set(STATISTICS) - GRAPHS == {
        *(
            "count_distinct",
            "count_interval",
            "count_people",
            "covariance",
            "crosstab",
            "ecdf",
            "five_number_summary",
            "histogram",
        ),
        *("linear_regression", "mean_interval", "median_interval", "most_common", "principal_component"),
        *("private_bounds", "proportion_interval", "quantile_interval", "quantiles", "vector_mean"),
    }
