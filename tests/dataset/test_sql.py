"""A statement in SQL asks the questions that the methods ask, or is refused before the debit with its place."""

import time
from datetime import date
from fractions import Fraction

import pandas as pd
import polars as pl
import pytest

import noisewise as nws
from noisewise.dataset.facts import Facts
from noisewise.dataset.sql.sql_answer import SqlAnswer, SqlPlan
from noisewise.dataset.sql.statement import LONGEST, Item, Statement
from noisewise.questions.question import Question
from tests.seeded.sitecustomize import WORDS

ask = nws.ask
COLUMNS = {
    "salary": nws.Column(bounds=(0, 200_000), granularity=100),
    "age": nws.Column(bounds=(0, 120)),
    "hired": nws.Column(bounds=(date(2000, 1, 1), date(2030, 1, 1))),
    "dept": nws.Column(keys=["B", "A", "C"]),
    "site": nws.Column(keys=["N", "S"]),
}
NAMES = ("person", "dept", "site", "salary", "age", "hired", "Odd name", "x", "X")


def frame(rows=240):
    return pl.DataFrame(
        {
            "person": [f"p{i // 2}" for i in range(rows)],
            "dept": [["A", "B", None, "Z"][i % 4] for i in range(rows)],
            "site": ["NS"[i % 2] for i in range(rows)],
            "salary": [None if i % 11 == 0 else 40_000.0 + 100 * (i % 50) for i in range(rows)],
            "age": [20.0 + i % 60 for i in range(rows)],
            "hired": [date(2020, 1, 1 + i % 28) for i in range(rows)],
            "Odd name": [float(i) for i in range(rows)],
            "x": [1] * rows,
            "X": [2] * rows,
        },
        schema={
            "person": pl.String,
            "dept": pl.String,
            "site": pl.String,
            "salary": pl.Float64,
            "age": pl.Float64,
            "hired": pl.Date,
            "Odd name": pl.Float64,
            "x": pl.Int64,
            "X": pl.Int64,
        },
    )


def staff(rows=240, **held):
    given = {"unit": "person", "contributions": 2, "columns": COLUMNS, "name": "staff", **held}
    return nws.Dataset(frame(rows), **given)


def read(text, dialect="duckdb"):
    return Statement.read(text, dialect, names=NAMES, unit="person", table="staff", facts=Facts(COLUMNS))


AGGREGATES = {
    "COUNT(*)": ask.count(),
    "COUNT(salary)": ask.count("salary"),
    "COUNT(DISTINCT person)": ask.count_people(),
    "COUNT(DISTINCT dept)": ask.count_distinct("dept"),
    "SUM(salary)": ask.sum("salary"),
    "AVG(salary)": ask.mean("salary"),
    "MIN(age)": ask.min("age"),
    "MAX(age)": ask.max("age"),
    "MEDIAN(salary)": ask.median("salary"),
    "QUANTILE(salary, 0.9)": ask.quantile("salary", Fraction(9, 10)),
    "quantile_cont(salary, 0.9)": ask.quantile("salary", Fraction(9, 10)),
    "PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY salary)": ask.quantile("salary", Fraction(1, 4)),
    "PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY salary)": ask.quantile("salary", Fraction(1, 4)),
    "APPROX_QUANTILE(salary, 1)": ask.quantile("salary", Fraction(1)),
    "VAR_POP(salary)": ask.variance("salary"),
    "STDDEV_POP(age)": ask.std("age"),
    "CORR(age, salary)": ask.pearson("age", "salary"),
    "MEDIAN(hired)": ask.median("hired"),
}
ARITHMETIC = {
    "AVG(salary / 12)": (ask.mean("salary"), Fraction(1, 12), 0),
    "AVG(-2 * (salary - 1e3) + 5)": (ask.mean("salary"), -2, 2005),
    "SUM(salary * 1.5)": (ask.sum("salary"), Fraction(3, 2), 0),
    "MIN(-age)": (ask.max("age"), -1, 0),
    "MAX(10 - age)": (ask.min("age"), -1, 10),
    "MEDIAN(2 * age + 1)": (ask.median("age"), 2, 1),
    "QUANTILE(age * 3, 1/2)": (ask.quantile("age", Fraction(1, 2)), 3, 0),
    "VAR_POP(1 - 2 * age)": (ask.variance("age"), 4, 0),
    "STDDEV_POP(1 - 2 * age)": (ask.std("age"), 2, 0),
}


