"""Order statistics are those of sorting, whatever the dtype, layout, order, ties and the path taken."""

import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noisewise.tables.columns import selection
from noisewise.tables.columns.parallel import from_both_ends
from noisewise.tables.columns.selection import count_present, select

DTYPES = [*"?bBhHiIqQefdg", ">i2", ">u8", ">f2", ">f4", ">f8"]
HONEST = ["random", "sorted", "reversed", "organ-pipe", "constant", "two-values", "mostly-one"]
ORDERS = [*HONEST, "periodic", "extreme", "unsampled"]
TINY = {"ORDERED_OUTRIGHT": 10, "SAMPLE": 0.5, "SPREAD": 1.5, "BLOCK": 64, "STEP": 4, "THREADED": 10**9}


@contextmanager
def constants(**overrides: float) -> Iterator[None]:
    with mock.patch.multiple(selection, **(TINY | overrides)):
        yield


@contextmanager
def watched(name: str) -> Iterator[mock.Mock]:
    with mock.patch.object(selection, name, wraps=getattr(selection, name)) as watch:
        yield watch


def sampled_positions(n: int) -> np.ndarray:
    """Where the sampled bracket looks in a column of n records, as an adversary would find out."""
    read = []
    copied = selection._Records.copied

    def listen(self, where):
        read.append(where)
        return copied(self, where)

    with mock.patch.object(selection._Records, "copied", listen):
        selection._sampled_bracket(selection._Records(np.zeros(n), None), 0, 1, n)
    return np.concatenate(read)


def unsampled(ordered: np.ndarray) -> np.ndarray:
    """The same records with the largest in every place the sample looks at."""
    look = np.zeros(ordered.size, bool)
    look[sampled_positions(ordered.size)] = True
    values = np.empty_like(ordered)
    values[look] = ordered[ordered.size - look.sum() :]
    values[~look] = ordered[: ordered.size - look.sum()]
    return values


