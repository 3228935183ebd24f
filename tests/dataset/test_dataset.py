"""A Dataset: what it holds is said once, everything is checked before it is paid, and nothing secret shows."""

import copy
import math
import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noisewise as nws
from noisewise import hazmat
from noisewise.dataset.dataset import Dataset
from noisewise.dataset.methods import data_of
from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError, ReleaseFailed, SchemaError
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.planning.readings.read_law import read_law
from tests.kernel.laws.moves import outcomes
from tests.payable import payable_of, question_of

COLUMNS = {
    "id": ["ann", "bob", "ann", None, "cy", "cy", "cy", "dee"],
    "x": [3.5, 1.0, math.nan, 2.0, math.inf, -7.0, 2.0, 4.0],
    "n": [1, 2, 3, 4, 5, 6, 7, 8],
    "b": [True, False, True, True, False, False, True, True],
    "job": ["tea", "tea", "milk", "rum", None, "tea", "tea", "milk"],
}
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
ASKED = {"bounds": (0, 8), "epsilon": 1}


class Purse:
    """A ledger that remembers what it paid, and refuses what is named "refuse"."""

    def __init__(self):
        self.paid = []

    def debit(self, loss, **said):
        if said.get("name") == "refuse":
            raise nws.BudgetExceeded("nothing is left")
        self.paid.append((loss, said))
        return f"entry {len(self.paid)}"


def bound_question(dataset, function, *columns, **asked):
    """The request that a method would pay for."""
    question = question_of(function, *columns, **{**ASKED, **asked})
    data = data_of(question, dataset._table, dataset.choice)
    return question.bind(data, neighbors=dataset.neighbors, contributions=dataset.contributions)


def secrets(law):
    """What a law is made of: its envelope, or its score."""
    if isinstance(law, BalanceLaw):
        pieces = law.score.positions, law.score.first, law.score.last
        return law.kappa, law.score.bottom, [part.tolist() for part in pieces]
    return law.envelope.lower.tolist(), law.envelope.upper.tolist()


def everything(law):
    """The same, and the exact cost of every outcome where there are costs."""
    return (
        secrets(law)
        if isinstance(law, BalanceLaw)
        else (*secrets(law), read_law(law).cost(outcomes(law)).tolist())
    )


FUNCTIONS = [nws.median, nws.mean, nws.max, nws.iqr, nws.std, nws.gini]


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_the_law_is_that_of_the_plain_function(make, neighbors, function):
    dataset = Dataset(make(COLUMNS), neighbors=neighbors)
    step = Fraction(1, 4) if function is nws.gini else 1
    for name in ("x", "n", "b"):
        ours = bound_question(dataset, function, name, granularity=step)
        theirs = payable_of(function, COLUMNS[name], **ASKED, granularity=step, neighbors=neighbors)
        assert everything(ours.look()) == everything(theirs.look())
        assert (ours.loss, ours.memo) == (theirs.loss, theirs.memo)


@pytest.mark.parametrize(
    "function", [nws.pearson, nws.r2, nws.accuracy], ids=lambda function: function.__name__
)
def test_pairs_of_columns_too(function):
    bounds = {} if function is nws.accuracy else {"bounds": (0, 8)}
    costs = []
    for make in FRAMES.values():
        dataset = Dataset(make(COLUMNS))
        question = question_of(function, "n", "b", **bounds, epsilon=1)
        request = question.bind(data_of(question, dataset._table, None))
        costs.append(secrets(request.look()))
    plain = payable_of(function, COLUMNS["n"], COLUMNS["b"], **bounds, epsilon=1)
    assert costs == [secrets(plain.look())] * 3


def test_people_are_chosen_alike_in_every_library():
    found = []
    for make in FRAMES.values():
        dataset = hazmat.salted(Dataset(make(COLUMNS), unit="id", contributions=2), "pepper")
        found.append(everything(bound_question(dataset, nws.median, "x", granularity=1).look()))
    assert found[0] == found[1] == found[2]


def test_rows_are_counted_without_a_column():
    frame = pl.DataFrame(COLUMNS)
    assert Dataset(frame).count(epsilon=60).value == 8
    assert Dataset(frame).count("x", epsilon=60).value == 7
    assert Dataset(frame, unit="id").count(epsilon=60).value == 4
    assert Dataset(frame, unit="id", contributions=2).count(epsilon=60).value == 6
    assert Dataset(frame, neighbors="swap").count(epsilon=60).value == 8