@pytest.mark.parametrize("text", AGGREGATES)
def test_an_aggregate_is_the_question_of_a_method(text):
    (item,) = read(f"SELECT {text} AS answer FROM staff").items
    assert same(item.question, AGGREGATES[text])
    assert item.is_plain


@pytest.mark.parametrize("text", ARITHMETIC)
def test_arithmetic_is_done_on_the_answer(text):
    (item,) = read(f"SELECT {text} AS answer FROM staff").items
    question, factor, shift = ARITHMETIC[text]
    assert same(item.question, question)
    assert (item.factor, item.shift) == (factor, shift)


def same(one: Question, other: Question):
    def plain(given):
        return given.kind, given.columns or (None,), given.arguments

    return plain(one) == plain(other)


@pytest.mark.parametrize("rows", [0, 240])
@pytest.mark.parametrize("group", [False, True])
def test_answers_are_those_of_the_methods_draw_by_draw(rows, group):
    asked = {
        name: question
        for name, question in zip("abcdefghijklmnopqr", AGGREGATES.values(), strict=True)
        if not group or question.can.in_groups
    }
    texts = [text for text, question in AGGREGATES.items() if not group or question.can.in_groups]
    select = ", ".join(f"{text} AS {name}" for name, text in zip(asked, texts, strict=True))
    tail = " GROUP BY dept" if group else ""
    data = staff(rows)
    WORDS.start("the same")
    answer = data.sql(f"SELECT {select} FROM staff WHERE age >= 30{tail}", epsilon=20)
    WORDS.start("the same")
    where = data.where("age >= 30")
    by_methods = (where.group_by("dept") if group else where).agg(epsilon=20, **asked)
    assert answer.release.value == by_methods.value
    assert str(answer.privacy) == str(by_methods.privacy)
    for name in asked:
        mine, theirs = answer.release.each[name], by_methods.each[name]
        assert (mine.law, mine.notes, str(mine.privacy)) == (theirs.law, theirs.notes, str(theirs.privacy))
    assert list(answer.columns) == list(asked)
    assert len(answer) == (3 if group else 1)


def test_a_statement_is_paid_once_and_its_price_is_divided_as_by_agg(tmp_path):
    ledger = nws.Ledger.open(tmp_path / "a.ledger", budget=nws.PureDP(9), unit="person", name="staff")
    answer = staff(ledger=ledger).sql(
        "SELECT AVG(salary) AS pay, COUNT(*) AS n FROM staff WHERE NOT age < 30",
        epsilon=4,
        shares={"pay": 3, "n": 1},
    )
    (entry,) = list(ledger.entries())
    assert "where age >= 30" in entry.memo
    losses = {name: one.privacy.as_pure().epsilon for name, one in answer.release.each.items()}
    assert losses == {"pay": 3, "n": 1}
    assert ledger.spent.epsilon == 4
    by_rho = staff().sql("SELECT AVG(salary) AS pay FROM staff", rho=0.5)
    assert "ρ = 0.5" in str(by_rho.privacy)
    for wrong in ({}, {"epsilon": 1, "rho": 1}, {"epsilon": 1, "shares": {"x": 1}}):
        with pytest.raises(nws.NoisewiseError):
            staff().sql("SELECT COUNT(*) AS n FROM staff", **wrong)


def test_the_same_aggregate_twice_is_drawn_and_paid_twice():
    answer = staff().sql("SELECT COUNT(*) AS n, COUNT(*) AS m FROM staff", epsilon=0.1)
    assert answer.columns["n"] != answer.columns["m"]
    assert {one.privacy.as_pure().epsilon for one in answer.release.each.values()} == {Fraction(1, 20)}


def test_columns_and_groups_stand_as_they_were_asked_for():
    text = "SELECT COUNT(*) AS n, site, dept AS d, AVG(age) + 0 FROM staff GROUP BY dept, site"
    with pytest.raises(nws.ParameterError):
        staff().sql(text, epsilon=60)
    answer = staff().sql(text.replace(" + 0", " AS mean"), epsilon=60)
    assert list(answer.columns) == ["n", "site", "d", "mean"]
    keys = list(zip(answer.columns["d"], answer.columns["site"], strict=True))
    assert keys == [(d, s) for d in "BAC" for s in "NS"]
    assert list(answer.to_polars()["d"]) == answer.columns["d"]
    assert isinstance(answer.to_pandas(), pd.DataFrame)
    assert next(iter(answer)) == tuple(column[0] for column in answer.columns.values())


