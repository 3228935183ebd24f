"""The choice of a person's records, by an engine: the very rows that `People.keep` chooses, up to copies of each other.

The digests are those of tables/people.py, over the same text, and so is their order. Everything is numbered within a
person by window functions: copies of a record, groups in the order of their digests, records in the order of theirs.
Only people with more than they may contribute are hashed at all. A record is told apart by its lattice index, or, where
no lattice gives it one, by its fingerprint: the bits of a number, the first bytes of the digest of a text. Nothing here
depends on the order in which an engine reads rows, since rows that it could confuse are equal.
"""

from noisewise.errors import ColumnName, SchemaError
from noisewise.numbers.lattice import Lattice
from noisewise.tables.engines.dialect import Dialect, Expression, Frame
from noisewise.tables.people import Choice


def names_of_people(dialect: Dialect, frame: Frame, column: str) -> Frame:
    """The frame with a column of ids turned into text as `People` writes it; a missing id, NaN too, stays missing.

    Numbers that are no whole numbers of 64 bits are written as the engine does: they name the same people, but may
    choose other records than another engine would.
    """
    return dialect.bytewise(_texts(dialect, frame, column), column)


def _texts(dialect: Dialect, frame: Frame, column: str) -> Frame:
    import narwhals.stable.v2 as nw

    dtype, x = frame.collect_schema()[column], nw.col(column)
    if dtype in (nw.Date, nw.Datetime):
        frame = dialect.stored_ticks(frame, column)
    if dtype.is_float():
        plain = nw.when(x.is_nan() | (x.abs() >= 2.0**63)).then(nw.lit(0.5)).otherwise(x).cast(nw.Float64)
        frame = frame.with_columns(plain.alias("plain"))
        whole = nw.col("plain").floor().cast(nw.Int64)
        text = nw.when(x.is_nan()).then(nw.lit(None, nw.String)).otherwise(x.cast(nw.String))
        text = nw.when(whole == nw.col("plain")).then(whole.cast(nw.String)).otherwise(text)
        return frame.with_columns(text.alias(column)).drop("plain")
    if dtype == nw.Boolean:
        return frame.with_columns(x.cast(nw.Int64).cast(nw.String))
    if dtype.is_decimal():
        text = x.cast(nw.String)
        short = text.str.replace_all("[.]?0*$", "")
        return frame.with_columns(nw.when(text.str.contains("[.]")).then(short).otherwise(text).alias(column))
    return frame.with_columns(x.cast(nw.String))


def judge_unit(dialect: Dialect, frame: Frame, column: str) -> None:
    """Refuse a column whose values have no text that an engine could not fail to write."""
    import narwhals.stable.v2 as nw

    dtype = frame.collect_schema()[column]
    named = dtype in (nw.String, nw.Categorical, nw.Enum, nw.Boolean, nw.Date, nw.Datetime)
    if not (dtype.is_numeric() or named or dialect.is_uuid(frame, column)):
        raise SchemaError(
            "unit",
            "must be a column of text, numbers, booleans or dates",
            got=("column ", ColumnName(column), f" of type {str(dtype).partition('(')[0]}"),
        ) from None


def judge_text(dialect: Dialect, frame: Frame, column: str) -> None:
    """Refuse text that an engine compares by the rules of a language: it may take two of our names for one."""
    if declared := dialect.collation(frame, column):
        raise SchemaError(
            f"column {column!r}",
            "must be compared byte by byte to name people, groups or labels",
            got=f"a {declared}",
            fix="cast it by COLLATE UTF8_BINARY",
        ) from None


def chosen(dialect: Dialect, frame: Frame, lattice: Lattice, choice: Choice) -> Frame:
    """The rows that take part, of a frame with distances ``d``, groups ``group`` and people ``person``."""
    import narwhals.stable.v2 as nw

    frame = frame.filter((nw.col("d") >= 0.0) & ~nw.col("person").is_null())
    frame = frame.with_columns(nw.lit(1, nw.Int64).alias("one"))
    if choice.max_groups is not None:
        frame = _first_groups(dialect, frame, choice.max_groups, f"{choice.salt}|group")
    index = (nw.col("d") + float(lattice.low)).cast(nw.Int64)
    return _first_records(dialect, frame, "d", index, choice.contributions, f"{choice.salt}|record")


def chosen_without_lattice(dialect: Dialect, frame: Frame, choice: Choice) -> Frame:
    """The rows that take part, of a frame with records ``d``, float64 or text, groups ``group`` and people ``person``.

    A record has no index here, so fingerprints tell records apart: -0.0 and 0.0 are two records to the choice.
    """
    import narwhals.stable.v2 as nw

    d = nw.col("d")
    absent = d.is_null() if frame.collect_schema()["d"] == nw.String else d.is_null() | d.is_nan()
    frame = frame.select("d", "group", "person").filter(~absent & ~nw.col("person").is_null())
    frame = dialect.fingerprints(frame).with_columns(nw.lit(1, nw.Int64).alias("one"))
    if choice.max_groups is not None:
        frame = _first_groups(dialect, frame, choice.max_groups, f"{choice.salt}|group")
    fingerprint, salted = nw.col("fingerprint"), f"{choice.salt}|record"
    return _first_records(dialect, frame, "fingerprint", fingerprint, choice.contributions, salted)


def _first_groups(dialect: Dialect, frame: Frame, most: int, salted: str) -> Frame:
    """Rows of the first groups of each person; a group is counted at its first row."""
    import narwhals.stable.v2 as nw

    frame = _crowded(frame, most, nw.col("one").cum_sum().over("person", "group", order_by="d"))
    frame = digests(dialect, frame, salted, nw.col("group"))
    begins = nw.when(nw.col("copy") == 1).then(nw.lit(1)).otherwise(nw.lit(0))
    frame = frame.with_columns(begins.cast(nw.Int64).alias("begins"))
    rank = nw.col("begins").cum_sum().over("person", order_by=["digest", "group", "copy"])
    return frame.with_columns(rank.alias("rank")).filter(nw.col("rank") <= most)


def _first_records(
    dialect: Dialect, frame: Frame, record: str, written: Expression, most: int, salted: str
) -> Frame:
    """The first records of each person; the column ``record`` tells them apart, ``written`` is how they are hashed."""
    import narwhals.stable.v2 as nw

    frame = _crowded(frame, most, nw.col("one").cum_sum().over("person", "group", record, order_by=record))
    frame = digests(dialect, frame, salted, nw.col("group"), written, nw.col("copy"))
    rank = nw.col("one").cum_sum().over("person", order_by=["digest", "group", record, "copy"])
    return frame.with_columns(rank.alias("rank")).filter(nw.col("rank") <= most)


def _crowded(frame: Frame, most: int, copy: Expression) -> Frame:
    """The frame with a number for each row among equal ones, and whether its person has more than ``most`` rows."""
    import narwhals.stable.v2 as nw

    size = nw.col("one").sum().over("person")
    return frame.with_columns(copy.cast(nw.Int64).alias("copy"), (size > most).alias("crowded"))


def digests(dialect: Dialect, frame: Frame, salted: str, *fields: Expression) -> Frame:
    import narwhals.stable.v2 as nw

    parts = [nw.lit(salted), nw.col("person"), *(field.cast(nw.String) for field in fields)]
    text = nw.when(nw.col("crowded")).then(nw.concat_str(*parts, separator="|"))
    return dialect.hashed(frame.with_columns(text.alias("digest")), "digest")