def test_a_release_says_whom_it_protects():
    people = Dataset(pl.DataFrame(COLUMNS), unit="id", contributions=3).median("n", **ASKED)
    assert (people.people, people.contributions) == ("id", 3)
    assert "one person by id, added or removed, of whom at most 3 records took part" in str(people)
    assert Dataset(pl.DataFrame(COLUMNS)).median("n", **ASKED).people is None


def test_every_debit_carries_the_unit_and_the_name():
    purse = Purse()
    dataset = Dataset(pl.DataFrame(COLUMNS), "id", 2, ledger=purse, name="staff")
    answer = dataset.mean("n", **ASKED)
    ((loss, said),) = purse.paid
    assert loss == answer.privacy and answer.receipt == "entry 1"
    assert said == {
        "neighbors": "add_remove",
        "contributions": 2,
        "memo": "mean of n by balance/1",
        "unit": "id",
        "name": "staff",
    }
    Dataset(pl.DataFrame(COLUMNS), ledger=purse).mean("n", **ASKED)
    assert {"unit", "name"}.isdisjoint(purse.paid[1][1])


def test_a_refusal_of_the_ledger_is_the_last_word():
    purse = Purse()
    with pytest.raises(nws.BudgetExceeded, match="nothing is left"):
        Dataset(pl.DataFrame(COLUMNS), ledger=purse, name="refuse").mean("n", **ASKED)
    assert purse.paid == []


def test_a_graph_says_what_a_person_is():
    purse = Purse()
    graph = Dataset(pl.DataFrame({"from": [0, 1, 2], "to": [1, 2, 0]}), ledger=purse)
    graph.triangles(["from", "to"], nodes=3, epsilon=1)
    assert purse.paid[0][1]["unit"] == "edge"


WRONG_SETTINGS = [
    ({"unit": "ids"}, SchemaError, "unit must be one of .*, got 'ids'; did you mean 'id'"),
    ({"unit": pd.Series(["id"])}, SchemaError, "unit must be one of .*, got a Series"),
    ({"unit": "id", "neighbors": "swap"}, ParameterError, 'neighbors must be "add_remove" with a unit'),
    ({"max_groups": 2}, ParameterError, "max_groups must be left out without a unit, got 2"),
    ({"unit": "id", "max_groups": 0}, ParameterError, "max_groups must be at least 1"),
    (
        {"per_group": 1},
        ParameterError,
        "per_group must be left out without a unit, got 1: .* among the records",
    ),
    ({"unit": "id", "per_group": 0}, ParameterError, "per_group must be at least 1"),
    ({"unit": "id", "per_group": 1.5}, ParameterTypeError, "per_group must be a whole number, got 1.5"),
    ({"contributions": 0}, ParameterError, "contributions must be at least 1"),
    (
        {"contributions": 2, "neighbors": "swap"},
        ParameterError,
        "contributions must be 1 when records are swapped",
    ),
    ({"neighbors": "replace"}, ParameterError, "neighbors must be"),
    ({"ledger": 3}, ParameterTypeError, "or anything with a debit method, or None, got 3"),
    ({"ledger": Purse}, ParameterTypeError, "ledger must be a Ledger, as Ledger.open"),
    ({"name": 3}, ParameterTypeError, "name must be text, got 3"),
]


@pytest.mark.parametrize(("settings", "error", "words"), WRONG_SETTINGS)
def test_wrong_settings_are_refused_when_a_dataset_is_made(settings, error, words):
    with pytest.raises(error, match=words):
        Dataset(pl.DataFrame(COLUMNS), **settings)


WRONG_QUESTIONS = [
    lambda ds: ds.median("nn", **ASKED),
    lambda ds: ds.median(None, **ASKED),
    lambda ds: ds.median("job", **ASKED),
    lambda ds: ds.median("n", bounds=(8, 0), epsilon=1),
    lambda ds: ds.median("n", bounds=(0, 8), epsilon=0),
    lambda ds: ds.median("n", bounds=(0, 8)),
    lambda ds: ds.median("n", **ASKED, neighbors="swap"),
    lambda ds: ds.count("n", epsilon=1, ledger=None),
    lambda ds: ds.pearson("n", "job", bounds=((0, 1), (0, 1)), epsilon=1),
    lambda ds: ds.covariance("n", **ASKED),
    lambda ds: ds.most_common("job", [], epsilon=1),
    lambda ds: ds.histogram("job", [0, 1, 2], epsilon=1),
    lambda ds: ds.triangles(["n", "x"], nodes=9, epsilon=1),
]


