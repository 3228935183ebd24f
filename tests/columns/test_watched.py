"""Columns that remember how many of their records were read: the very ones that an answer is made of."""

import numpy as np
import polars as pl
import pytest

from noisewise import ask
from noisewise.columns.arrays import declare
from noisewise.columns.watched import Witness
from noisewise.dataset.dataset import Dataset
from noisewise.numbers.lattice import Lattice
from tests.dataset.test_methods import CALLS, GRAPHS, ROWS

TAKING_PART = {
    "histogram": 71,
    "most_common": 54,
    "count": 54,
    "count_distinct": 54,
    "proportion": 54,
    "accuracy": 80,
    "f1": 80,
}
TAKING_PART |= {"auc": 80, "log_loss": 80, "count_interval": 54, "proportion_interval": 80}
"""Of 80 rows; 71 have an x, 54 an s."""


@pytest.mark.parametrize("name", sorted(set(CALLS) - GRAPHS - {"crosstab"}))
def test_every_question_says_how_many_records_took_part(name, monkeypatch):
    monkeypatch.setattr("noisewise.questions.with_count.Counting.draw", lambda self, counts, bits: counts)
    *given, asked = CALLS[name]
    question = getattr(ask, name)(*given, **asked, epsilon=1, with_count=True)
    whole = Dataset(pl.DataFrame(ROWS))._ask(question)
    assert whole.count == TAKING_PART.get(name, 71)
    chosen = Dataset(pl.DataFrame(ROWS).lazy(), unit="id", contributions=2)._ask(question)
    assert chosen.count == 40 and chosen.privacy.epsilon == 1


def test_rows_count_where_they_miss_no_number():
    witness = Witness()
    x, y = witness.data(([1, None, 3, 4], [1, 2, None, 4]), ("column", "column"), None)
    assert len(x.numbers()) == len(y.numbers()) == 4
    assert witness.count == 2


def test_the_last_reading_counts():
    witness = Witness()
    (x,) = witness.data((np.array([1, np.nan, 3]),), ("column",), None)
    assert witness.count == 0
    x.read(Lattice.between((0, 4)), "add_remove")
    assert witness.count == 2 and x.size() == 3 and declare(x) is x
    assert "withheld" in repr(witness)
