"""Pairs that scores put in the right order: by an engine as one by one, whatever the scores are."""

import math

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise.statistics.mean import TRUE_OR_FALSE
from noisewise.statistics.row_formulas import index_of
from noisewise.tables.columns.array_rows import ArrayRows
from noisewise.tables.engines import right_pairs as module
from noisewise.tables.engines.engine_table import dialect_of
from noisewise.tables.engines.right_pairs import right_pairs
from tests.tables.every_engine import LOCAL, lazily

CLASSES = TRUE_OR_FALSE
POSITIVE = index_of(0, CLASSES)
STRANGE = [-math.inf, -1e308, -1e15, -2.0, -1.0, -1e-300, -5e-324, -0.0, 0.0, 5e-324, 1e-9, 0.25, 0.5, 1.0]
STRANGE += [math.nextafter(1, 2), 3.0, 1024.0, 1e300, math.inf]


def frame(engine, rows=400):
    rng = np.random.default_rng(5)
    some = np.append(STRANGE, rng.normal(0, 30, 20))
    scores = rng.choice(some, rows)
    data = {"c0": rng.integers(0, 2, rows) * 1.0, "c1": scores, "group": rng.integers(0, 3, rows) * 2}
    return pl.DataFrame(data), lazily(engine, pl.DataFrame(data))


@pytest.mark.parametrize("parts", [1, 256])
@pytest.mark.parametrize("engine", LOCAL)
def test_pairs_are_those_of_memory_whatever_the_bins_are(engine, parts, monkeypatch):
    monkeypatch.setattr(module, "MOST_PARTS", parts)
    data, lazy = frame(engine)
    found = right_pairs(dialect_of(lazy), lazy, POSITIVE, nw.col("c0"), "c1", 6)
    for group, pairs in enumerate(found):
        own = data.filter(pl.col("group") == group)
        rows = ArrayRows((own["c0"].to_numpy(), own["c1"].to_numpy()), CLASSES, "add_remove")
        known = rows.right_pairs(POSITIVE, 1)
        assert pairs == known
        naive = sum(
            2 * (s > t) + (s == t)
            for y, s in own.select("c0", "c1").rows()
            for z, t in own.select("c0", "c1").rows()
            if y == 1 and z == 0
        )
        assert pairs.twice_right == naive


def test_bins_part_the_scores_and_never_fall():
    scores = sorted([*STRANGE, *np.linspace(-1, 1, 2000), *np.logspace(-12, 12, 2000)])
    lazy = lazily("polars", pl.DataFrame({"score": scores}))
    (bins,) = dialect_of(lazy).arrays(lazy.select(module._bin(1)))
    assert np.all(np.diff(bins) >= 0)
    assert np.unique(bins).size > 1000
