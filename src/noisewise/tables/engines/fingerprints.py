"""The choice of a person's records where no lattice gives them an index: by whole numbers that tell records apart.

That of a number are the bits of its float64, that of a text the first eight bytes of its SHA-256 digest, as in
memory. Engines lack a common word for either, so each is asked in its own. -0.0 and 0.0 are two records to the choice.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import numpy as np

from noisewise.tables.engines.dialect import Native
from noisewise.tables.engines.people import digests
from noisewise.tables.people import Choice

INFINITY = 0x7FF << 52

HEX = "format_string('%a', d)"
MANTISSA = f"conv(rpad(regexp_extract({HEX}, '[.]([0-9a-f]+)p', 1), 13, '0'), 16, 10)"
EXPONENT = f"regexp_extract({HEX}, '0x1[.].*p(-?[0-9]+)$', 1)"
SPARK_BITS = f"""
    CASE WHEN {HEX} LIKE '%Infinity' THEN {INFINITY}
         ELSE try_cast({MANTISSA} AS BIGINT)
              + coalesce((try_cast({EXPONENT} AS BIGINT) + 1023) * {1 << 52}, 0) END
    + CASE WHEN {HEX} LIKE '-%' THEN {-(2**63) + 1} - 1 ELSE 0 END
"""
"""In Spark, which writes a float64 in hexadecimal, as -0x1.8p1 or 0x0.0000000000001p-1022, but never its bits."""

SPARK_DIGEST = "try_cast(conv(substr(sha2(d, 256), 1, 16), 16, -10) AS BIGINT)"
DUCKDB_BITS = "CAST(CAST(d AS BIT) AS BIGINT)"
DUCKDB_DIGEST = "CAST(CAST(CAST('0x' || substr(sha256(d), 1, 16) AS UBIGINT) AS BIT) AS BIGINT)"


def kept(native: Native, frame: Any, choice: Choice) -> Any:
    """The rows that take part, of a frame with records ``d``, float64 or text, and people ``person``.

    All are of one group, so that no limit of groups says anything.
    """
    import narwhals.stable.v2 as nw

    d = nw.col("d")
    absent = d.is_null() if frame.collect_schema()["d"] == nw.String else d.is_null() | d.is_nan()
    frame = _marked(native, frame.select("d", "person").filter(~absent & ~nw.col("person").is_null()))
    frame = frame.with_columns(nw.lit(1, nw.Int64).alias("one"), nw.lit(0, nw.Int64).alias("group"))
    copy = nw.col("one").cum_sum().over("person", "mark", order_by="mark")
    crowded = nw.col("one").sum().over("person") > choice.contributions
    frame = frame.with_columns(copy.cast(nw.Int64).alias("copy"), crowded.alias("crowded"))
    frame = digests(native, frame, f"{choice.salt}|record", nw.col("group"), nw.col("mark"), nw.col("copy"))
    place = nw.col("one").cum_sum().over("person", order_by=["digest", "mark", "copy"])
    return frame.with_columns(place.alias("place")).filter(nw.col("place") <= choice.contributions)


def _marked(native: Native, frame: Any) -> Any:
    """The frame with a whole number ``mark`` for each record ``d`` that is there."""
    import narwhals.stable.v2 as nw

    text = frame.collect_schema()["d"] == nw.String
    by: dict[str, Callable[[Any, bool], Any]] = {"Polars": _polars, "DuckDB": _duckdb, "Spark": _spark}
    return nw.from_native(by[native.name](frame.to_native(), text))


def _polars(frame: Any, text: bool) -> Any:
    import polars as pl

    def marks(records: Any) -> Any:
        if text:
            return pl.Series([None if one is None else _mark(one) for one in records], dtype=pl.Int64)
        return pl.Series(records.to_numpy().view(np.int64))

    found = pl.col("d").map_batches(marks, return_dtype=pl.Int64, is_elementwise=True)
    return frame.with_columns(found.alias("mark"))


def _mark(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big", signed=True)


def _duckdb(frame: Any, text: bool) -> Any:
    return frame.project(f"*, {DUCKDB_DIGEST if text else DUCKDB_BITS} AS mark")


def _spark(frame: Any, text: bool) -> Any:
    return frame.selectExpr("*", f"{SPARK_DIGEST if text else SPARK_BITS} AS mark")