@pytest.mark.parametrize("ask", WRONG_QUESTIONS)
def test_wrong_questions_are_refused_before_the_debit(ask):
    purse = Purse()
    with pytest.raises(NoisewiseError) as caught:
        ask(Dataset(pl.DataFrame(COLUMNS), unit="id", contributions=2, ledger=purse))
    assert purse.paid == [] and caught.value.__cause__ is None and caught.value.__suppress_context__


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_the_frame_is_never_changed(make):
    frame = make(COLUMNS)
    before = copy.deepcopy(frame)
    dataset = Dataset(frame, unit="id", contributions=2)
    dataset.median("x", **ASKED)
    dataset.pearson("x", "n", bounds=(0, 8), epsilon=1)
    dataset.most_common("job", ["tea", "milk"], epsilon=1)
    as_pandas = [each.to_pandas() if hasattr(each, "to_pandas") else each for each in (frame, before)]
    pd.testing.assert_frame_equal(*as_pandas)


def test_an_array_that_may_not_be_written_is_read():
    values = np.arange(9.0)
    values.setflags(write=False)
    found = Dataset(pd.DataFrame({"n": values}, copy=False)).max(
        "n", bounds=(0, 8), epsilon=60, granularity=1
    )
    assert found.value == 8


def test_what_fails_after_the_debit_leaves_no_value_and_no_data(monkeypatch):
    purse = Purse()
    dataset = Dataset(pl.DataFrame(COLUMNS), unit="id", ledger=purse)

    def broken(self, *rows):
        raise ValueError("ann earns 3.5")

    monkeypatch.setattr("noisewise.tables.people.NamedPeople.keep", broken)
    with pytest.raises(ReleaseFailed) as caught:
        dataset.median("x", **ASKED)
    assert len(purse.paid) == 1 and "ann" not in str(caught.value) and caught.value.__context__ is None


def test_it_prints_names_and_no_record():
    dataset = Dataset(pl.DataFrame(COLUMNS), unit="id", contributions=2)
    assert repr(dataset) == "<Dataset of 5 columns, unit='id', contributions=2>"
    assert repr(Dataset(pl.DataFrame(COLUMNS))) == "<Dataset of 5 columns, contributions=1>"
    swapped = Dataset(pl.DataFrame(COLUMNS), neighbors="swap", name="staff")
    assert repr(swapped) == "<Dataset of 5 columns, name='staff', contributions=1, neighbors='swap'>"
    limited = Dataset(pl.DataFrame(COLUMNS), "id", 3, 2)
    assert repr(limited) == "<Dataset of 5 columns, unit='id', contributions=3, max_groups=2>"
    limited = Dataset(pl.DataFrame(COLUMNS), "id", 3, per_group=1)
    assert repr(limited) == "<Dataset of 5 columns, unit='id', contributions=3, per_group=1>"
    assert "per_group" in limited._repr_html_() and limited.per_group == 1
    assert dataset.columns == ("id", "x", "n", "b", "job")
    assert dataset._salt not in repr(dataset.choice)


HELD = ["unit", "contributions", "max_groups", "per_group", "neighbors", "ledger", "name"]


@pytest.mark.parametrize("held", HELD)
def test_what_it_holds_cannot_be_changed(held):
    with pytest.raises(AttributeError):
        setattr(Dataset(pl.DataFrame(COLUMNS)), held, 1)


@pytest.mark.parametrize("leave", [pickle.dumps, copy.copy, copy.deepcopy])
def test_it_is_neither_pickled_nor_copied(leave):
    with pytest.raises(ParameterTypeError, match="a Dataset must stay where it is"):
        leave(Dataset(pl.DataFrame(COLUMNS)))


STAFF = pl.DataFrame({"x": [1], "id": [1]})


