"""A question in groups that are not found yet is refused as in those that are."""

import polars as pl
import pytest

import noisewise as nws
from noisewise.dataset.any_groups import in_any_groups


@pytest.mark.parametrize("rows", [0, 3])
def test_a_question_is_checked_with_a_key_of_the_column(rows):
    types = {"t": pl.String, "n": pl.Int64, "b": pl.Boolean, "d": pl.Date, "x": pl.Float64}
    data = nws.Dataset(pl.DataFrame({name: [None] * rows for name in types}, schema=types))
    question = nws.ask.mean("x", bounds=(0, 9), epsilon=1)
    for by in (("t",), ("n",), ("b",), ("d",), ("t", "d")):
        assert in_any_groups(data, by, question).loss.as_pure().epsilon == 1
    with pytest.raises(nws.ParameterError, match="whole table"):
        in_any_groups(data, ("t",), nws.ask.crosstab(["b"], {"b": [True]}, epsilon=1))
