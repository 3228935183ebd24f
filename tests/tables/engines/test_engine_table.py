"""A table behind an engine: the same exact law as in memory for every question, and errors before the debit alone."""

import os

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import ParameterError, ReleaseFailed, SchemaError
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.question import KINDS
from noisewise.questions.request import Request
from noisewise.statistics.statistic import ScoreStatistic
from noisewise.tables.columns.array_column import declare
from noisewise.tables.columns.indicators import Indicator
from noisewise.tables.engines.engine_records import Spelling
from noisewise.tables.engines.engine_table import EngineTable
from noisewise.tables.files.file_state import FileState
from noisewise.tables.groups.keys import Keys
from noisewise.tables.local import LocalTable
from noisewise.tables.people import Choice
from tests.every_question import STATISTICS as OF_QUESTIONS
from tests.payable import payable_of
from tests.tables.engines.test_rows import ASKED
from tests.tables.every_engine import ENGINES, LOCAL, EveryPass, lazily, table

LATTICE = Lattice.between((0, 8))
STATISTICS = {
    name: each
    for name, each in OF_QUESTIONS.items()
    if KINDS[name].capabilities.streamed and each.columns == 1 and not isinstance(each, ScoreStatistic)
}
NO_BOUNDS = ("count", "proportion")
CHOICE = Choice("who", 2, None, "salt")


