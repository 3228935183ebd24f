"""Bad input, row by row of the table in docs/concepts/bad-input.md.

A wrong parameter or declared type raises an error before the debit, and its text does not depend on records. A bad
record raises no error. A failure after the debit leaves no value and no trace of the data.
"""

import gzip
import math
import re
import sys
import traceback
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noisewise as nws
from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError, ReleaseFailed, SchemaError
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.questions.question import NOTE_ON_LISTS
from noisewise.questions.request import Request
from noisewise.statistics import Quantile
from noisewise.tables.columns.array_column import ArrayColumn, Declared

ASKED = {"bounds": (0, 100), "epsilon": 1}
LONG = 10**5000
SECRET = 41.625


class Ledger:
    def __init__(self):
        self.debits = []

    def debit(self, loss, **_public):
        self.debits.append(loss)
        return "paid"


DATASETS = [
    [],
    [SECRET] * 5,
    [None, "text", 10**400, math.nan],
    np.array([1.0, math.nan, -math.inf]),
    np.arange(1000),
    ("a", 3, None),
    pd.Series([3, None], dtype="Int64"),
    pl.Series([1, None, 3]),
    pa.array([None, 2.5]),
]


PAGE = Path(__file__).parents[1] / "docs/concepts/bad-input.md"
MISTAKES = re.findall(r"^\| `(nws\..*)` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.fixture(scope="module")
def mistaken(tmp_path_factory):
    """The frames and files that the mistakes of the page are about."""
    folder, rows = tmp_path_factory.mktemp("files"), "age,sex\n34,male\n51,female\n"
    content = {
        "ages.csv": rows.encode(),
        "semicolons.csv": rows.replace(",", ";").encode(),
        "no-header.csv": rows.partition("\n")[2].encode(),
        "latin-1.csv": rows.replace("sex", "größe").encode("latin-1"),
        "ages.csv.bz2": b"BZh9",
        "broken-off.csv.gz": gzip.compress((rows * 9999).encode())[:-9],
        "ages.xlsx": b"PK",
    }
    for name, each in content.items():
        (folder / name).write_bytes(each)
    columns = {"age": ["34", "51"], "day": ["2024-05-01", "2024-05-02"], "sex": ["male", "female"]}
    texts = pl.DataFrame(columns)
    frames = {"texts": texts, "lazy": texts.lazy(), "relation": duckdb.from_arrow(texts.to_arrow())}
    frames["objects"] = pd.DataFrame(
        {name: pd.Series(column, dtype=object) for name, column in columns.items()}
    )
    return folder, {"nws": nws, "np": np, "date": date, "ages": [34, 51], **frames}


@pytest.mark.parametrize(("written", "said"), MISTAKES, ids=range(len(MISTAKES)))
def test_every_mistake_of_the_page_is_told_as_it_says(mistaken, monkeypatch, written, said):
    folder, names = mistaken
    monkeypatch.chdir(folder)
    with pytest.raises(NoisewiseError) as caught:
        eval(written, names)
    assert str(caught.value) == said
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


def test_the_page_has_its_mistakes():
    assert len(MISTAKES) >= 27


def refusals(call):
    """The error of each dataset for the same wrong parameter, and what was paid."""
    ledger = Ledger()
    for data in DATASETS:
        with pytest.raises(NoisewiseError) as caught:
            call(data, ledger)
        yield caught.value
    assert ledger.debits == []


def well_raised(error, kind, name):
    assert type(error) is kind
    assert error.__cause__ is None and error.__context__ is None and error.__suppress_context__
    rule, _, value = str(error).partition(", got ")
    assert rule.startswith(f"{name} must ")
    assert value


EPSILONS = [(bad, ParameterTypeError) for bad in ("1e3", True, np.True_, 1j, [1], np.array([1.0]), (1,), {})]
EPSILONS += [
    (bad, ParameterError) for bad in (0, -1, -0.0, math.nan, math.inf, -math.inf, 64.001, 65, 10**400, LONG)
]
EPSILONS += [
    (bad, ParameterError)
    for bad in (Decimal("sNaN"), Decimal("NaN"), Decimal("1e999999999"), Fraction(-1, LONG))
]
EPSILONS += [(np.timedelta64(1, "D"), ParameterTypeError), (np.float32("nan"), ParameterError)]


@pytest.mark.parametrize(("epsilon", "kind"), EPSILONS, ids=range(len(EPSILONS)))
def test_epsilon(epsilon, kind):
    errors = list(
        refusals(lambda data, ledger: nws.median(data, bounds=(0, 1), epsilon=epsilon, ledger=ledger))
    )
    assert len({str(error) for error in errors}) == 1
    for error in errors:
        well_raised(error, kind, "epsilon")


def test_a_price_as_text():
    for text, number in (("1/3", Fraction(1, 3)), (" 0.5", Fraction(1, 2)), ("2", 2)):
        assert nws.median([1], bounds=(0, 1), epsilon=text).privacy == nws.PureDP(number)
        assert nws.median([1], bounds=(0, 1), rho=text).privacy == nws.ZCDP(number)
    for text in ("0", "65", "1/0", "", "nan", "1e3", "x"):
        with pytest.raises(NoisewiseError, match=r"^epsilon must "):
            nws.median([1], bounds=(0, 1), epsilon=text)


@pytest.mark.parametrize(("rho", "kind"), EPSILONS, ids=range(len(EPSILONS)))
def test_rho(rho, kind):
    errors = list(refusals(lambda data, ledger: nws.median(data, bounds=(0, 1), rho=rho, ledger=ledger)))
    assert len({str(error) for error in errors}) == 1
    for error in errors:
        well_raised(error, kind, "rho")


@pytest.mark.parametrize("prices", [{}, {"epsilon": None, "rho": None}, {"epsilon": 1, "rho": 1}])
def test_one_price(prices):
    errors = list(refusals(lambda data, ledger: nws.median(data, bounds=(0, 1), ledger=ledger, **prices)))
    assert len({str(error) for error in errors}) == 1
    for error in errors:
        well_raised(error, ParameterError, "epsilon or rho")


BOUNDS = [
    (bad, ParameterTypeError, "bounds") for bad in (None, 5, "01", (1,), (1, 2, 3), [], {0, 1}, np.array(1))
]
BOUNDS += [((bad, 5), ParameterTypeError, "the lower bound") for bad in (None, "0", False, 1j, [0])]
BOUNDS += [
    ((0, bad), ParameterTypeError, "the upper bound") for bad in (None, "9", True, np.timedelta64(9, "D"))
]
BOUNDS += [
    ((bad, 5), ParameterError, "the lower bound") for bad in (math.nan, -math.inf, Decimal("sNaN"), -LONG)
]
BOUNDS += [
    ((0, bad), ParameterError, "the upper bound") for bad in (math.nan, math.inf, Decimal("Infinity"), LONG)
]
BOUNDS += [
    (bad, ParameterError, "bounds")
    for bad in ((5, 0), (5, 5), (0.0, -0.0), (-1.7e308, 1.7e308), (0, 10**400))
]
BOUNDS += [(bad, ParameterError, "bounds") for bad in ((10**400, 0), (10**20, 10**20 + 1), (0, 5e-324))]


@pytest.mark.parametrize(("bounds", "kind", "name"), BOUNDS, ids=range(len(BOUNDS)))
def test_bounds(bounds, kind, name):
    errors = list(refusals(lambda data, ledger: nws.median(data, bounds=bounds, epsilon=1, ledger=ledger)))
    assert len({str(error) for error in errors}) == 1
    for error in errors:
        well_raised(error, kind, name)


PARAMETERS = [
    ({"granularity": bad}, ParameterError, "granularity") for bad in (0, -1, 51, 1e-300, math.nan, math.inf)
]
PARAMETERS += [
    ({"granularity": bad}, ParameterError, "granularity")
    for bad in (LONG, Fraction(1, LONG), Decimal("sNaN"))
]
PARAMETERS += [
    ({"granularity": bad}, ParameterTypeError, "granularity") for bad in ("1e3", True, [1], np.array([1]))
]
PARAMETERS += [
    ({"neighbors": bad}, ParameterError, "neighbors") for bad in ("SWAP", "", None, 1, np.array(["swap"] * 2))
]
PARAMETERS += [
    ({"contributions": bad}, ParameterError, "contributions") for bad in (0, -1, 2**63, LONG, -LONG)
]
PARAMETERS += [
    ({"contributions": bad}, ParameterTypeError, "contributions") for bad in (1.0, True, None, "1")
]
PARAMETERS += [({"contributions": 2, "neighbors": "swap"}, ParameterError, "contributions")]
PARAMETERS += [({"mechanism": bad}, ParameterError, "mechanism") for bad in ("", "gauss", "AUTO")]
PARAMETERS += [
    ({"mechanism": bad}, ParameterTypeError, "mechanism") for bad in (None, 1, object(), nws.PiecewiseLaplace)
]
PARAMETERS += [({"mechanism": nws.PiecewiseLaplace(epsilon=2)}, ParameterError, "epsilon")]


@pytest.mark.parametrize(("asked", "kind", "name"), PARAMETERS, ids=range(len(PARAMETERS)))
def test_other_parameters(asked, kind, name):
    errors = list(refusals(lambda data, ledger: nws.median(data, **ASKED, **asked, ledger=ledger)))
    assert len({str(error) for error in errors}) == 1
    for error in errors:
        well_raised(error, kind, name)


@pytest.mark.parametrize(
    "asked", [{"granularity": 51}, {"bounds": (0, 1e-320)}, {"contributions": 2, "neighbors": "swap"}]
)
def test_an_error_says_the_fix(asked):
    with pytest.raises(ParameterError, match=r"at most half the range|widen them|use neighbors="):
        nws.median([1], **{**ASKED, **asked})


SCHEMAS = [
    (np.array(["x"]), np.array(["a longer secret"]), "array of type str_"),
    (np.array([1j]), np.array([2j, 3]), "array of type complex128"),
    (np.array(["2020"], "M8[s]"), np.array(["2021", "NaT"], "M8[s]"), "array of type datetime64"),
    (np.zeros((2, 2)), np.full((1, 9), SECRET), "array of 2 dimensions"),
    (np.array(1), np.array(SECRET), "array of 0 dimensions"),
    (pd.Series(["x"], dtype="string"), pd.Series(["secret", None], dtype="string"), "series of type String"),
    (pd.Series(pd.to_datetime(["2020"])), pd.Series(pd.to_datetime(["2021"])), "series of type Datetime"),
    (
        pl.Series(["x"], dtype=pl.Enum(["x"])),
        pl.Series(["y"], dtype=pl.Enum(["y", "z"])),
        "series of type Enum",
    ),
    (pa.array(["x"]), pa.array(["secret", None]), "series of type String"),
    (pl.DataFrame({"a": [1]}), pl.DataFrame({"a": [SECRET, 2]}), "DataFrame"),
    ("41.625", "x", "builtins.str"),
    (None, None, "builtins.NoneType"),
    ({1: 2}, {}, "builtins.dict"),
    (SECRET, 5.0, "builtins.float"),
]


@pytest.mark.parametrize(("one", "other", "named"), SCHEMAS, ids=range(len(SCHEMAS)))
def test_schema(one, other, named):
    ledger, texts = Ledger(), []
    for data in (one, other):
        with pytest.raises(SchemaError) as caught:
            nws.median(data, **ASKED, ledger=ledger)
        well_raised(caught.value, SchemaError, "data")
        texts.append(str(caught.value))
    assert texts[0] == texts[1]
    assert texts[0].partition(";")[0].endswith(named)
    assert str(SECRET) not in texts[0] and "secret" not in texts[0]
    assert ledger.debits == []


def test_an_error_is_no_different_inside_another():
    try:
        raise KeyError(SECRET)
    except KeyError:
        with pytest.raises(ParameterError) as caught:
            nws.median([SECRET], bounds=(0, 1), epsilon=0)
    assert caught.value.__suppress_context__
    assert str(SECRET) not in "".join(traceback.format_exception(caught.value))


# Records: released normally, whatever they are

RECORDS = {
    "empty": [],
    "one": [5],
    "ties": [5] * 50,
    "out of bounds": [-1e9, 1e9, 10**400, -(10**400)],
    "infinite": [math.inf, -math.inf, Decimal("Infinity")],
    "missing": [math.nan, None, pd.NA, pd.NaT, np.ma.masked, Decimal("sNaN")],
    "text": ["5", "abc", b"5"],
    "negative zero and subnormals": [-0.0, 5e-324, -5e-324],
    "above 2**53": [2**53 + 1, 2**63, 2**64],
    "objects": [1, Fraction(1, 3), Decimal("0.1"), True, None, object()],
    "uint64": np.array([2**64 - 1, 0], np.uint64),
    "big-endian": np.array([1, 2], ">f8"),
    "strided": np.arange(10)[::3],
    "masked": np.ma.array([1, 2, 3], mask=[True, False, True]),
    "float16": np.array([65504, np.inf, np.nan], np.float16),
    "longdouble": np.array(["1e4000", "nan", "-1e4000"], np.longdouble),
    "pandas NA": pd.Series([1, None], dtype="Int64"),
    "arrow null": pa.array([1, None]),
    "polars null": pl.Series([1.5, None, math.nan]),
}


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("mechanism", ["piecewise_laplace", "inverse_sensitivity", "laplace"])
@pytest.mark.parametrize("name", RECORDS)
def test_records_are_released_without_a_sound(name, neighbors, mechanism, capfd):
    ledger = Ledger()
    with np.errstate(all="raise"):
        released = nws.median(RECORDS[name], **ASKED, neighbors=neighbors, mechanism=mechanism, ledger=ledger)
    assert type(released.value) is int and 0 <= released.value <= 100
    assert len(ledger.debits) == 1
    assert capfd.readouterr() == ("", "")


def test_the_receipt_of_bad_records_is_that_of_good_ones():
    """The receipt of a list says that it declares no type, whatever it holds. Everything else is the same."""
    receipts = {}
    for data in RECORDS.values():
        record = nws.median(data, **ASKED).to_dict()
        assert record.pop("value") in range(101) and record.pop("time")
        receipts.setdefault(isinstance(data, list), []).append(record)
    assert all(record == receipts[True][0] for record in receipts[True])
    assert all(
        record | {"notes": [*record["notes"], NOTE_ON_LISTS]} == receipts[True][0]
        for record in receipts[False]
    )


# After the debit: no value, no data, no refund


class Panic(BaseException):
    """An exception like those that engines of data frames raise."""


PLACES = [
    (Request, "look"),
    (Request, "draw"),
    (Declared, "read"),
    (ArrayColumn, "ranks"),
    (Quantile, "score"),
    (BalanceLaw, "draw_each"),
    "noisewise.kernel.sampling.bits.os.urandom",
    "noisewise.tables.columns.array_column.numbers_of",
]
FAILURES = [
    MemoryError,
    OSError,
    RuntimeError,
    ValueError,
    RecursionError,
    FloatingPointError,
    AssertionError,
    Panic,
]
FAILURES += [ParameterError, GeneratorExit, StopIteration, Warning]


def break_at(monkeypatch, place, failure):
    """Let a step fail with an error and a cause that both name data."""

    def fail(*_args, **_kwargs):
        try:
            raise KeyError(f"record {SECRET}")
        except KeyError as cause:
            raise failure from cause

    monkeypatch.setattr(place, fail) if isinstance(place, str) else monkeypatch.setattr(*place, fail)


@pytest.mark.parametrize("place", PLACES, ids=range(len(PLACES)))
@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_after_the_debit_tells_nothing(place, failure, monkeypatch):
    ledger = Ledger()
    break_at(monkeypatch, place, failure(f"record {SECRET} was at place 3"))
    with pytest.raises(ReleaseFailed) as caught:
        nws.median([SECRET, 2.0], **ASKED, ledger=ledger)
    error = caught.value
    assert str(error) == "the release failed after it was paid for: no value was drawn and the debit stands"
    assert error.__cause__ is None and error.__context__ is None
    assert str(SECRET) not in "".join(traceback.format_exception(error))
    assert len(ledger.debits) == 1


@pytest.mark.parametrize("place", PLACES, ids=range(len(PLACES)))
def test_a_stop_after_the_debit_stops_and_tells_nothing(place, monkeypatch):
    for stop, args in ((KeyboardInterrupt(f"record {SECRET}"), ()), (SystemExit(f"record {SECRET}"), (1,))):
        ledger = Ledger()
        with monkeypatch.context() as patch:
            break_at(patch, place, stop)
            with pytest.raises(type(stop)) as caught:
                nws.median([SECRET, 2.0], **ASKED, ledger=ledger)
        assert caught.value.args == args
        assert caught.value.__cause__ is None and caught.value.__context__ is None
        assert str(SECRET) not in "".join(traceback.format_exception(caught.value))
        assert len(ledger.debits) == 1


def test_nothing_of_the_failure_stays_behind(monkeypatch):
    break_at(monkeypatch, (Request, "look"), RuntimeError(f"record {SECRET}"))
    with pytest.raises(ReleaseFailed):
        nws.median([SECRET], **ASKED)
    assert sys.exc_info() == (None, None, None)


def test_the_release_after_a_failure_is_whole(monkeypatch):
    ledger = Ledger()
    with monkeypatch.context() as patch:
        break_at(patch, (Request, "draw"), MemoryError())
        with pytest.raises(ReleaseFailed):
            nws.median([1, 2], **ASKED, ledger=ledger)
    assert nws.median([1, 2], **ASKED, ledger=ledger).receipt == "paid"
    assert len(ledger.debits) == 2


def test_a_refusal_of_the_ledger_is_passed_on():
    class Spent(Ledger):
        def debit(self, loss, **_public):
            raise PermissionError("the budget is spent")

    with pytest.raises(PermissionError, match="the budget is spent"):
        nws.median([SECRET], **ASKED, ledger=Spent())