def column(dtype: str, order: str, n: int) -> np.ndarray:
    rng = np.random.default_rng(7)
    kind = np.dtype(dtype)
    info = np.iinfo(kind) if kind.kind in "iu" else None
    if kind.kind == "b":
        values = rng.random(n) < 0.4
    elif info:
        values = rng.integers(info.min, info.max, n, kind.newbyteorder("="), endpoint=True).astype(kind)
    else:
        values = rng.normal(size=n).astype(kind)
    ordered = np.sort(values)
    match order:
        case "sorted":
            return ordered
        case "reversed":
            return ordered[::-1].copy()
        case "organ-pipe":
            return np.concatenate((ordered[::2], ordered[1::2][::-1]))
        case "constant":
            return np.full(n, ordered[n // 2], kind)
        case "two-values":
            return np.where(rng.random(n) < 0.5, ordered[n // 4], ordered[-1]).astype(kind)
        case "mostly-one":
            return np.where(rng.random(n) < 0.9, ordered[n // 2], values).astype(kind)
        case "periodic":
            return np.resize(ordered[:: n // 12], n).astype(kind)
        case "extreme":
            ends = (-np.inf, np.inf) if kind.kind == "f" else (info.min, info.max) if info else (False, True)
            return np.where(rng.random(n) < 0.3, rng.choice(np.array(ends, kind), n), values).astype(kind)
        case "unsampled":
            return unsampled(ordered)
    return values


def windows(count: int) -> list[tuple[int, int]]:
    middle = count // 2
    narrow = [
        (1, 2),
        (1, 9),
        (middle, middle + 1),
        (max(middle - 20, 1), middle + 21),
        (count, count + 1),
        (count - 8, count + 1),
    ]
    empty = [(1, 1), (middle, middle), (count + 1, count + 1)]
    wide = [(1, count + 1), (2, count), (count // 3, 2 * count // 3), (1, middle)]
    return narrow + empty + wide


def sorting(values: np.ndarray, missing: np.ndarray | None = None) -> np.ndarray:
    """Stable, because NumPy's default sort of float16 goes wrong where ties are heavy and AVX-512 is used."""
    present = values.astype(values.dtype.newbyteorder("="))
    present = present if missing is None else present[~missing]
    return np.sort(present[present == present], kind="stable")


def assert_selects_like_sorting(
    values: np.ndarray,
    missing: np.ndarray | None = None,
    ranks: list[tuple[int, int]] | None = None,
    *,
    aided: bool = True,
) -> None:
    """Every window is what sorting puts there, and the column is as it was; ``aided`` by the ends of blocks."""
    before, ordered = values.tobytes(), sorting(values, missing)
    count, ends = count_present(values, missing)
    assert count == ordered.size
    assert type(count) is int
    for start, stop in windows(count) if ranks is None else ranks:
        chosen = select(values, start, stop, count=count, missing=missing, ends=ends if aided else ())
        np.testing.assert_array_equal(chosen, ordered[start - 1 : stop - 1], strict=True)
        assert chosen.dtype.isnative
        assert chosen.base is None or not np.shares_memory(chosen, values)
    assert values.tobytes() == before


# Every dtype, order and window


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_bracketing_is_sorting(dtype, order):
    with constants():
        assert_selects_like_sorting(column(dtype, order, 1500))
        assert_selects_like_sorting(column(dtype, order, 1500), aided=False)


@pytest.mark.parametrize("dtype", DTYPES)
def test_ordering_outright_is_sorting(dtype):
    assert_selects_like_sorting(column(dtype, "random", 300))


@pytest.mark.parametrize("n", [3000, 30_000])
@pytest.mark.parametrize("spread", [0.6, 2, 20])
def test_tied_halves(n, spread):
    values = np.round(np.random.default_rng(5).normal(scale=spread, size=n)).astype(np.float16)
    assert_selects_like_sorting(
        values, None, [(1, n + 1), (n // 4, n // 4 + 300), (n // 2 - n // 20, n // 2 + n // 20)]
    )


@pytest.mark.parametrize("order", ORDERS)
def test_as_configured(order):
    assert_selects_like_sorting(column("f8", order, 70_000))


@pytest.mark.parametrize("dtype", ["i2", "u8", "f2", "f8", ">f4", "g"])
def test_missing_records_are_absent(dtype):
    values = column(dtype, "random", 3000)
    missing = np.random.default_rng(1).random(3000) < 0.4
    values[::7] = np.nan if values.dtype.kind == "f" else 0
    assert_selects_like_sorting(values, missing)
    assert_selects_like_sorting(values, missing[::-1])
    with constants():
        assert_selects_like_sorting(values, missing)
        assert_selects_like_sorting(values, missing[::-1])


numbers = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan]),
    st.floats(width=32),
)


@settings(deadline=None)
@given(st.data(), st.lists(numbers, max_size=300), st.integers(1, 4))
def test_any_column_and_window(data, numbers, repeats):
    values = np.array(numbers * repeats, np.float64)
    flags = st.lists(st.booleans(), min_size=values.size, max_size=values.size)
    missing = data.draw(st.none() | flags.map(lambda marks: np.array(marks, bool)))
    count = sorting(values, missing).size
    start = data.draw(st.integers(1, count + 1))
    stop = data.draw(st.integers(start, count + 1))
    chosen = {
        "BLOCK": data.draw(st.sampled_from([1, 3, 16, 1000])),
        "ROOM": data.draw(st.sampled_from([1, 8, 1000])),
        "SAMPLE": data.draw(st.sampled_from([0.3, 1.5])),
        "SPREAD": data.draw(st.sampled_from([0.0, 1.0, 4.0])),
        "STEP": data.draw(st.sampled_from([1, 3, 16])),
        "WIDE": data.draw(st.sampled_from([1, 8])),
    }
    with constants(**chosen):
        assert_selects_like_sorting(values, missing, [(start, stop)])


# Layouts, and records that are not numbers


@pytest.mark.parametrize("layout", ["read-only", "strided", "backwards", "field", "unaligned"])
def test_any_layout(layout):
    values = column("f8", "random", 2000)
    if layout == "read-only":
        values.flags.writeable = False
    elif layout == "strided":
        values = np.repeat(values, 3)[1::3]
    elif layout == "backwards":
        values = values[::-1]
    elif layout == "field":
        table = np.zeros(2000, [("a", "i1"), ("b", ">f8")])
        table["b"] = values
        values = table["b"]
    else:
        raw = np.zeros(2000 * 8 + 1, np.uint8)
        raw[1:] = values.view(np.uint8)
        values = raw[1:].view(np.float64)
    assert_selects_like_sorting(values)
    with constants():
        assert_selects_like_sorting(values)


@pytest.mark.parametrize("bits", ["u2", "u4", "u8"])
def test_signalling_nans_pass_in_silence(bits):
    width = np.dtype(bits).itemsize * 8
    exponent = {16: 0x7C00, 32: 0x7F800000, 64: 0x7FF0000000000000}[width]
    values = np.arange(1000).astype(f"f{width // 8}")
    values.view(bits)[::3] = exponent + 1
    with constants():
        assert_selects_like_sorting(values)
    with constants(THREADED=0), mock.patch.object(selection, "_cores", lambda: 2):
        assert_selects_like_sorting(values)


@pytest.mark.parametrize("n", [0, 1, 500])
def test_nobody_is_present(n):
    nans, everyone = np.full(n, np.nan), np.ones(n, bool)
    with constants(ORDERED_OUTRIGHT=0):
        assert_selects_like_sorting(nans, None, [(1, 1)])
        assert_selects_like_sorting(np.zeros(n, np.int64), everyone, [(1, 1)])


@pytest.mark.parametrize("where", [slice(0, 40), slice(-40, None), slice(None, None, 25)])
def test_few_are_present(where):
    values, missing = np.full(1000, np.nan), np.ones(1000, bool)
    values[where] = np.arange(40)
    missing[where] = False
    with constants():
        assert_selects_like_sorting(values)
        assert_selects_like_sorting(np.nan_to_num(values), missing)


def test_nothing_is_read_in_vain():
    integers, floats = np.broadcast_to(np.int8(1), 10**15), np.broadcast_to(1.5, 10**15)
    assert count_present(integers).records == 10**15
    assert select(floats, 7, 7, count=10**15).size == 0


# Paths


@pytest.mark.parametrize("order", HONEST)
def test_the_sample_suffices_for_honest_orders(order):
    values = column("f8", order, 200_000)
    with watched("_certain_bracket") as certain, watched("_sampled_bracket") as sampled:
        assert_selects_like_sorting(
            values, None, [(1, 300), (50_000, 50_400), (99_800, 100_200), (196_000, 196_400)]
        )
    assert sampled.call_count == 4
    assert certain.call_count == 0


@pytest.mark.parametrize("n", [1000, 20_001, 123_457, 1_000_000])
def test_the_sample_is_spread_over_the_column(n):
    positions = sampled_positions(n)
    stride = n / positions.size
    assert 0 <= positions[0] < stride
    assert n - stride <= positions[-1] < n
    assert np.diff(positions).max() <= 2 * stride


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_the_sample_does_not_fall_into_step(shift):
    n = 200_000
    stride = n // sampled_positions(n).size
    values = (np.arange(n) % (stride + shift)).astype(np.float64) + np.arange(n) / n
    with watched("_certain_bracket") as certain:
        assert_selects_like_sorting(values, None, [(99_800, 100_200)])
    assert certain.call_count == 0


@pytest.mark.parametrize("sign", [1, -1])
def test_the_certain_bracket_holds_when_the_sample_is_deceived(sign):
    values = sign * unsampled(np.sort(column("f8", "random", 100_000)))
    with watched("_certain_bracket") as certain, watched("_window") as window:
        assert_selects_like_sorting(values, None, [(49_800, 50_200)])
    assert certain.call_count == 1
    assert window.call_count == 2


FOURS = np.repeat(np.arange(4.0), 500)  # positions 0, 500, 1000 and 1500 begin a new value


@pytest.mark.parametrize(
    ("first", "last", "low", "high", "held"),
    [
        (500, 1500, 1, 2, True),
        (499, 1500, 1, 2, False),
        (500, 1501, 1, 2, False),
        (500, 1000, 1, 1, True),
        (600, 700, 1, 1, True),
        (499, 1000, 1, 1, False),
        (500, 1001, 1, 1, False),
        (0, 2000, 0, 3, True),
        (0, 2000, -1, 4, True),
        (0, 1, 1, 3, False),
        (1999, 2000, 0, 2, False),
        (900, 1600, 0.5, 3, True),
        (900, 1600, 0, 2.5, False),
    ],
)
def test_a_bracket_holds_its_ends_and_what_is_between(first, last, low, high, held):
    window = selection._window(selection._Records(FOURS, None), first, last, 2000, (low, high))
    assert (window is not None) == held
    if held:
        np.testing.assert_array_equal(window, FOURS[first:last])


@pytest.mark.parametrize("dtype", DTYPES)
def test_beyond_the_sample_lies_the_range_of_the_dtype(dtype):
    sample = np.empty(0, np.dtype(dtype).newbyteorder("="))
    low, high = selection._ends(sample, -1, 0)
    assert low.dtype == high.dtype == sample.dtype
    whole = column(dtype, "extreme", 500)
    assert (low, high) == (whole.min(), whole.max())


def test_wide_windows_are_ordered_outright():
    values = column("f8", "random", 30_000)
    with watched("_sampled_bracket") as sampled:
        assert_selects_like_sorting(values, None, [(1, 30_001), (10_000, 20_000), (10_000, 13_751)])
        assert sampled.call_count == 0
        assert_selects_like_sorting(values, None, [(10_000, 13_750)])
    assert sampled.call_count == 1


def test_ties_with_the_ends_fill_the_window():
    with constants(), watched("_certain_bracket") as certain:
        assert_selects_like_sorting(
            FOURS, None, [(450, 551), (501, 502), (990, 1100), (1, 200), (1801, 2001)]
        )
    assert certain.call_count == 0


def test_a_bracket_holding_too_much_is_given_up():
    values = column("f8", "random", 4000)
    with constants(SPREAD=1000.0, ROOM=100), watched("_certain_bracket") as certain:
        assert_selects_like_sorting(values, None, [(2000, 2010)])
    assert certain.call_count == 1


def test_ordering_outright_is_the_last_resort():
    values = column("f8", "random", 4000)
    with constants(STEP=10**6, ROOM=100), watched("_window") as window, watched("_ordered") as ordered:
        assert_selects_like_sorting(values, None, [(2000, 2010)])
    assert window.call_count == 2
    assert [call.args[0].size for call in ordered.call_args_list] == [4000]


@settings(deadline=None)
@given(
    st.lists(st.integers(-20, 20).map(float) | st.just(np.nan), min_size=1, max_size=400),
    st.integers(0, 3),
    st.integers(1, 40),
    st.integers(1, 9),
    st.data(),
)
def test_the_certain_bracket_is_certain(numbers, masked, block, step, data):
    values, missing = np.array([0.0, *numbers]), np.arange(1 + len(numbers)) % 4 > 4 - masked
    ordered = sorting(values, missing)
    first = data.draw(st.integers(0, ordered.size - 1))
    last = data.draw(st.integers(first + 1, ordered.size))
    with constants(BLOCK=block, STEP=step):
        low, high = selection._certain_bracket(selection._Records(values, missing), first, last)
    assert low <= ordered[first]
    assert ordered[last - 1] <= high
    blocks = -(-values.size // block)
    assert np.count_nonzero((low < ordered) & (ordered < high)) < last - first + 2 * blocks * step


@pytest.mark.parametrize("dtype", ["f4", "f8", ">f8"])
@pytest.mark.parametrize("order", ["sorted", "reversed", "blocks"])
def test_few_blocks_bracket_a_column_that_is_sorted_without_a_sample(order, dtype):
    values = np.sort(np.random.default_rng(3).integers(-(10**6), 10**6, 2000)).astype(dtype)
    if order == "reversed":
        values = values[::-1].copy()
    if order == "blocks":
        values = values[:1984].reshape(-1, 64)[np.random.default_rng(4).permutation(31)].ravel()
    known = np.sort(values)
    with constants(), mock.patch.object(selection, "_sampled_bracket", side_effect=AssertionError):
        present = count_present(values)
        records = selection._Records(values, None, present.ends)
        for first in range(0, values.size - 30, 7):
            low, high = selection._bracket_of_ends(records, first, first + 30)
            assert low <= known[first] <= known[first + 29] <= high
            found = select(values, first + 1, first + 31, count=present.records, ends=present.ends)
            assert found.tolist() == known[first : first + 30].tolist()


@pytest.mark.parametrize("spoilt", ["random", "nan", "masked", "short"])
def test_else_a_sample_brackets(spoilt):
    values, mask = np.arange(2000.0), None
    if spoilt == "random":
        values = np.random.default_rng(3).permutation(values)
    if spoilt == "nan":
        values[1500] = np.nan
    if spoilt == "masked":
        mask = np.arange(2000) == 7
    if spoilt == "short":
        values = values[:900]
    with constants():
        records = selection._Records(values, mask, count_present(values, mask).ends)
        assert selection._bracket_of_ends(records, 300, 330) is None


# Threads and memory


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("order", ["random", "sorted", "mostly-one", "unsampled"])
def test_two_threads_if_there_are_two_cores(order, cores):
    values = column("f8", order, 30_001)
    values[::11] = np.nan
    missing = np.arange(values.size) % 5 == 0
    with (
        constants(THREADED=30_000, BLOCK=500),
        mock.patch.object(selection, "_cores", lambda: cores),
        mock.patch.object(selection, "from_both_ends", wraps=from_both_ends) as threads,
    ):
        assert_selects_like_sorting(values)
        assert_selects_like_sorting(values, missing)
    assert (threads.call_count > 0) == (cores == 2)


def test_cores_are_counted():
    assert selection._cores() >= 1
    with mock.patch.object(selection, "os", mock.Mock(spec=["cpu_count"], cpu_count=lambda: None)):
        assert selection._cores() == 1
    with mock.patch.object(selection, "os", mock.Mock(spec=["cpu_count"], cpu_count=lambda: 6)):
        assert selection._cores() == 6


@pytest.mark.parametrize("order", ["random", "sorted", "mostly-one", "constant", "unsampled"])
def test_memory_is_a_small_part_of_the_column(order):
    values = column("f8", order, 2_000_000)
    values[::1000] = np.nan
    tracemalloc.start()
    try:
        count, _ = count_present(values)
        chosen = select(values, count // 2 - 200, count // 2 + 200, count=count)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert chosen.size == 400
    assert values.nbytes // 1000 < peak < values.nbytes // 10


def test_memory_is_a_small_part_of_a_column_of_bytes():
    values = column("u1", "random", 10_000_000)
    tracemalloc.start()
    try:
        chosen = select(values, 5_000_000, 5_000_400, count=values.size)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert chosen.size == 400
    assert values.nbytes // 1000 < peak < values.nbytes // 10


@pytest.mark.parametrize("order", ["random", "sorted", "mostly-one", "two-values", "unsampled"])
@pytest.mark.parametrize("masked", [False, True])
def test_extremes_are_those_of_sorting(order, masked):
    values = column("f8", order, 60_001)
    values[::11] = np.nan
    missing = np.arange(values.size) % 5 == 0 if masked else None
    present = np.sort(values[~np.isnan(values) & (True if missing is None else ~missing)])
    for records in (0, 1, 100, 5_000, present.size):
        lowest, highest = selection.extremes(values, records, count=present.size, missing=missing)
        assert lowest.tolist() == present[:records].tolist()
        assert highest.tolist() == present[present.size - records :].tolist()


def test_extremes_take_one_pass_where_a_sample_tells_enough():
    values = column("f8", "random", 60_001)
    with mock.patch.object(selection, "select", side_effect=AssertionError):
        lowest, _ = selection.extremes(values, 100, count=values.size)
    assert lowest.tolist() == np.sort(values)[:100].tolist()
