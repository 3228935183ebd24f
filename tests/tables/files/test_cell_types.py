"""Types of cells: declared or implied by the question, never inferred; every map is total."""

from datetime import UTC, date, datetime, time, timedelta

import pytest

import noisewise as nws
from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from noisewise.tables.files.scan import scan

EXACT = {"epsilon": 64}
ROWS = "age,sex,flag,code,when,at\n" + "".join(
    f"{20 + row % 5},{'mf'[row % 2]},{('yes', 'no', 'TRUE', 'f')[row % 4]},{1 + row % 3},"
    f"2024-05-{1 + row % 3:02}T23:30:00-02:00,09:30\nx,?,maybe,,soon,late\n"
    for row in range(60)
)
DAYS = (date(2024, 1, 1), date(2025, 1, 1))
MOMENTS = (datetime(2024, 1, 1), datetime(2025, 1, 1))
IN_UTC = (datetime(2024, 1, 1, tzinfo=UTC), datetime(2025, 1, 1, tzinfo=UTC))


class Purse:
    """Counts debits."""

    def __init__(self):
        self.paid = 0

    def debit(self, loss, **keywords):
        self.paid += 1


@pytest.fixture
def path(tmp_path):
    (tmp_path / "x.csv").write_text(ROWS)
    return tmp_path / "x.csv"


def column(tmp_path, cells, **read):
    (tmp_path / "cells.csv").write_bytes(b"x;y\n" + b"".join(cell + b";1\n" for cell in cells))
    return nws.Dataset.scan(tmp_path / "cells.csv", separator=";", **read)


def numbers(data, **asked):
    """The records of a column as a law sees them."""
    table = data._table.with_truths(("x",)) if asked else data._table
    return table.columns(("x",), None)[0].numbers().tolist()


CELLS = [
    b"1",
    b"1.5",
    b"1,5",
    b" 2 ",
    b"1.234,5",
    b"1,234.5",
    b",5",
    b".5",
    b"5,",
    b"-3e2",
    b"inf",
    b"-1,5e1",
    b"nan",
    b"",
]
CELLS += [
    b"true",
    b"YES",
    b" f ",
    b"No",
    b"t",
    b"tru",
    b"not",
    b"0",
    b"1.0",
    b"ye\xc5\xbf",
    b"\xff",
    b"1\xff",
    b"2024-05-01",
]
POINT = [1, 1.5, None, 2, None, None, None, 0.5, None, -300, float("inf"), None, None, None]
COMMA = [1, None, 1.5, 2, None, None, 0.5, None, 5, -300, float("inf"), -15, None, None]
WORDS = [None] * 7 + [0, 1] + [None] * 4
TRUTHS = [1, 1, 0, 0, 1, None, None, 0, 1] + [None] * 4


def test_numbers_are_read_by_the_decimal_mark_and_words_where_truth_is_asked_for(tmp_path):
    for wanted, read, asked in (
        (POINT + WORDS, {}, {}),
        ([*COMMA, *WORDS[:8], None, *WORDS[9:]], {"decimal": ","}, {}),
        (POINT + TRUTHS, {}, {"truths": True}),
    ):
        found = numbers(column(tmp_path, CELLS, **read), **asked)
        assert [None if each != each else each for each in found] == wanted, (read, asked)


def test_declared_booleans_are_words_ones_and_zeros(tmp_path):
    data = column(tmp_path, CELLS, types={"x": "boolean"})
    wanted = [1, *[None] * 13, *TRUTHS]
    assert [None if each != each else each for each in numbers(data)] == wanted
    assert data.group_by("x", keys=[True, False]).count(**EXACT).value == (5, 3)


def test_the_question_implies_how_a_cell_is_read(path):
    data = nws.Dataset.scan(path)
    assert data.median("age", bounds=(0, 100), **EXACT).value == 22
    assert abs(data.proportion("flag", **EXACT).value - 0.5) < 0.05
    assert data.median("when", bounds=DAYS, **EXACT).value == date(2024, 5, 3)  # in UTC
    assert data.histogram("sex", ["m", "f"], **EXACT).value == (30, 30)
    assert data.group_by("code", keys=["1", "2"]).count(**EXACT).value == (20, 20)


