"""Columns of every type that a frame may declare, each with and without the farthest values that its bits can hold.

A question about such a column, or beside it, is answered for both or refused for both before anything is paid.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from noisewise import Dataset, NoisewiseError
from tests.attacks.outcomes import Purse

MOST = {8: 127, 16: 2**15 - 1, 32: 2**31 - 1, 64: 2**63 - 1}
FAR = (10**13, 9_223_372_036_855, 86_400, 2**62, 2**31 - 1, 106_751_991_168)
"""Ticks at which a library may leave a range of its own: of a day, of Python's calendar, of 64 bits in another unit."""

Values = tuple[pa.Array, pa.Array]
"""A few ordinary values, and as many of which some are extreme; the type is the same."""


def of_bits(kind: pa.DataType) -> Values:
    """All numbers near the ends of a type's bits and of others."""
    width = kind.bit_width
    most = MOST[width]
    far = [most, most - 1, -most, -most - 1, -1, *(each for each in FAR if each <= most)]
    far += [-each for each in FAR if each <= most]
    plain = [*([0, 1, 2] * len(far))[: len(far)], None]
    held = {8: pa.int8(), 16: pa.int16(), 32: pa.int32(), 64: pa.int64()}[width]
    return pa.array(plain, held).view(kind), pa.array([*far, None], held).view(kind)


def given(kind: pa.DataType, plain: list[Any], extreme: list[Any]) -> Values:
    return pa.array([*plain, None], kind), pa.array([*extreme, None], kind)


def inside(outer: Callable[[pa.Array], pa.Array], kind: pa.DataType) -> Values:
    one, other = of_bits(kind)
    return outer(one), outer(other)


def of_bytes(kind: pa.DataType) -> Values:
    """Text made of bytes that are none."""
    sizes = pa.array([0, 1, 2, 3], pa.int64() if kind == pa.large_string() else pa.int32()).buffers()[1]
    one, other = (
        type(pa.array([""], kind)).from_buffers(3, sizes, pa.py_buffer(raw)) for raw in (b"abc", b"a\xff\x00")
    )
    return one, other


def in_lists(values: pa.Array) -> pa.Array:
    return pa.ListArray.from_arrays(pa.array(range(len(values) + 1), pa.int32()), values)


def in_structs(values: pa.Array) -> pa.Array:
    return pa.StructArray.from_arrays([values], ["part"])


def in_maps(values: pa.Array) -> pa.Array:
    return pa.MapArray.from_arrays(
        pa.array(range(len(values) + 1), pa.int32()), pa.array(["k"] * len(values)), values
    )


def in_dictionaries(values: pa.Array) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(range(len(values)), pa.int32()), values)


def in_runs(values: pa.Array) -> pa.Array:
    return pa.RunEndEncodedArray.from_arrays(pa.array(range(1, len(values) + 1), pa.int32()), values)


def in_unions(values: pa.Array) -> pa.Array:
    return pa.UnionArray.from_sparse(pa.array([0] * len(values), pa.int8()), [values])


PLAIN_BITS = {
    **{str(kind): kind for kind in (pa.int8(), pa.int16(), pa.int32(), pa.int64())},
    **{str(kind): kind for kind in (pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())},
    **{str(kind): kind for kind in (pa.float16(), pa.float32(), pa.float64())},
    **{str(kind): kind for kind in (pa.date32(), pa.date64(), pa.time32("s"), pa.time32("ms"))},
    **{str(kind): kind for kind in (pa.time64("us"), pa.time64("ns"))},
    **{
        str(kind): kind
        for unit in ("s", "ms", "us", "ns")
        for kind in (
            pa.duration(unit),
            *(pa.timestamp(unit, zone) for zone in (None, "UTC", "Europe/Berlin")),
        )
    },
}
OUTER = {
    "list": in_lists,
    "struct": in_structs,
    "map": in_maps,
    "dictionary": in_dictionaries,
    "run": in_runs,
    "union": in_unions,
}
WITHIN = (pa.int64(), pa.duration("s"), pa.timestamp("s", "UTC"), pa.date32())
NUMBERS = [0.0, 1.0, None, 2.0], [float("nan"), float("inf"), -float("inf"), -5e-324]


