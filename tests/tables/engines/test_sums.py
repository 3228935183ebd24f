"""Sums of products by an engine are those of Python's integers."""

import numpy as np
import polars as pl
import pytest

from noisewise.tables.engines import sums as sums_module
from noisewise.tables.engines.engine_table import dialect_of
from noisewise.tables.engines.sums import sums_of_terms
from tests.tables.every_engine import ENGINES, LOCAL, lazily

WIDTHS = [1, 2**18, 2**26 - 1, 2**26, 2**33, 2**52]
ROWS = 60


def numbers(width):
    some = np.random.default_rng(width).integers(0, width + 1, ROWS)
    some[: ROWS // 2] = width  # as large as they come
    return some


@pytest.mark.parametrize("most", [1, 40, 300])
@pytest.mark.parametrize("engine", LOCAL)
def test_sums_of_terms_are_those_of_python(engine, most, monkeypatch):
    monkeypatch.setattr(sums_module, "MOST_SUMS", most)
    columns = {f"n{place}": numbers(width) for place, width in enumerate(WIDTHS)}
    frame = lazily(engine, pl.DataFrame({name: some.astype(np.float64) for name, some in columns.items()}))
    whole = [some.tolist() for some in columns.values()]
    known = {(): ROWS} | {(i,): sum(x) for i, x in enumerate(whole)}
    known |= {
        (i, j): sum(a * b for a, b in zip(x, y, strict=True))
        for i, x in enumerate(whole)
        for j, y in enumerate(whole)
        if i <= j
    }
    assert sums_of_terms(dialect_of(frame), lambda places: frame, WIDTHS, [*known]) == {(): known}
    nothing = sums_of_terms(dialect_of(frame), lambda places: frame.head(0), WIDTHS, [*known])
    assert nothing == {(): dict.fromkeys(known, 0)}


@pytest.mark.parametrize("most", [4, 10_000_000])
@pytest.mark.parametrize("engine", LOCAL)
def test_sums_of_each_group_are_those_of_its_rows_alone(engine, most, monkeypatch):
    monkeypatch.setattr(sums_module, "MOST_NUMBERS", most)
    columns = {f"n{place}": numbers(width).astype(np.float64) for place, width in enumerate(WIDTHS)}
    data = pl.DataFrame({**columns, "group": np.arange(ROWS) % 3 * 2})
    terms = [(), (1,), (5,), (2, 4), (4, 5), (5, 5)]
    frame = lazily(engine, data)
    found = sums_of_terms(dialect_of(frame), lambda places: frame, WIDTHS, terms, ["group"], 6)
    assert found.keys() == {(0,), (2,), (4,)}
    for (group,), sums in found.items():
        alone = lazily(engine, data.filter(pl.col("group") == group))
        known = sums_of_terms(dialect_of(alone), lambda places, alone=alone: alone, WIDTHS, terms)
        assert {(): sums} == known


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("squares", [False, True])
def test_sums_do_not_round_wrap_or_raise(engine, squares):
    values = [2**52, 2**52 - 1, 0, 1, 2**18, 2**36 - 1, *[2**52] * 5000]
    frame = lazily(engine, pl.DataFrame({"n0": pl.Series(values, dtype=pl.Float64)}))
    known = {(): len(values), (0,): sum(values)} | ({(0, 0): sum(x * x for x in values)} if squares else {})
    assert sums_of_terms(dialect_of(frame), lambda _: frame, [2**52], [*known]) == {(): known}


def test_no_sum_of_so_many_rows_can_pass_64_bits():
    """Every number that is added up is below 2^18, so that 2^45 of them stay below 2^63."""
    frame = lazily(
        "polars", pl.DataFrame({f"n{place}": [float(width)] for place, width in enumerate(WIDTHS)})
    )
    dialect, seen = dialect_of(frame), []
    dialect.totals = lambda frame: seen.append(dialect.arrays(frame)) or [int(sums[0]) for sums in seen[-1]]
    terms = [(i, j) for i in range(len(WIDTHS)) for j in range(i, len(WIDTHS))]
    assert sums_of_terms(dialect, lambda places: frame, WIDTHS, terms) == {
        (): {(i, j): WIDTHS[i] * WIDTHS[j] for i, j in terms}
    }
    assert min(int(sums[0]) for query in seen for sums in query) >= 0
    assert max(int(sums[0]) for query in seen for sums in query) < 2**18
