"""Columns that remember how many of their records were read: the very ones that an answer is made of."""

import numpy as np
import polars as pl
import pytest

from noisewise.dataset.dataset import Dataset
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.columns.array_column import declare
from noisewise.tables.columns.watched import Witness
from tests.every_question import OF_COLUMNS, ROWS

TAKING_PART = {
    "histogram": 53,
    "most_common": 40,
    "count": 40,
    "count_distinct": 40,
    "proportion": 40,
    "accuracy": 60,
    "f1": 60,
}
TAKING_PART |= {"auc": 60, "log_loss": 60, "count_interval": 40, "proportion_interval": 60}
"""Of 60 rows; 53 have an x, 40 an s."""


@pytest.mark.parametrize("name", sorted(set(OF_COLUMNS) - {"crosstab", "count_people"}))
def test_every_question_says_how_many_records_took_part(name, monkeypatch):
    monkeypatch.setattr("noisewise.questions.with_count.Counting.draw", lambda self, counts, bits: counts)
    question = OF_COLUMNS[name].question(with_count=True)
    whole = Dataset(pl.DataFrame(ROWS))._ask(question)
    assert whole.count == TAKING_PART.get(name, 53)
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