def columns() -> Iterator[tuple[str, Callable[[], Values]]]:
    """The name of every type, and how to make its values."""
    for name, kind in PLAIN_BITS.items():
        yield name, lambda kind=kind: of_bits(kind)  # type: ignore[misc]
    for outer, make in OUTER.items():
        for kind in WITHIN:
            yield f"{outer} of {kind}", lambda make=make, kind=kind: inside(make, kind)  # type: ignore[misc]
    for kind in (pa.float32(), pa.float64()):
        yield f"strange {kind}", lambda kind=kind: given(kind, *NUMBERS)  # type: ignore[misc]
    for digits, scale in ((38, 0), (38, 38), (38, 10), (18, 2), (4, 1)):
        kind = pa.decimal128(digits, scale)
        far = Decimal(f"{'9' * digits}e-{scale}")
        yield str(kind), lambda kind=kind, far=far: given(kind, [Decimal(0), None], [far, far.copy_negate()])  # type: ignore[misc]
    far = Decimal("9" * 76)
    yield "decimal256", lambda: given(pa.decimal256(76, 0), [Decimal(1), None], [far, far.copy_negate()])
    yield "bool", lambda: given(pa.bool_(), [True, None], [False, False])
    yield "null", lambda: given(pa.null(), [None], [None])
    for kind in (pa.string(), pa.large_string()):
        yield f"wrong bytes of {kind}", lambda kind=kind: of_bytes(kind)  # type: ignore[misc]
        yield (
            str(kind),
            lambda kind=kind: given(  # type: ignore[misc]
                kind, ["a", None], ["é" * 70_000, "\x00\U0010ffff"]
            ),
        )
    yield "string_view", lambda: given(pa.string_view(), ["a", None], ["\x00" * 70_000, "9" * 400])
    for kind in (pa.binary(), pa.large_binary(), pa.binary(2)):
        yield str(kind), lambda kind=kind: given(kind, [b"ab", None], [b"\xff\x00", b"\x80\x80"])  # type: ignore[misc]
    months = pa.month_day_nano_interval()
    yield (
        "interval",
        lambda: given(months, [(0, 1, 0), None], [(2**31 - 1, -(2**31), 2**63 - 1), (0, 0, -(2**63))]),
    )


COLUMNS = dict(columns())

PANDAS: dict[str, tuple[list[Any] | Any, list[Any] | Any]] = {
    "period": (
        pd.period_range("2020", periods=2, freq="D"),
        pd.PeriodIndex([pd.NaT, pd.Period("9999-12-31", "D")]),
    ),
    "interval of pandas": (
        pd.arrays.IntervalArray.from_breaks([0, 1, 2]),
        pd.arrays.IntervalArray.from_breaks([-np.inf, 0, np.inf]),
    ),
    "sparse": (pd.arrays.SparseArray([0.0, 1.0]), pd.arrays.SparseArray([np.nan, np.inf], fill_value=0.0)),
    "categorical": (pd.Categorical(["a", "b"]), pd.Categorical([None, "a"], categories=["a", "b"])),
    "categorical of numbers": (pd.Categorical([1, 2]), pd.Categorical([None, 1], categories=[1, 2])),
    "categorical of times": (
        pd.Categorical(pd.to_datetime(["2020-01-01", "2021-01-01"])),
        pd.Categorical(
            pd.to_datetime([None, "2020-01-01"]), categories=pd.to_datetime(["2020-01-01", "2021-01-01"])
        ),
    ),
    "Int64": (pd.array([1, 2], "Int64"), pd.array([2**63 - 1, None], "Int64")),
    "UInt64": (pd.array([1, 2], "UInt64"), pd.array([2**64 - 1, None], "UInt64")),
    "Float64": (pd.array([1.0, 2.0], "Float64"), pd.array([np.inf, None], "Float64")),
    "boolean": (pd.array([True, False], "boolean"), pd.array([None, True], "boolean")),
    "string": (pd.array(["a", "b"], "string"), pd.array([None, "\ud7ff\x00"], "string")),
    "complex": (np.array([1j, 2]), np.array([complex("nan"), complex("inf+infj")])),
    "datetime64[s]": (np.array([0, 1], "M8[s]"), np.array([2**62, -(2**62)], "M8[s]")),
    "timedelta64[s]": (np.array([0, 1], "m8[s]"), np.array([2**62, -(2**62)], "m8[s]")),
    "timedelta64[ms]": (np.array([0, 1], "m8[ms]"), np.array([2**62, -(2**62)], "m8[ms]")),
    "object": ([1, "a"], [object(), 10**400]),
    "objects of times": (
        [date(2020, 1, 1), datetime(2020, 1, 1)],
        [date.max, datetime.max.replace(tzinfo=UTC)],
    ),
}