def frame(rows=40):
    rng = np.random.default_rng(11)
    x = rng.integers(-1, 12, rows) + 0.25 * rng.integers(0, 3, rows)
    strange = {0: None, 1: float("nan"), 2: float("inf"), 3: -float("inf"), 4: -0.0}
    return pl.DataFrame(
        {
            "x": [strange.get(place, value) for place, value in enumerate(x.tolist())],
            "y": rng.normal(0, 1, rows),
            "who": rng.integers(0, 15, rows),
            "label": rng.choice(["a", "b", "c"], rows).tolist(),
            "note": pl.Series(["?"] * rows, dtype=pl.String),
            "colour": pl.Series(["red", "blue"] * (rows // 2), dtype=pl.Enum(["red", "blue"])),
            "nested": [[1]] * rows,
        }
    )


def look(question, data, neighbors="add_remove", contributions=1):
    """All that the law of a question is made of: every level of its envelope, and where it ends."""
    bounds = {} if question in NO_BOUNDS else {"bounds": (0, 8)}
    step = 1 if question == "count" else 0.125
    how = {"neighbors": neighbors, "contributions": contributions, "mechanism": "inverse_sensitivity"}
    law = Request.of(STATISTICS[question], data, epsilon=2, granularity=step, **how, **bounds).look()
    envelope = law.envelope
    centre = [point * law.granularity for point in (int(envelope.lower[0]), int(envelope.upper[-1]))]
    return (
        read_law(law).support,
        envelope.stride,
        envelope.lower.tolist(),
        envelope.upper.tolist(),
        list(read_law(law).cost(centre)),
    )


def test_the_questions_of_this_file_are_all_that_stream():
    others = {f"{what}_interval" for what in ("count", "mean", "median", "proportion", "quantile")}
    others |= {"quantiles", "five_number_summary", "ecdf"}  # tests/questions/composites/test_tied_pairs.py
    others |= {"huber_mean"}  # tests/kernel/mechanisms/test_balance_engines.py
    others |= {"private_bounds", "histogram", "most_common", "count_distinct", "crosstab"}
    others |= {"count_people"}  # tests/questions/composites/test_count_distinct.py
    assert {*STATISTICS, *others, *ASKED} == {
        name for name, kind in KINDS.items() if kind.capabilities.streamed
    }


@pytest.mark.parametrize("question", STATISTICS)
@pytest.mark.parametrize("engine", LOCAL)
def test_the_law_is_exactly_that_in_memory(engine, question):
    data = frame()
    lazy = table(engine, data)
    for neighbors in ("add_remove", "swap"):
        found = look(question, lazy.column("x", None, question), neighbors)
        assert found == look(question, declare(data["x"]), neighbors)
    local = LocalTable(nw.from_native(data)).column("x", CHOICE)
    assert look(question, lazy.column("x", CHOICE, question), contributions=2) == look(
        question, local, contributions=2
    )


@pytest.mark.parametrize("question", ["median", "mean", "trimmed_mean", "std"])
@pytest.mark.parametrize("engine", [ENGINES[-1]])
def test_the_law_on_spark_is_exactly_that_in_memory(engine, question):
    data = frame().select("x", "who")
    lazy = table(engine, data)
    assert look(question, lazy.column("x", None, question)) == look(question, declare(data["x"]))
    local = LocalTable(nw.from_native(data)).column("x", CHOICE)
    assert look(question, lazy.column("x", CHOICE, question), contributions=2) == look(
        question, local, contributions=2
    )


@pytest.mark.parametrize("engine", LOCAL)
def test_columns_of_any_type_are_ones_and_zeros_as_in_memory(engine):
    data = frame()
    local = LocalTable(nw.from_native(data))
    for name, category, others, choice, neighbors in [
        ("nested", None, True, None, "swap"),
        ("label", None, True, CHOICE, "add_remove"),
        ("x", 0, True, None, "add_remove"),
        ("x", 0, False, None, "swap"),
        ("label", "a", True, CHOICE, "add_remove"),
        ("label", "\ud800", True, None, "add_remove"),
        ("colour", "red", False, None, "add_remove"),
    ]:
        found, expected = (
            each.read_as(name, Indicator(category, others))
            .column(name, choice)
            .read(LATTICE, neighbors)
            .sums()
            for each in (table(engine, data), local)
        )
        assert found == expected, (name, category, others)
    assert (
        table(engine, data).read_as("x", Indicator()).column("x", None).read(LATTICE, "add_remove").count
        == 38
    )
    with pytest.raises(ParameterError, match=r"^category must be text for such a column, got 1$"):
        table(engine, data).read_as("label", Indicator(1)).column("label", None)
    with pytest.raises(SchemaError, match=r"got column 'nested' of type List$"):
        table(engine, data).read_as("nested", Indicator("a")).column("nested", None)


@pytest.mark.parametrize("engine", LOCAL)
def test_an_empty_table_has_the_law_of_an_empty_column(engine):
    lazy = table(engine, frame().clear())
    for question in STATISTICS:
        assert look(question, lazy.column("x", None, question)) == look(question, declare(np.array([])))


@pytest.mark.parametrize("choice", [None, CHOICE])
@pytest.mark.parametrize("engine", LOCAL)
def test_other_questions_are_answered_in_memory(engine, choice):
    data = frame()
    lazy, local = table(engine, data), LocalTable(nw.from_native(data))
    for question in ("mad", "gini"):
        column = lazy.column("x", choice, question, streamed=False)
        found, expected = (each.read(LATTICE, "add_remove") for each in (column, local.column("x", choice)))
        assert found.ordered().tolist() == expected.ordered().tolist()
        assert sorted(column.fetch()[0].tolist()) == pytest.approx(
            sorted(local.column("x", choice).fetch()[0].tolist()), nan_ok=True
        )
    found, expected = (each.columns(("x", "y"), choice) for each in (lazy, local))
    rows = [
        sorted(zip(*(each.fetch()[0].tolist() for each in pair), strict=True)) for pair in (found, expected)
    ]
    assert np.array_equal(*rows, equal_nan=True)
    assert lazy.labels("x", choice).numbers().size() == data.height


@pytest.mark.parametrize("engine", LOCAL)
def test_bounds_can_be_searched_for(engine):
    data = pl.DataFrame({"x": np.linspace(1, 60, 5000), "who": range(5000)})
    lazy = table(engine, data)
    for choice in (None, CHOICE):
        for question, ask in (("median", nws.median), ("mad", nws.mad)):
            column = lazy.column("x", choice, question)
            assert 1 < ask(column, bounds="private", epsilon=50).value < 60


@pytest.mark.parametrize("engine", ENGINES)
def test_rows_are_counted_whatever_they_hold(engine):
    lazy = table(engine, frame().select("x", "who"))
    assert lazy.rows(None).read(LATTICE, "add_remove").count == 40
    assert lazy.rows(None).size() == 40
    assert lazy.names == ("x", "who")


@pytest.mark.parametrize("engine", ENGINES)
def test_what_data_elsewhere_cannot_answer_in_place_is_refused_beforehand(engine):
    lazy = table(engine, frame().select("x", "who"))
    lazy.dialect.local = False  # as Spark is
    for ask in (
        lambda: lazy.column("x", None, "mad", streamed=False),
        lambda: lazy.columns(("x", "who"), None),
        lambda: lazy.edges(("x", "who"), None),
        lambda: lazy.in_groups(("x",), Keys.of(("who",), [1, 2]), None, "mad in groups"),
    ):
        with pytest.raises(
            SchemaError, match=r"DataFrame; bring the columns over by .select\(...\).toArrow\(\) first$"
        ):
            ask()
    asked = nws.Dataset(frame().select("x", "who").lazy())
    asked._table.dialect.local = False
    with pytest.raises(
        SchemaError,
        match=r"^mad must be asked of data on this computer, got a Polars DataFrame; in the cluster run accuracy, auc",
    ):
        asked.mad("x", bounds=(0, 8), epsilon=1)


NAMES = ["a b", 'a"b', "a'b", "d", "person", "one", "one_", "group", "missing", "key0", "a.b", "a`b"]


@pytest.mark.rest
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("engine", LOCAL)
def test_a_column_may_have_any_name(engine, name):
    """As the column that is asked about, as that of people, and as that of keys."""
    lazy = table(engine, pl.DataFrame({name: ["1", "2", "x"], "id": [1, 1, 2]}), text=Spelling())
    of_others, of_itself = Choice("id", 2, None, "salt"), Choice(name, 1, 1, "salt")
    for choice, question in ((of_others, "median"), (of_itself, "median"), (None, "mad")):
        assert lazy.column(name, choice, question).read(LATTICE, "add_remove").count == 2
    for choice in (None, of_itself):
        groups = lazy.grouped(name, Keys.of((name,), ["2", "x"]), choice).read(LATTICE, "add_remove")
        assert groups.counts.tolist() == [1, 0]
    assert lazy.rows(of_itself).read(LATTICE, "add_remove").count == 3


@pytest.mark.parametrize("engine", [ENGINES[-1]])
def test_a_name_that_spark_takes_for_something_else_is_refused(engine):
    lazy = table(engine, pl.DataFrame({"a.b": [1.0], "x": [2.0], "a b": [3.0]}))
    for ask in (
        lambda: lazy.column("a.b", None, "median"),
        lambda: lazy.column("x", Choice("a.b", 1, None, "salt"), "median"),
        lambda: lazy.grouped("x", Keys.of(("a.b",), [1.0]), None),
    ):
        with pytest.raises(
            SchemaError, match=r"^columns must have names without \. and ` for Spark, got 'a.b'; rename it$"
        ):
            ask()
    assert lazy.column("a b", None, "median").read(LATTICE, "add_remove").count == 1


NUMBERS = {
    "polars": "pl.col('note').cast(pl.Float64, strict=False)",
    "duckdb": 'TRY_CAST("note" AS DOUBLE)',
}


@pytest.mark.parametrize("engine", LOCAL)
def test_types_that_do_not_fit_are_refused_beforehand(engine):
    lazy = table(engine, frame())
    for ask in (
        lambda: lazy.column("note", None, "median"),
        lambda: lazy.column("note", None, "mad", streamed=False),
        lambda: lazy.columns(("x", "note"), None),
    ):
        with pytest.raises(SchemaError) as refused:
            ask()
        fix = f"make numbers of text first, as in {NUMBERS[engine]}"
        assert str(refused.value) == f"data must be numbers, got column 'note' of type String; {fix}"
    with pytest.raises(
        SchemaError, match=r"^data must be text, numbers or booleans, got column 'nested' of type List$"
    ):
        lazy.labels("nested", None).labels()


@pytest.mark.parametrize("engine", LOCAL)
def test_the_kind_of_labels_is_told_by_the_type(engine):
    lazy = table(engine, frame())
    assert [lazy.labels(name, None).labels().kind for name in ("x", "note", "who")] == [float, str, float]
    assert table("polars", frame()).labels("colour", None).labels().kind is None
    assert lazy.edges(("who", "label"), None).fetch().shape == (40, 2)


def test_files_that_changed_fail_a_release_after_the_debit_and_refuse_the_next(tmp_path):
    path = tmp_path / "x.parquet"
    frame().select("x").write_parquet(path)
    files = FileState.of((str(path),))
    lazy = EngineTable(nw.from_native(pl.scan_parquet(path)), files=files)
    asked, debits = lazy.column("x", None, "median"), []

    class Ledger:
        def debit(self, loss, **said):
            os.utime(path, ns=(0, 0))
            debits.append(loss)

    with pytest.raises(ReleaseFailed):
        nws.median(asked, bounds=(0, 8), epsilon=1, ledger=Ledger())
    assert len(debits) == 1
    for ask in (
        lambda: lazy.column("x", None, "median"),
        lambda: lazy.column("x", None, "mad", streamed=False),
        lambda: lazy.rows(None),
        lambda: lazy.labels("x", None).labels(),
        lambda: lazy.edges(("x", "x"), None),
    ):
        with pytest.raises(SchemaError, match="scan them again"):
            ask()


@pytest.mark.parametrize("engine", LOCAL)
def test_nothing_is_read_before_the_debit(engine):
    told = []
    lazy = EngineTable(lazily(engine, frame()), progress=EveryPass(lambda doing, done: told.append(done)))
    column = lazy.column("x", CHOICE, "median")
    payable_of(nws.median, column, bounds=(0, 8), epsilon=1, contributions=2)
    payable_of(
        nws.mad, lazy.column("x", CHOICE, "mad", streamed=False), bounds=(0, 8), epsilon=1, contributions=2
    )
    lazy.labels("label", None).labels()
    assert told == []
    assert nws.median(column, bounds=(0, 8), epsilon=1, contributions=2).value in range(9)
    assert told


@pytest.mark.parametrize("engine", LOCAL)
def test_tables_and_columns_are_withheld_and_results_are_the_users_own(engine):
    lazy = table(engine, frame())
    assert repr(lazy) == "<EngineTable: withheld>"
    assert "withheld" in repr(lazy.column("x", None, "median")) and "withheld" in repr(
        lazy.column("x", None, "mad", streamed=False)
    )
    assert engine in type(lazy.result_frame({"a": [1], "b": ["c"]})).__module__
