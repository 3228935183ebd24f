"""Matrices: the same rows from every kind of container, and refusals by type and shape alone."""

import numpy as np
import pandas
import polars
import pyarrow
import pytest

from noisewise import SchemaError
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.columns.array_rows import MOST_COLUMNS, declare_matrix

LATTICE = Lattice.between((0, 10), 1)
X = np.array([[1.0, 2.0, 3.0], [4.0, np.nan, 6.0], [7.0, 8.0, 9.0]])
NAMES = ["a", "b", "c"]


def values(data, neighbors="add_remove"):
    return [column.tolist() for column in declare_matrix(data).read(LATTICE, neighbors).values]


KINDS = {
    "array": X,
    "fortran": np.asfortranarray(X),
    "float32": X.astype(np.float32),
    "big-endian": X.astype(">f8"),
    "objects made numbers": np.array([[1, 2, 3], [4, None, 6], [7, 8, 9]], object).astype(float),
    "masked": np.ma.array(np.nan_to_num(X), mask=np.isnan(X)),
    "every other": np.repeat(np.repeat(X, 2, axis=0), 2, axis=1)[::2, ::2],
    "pandas": pandas.DataFrame(X, columns=NAMES),
    "pandas nullable": pandas.DataFrame(X, columns=NAMES).astype("Int64"),
    "pandas numbered": pandas.DataFrame(X),
    "polars": polars.DataFrame(X, schema=NAMES),
    "polars nulls": polars.DataFrame({"a": [1, 4, 7], "b": [2, None, 8], "c": [3, 6, 9]}),
    "arrow": pyarrow.table({"a": [1, 4, 7], "b": [2, None, 8], "c": [3, 6, 9]}),
    "tuple": ([1, 4, 7], (2, None, 8), polars.Series([3, 6, 9])),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_container_holds_the_same_rows(kind):
    assert values(KINDS[kind]) == [[1, 7], [2, 8], [3, 9]]
    assert values(KINDS[kind], "swap") == [[1, 0, 7], [2, 0, 8], [3, 0, 9]]
    assert declare_matrix(KINDS[kind]).size() == 3


def test_no_rows_and_one_column():
    assert values(np.zeros((0, 2))) == [[], []]
    assert values(np.array([[5.0]])) == [[5]]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (np.zeros(3), "data must be two-dimensional, got an array of 1 dimensions"),
        (np.zeros((2, 2, 2)), "got an array of 3 dimensions"),
        (np.array([[1, 2], [3, 4]], object), "data must be numbers, got an array of objects"),
        (np.zeros((3, 0)), "data must have from 1 to 10,000 columns, got 0"),
        (np.zeros((1, MOST_COLUMNS + 1)), "got 10001"),
        ((), "got 0"),
        ([[1, 2], [3, 4]], "or a tuple of columns, got builtins.list"),
        (7, "got builtins.int"),
        (polars.Series([1]), "or a tuple of columns"),
        (polars.DataFrame({"a": [1]}).lazy(), "or a tuple of columns"),
        (
            pandas.DataFrame([[1, 2]], columns=["a", "a"]),
            "with different names, or a tuple of columns, got pandas",
        ),
        (np.array([["a", "b"]]), "data must be numbers, got an array of type str_"),
        (
            pandas.DataFrame({"a": [1], "b": [pandas.Timestamp(0)]}),
            "column 'b' must be numbers, got .* Datetime",
        ),
        (
            pandas.DataFrame({"a": [1], "b": pandas.Series([2], dtype=object)}),
            r"column 'b' must be numbers, .* object, .* as in pd.to_numeric\(frame\['b'\], errors=",
        ),
        (polars.DataFrame({"a": ["1"]}), r"as in frame\['a'\].cast\(pl.Float64, strict=False\)$"),
        (([1, 2], [3]), "columns must have the same number of rows"),
    ],
)
def test_what_is_refused_by_type_and_shape(data, words):
    with pytest.raises(SchemaError, match=words):
        declare_matrix(data)


def test_nothing_is_shown():
    assert repr(declare_matrix(X)) == "<DeclaredRows: withheld>"