DAY = date(2020, 1, 1), date(2030, 1, 1)
MOMENT = datetime(2020, 1, 1), datetime(2030, 1, 1)
ZONED = MOMENT[0].replace(tzinfo=UTC), MOMENT[1].replace(tzinfo=UTC)
BOUNDS: dict[str, tuple[Any, Any]] = {
    "numbers": (0, 10),
    "dates": DAY,
    "datetimes": MOMENT,
    "zoned": ZONED,
    "times": (time(1), time(2)),
    "durations": (timedelta(0), timedelta(9)),
}
KEYS: list[list[Any]] = [[0, 1], ["a", "b"], [0.5], [True], list(DAY), list(MOMENT), list(ZONED)]
CONDITIONS = [
    "t is missing",
    "t >= 1",
    "t in ('a', 'b')",
    "t = true",
    "t > '2020-01-01'",
    "t > '2020-01-01T00:00+00:00'",
    "t > '09:30'",
]


Questions = Iterator[tuple[str, Callable[[Callable[..., Dataset]], Any]]]


def questions() -> Questions:
    """Questions about a hostile column ``t`` and beside it, of a Dataset that is made with keywords."""
    beside = {"bounds": (0, 10), "epsilon": 1}
    yield "count", lambda made: made().count(epsilon=1)
    yield "count of another", lambda made: made().count("x", epsilon=1)
    yield "median of another", lambda made: made().median("x", **beside)
    yield "quantiles of another", lambda made: made().quantiles("x", [0.5], **beside)
    yield "count of it", lambda made: made().count("t", epsilon=1)
    yield "sum", lambda made: made().sum("t", **beside)
    for name, bounds in BOUNDS.items():
        yield f"median as {name}", lambda made, bounds=bounds: made().median("t", bounds=bounds, epsilon=1)  # type: ignore[misc]
    yield "private bounds", lambda made: made().mean("t", bounds="private", epsilon=1)
    yield "mad", lambda made: made().mad("t", **beside)
    yield "pearson", lambda made: made().pearson("t", "x", **beside)
    yield "spearman", lambda made: made().spearman("t", "x", epsilon=1)
    yield "theil_sen", lambda made: made().theil_sen("x", "t", **beside)
    for keys in KEYS:
        yield (
            f"groups of {keys}",
            lambda made, keys=keys: made().group_by("t", keys=keys).median("x", **beside),
        )  # type: ignore[misc]
        yield (
            f"fetched groups of {keys}",
            lambda made, keys=keys: made().group_by("t", keys=keys).mad("x", **beside),
        )  # type: ignore[misc]
    for names in (["a", "b"], [0, 1]):
        yield f"histogram of {names}", lambda made, names=names: made().histogram("t", names, epsilon=1)  # type: ignore[misc]
        yield f"most common of {names}", lambda made, names=names: made().most_common("t", names, epsilon=1)  # type: ignore[misc]
        yield (
            f"proportion of {names}",
            lambda made, names=names: made().proportion("t", category=names[0], epsilon=1),
        )  # type: ignore[misc]
        yield (
            f"graph of {names}",
            lambda made, names=names: made().triangles(["t", "t"], nodes=[*names, 2], epsilon=1),
        )  # type: ignore[misc]
    yield "fetched groups", lambda made: made().group_by("t", keys=[0, 1]).mad("x", **beside)
    yield "found groups", lambda made: made(unit="x").group_by("t", epsilon=1, delta=0.01)
    yield "groups of people", lambda made: made(unit="t").group_by("x", keys=[1.0]).count(epsilon=1)
    yield "people", lambda made: made(unit="t").count(epsilon=1)
    yield "people beside", lambda made: made(unit="t").median("x", **beside)
    yield "people fetched", lambda made: made(unit="t").quantiles("x", [0.5], **beside)
    for condition in CONDITIONS:
        yield f"where {condition}", lambda made, condition=condition: made().where(condition).count(epsilon=1)  # type: ignore[misc]


def check_alike(asked: Questions, *opened: Callable[..., Dataset]) -> None:
    """Questions of Datasets of one type have one outcome, and a failure costs nothing."""
    answered = 0
    for name, put in asked:
        outcomes = []
        for each in opened:
            purse = Purse()

            def made(each: Callable[..., Dataset] = each, purse: Purse = purse, **held: Any) -> Dataset:
                return each(**held, ledger=purse)

            try:
                put(made)
                outcomes.append(("answered", purse.paid))
            except NoisewiseError as error:
                assert purse.paid == 0, (name, error)
                outcomes.append((str(error), 0))
        assert len(set(outcomes)) == 1, (name, outcomes)
        answered += outcomes[0][0] == "answered"
    assert answered > 1