def test_order_and_limit_work_on_the_answer_alone():
    text = "SELECT dept, COUNT(*) AS n FROM staff WHERE dept IS NOT NULL GROUP BY dept"
    for order, rows in {
        "": ["B", "A", "C"],
        " ORDER BY dept": ["A", "B", "C"],
        " ORDER BY 1 DESC LIMIT 2": ["C", "B"],
        " ORDER BY COUNT(*), dept DESC": ["C", "B", "A"],
        " LIMIT 0": [],
    }.items():
        WORDS.start("order")
        answer = staff(238).sql(text + order, epsilon=60)
        assert answer.columns["dept"] == rows, order
        assert len(answer.release) == 3


def test_a_null_key_makes_no_group():
    answer = staff().sql("SELECT dept, COUNT(*) AS n FROM staff GROUP BY dept", epsilon=60)
    assert None not in answer.columns["dept"]
    (n,) = staff().sql("SELECT COUNT(*) AS n FROM staff WHERE dept IS NULL", epsilon=60).columns["n"]
    assert n == 60


def test_filters_are_conditions_of_single_questions(tmp_path):
    ledger = nws.Ledger.open(tmp_path / "a.ledger", budget=nws.PureDP(90), unit="person", name="staff")
    answer = staff(ledger=ledger).sql(
        "SELECT COUNT(*) AS n, COUNT(*) FILTER (WHERE age < 30) AS young FROM staff WHERE site = 'N'",
        epsilon=60,
    )
    data = staff().where("site = 'N'")
    assert answer.columns["n"] == [120]
    assert answer.columns["young"] == [round(data.where("age < 30").count(epsilon=60).value)]
    assert "only rows where site = 'N' and age < 30" in answer.release.each["young"].notes
    (entry,) = ledger.entries()
    assert "filter age < 30" in entry.memo and entry.memo.endswith("where site = 'N'")
    groups = staff().sql(
        "SELECT dept, COUNT(*) FILTER (WHERE age < 30) AS young FROM staff GROUP BY dept", epsilon=60
    )
    assert groups.columns["young"] == list(data_counts("age < 30"))


def data_counts(condition):
    counts = staff().where(condition).group_by("dept", keys=["B", "A", "C"]).count(epsilon=60)
    by = dict(zip(counts.keys.listed(), counts.value, strict=True))
    return (by["B"], by["A"], by["C"])


def test_explain_says_prices_and_pays_nothing(tmp_path):
    ledger = nws.Ledger.open(tmp_path / "a.ledger", budget=nws.PureDP(9), unit="person", name="staff")
    text = "SELECT dept, MEDIAN(salary) AS pay, COUNT(*) AS n FROM staff WHERE age > 30 GROUP BY dept"
    plan = staff(ledger=ledger).sql(f"explain {text}", epsilon=1)
    assert isinstance(plan, SqlPlan)
    assert list(ledger.entries()) == []
    assert plan.privacy == staff().sql(text, epsilon=1).privacy
    assert list(plan.questions) == ["pay", "n"]
    assert plan.condition == "age > 30"
    assert plan.by == ("dept",)
    assert "ask.median('salary'" in repr(plan)


def test_groups_are_searched_for_after_the_statement_was_checked(tmp_path):
    ledger = nws.Ledger.open(tmp_path / "a.ledger", budget=nws.ApproxDP(9, 1e-3), unit="person", name="staff")
    data = staff(ledger=ledger, columns={"age": COLUMNS["age"]}, max_groups=2)
    text = "SELECT site, COUNT(*) AS n, AVG(age) FILTER (WHERE age > 20) AS age FROM staff GROUP BY site"
    with pytest.raises(nws.ParameterError, match="key_epsilon"):
        data.sql(text, epsilon=1)
    search = {"key_epsilon": 4, "key_delta": 1e-4}
    for wrong in ("AVG(salary) AS pay", "COUNT(DISTINCT person) AS n"):
        with pytest.raises(nws.NoisewiseError):
            data.sql(f"SELECT site, {wrong} FROM staff GROUP BY site", epsilon=1, **search)
    with pytest.raises(nws.BudgetExceeded):
        data.sql(text, epsilon=6, **search)
    assert list(ledger.entries()) == []
    plan = data.sql(f"EXPLAIN {text}", epsilon=4, **search)
    answer = data.sql(text, epsilon=4, **search)
    assert answer.columns["site"] == ["N", "S"]
    assert str(plan.privacy) == str(answer.privacy)
    with pytest.raises(nws.ParameterError, match="must be left out"):
        staff().sql("SELECT dept, COUNT(*) AS n FROM staff GROUP BY dept", epsilon=1, **search)
    with pytest.raises(nws.ReleaseFailed, match="no group has enough people"):
        staff(0, columns={}).sql("SELECT site, COUNT(*) FROM staff GROUP BY site", epsilon=1, **search)


