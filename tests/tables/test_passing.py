"""Which rows of a table in memory pass: the meaning of every comparison, on every library, on hostile records too."""

import math
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from noisewise import Dataset
from noisewise.tables.conditions import Condition
from noisewise.tables.frames import table_of
from noisewise.tables.local import LocalTable

BIG = 2**53
COLUMNS: dict[str, list[Any]] = {
    "x": [1.0, math.nan, math.inf, -0.0, None, -math.inf, 5e-324],
    "n": [BIG, BIG + 1, None, -1, 0, 7, 2**63 - 1],
    "s": ["N", "n", None, "", "it's", "N ", "é"],
    "d": [
        date(2020, 1, 1),
        None,
        date(1, 1, 1),
        date(9999, 12, 31),
        *[date(2020, 1, day) for day in (2, 3, 4)],
    ],
    "t": [datetime(2020, 1, 1, 12), None, *[datetime(2020, 1, day) for day in (1, 2, 3, 4, 5)]],
    "b": [True, False, None, True, False, None, True],
}
CASES: dict[str, list[int]] = {
    "x = 0": [3],
    "x >= 0": [0, 2, 3, 6],
    "x > 0": [0, 2, 6],
    "x < 0": [5],
    "x != 1": [2, 3, 5, 6],
    "not x = 1": [1, 2, 3, 4, 5, 6],
    "x is missing": [1, 4],
    "x is not missing": [0, 2, 3, 5, 6],
    "x not in (0, 1)": [2, 5, 6],
    "n = 9007199254740992": [0, 1],  # as the nearest float64
    "n >= 9223372036854775807": [6],
    "n <= 0 or n is missing": [2, 3, 4],
    "s = 'N'": [0],
    "s in ('N', 'n', 'N')": [0, 1],
    "s = ''": [3],
    "s = 'it''s' or s = 'é'": [4, 6],
    "s != 'N'": [1, 3, 4, 5, 6],
    "s is missing": [2],
    "d >= '2020-01-02'": [3, 4, 5, 6],
    "d = '0001-01-01'": [2],
    "d != '2020-01-01'": [2, 3, 4, 5, 6],
    "d is missing": [1],
    "t > '2020-01-01'": [0, 3, 4, 5, 6],
    "t = '2020-01-01T12:00'": [0],
    "b = true": [0, 3, 6],
    "b != true": [1, 4],
    "b is missing": [2, 5],
    "x > 0 and s != 'N' or not (n < 9 or b = false)": [0, 2, 6],
}
FRAME = pl.DataFrame(COLUMNS)
MEMORY = {
    "polars": lambda: FRAME,
    "pandas": lambda: FRAME.with_columns(pl.col("d").dt.year()).to_pandas().convert_dtypes(),
    "arrow": FRAME.to_arrow,
}


@pytest.mark.parametrize("library", MEMORY)
def test_every_comparison_means_the_same(library: str) -> None:
    frame = MEMORY[library]()
    for text, rows in CASES.items():
        if library == "pandas" and (text.startswith("d ") or "n >=" in text):
            continue  # it has no dates of its own
        table = table_of(frame)
        assert isinstance(table, LocalTable)
        passing = table.where(Condition.read(text))._passing
        assert passing is not None and np.flatnonzero(passing()).tolist() == rows, text


def test_columns_of_objects_are_compared_as_text() -> None:
    class Hostile:
        def __eq__(self, other: object) -> bool:
            raise ValueError("record")

        __hash__ = None  # type: ignore[assignment]

    frame = pd.DataFrame({"o": np.array(["N", None, 1, Hostile(), float("nan"), "S"], object)})
    for text, rows in {"o = 'N'": [0], "o != 'N'": [5], "o is missing": [1, 4]}.items():
        table = table_of(frame)
        assert isinstance(table, LocalTable)
        passing = table.where(Condition.read(text))._passing
        assert passing is not None and np.flatnonzero(passing()).tolist() == rows, text


def test_decimals_categories_and_large_numbers() -> None:
    frame = pl.DataFrame(
        {
            "m": pl.Series([Decimal("0.10"), None, Decimal("2.50")], dtype=pl.Decimal(10, 2)),
            "c": pl.Series(["a", None, "b"], dtype=pl.Categorical),
            "e": pl.Series(["a", "b", None], dtype=pl.Enum(["a", "b"])),
            "u": pl.Series([2**64 - 1, 0, None], dtype=pl.UInt64),
        }
    )
    cases = {"m = 0.1": [0], "m > 0.1": [2], "c != 'a'": [2], "e in ('b', 'z')": [1], "u > 1e19": [0]}
    for text, rows in cases.items():
        table = table_of(frame)
        assert isinstance(table, LocalTable)
        passing = table.where(Condition.read(text))._passing
        assert passing is not None and np.flatnonzero(passing()).tolist() == rows, text


def test_every_kind_of_question_sees_the_same_rows() -> None:
    frame = pl.DataFrame(
        {
            "v": [float(i % 10) for i in range(400)],
            "w": [float(i % 7) for i in range(400)],
            "g": ["a" if i % 2 else "b" for i in range(400)],
            "p": [i // 2 for i in range(400)],
            "k": [i % 4 for i in range(400)],
        }
    )
    bounds: dict[str, Any] = {"bounds": (0, 10), "granularity": 1}
    kept = frame.filter(pl.col("k") >= 2)
    for held in ({}, {"unit": "p", "contributions": 1}):
        one, other = (Dataset(each, **held) for each in (frame, kept))  # type: ignore[arg-type]
        one._salt = other._salt = "both"
        one = one.where("k >= 2")
        for ask in (
            lambda data: data.count(epsilon=60).value,
            lambda data: data.max("v", **bounds, epsilon=60).value,
            lambda data: data.histogram("g", ["a", "b"], epsilon=60).value,
            lambda data: data.crosstab(["g", "k"], {"g": ["a", "b"], "k": [1, 2]}, epsilon=60).value,
            lambda data: data.group_by("g", keys=["a", "b"]).max("v", **bounds, epsilon=60).value,
            lambda data: [round(x) for x in data.group_by("g", keys=["a"]).pearson(
                "v", "w", bounds=((0, 10), (0, 10)), epsilon=60).value],
            lambda data: len(data.group_by("k", epsilon=20, delta=1e-6)),
        ):  # fmt: skip
            assert ask(one) == ask(other)
    edges = pl.DataFrame({"a": [0, 1, 2, 0], "b": [1, 2, 0, 3], "k": [1, 1, 1, 0]})
    question = {"nodes": 4, "epsilon": 60}
    assert Dataset(edges).where("k = 1").triangles(["a", "b"], **question).value == 1
    assert Dataset(edges).where("k = 0").triangles(["a", "b"], **question).value == 0


def test_nothing_of_the_frame_is_changed() -> None:
    frame = pd.DataFrame({"v": [1, 2, 3]}, index=[7, 7, 9])
    Dataset(frame).where("v > 1").count(epsilon=1)
    assert frame.index.tolist() == [7, 7, 9] and frame.v.tolist() == [1, 2, 3]