def test_two_datasets_have_different_salts():
    one, other = (Dataset(pl.DataFrame(COLUMNS), unit="id") for _ in range(2))
    assert one.choice.salt != other.choice.salt and one.choice == one.choice


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Dataset.scan("x.csv", units="id"), r"^scan\(\) .* argument 'units'; did you mean 'unit'\?$"),
        (lambda: Dataset.scan("x.csv", sep=";"), r"^scan\(\) .* argument 'sep'; did you mean 'separator'\?$"),
        (
            lambda: Dataset.scan("x.csv", dtypes={}),
            r"^scan\(\) .* argument 'dtypes'; did you mean 'types'\?$",
        ),
        (lambda: Dataset(STAFF, id="id"), r"^Dataset\(\) .* argument 'id'; did you mean 'unit'\?$"),
        (
            lambda: Dataset(STAFF, epsilon=1),
            r"^Dataset\(\) got .* argument 'epsilon'; it takes frame, unit, ",
        ),
        (lambda: Dataset(), r"^Dataset\(\) missing a required argument: 'frame'$"),
        (
            lambda: Dataset(STAFF).group_by("x", groups=[1]),
            r"^group_by\(\) .* 'groups'; did you mean 'keys'\?$",
        ),
        (lambda: Dataset(STAFF).group_by(by="x", keys=[1]), r"^group_by\(\) .* argument 'by'"),
    ],
)
def test_wrong_calls_are_refused_with_what_was_meant(call, message):
    with pytest.raises(ParameterTypeError, match=message):
        call()


def test_several_questions_are_paid_at_once_or_not_at_all():
    purse = Purse()
    data = Dataset(pd.DataFrame(COLUMNS), unit="id", contributions=2, ledger=purse)
    found = data.agg(rows=nws.ask.count(epsilon=0.5), middle=nws.ask.median("x", bounds=(0, 8), epsilon=1))
    ((loss, said),) = purse.paid
    assert (loss, said["unit"]) == (nws.PureDP(1.5), "id")
    assert [(name, answer.statistic, answer.receipt) for name, answer in found.items()] == [
        ("rows", "count", "entry 1"),
        ("middle", "median", "entry 1"),
    ]
    assert found["middle"].privacy == nws.PureDP(1) and found["rows"].people == "id"
    with pytest.raises(ParameterTypeError, match=r"by name, as in agg\(n=.*, got a dict without a name"):
        data.agg({"n": nws.ask.count(epsilon=1)})
    assert [answer.what for answer in found.values()] == ["count", "median of x"]
    for wrong in ({}, {"n": 3}, {"n": nws.ask.median("nothing", bounds=(0, 8), epsilon=1)}):
        with pytest.raises((ParameterTypeError, SchemaError)):
            data.agg(**wrong)
    assert len(purse.paid) == 1


def test_one_epsilon_is_shared_exactly():
    purse = Purse()
    data = Dataset(pd.DataFrame(COLUMNS), ledger=purse)
    asked = {
        "n": nws.ask.count(),
        "x": nws.ask.median("x", bounds=(0, 8)),
        "y": nws.ask.max("x", bounds=(0, 8)),
    }
    equal = data.agg(epsilon=0.1, **asked)
    assert {answer.privacy.epsilon for answer in equal.values()} == {Fraction(1, 30)}
    by_shares = data.agg(epsilon=0.1, shares={"y": 0.3, "n": Fraction(1, 7), "x": 2}, **asked)
    parts = [answer.privacy.epsilon for answer in by_shares.values()]
    assert parts[2] / parts[1] == Fraction(3, 20) and parts[1] / parts[0] == 14
    assert sum(parts) == Fraction(1, 10)
    assert [loss.epsilon for loss, _ in purse.paid] == [Fraction(1, 10)] * 2