REFUSED = {
    "SELECT COUNT(*) FROM staff JOIN b ON a = b": "JOIN at line 1",
    "SELECT COUNT(*) FROM staff, b": "join first",
    "SELECT COUNT(*) FROM (SELECT * FROM staff)": "name one table",
    "SELECT COUNT(*) FROM read_csv('x.csv')": "name one table",
    "SELECT COUNT(*) FROM staff TABLESAMPLE 10%": "at line 1",
    "WITH a AS (SELECT 1) SELECT COUNT(*) FROM a": "make the table first",
    "SELECT COUNT(*) FROM staff UNION ALL SELECT COUNT(*) FROM staff": "two tables",
    "SELECT COUNT(*) FROM staff; SELECT COUNT(*) FROM staff": "several statements",
    "SELECT COUNT(*) FROM wages": "this one is called 'staff'",
    'SELECT COUNT(*) FROM "Staff"': "this one is called 'staff'",
    "SELECT dept, COUNT(*)\nFROM staff GROUP BY dept\nHAVING COUNT(*) > 5": "HAVING at line 3",
    "SELECT DISTINCT COUNT(*) FROM staff": "DISTINCT",
    "SELECT SUM(DISTINCT age) FROM staff": "DISTINCT age",
    "SELECT COUNT(DISTINCT age) FROM staff": "say its values first",
    "SELECT COUNT(DISTINCT dept, site) FROM staff": "one column",
    "SELECT COUNT(*) OVER (PARTITION BY dept) FROM staff": "OVER",
    "SELECT * FROM staff": "line 1, column 8",
    "SELECT dept FROM staff": "put it into GROUP BY",
    "SELECT dept FROM staff GROUP BY dept": "no aggregate",
    "SELECT 1 FROM staff": "ask COUNT",
    "SELECT COUNT(*)": "no FROM",
    "SELECT AVG(CAST(age AS INT)) FROM staff": "CAST",
    "SELECT AVG(age::int) FROM staff": "CAST",
    "SELECT SUM(CASE WHEN age > 1 THEN 1 END) FROM staff": "CASE",
    "SELECT AVG(salary / age) FROM staff": "derive other columns before",
    "SELECT AVG(salary + age) FROM staff": "derive other columns before",
    "SELECT AVG(1 / age) FROM staff": "derive other columns before",
    "SELECT AVG(age / 0) FROM staff": "another number than 0",
    "SELECT AVG(age / (1 - 1)) FROM staff": "another number than 0",
    "SELECT AVG(age % 2) FROM staff": "derive other columns before",
    "SELECT AVG(age // 2) FROM staff": "derive other columns before",
    "SELECT AVG(ln(age)) FROM staff": "derive other columns before",
    "SELECT AVG(age * 1e999) FROM staff": "smaller numbers",
    "SELECT AVG(age * 1e9999) FROM staff": "40 digits",
    "SELECT AVG(0 * age) FROM staff": "COUNT(*) counts rows",
    "SELECT AVG(hired * 2) FROM staff": "dates, times or durations",
    "SELECT SUM(age + 1) FROM staff": "add up the answers",
    "SELECT MEDIAN(-age) FROM staff": "above 0",
    "SELECT QUANTILE(age, 2) FROM staff": "from 0 to 1",
    "SELECT QUANTILE(age, age) FROM staff": "from 0 to 1",
    "SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY age DESC) FROM staff": "sort upwards",
    "SELECT VARIANCE(age) FROM staff": "write VAR_POP",
    "SELECT STDDEV(age) FROM staff": "write STDDEV_POP",
    "SELECT MODE(age) FROM staff": "ask COUNT",
    "SELECT COUNT(*) FROM staff WHERE age / 2 > 4": "compare a column",
    "SELECT COUNT(*) FROM staff WHERE age > salary": "compare a column",
    "SELECT COUNT(*) FROM staff WHERE age = NULL": "IS NULL",
    "SELECT COUNT(*) FROM staff WHERE age IN (1, NULL)": "IS NULL",
    "SELECT COUNT(*) FROM staff WHERE age IN (SELECT 1)": "at line 1",
    "SELECT COUNT(*) FROM staff WHERE dept LIKE 'A%'": "compare a column",
    "SELECT COUNT(*) FROM staff WHERE age IS TRUE": "compare a column",
    "SELECT COUNT(*) FROM staff WHERE age IS DISTINCT FROM 3": "compare a column",
    "SELECT COUNT(*) FROM staff WHERE true": "compare a column",
    "SELECT COUNT(*) FROM staff WHERE age": "compare a column",
    "SELECT COUNT(*) FROM staff WHERE EXISTS (SELECT 1)": "compare a column",
    "SELECT COUNT(*) FROM staff GROUP BY age % 2": "name a column",
    "SELECT COUNT(*) FROM staff GROUP BY 1": "name a column",
    "SELECT COUNT(*) FROM staff GROUP BY ROLLUP (dept)": "ROLLUP",
    "SELECT COUNT(*) FROM staff GROUP BY dept, dept": "different columns",
    "SELECT COUNT(*) FROM staff GROUP BY ALL": "at line 1",
    "SELECT COUNT(*) FROM staff GROUP BY GROUPING SETS ((dept), (site))": "at line 1",
    "SELECT COUNT(*) AS n FROM staff GROUP BY dept ORDER BY salary": "sort by a column",
    "SELECT COUNT(*) AS n FROM staff ORDER BY 2": "sort by a column",
    "SELECT COUNT(*) AS n FROM staff LIMIT -1": "whole number",
    "SELECT COUNT(*) AS n FROM staff LIMIT 1 OFFSET 1": "OFFSET",
    "SELECT COUNT(*) AS n, AVG(age) AS N FROM staff": "twice",
    "SELECT COUNT(*) AS dept FROM staff GROUP BY dept": "twice",
    "SELECT AVG(wage) FROM staff": "the column 'wage' at line 1, column 12",
    'SELECT AVG("Age") FROM staff': "the column 'Age'",
    "SELECT AVG(x) FROM staff": "in double quotes",
    "SELECT AVG(other.age) FROM staff": "the one of FROM",
    "SELECT AVG(age FROM staff": "at line 1",
    "SELECT PERCENTILE_CONT(0.5) FROM staff": "cannot be read",
    "SELECT AVG() FROM staff": "cannot be read",
    "SELECT 'it": "cannot be read",
    "DELETE FROM staff": "begin with SELECT",
    "EXPLAIN ANALYZE SELECT COUNT(*) FROM staff": "begin with SELECT",
    "": "begin with SELECT",
    "SELECT AVG(salary) AS n FROM staff WHERE dept > 3": "where",
    f"SELECT COUNT(*) FROM staff WHERE {'NOT ' * 900}age > 1": "",
    f"SELECT COUNT(*) FROM staff WHERE {'(' * 99}age > 1{')' * 99}": "brackets",
    f"SELECT {'-' * 4000}1 FROM staff": "",
    f"SELECT COUNT(*) FROM staff WHERE {' OR '.join(['age > 1'] * 300)}": "200",
    "SELECT COUNT(*) FROM staff " + " " * LONGEST: "at most",
    "x" * 2**20: "at most",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:60])
