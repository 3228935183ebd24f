"""Cross-tabulations: cells as one histogram in every small world, totals that agree, the same from every table."""

from datetime import date
from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
import pytest
from numpy import ma

import noisewise as nws
from noisewise import Dataset, ParameterError, ParameterTypeError, SchemaError, ask
from noisewise.audit.worlds import World
from noisewise.questions.composites.crosstab import Crosstab
from noisewise.questions.composites.histogram import Histogram

CATEGORIES = [["F", "M"], [1, 2]]
ROWS = tuple(product(("F", "M", ""), (1.0, 2.0, -1.0)))


def columns(x):
    return [sex or None for sex, _ in x], [None if number < 0 else number for _, number in x]


@pytest.mark.parametrize(
    ("relation", "owned", "reach"), [("add_remove", 1, 1), ("add_remove", 2, 2), ("swap", 1, 2)]
)
def test_one_person_moves_all_cells_together_by_what_is_paid_for(relation, owned, reach):
    """Every table of up to two rows of two columns, missing values among them; with people of up to two rows."""
    world = World(ROWS, 2, relation, owned)
    counts = {}
    for x in world.datasets():
        asked = Crosstab.of(columns(x), CATEGORIES, epsilon=1, neighbors=relation, contributions=owned)
        law = asked.look()
        counts[x] = law.envelope.lower
        assert counts[x].tolist() == [x.count((sex, number)) for sex, number in product("FM", (1.0, 2.0))]
        assert law.rate / law.envelope.stride == Fraction(1, reach)
    moved = max(int(np.abs(counts[x] - counts[y]).sum()) for x, y in world.pairs())
    assert moved == reach == asked.reach
    alone = Histogram.of([], ["a", "b", "c", "d"], epsilon=1, neighbors=relation, contributions=owned)
    assert asked.loss == alone.loss


def test_totals_are_sums_of_the_released_cells():
    data = ["F", "M"] * 40, [1, 2, 2, 3] * 20, [True, None] * 40
    release = nws.crosstab(data, [["F", "M", "x"], [1, 2], [True, False]], epsilon=0.5, interval=0.9)
    for table in (release.value, *release.interval):
        cells = np.array(table)
        assert cells.shape == (4, 3, 3) and cells.min() >= 0
        for axis in range(3):
            parts = np.take(cells, range(cells.shape[axis] - 1), axis).sum(axis=axis)
            assert np.array_equal(parts, np.take(cells, -1, axis))
    assert all(type(number) is int for row in release.value for line in row for number in line)
    exact = nws.crosstab(data[:2], [["F", "M"], [1, 2]], epsilon=60).value
    assert exact == ((20, 20, 40), (0, 20, 20), (20, 40, 60))


def test_a_masked_record_stays_in_its_row():
    sex = ma.masked_array(["F", "F", "M"], [True, False, False])
    number = ma.masked_array([1.0, 2.0, 1.0], [False, False, True])
    assert nws.crosstab((sex, number), CATEGORIES, epsilon=60).value[:2] == ((0, 1, 1), (0, 0, 0))


@pytest.mark.parametrize("library", ["polars", "pandas", "arrow", "lazy"])
def test_columns_of_a_table_are_crossed_by_name(library):
    days = [date(2020, 1, 1), date(2021, 1, 1), None] * 20
    frame = pl.DataFrame({"s": ["F", "M"] * 30, "n": [1, 2, None] * 20, "d": days, "p": [*range(30)] * 2})
    native = {"polars": frame, "arrow": frame.to_arrow(), "lazy": frame.lazy()}.get(library)
    data = Dataset(frame.to_pandas() if native is None else native)
    found = data.crosstab(["s", "n"], {"n": [2, 1], "s": ["F", "M"]}, epsilon=60)  # in any order
    assert found.value == ((10, 10, 20), (10, 10, 20), (20, 20, 40)) and found.columns == ("s", "n")
    people = Dataset(frame, unit="p").crosstab(["s"], [["F", "M"]], epsilon=60)
    assert people.value == (15, 15, 30)
    if library != "pandas":
        assert data.crosstab(["d"], [[date(2020, 1, 1), date(2022, 1, 1)]], epsilon=60).value == (20, 0, 20)
    (both,) = data.agg(t=ask.crosstab(["s", "n"], [["F"], [1]], epsilon=60)).values()
    assert both.value == ((10, 10), (10, 10))


def test_what_cannot_be_crossed_is_refused():
    data = Dataset(pl.DataFrame({"s": ["F"], "n": [1]}))
    for ask_it, error, says in [
        (
            lambda: nws.crosstab((["F"],), CATEGORIES, epsilon=1),
            SchemaError,
            "data must be 2 columns as a tuple",
        ),
        (
            lambda: nws.crosstab((["F"], [1, 2]), CATEGORIES, epsilon=1),
            SchemaError,
            "the same number of rows",
        ),
        (
            lambda: nws.crosstab((["F"], [1]), ["F", 1], epsilon=1),
            ParameterTypeError,
            "must be a list for each column",
        ),
        (lambda: nws.crosstab((["F"],), [[]], epsilon=1), ParameterError, "must make from 1 to"),
        (lambda: data.crosstab(["s", "s"], CATEGORIES, epsilon=1), SchemaError, "columns must be different"),
        (lambda: data.crosstab(["s"], {"n": [1]}, epsilon=1), ParameterError, "by the names 's', got 'n'"),
        (lambda: data.crosstab(["s"], [["F", "F"]], epsilon=1), ParameterError, "categories must differ"),
        (lambda: data.crosstab(["s"], [["F"]], epsilon=1, with_count=True), ParameterError, "its total says"),
        (
            lambda: data.group_by("n", keys=[1]).crosstab(["s"], [["F"]], epsilon=1),
            ParameterError,
            "one more column",
        ),
    ]:
        with pytest.raises(error, match=says):
            ask_it()
