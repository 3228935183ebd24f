"""An engine chooses the records of each person: the same ones that `NamedPeople.keep` chooses in memory.

The engine sorts the rows of each person and numbers them. Arithmetic of whole numbers (tables/people.py), which no
engine rounds or overflows, then says which rows are kept. Names are hashed only for people with more rows than they may
contribute. The order in which an engine reads rows changes nothing, because rows that tie are equal.
"""

from noisewise.errors import ColumnName, SchemaError
from noisewise.tables.engines.dialect import Dialect, Expression, Frame
from noisewise.tables.people import FAR, MOST_POSITIONS, Choice, Offsets, kept_evenly


def names_of_people(dialect: Dialect, frame: Frame, column: str) -> Frame:
    """The frame with a column of ids as int64 if the type of the column fits into it, or as the text that `NamedPeople`
    writes. A missing id stays missing, and NaN is missing.

    Each engine writes fractions, and numbers beyond 64 bits, in its own way. They name the same people, but another
    engine may choose other records.
    """
    import narwhals.stable.v2 as nw

    narrow = (nw.Int8, nw.Int16, nw.Int32, nw.Int64, nw.UInt8, nw.UInt16, nw.UInt32)
    if frame.collect_schema()[column] in narrow:
        return frame.with_columns(nw.col(column).cast(nw.Int64))
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


def check_unit(dialect: Dialect, frame: Frame, column: str) -> None:
    """Refuse a column of ids if the engine might fail to write its values as text."""
    import narwhals.stable.v2 as nw

    dtype = frame.collect_schema()[column]
    named = dtype in (nw.String, nw.Categorical, nw.Enum, nw.Boolean, nw.Date, nw.Datetime)
    if not (dtype.is_numeric() or named or dialect.is_uuid(frame, column)):
        raise SchemaError(
            "unit",
            "must be a column of text, numbers, booleans or dates",
            got=("column ", ColumnName(column), f" of type {str(dtype).partition('(')[0]}"),
        ) from None


def check_text(dialect: Dialect, frame: Frame, column: str) -> None:
    """Refuse text that an engine compares by the rules of a language, because it may take two names for the same."""
    if declared := dialect.collation(frame, column):
        raise SchemaError(
            f"column {column!r}",
            "must be compared byte by byte to name people, groups or labels",
            got=f"a {declared}",
            fix="cast it by COLLATE UTF8_BINARY",
        ) from None


def chosen(dialect: Dialect, frame: Frame, choice: Choice, present: Expression, *columns: str) -> Frame:
    """Choose the rows that take part. Rows that are not ``present``, or whose ``person`` is missing, take no part.

    The rows of a person are sorted by ``group``, and then by ``columns``. If there are several columns, they must not
    hold -0.0. If there is one, -0.0 and 0.0 are equal, and either may be kept.
    """
    import narwhals.stable.v2 as nw

    frame = frame.filter(present & ~nw.col("person").is_null())
    if choice.max_groups is not None:
        rank = nw.col("group").rank("dense").over("person").cast(nw.Int64)
        frame = frame.with_columns(rank.alias("position"))
        frame = frame.with_columns(nw.col("position").max().over("person").alias("size"))
        frame = kept_of_each(dialect, frame, choice.max_groups, Offsets.of(choice, "group"))
    if choice.per_group is not None:
        frame = dialect.positions(frame, columns, ("person", "group"))
        frame = kept_of_each(
            dialect, frame, choice.per_group, Offsets.of(choice, "per group"), in_groups=True
        )
    frame = dialect.positions(frame, ("group", *columns))
    return kept_of_each(dialect, frame, choice.contributions, Offsets.of(choice, "record"))


def kept_of_each(
    dialect: Dialect, frame: Frame, most: int, offsets: Offsets, *, in_groups: bool = False
) -> Frame:
    """Keep at most ``most`` rows of each ``person``, by the ``position`` of a row among the ``size`` rows of the
    person. With ``in_groups``, keep so many rows of each person in each ``group``."""
    import narwhals.stable.v2 as nw

    frame = _numbers(dialect, frame, nw.col("size") > min(most, MOST_POSITIONS - 1))
    folded = offsets.folded(nw.col("number"))
    folded = offsets.in_group(folded, nw.col("group")) if in_groups else folded
    frame = dialect.evaluated_once(frame.with_columns(folded.alias("number")))
    offset = offsets.of_folded(nw.col("number"))
    kept = kept_evenly(nw.col("position"), nw.col("size"), offset, most)
    return frame.filter(kept).drop("position", "size", "number")


def _numbers(dialect: Dialect, frame: Frame, crowded: Expression) -> Frame:
    """The frame with a column ``number``. If a person is ``crowded``, it is the number that `number_of_name`
    returns."""
    import narwhals.stable.v2 as nw

    person = nw.col("person")
    if frame.collect_schema()["person"] == nw.Int64:
        near = (person > -FAR) & (person < FAR)
        whole = nw.when(near).then(person).otherwise(nw.lit(0, nw.Int64))
    else:
        digits = person.str.contains("^-?[1-9]") & ~person.str.contains("[^0-9-]|[0-9-]-|[0-9]{19}")
        near = (person == "0") | digits
        whole = nw.when(near).then(person).otherwise(nw.lit("0")).cast(nw.Int64)
    name = nw.when(crowded & ~near).then(person.cast(nw.String)).otherwise(nw.lit(None, nw.String))
    frame = dialect.digest_numbers(frame.with_columns(name.alias("digest"), whole.alias("number")), "digest")
    number = nw.when(nw.col("digest").is_null()).then(nw.col("number")).otherwise(nw.col("digest"))
    return frame.with_columns(number.alias("number")).drop("digest")