N, OWN = {"n": nws.ask.count()}, {"m": nws.ask.count(epsilon=1)}


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (N, "epsilon or rho must be given to agg, for all questions together, or in each, got none for n"),
        (
            N | OWN,
            "epsilon or rho must be given to agg, for all questions together, or in each, got none for n",
        ),
        (OWN | {"epsilon": 1}, "or in each, and not both, got one for m too"),
        (OWN | {"shares": {"m": 1}}, "shares must be left out where there is no price to share"),
        (N | {"epsilon": 0}, "epsilon must be above 0 and at most 64, got 0"),
        (N | {"epsilon": 1, "shares": [1]}, 'shares must be numbers by the names of .*"pay": 3}, got a list'),
        (N | {"epsilon": 1, "shares": {}}, "shares must have one for each question, got none for n"),
        (N | {"epsilon": 1, "shares": {"n": 1, "k": 1}}, "each question, got one for 'k', which is none"),
        (N | {"epsilon": 1, "shares": {"n": 0}}, "the share of n must be above 0, got 0"),
        (N | {"epsilon": 1, "shares": {"n": "1"}}, "the share of n must be a real number, got '1'"),
        (
            N | {"epsilon": nws.ask.count()},
            "answers must have another name than an argument of agg, got 'epsilon'",
        ),
    ],
)
def test_epsilon_is_said_once(asked, says):
    purse = Purse()
    data = Dataset(pd.DataFrame(COLUMNS), ledger=purse)
    for table in (data, data.group_by("x", keys=[1.0])):
        with pytest.raises((ParameterError, ParameterTypeError), match=says):
            table.agg(**asked)
    assert not purse.paid


def test_shares_are_above_zero():
    """With a negative one, another question would get more than all of epsilon."""
    data = Dataset(pd.DataFrame(COLUMNS))
    with pytest.raises(ParameterError, match="the share of b must be above 0, got -1"):
        data.agg(epsilon=1, a=nws.ask.count(), b=nws.ask.count(), shares={"a": 3, "b": -1})


def test_a_question_without_epsilon_is_only_for_agg():
    assert repr(nws.ask.count("x")) == "ask.count('x')"
    data = Dataset(pd.DataFrame(COLUMNS))
    with pytest.raises(ParameterTypeError, match="missing a required argument: 'bounds'"):
        data.agg(epsilon=1, a=nws.ask.median("x"))  # a Dataset may know them
    for table in (data, data.group_by("x", keys=[1.0])):
        with pytest.raises(
            ParameterError, match=r"^epsilon or rho must be given, exactly one of them, got neither"
        ):
            table.count()


@pytest.mark.parametrize("unit", ["record", "edge", "node"])
def test_a_column_of_people_is_not_named_like_the_unit_of_other_data(unit):
    """A ledger for the edges of a graph would take it for one of its own."""
    with pytest.raises(ParameterError, match="rename it"):
        Dataset(pd.DataFrame({unit: [1, 2], "x": [1, 2]}), unit=unit)


def test_several_questions_about_a_graph_are_paid_for_as_one_is(tmp_path):
    """By a ledger that protects edges, and by no other; and never together with records."""
    frame = pl.DataFrame({"from": [0, 1], "to": [1, 2], "x": [1.0, 2.0]})
    asked = nws.ask.triangles(["from", "to"], nodes=3, epsilon=1)
    edges = nws.Ledger.open(tmp_path / "edges", nws.PureDP(9), unit="edge")
    records = nws.Ledger.open(tmp_path / "records", nws.PureDP(9))
    assert Dataset(frame, ledger=edges).agg(t=asked).about.unit == "edge"
    with pytest.raises(nws.NoisewiseError):
        Dataset(frame, ledger=records).agg(t=asked)
    mixed = r"^agg must ask questions that protect the same thing, got t, which protects one edge, and n, one record"
    with pytest.raises(ParameterError, match=mixed):
        Dataset(frame, ledger=edges).agg(t=asked, n=nws.ask.count(epsilon=1))
    assert [len(list(ledger.entries())) for ledger in (edges, records)] == [1, 0]


@pytest.mark.parametrize("column", ["patient_id", "User", "customerid", "dept_id", "users", "x"])
def test_a_column_that_is_named_like_people_is_noted_whatever_it_holds(column: str) -> None:
    noted = column in ("patient_id", "User", "customerid")
    note = f"the column {column} may name people: unit={column!r} would choose their records"
    for values in ([], [1.0] * 9, [1.0, 2.0]):
        frame = pl.DataFrame({column: values, "pay": values})
        table = Dataset(frame)
        for release in (table.count(epsilon=1), table.group_by("pay", keys=[1.0]).count(epsilon=1).about):
            assert (note in release.notes) == noted
        assert note not in Dataset(frame, unit=column).count(epsilon=1).notes