def test_a_declared_type_is_the_type_of_keys_categories_and_bounds(path):
    types = {"age": int, "code": "number", "flag": bool, "when": "date", "sex": str}
    data = nws.Dataset.scan(path, types=types)
    assert data.most_common("code", [1, 2.0, 3], **EXACT).value in (1, 2, 3)
    assert data.group_by("code", keys=[1, 4]).count(**EXACT).value == (20, 0)
    assert data.group_by("flag", keys=[True, False]).count(**EXACT).value == (30, 30)
    assert data.group_by("when", keys=[date(2024, 5, 2)]).median("age", bounds=(0, 100), **EXACT).value == (
        22,
    )
    days = data.group_by("when", keys=[date(2024, 5, 2), date(2024, 5, 9)]).median(
        "when", bounds=DAYS, **EXACT
    )
    assert days.value[0] == date(2024, 5, 2)
    assert data.count("when", **EXACT).value == 60
    moments = nws.Dataset.scan(path, types={"when": datetime, "at": time})
    for bounds in (MOMENTS, IN_UTC, DAYS):
        assert moments.median("when", bounds=bounds, **EXACT).value.day == 3
    assert moments.median("at", bounds=(time(8), time(10)), **EXACT).value == time(9, 30)
    key = datetime(2024, 5, 2, 1, 30)
    assert moments.group_by("when", keys=[key]).count(**EXACT).value == (20,)


def test_a_question_that_contradicts_a_declaration_is_refused_before_the_debit(path):
    wrong = [
        ("age", "text", lambda data: data.median("age", bounds=(0, 9), epsilon=1), r"as text; declare it otherwise"),
        ("age", "text", lambda data: data.proportion("age", epsilon=1), r"column 'age', declared as text"),
        ("age", "text", lambda data: data.histogram("age", [1, 5], epsilon=1), r"column 'age', declared as text"),
        ("age", "text", lambda data: data.pearson("code", "age", bounds=(0, 9), epsilon=1), r"'age', declared as text"),
        ("age", "text", lambda data: data.group_by("sex", keys=["m"]).mean("age", bounds=(0, 9), epsilon=1), "as text"),
        ("age", "text", lambda data: data.group_by("sex", keys=["m"]).mad("age", bounds=(0, 9), epsilon=1), "as text"),
        ("age", "text", lambda data: data.median("age", bounds=DAYS, epsilon=1), "'age'"),
        ("age", "number", lambda data: data.median("age", bounds=DAYS, epsilon=1), "^bounds must be numbers, for"),
        ("age", "number", lambda data: data.most_common("age", ["a"], epsilon=1), "^categories must be numbers"),
        ("age", "number", lambda data: data.group_by("age", keys=["a"]), "^keys must be numbers"),
        ("when", "date", lambda data: data.median("when", bounds=(0, 9), epsilon=1), r"^bounds must be dates, as"),
        ("when", "date", lambda data: data.median("when", bounds=MOMENTS, epsilon=1), r"^bounds must be dates, as"),
        ("when", "date", lambda data: data.proportion("when", epsilon=1), "^proportion must be asked of numbers"),
        ("when", "date", lambda data: data.group_by("when", keys=["2024-05-01"]), "^keys must be dates"),
        ("at", "duration", lambda data: data.sum("at", bounds=(time(1), time(2)), epsilon=1), "^bounds must be"),
    ]  # fmt: skip
    purse = Purse()
    for name, kind, ask, message in wrong:
        data = nws.Dataset.scan(path, types={name: kind}, ledger=purse)
        with pytest.raises((SchemaError, ParameterError, ParameterTypeError), match=message):
            ask(data)
    assert purse.paid == 0


@pytest.mark.parametrize(
    ("types", "message"),
    [
        ({"aeg": "number"}, r"^types must be one of 'age', 'sex', .*, got 'aeg'; did you mean 'age'\?$"),
        (
            {"age": "int"},
            r"^types must be number, boolean, .* or duration, got 'int'; did you mean 'number'\?$",
        ),
        ({"age": "nubmer"}, r"got 'nubmer'; did you mean 'number'\?$"),
        ({"age": list}, r"got a type$"),
        ({"age": None}, r"got None$"),
        ([("age", "number")], r'^types must be a dictionary such as {"age": "number"}, got a list$'),
    ],
)
def test_wrong_declarations_are_refused(path, types, message):
    with pytest.raises((SchemaError, ParameterError, ParameterTypeError), match=message):
        scan(path, types=types)


