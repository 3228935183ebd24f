"""Accuracy against its naive definition, on every small dataset of rows."""

from fractions import Fraction

import numpy as np
import pytest

from noisewise import ParameterTypeError, SchemaError, hazmat
from noisewise.audit.worlds import Dataset
from noisewise.questions.request import Request
from noisewise.statistics.accuracy import Accuracy
from tests.statistics.rows import RowLaws, assert_random_neighbours_nest, envelope

PAIRS = {
    0: (3, 5),
    1: (3, 3.0),
    2: (float("inf"), float("inf")),
    3: (0.0, -0.0),
    -1: (None, 1),
    -2: (1, None),
}


def naive(x: Dataset) -> Fraction:
    """The mean of y == p, as everywhere else."""
    hits = [PAIRS[int(code)][0] == PAIRS[int(code)][1] for code in x]
    return Fraction(sum(hits), len(hits)) if hits else Fraction(0)


class TestAccuracy(RowLaws):
    statistic = Accuracy()
    pairs = PAIRS
    bounds = None
    domain = (0, 1)
    records = (-2, -1, 0, 1, 2)
    levels = 6
    most = 4
    granularities = (Fraction(1, 2), Fraction(1, 10), Fraction(1, 3))
    answer = staticmethod(naive)


def test_a_missing_row_is_no_hit_under_swap_and_no_row_else() -> None:
    y, p = [1, None, 2, 3], [1, 2, None, 3]
    tenth = {"granularity": Fraction(1, 10)}
    assert envelope(Accuracy(), y, p, "swap", **tenth).level(0) == (5, 5)
    assert envelope(Accuracy(), y, p, "add_remove", **tenth).level(0) == (10, 10)


def test_the_type_of_the_labels_does_not_matter() -> None:
    hits = [
        envelope(Accuracy(), y, p, "add_remove", granularity=Fraction(1, 10)).level(0)
        for y, p in [
            ([True, False, True], np.array([1.0, 0.0, 0.0])),
            (np.array([1, 0, 1], np.uint8), [1, 0, 0]),
            ([1, 0, 2**70], [1, 0, 2**71]),
            ([1, 0, np.inf], [1, 0, -np.inf]),
        ]
    ]
    assert hits == [(6, 6)] * 4


def test_larger_data_nest() -> None:
    assert_random_neighbours_nest(Accuracy(), lambda rng, n: rng.integers(0, 3, (n, 2)), (1, 7, 60, 400))


def test_it_is_steady_where_rows_are_swapped() -> None:
    law = hazmat.law(Accuracy(), ([1, 2, 3, 4], [1, 2, 3, 3]), epsilon=1, neighbors="swap", granularity=0.05)
    assert law.envelope.stride == 5  # one row of four
    request = Request.of(Accuracy(), ([1], [1]), epsilon=1)
    assert request.mechanism.name == "balance"


def test_bounds_are_refused() -> None:
    with pytest.raises(ParameterTypeError, match="bounds must be left out for accuracy"):
        Accuracy().frame((0, 1), None)


@pytest.mark.parametrize("labels", [np.array(["cat", "dog"]), "cat dog"])
def test_text_is_refused_by_its_type(labels: object) -> None:
    with pytest.raises(SchemaError, match="must be"):
        Request.of(Accuracy(), ([0, 1], labels), epsilon=1)