def test_whatever_else_is_refused_before_the_debit(text, tmp_path):
    ledger = nws.Ledger.open(tmp_path / "a.ledger", budget=nws.PureDP(9), unit="person", name="staff")
    said = set()
    for rows in (0, 240):
        with pytest.raises(nws.NoisewiseError) as caught:
            staff(rows, ledger=ledger).sql(text, epsilon=1)
        said.add(str(caught.value))
    assert len(said) == 1
    assert REFUSED[text] in said.pop()
    assert list(ledger.entries()) == []


DIALECTS = {
    "postgres": "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY age) AS a FROM staff WHERE dept <> 'A'",
    "mysql": 'SELECT AVG(`age`) AS a FROM staff WHERE dept != "A"',
    "bigquery": "SELECT AVG(`age`) AS a FROM `staff` WHERE dept != 'A'",
    "spark": "SELECT approx_percentile(age, 0.5) AS a FROM staff WHERE dept != 'A'",
    "tsql": "SELECT AVG([age]) AS a FROM staff WHERE dept <> 'A'",
    "snowflake": "SELECT MEDIAN(age) AS a FROM staff WHERE dept <> 'A'",
    "sqlite": "SELECT AVG(\"age\") AS a FROM staff WHERE dept <> 'A'",
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_dialects_say_the_same(dialect):
    statement = read(DIALECTS[dialect], dialect)
    assert statement.condition == "dept != 'A'"
    assert statement.questions["a"].columns == ("age",)
    with pytest.raises(nws.ParameterError, match="dialect"):
        read(DIALECTS[dialect], "klingon")


def test_an_answer_that_no_float_holds_is_a_whole_number():
    item = Item("x", factor=Fraction(10) ** 100 / 3)
    assert item.of(1e300) == round(Fraction(1e300) * item.factor) == -item.of(-1e300)
    assert isinstance(item.of(1e200), float)


def test_division_may_drop_the_remainder_in_some_dialects():
    with pytest.raises(nws.ParameterError, match="with a point"):
        read("SELECT AVG(age / 12) FROM staff", "postgres")
    (item,) = read("SELECT AVG(age / 12.0) AS a FROM staff", "postgres").items
    assert item.factor == Fraction(1, 12)


def test_names_are_quoted_or_their_case_does_not_count():
    statement = read(
        'SELECT Avg(STAFF.Age) AS a, count("Odd name") AS "b c" FROM Staff s WHERE s."Odd name" > 3'
    )
    assert [item.name for item in statement.items] == ["a", "b c"]
    assert statement.items[0].question.columns == ("age",)
    assert statement.condition == '"Odd name" > 3'
    assert read('SELECT AVG("X") AS a FROM staff').items[0].question.columns == ("X",)


def test_comments_unicode_and_injected_names_are_text():
    text = (
        "SELECT /* ; DROP TABLE staff */ COUNT(*) AS \"é'; --\" FROM staff -- nothing\nWHERE dept = 'x''; --'"
    )
    statement = read(text)
    assert statement.items[0].name == "é'; --"
    assert statement.condition == "dept = 'x''; --'"
    assert staff().sql(text, epsilon=60).columns == {"é'; --": [0]}


def test_translation_is_fast():
    parts = " AND ".join(f"age > {number}" for number in range(145))
    text = f"SELECT dept, MEDIAN(salary) AS pay, COUNT(*) AS n FROM staff WHERE {parts} GROUP BY dept"
    assert 1900 < len(text) < 2100
    times = []
    for _ in range(9):
        start = time.process_time()
        read(text)
        times.append(time.process_time() - start)
    assert min(times) < 0.02


def test_it_runs_where_the_table_is(tmp_path):
    path = tmp_path / "staff.csv"
    frame().drop("X").write_csv(path)
    for data in (
        nws.Dataset.scan(path, columns=COLUMNS),
        nws.Dataset(frame().lazy(), columns=COLUMNS),
        nws.Dataset(frame().to_arrow(), columns=COLUMNS),
    ):
        answer = data.sql(
            "SELECT dept, COUNT(*) AS n FROM anything WHERE age >= 30 GROUP BY dept", epsilon=60
        )
        assert answer.columns == {"dept": ["B", "A", "C"], "n": list(data_counts("age >= 30"))}
    lines = tmp_path / "staff.jsonl"
    frame().write_ndjson(lines)
    of_lines = nws.Dataset.scan(lines, columns={"age": COLUMNS["age"]})
    assert of_lines.sql("SELECT COUNT(*) AS n FROM t WHERE age >= 30", epsilon=60).columns["n"][0] > 0


def test_private_contributions_are_refused():
    with pytest.raises(nws.ParameterError, match="contributions must be a number"):
        staff(contributions="private").sql("SELECT COUNT(*) AS n FROM staff", epsilon=1)


def test_the_answer_prints_its_receipt():
    shown = str(staff().sql("SELECT dept, COUNT(*) AS n FROM staff WHERE age > 30 GROUP BY dept", epsilon=1))
    assert "ε = 1" in shown
    assert "note         only rows where age > 30" in shown
    assert isinstance(staff().sql("SELECT COUNT(*) FROM staff", epsilon=1), SqlAnswer)