def test_what_only_text_files_need_is_refused_elsewhere(path, tmp_path):
    import polars as pl

    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "x.parquet")
    for read in ({"types": {"a": "number"}}, {"separator": ";"}, {"decimal": ","}, {"encoding": "latin-1"}):
        with pytest.raises(
            ParameterError, match=rf"^{next(iter(read))} must be left out, .*says itself what it holds$"
        ):
            scan(tmp_path / "x.parquet", **read)
    (tmp_path / "x.jsonl").write_text("{}\n")
    with pytest.raises(
        ParameterError, match=r"^separator must be left out, got ';': JSON lines have no separators$"
    ):
        scan(tmp_path / "x.jsonl", separator=";")
    with pytest.raises(
        ParameterError, match=r"^decimal must be left out, got ',': JSON writes numbers with a point$"
    ):
        scan(tmp_path / "x.jsonl", decimal=",")
    for wrong in (";;", "", "é", '"', "\n", 3):
        with pytest.raises(ParameterError, match=r"^separator must be one sign"):
            scan(path, separator=wrong)
    with pytest.raises(ParameterError, match=r'^decimal must be "." or ",", got \'x\'$'):
        scan(path, decimal="x")


def test_no_cell_decides_what_a_column_is(tmp_path):
    """The same types, answers of the same kind and the same refusals, whatever a file holds."""
    seen = set()
    for cells in ([b"1", b"2"], [b"a", b"b"], [b"2024-05-01"], [b"true"], [b""], []):
        data = column(tmp_path, cells)
        said = [str(data._table.types), *data.median("x", bounds=(0, 9), epsilon=1).notes]
        for ask in (
            lambda data: data.most_common("x", [date(2024, 5, 1)], epsilon=1),
            lambda data: data.group_by("x", keys=[1, "a"]),
        ):
            with pytest.raises((ParameterError, ParameterTypeError)) as refused:
                ask(data)
            said.append(str(refused.value))
        for answer in (
            data.most_common("x", [1], epsilon=1),
            data.group_by("x", keys=[1]).count(epsilon=1).about,
        ):
            said += answer.notes
        seen.add(tuple(said))
    assert len(seen) == 1


def test_the_receipt_says_how_a_column_was_read(path):
    data, missing = nws.Dataset.scan(path), "; other cells count as missing"
    comma, truths = nws.Dataset.scan(path, decimal=","), nws.Dataset.scan(path, types={"flag": bool})
    number, asked, groups = (
        "age read as numbers (decimal point)",
        {"bounds": (0, 9), "epsilon": 1},
        data.group_by("sex", keys=["m"]),
    )
    answers = [
        (data.median("age", **asked), number),
        (data.proportion("flag", epsilon=1), "flag read as numbers, or as true or false (yes or no)"),
        (data.median("when", bounds=DAYS, epsilon=1), "when read as dates of ISO 8601 in UTC"),
        (data.median("when", bounds=IN_UTC, epsilon=1), "when read as datetimes of ISO 8601 in UTC"),
        (data.mean("at", bounds=(timedelta(0), timedelta(1)), epsilon=1), "at read as durations"),
        (data.agg(a=nws.ask.mean("age", **asked))["a"], number),
        (groups.mean("age", **asked), number),
        (groups.agg(a=nws.ask.mean("age", **asked)).each["a"], number),
        (comma.mean("age", **asked), "age read as numbers (decimal comma)"),
        (truths.proportion("flag", epsilon=1), "flag read as true or false (yes or no, 1 or 0)"),
        (data.histogram("code", [0, 2, 9], epsilon=1), "code read as numbers (decimal point)"),
    ]
    for answer, note in answers:
        assert f"  note         {note}{missing}" in str(answer)
    for answer in (
        data.count(epsilon=1),
        data.most_common("sex", ["m"], epsilon=1),
        data.histogram("code", ["1"], epsilon=1),
    ):
        assert "read as" not in str(answer)


