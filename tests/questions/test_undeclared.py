"""The receipt of a list says what counts as missing, whatever the list holds; that of what has a type does not."""

import numpy as np
import pytest

import noisewise as nws
from noisewise.questions.undeclared import NOTE

LISTS = ([], ["1", "2", "3"] * 9, [1, 2.5, None], (True, False))
TYPED = (np.array([1.0, 2.0]), np.array([1, 2]), range(3))
BOUNDS = {"bounds": (0, 3), "epsilon": 1}
EDGES = [0.0, 1.5, 3.0]


NUMBERS = {
    "median": lambda data: nws.median(data, **BOUNDS),
    "bounds that are searched for": lambda data: nws.median(data, bounds="private", epsilon=1),
    "mean": lambda data: nws.mean(data, **BOUNDS, interval=0.9, with_count=True),
    "count": lambda data: nws.count(data, epsilon=1),
    "proportion": lambda data: nws.proportion(data, epsilon=1),
    "histogram of intervals": lambda data: nws.histogram(data, EDGES, epsilon=1),
    "quantiles": lambda data: nws.quantiles(data, [0.5], **BOUNDS),
    "private bounds": lambda data: nws.private_bounds(data, epsilon=1),
    "interval": lambda data: nws.median_interval(data, **BOUNDS),
    "rows": lambda data: nws.pearson(data, data, **BOUNDS),
    "covariance": lambda data: nws.covariance((data, data), **BOUNDS),
    "regression": lambda data: nws.linear_regression((data,), data, **BOUNDS),
    "a statistic": lambda data: nws.release(nws.Quantile("1/2"), data, **BOUNDS),
    "a statistic of rows": lambda data: nws.release(nws.Pearson(), (data, data), **BOUNDS),
}
COMPARED = {
    "histogram of categories": lambda data: nws.histogram(data, [1, "1"], epsilon=1),
    "histogram of numbers": lambda data: nws.histogram(data, categories=[1, 2], epsilon=1),
    "most common": lambda data: nws.most_common(data, [1, "1"], epsilon=1),
    "count distinct": lambda data: nws.count_distinct(data, [1, "1"], epsilon=1),
    "crosstab": lambda data: nws.crosstab((data, data), [[1, "1"]] * 2, epsilon=1),
    "count of a category": lambda data: nws.count(data, category=1, epsilon=1),
    "proportion of a category": lambda data: nws.proportion(data, category=1, epsilon=1),
    "a statistic of a category": lambda data: nws.release(nws.Count(1), data, epsilon=1),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_every_list_that_is_read_as_numbers_says_so_once(name):
    for data in LISTS:
        assert NUMBERS[name](data).notes.count(NOTE) == 1
    for data in TYPED:
        assert NOTE not in NUMBERS[name](data).notes


@pytest.mark.parametrize("name", COMPARED)
def test_what_is_compared_with_categories_may_be_text(name):
    for data in (*LISTS, *TYPED):
        assert NOTE not in COMPARED[name](data).notes


def test_one_list_among_several_columns_is_enough():
    assert NOTE in nws.pearson(np.arange(2), ["1", "2"], **BOUNDS).notes
    assert NOTE in nws.linear_regression(np.ones((2, 1)), ["1", "2"], **BOUNDS).notes
    assert NOTE not in nws.linear_regression(np.ones((2, 1)), np.ones(2), **BOUNDS).notes


def test_print_and_card_say_it():
    release = nws.median(["1", "2", "3"] * 100, bounds=(0, 10), epsilon=10)
    assert f"\n  note         {NOTE}\n" in str(release) and NOTE in release.card()["notes"]


def test_of_a_graph_nothing_is_said():
    assert nws.triangles([("a", "b")], nodes=["a", "b", "c"], epsilon=1).notes == ()