def test_keys_say_what_their_column_is(path):
    """Numbers, booleans and dates as keys are no text, so a column that is not declared is read as they are."""
    data = nws.Dataset.scan(path)
    count = {"code": 20, "flag": 30, "when": 20}
    days = [date(2024, 5, 2), date(2024, 5, 3)]
    keys = {"code": [1, 2, 7], "flag": [True, False], "when": days}
    said = {"code": "numbers (decimal point)", "flag": "true or false (yes or no, 1 or 0)"}
    said["when"] = "dates of ISO 8601 in UTC"
    for name, listed in keys.items():
        by = data.group_by(name, keys=listed)
        for answer in (by.count(**EXACT), by.mad("age", bounds=(0, 99), epsilon=64, with_count=True)):
            counted = answer.value if answer.about.statistic == "count" else answer.counts["n"]
            assert counted == tuple(0 if key == 7 else count[name] for key in listed)
            note = f"{name} read as {said[name]}; other cells count as missing"
            assert str(answer).count(f"  note         {note}") == 1
    both = data.group_by("sex", "code", keys={"sex": ["m", "f"], "code": [1]}).count(**EXACT)
    assert both.value == (10, 10) and "sex read as" not in str(both)
    moments = data.group_by("when", keys=[datetime(2024, 5, 2, 1, 30)]).count(**EXACT)
    assert moments.value == (20,) and "when read as datetimes" in str(moments)
    as_text = data.group_by("code", keys=["1", "01"]).count(**EXACT)
    assert as_text.value == (20, 0) and "code read as" not in str(as_text)


def test_categories_say_what_their_column_is(path):
    data, number = (
        nws.Dataset.scan(path),
        "code read as numbers (decimal point); other cells count as missing",
    )
    answers = [
        (data.most_common("code", [1, 9], **EXACT), 1),
        (data.count_distinct("code", [1, 2, 9], **EXACT), 2),
        (data.histogram("code", categories=[1, 2, 9], **EXACT), (20, 20, 0)),
        (data.count("code", category=1, **EXACT), 20),
        (data.proportion("code", category=1, **EXACT, granularity=0.25), 0.25),
        (data.crosstab(["sex", "code"], [["m"], [1, 9]], **EXACT), ((10, 0, 10), (10, 0, 10))),
        (data.group_by("sex", keys=["m"]).most_common("code", [1, 9], **EXACT), (1,)),
        (data.agg(a=nws.ask.most_common("code", [1, 9], **EXACT))["a"], 1),
    ]
    for answer, value in answers:
        assert answer.value == value and f"  note         {number}" in str(answer)
    flags = data.histogram("flag", [True, False], **EXACT)
    assert flags.value == (30, 30) and "flag read as true or false" in str(flags)
    assert data.most_common("code", ["1", "9"], **EXACT).value == "1"


def test_what_keys_imply_contradicts_no_declaration(path):
    purse = Purse()
    for types, keys, words in [
        ({"code": "text"}, [1], "keys must be text for the column 'code', got 1"),
        ({"code": "date"}, [1], "keys must be dates for the column 'code', got 1"),
        (None, ["1", 2], "keys must be text for the column 'code', got 2"),
        (
            None,
            [date(2024, 1, 1), 2],
            "keys must be text for the column 'code', got a date",
        ),
    ]:
        with pytest.raises(ParameterTypeError) as caught:
            nws.Dataset.scan(path, types=types, ledger=purse).group_by("code", keys=keys)
        assert str(caught.value) == words
    by = nws.Dataset.scan(path, ledger=purse).group_by("code", keys=[1, 2])
    with pytest.raises(
        ParameterError, match=r"^categories must be numbers or booleans for such a column, got '1'$"
    ):
        by.most_common("code", ["1"], epsilon=1)
    assert not purse.paid


def test_json_lines_take_types_for_any_name(tmp_path):
    lines = '{"a": true, "b": "yes", "n": "7"}\n{"a": false, "n": 7.0}\n{"a": 1, "b": "no"}\n{"a": "x"}\n[]\n'
    (tmp_path / "x.jsonl").write_text(lines)
    data = nws.Dataset.scan(tmp_path / "x.jsonl", types={"a": "boolean", "n": "number", "other": "date"})
    assert data.group_by("a", keys=[True, False]).count(**EXACT).value == (2, 1)
    assert data.group_by("n", keys=[7]).count(**EXACT).value == (2,)
    assert data.count("b", **EXACT).value == 2 and data.count("other", **EXACT).value == 0
    assert nws.Dataset.scan(tmp_path / "x.jsonl").proportion("b", **EXACT, with_count=True).count == 2
