"""Questions about one record for each person: what is asked, refused, paid, and said on the receipt."""

from datetime import date, datetime, timedelta
from fractions import Fraction

import polars as pl
import pytest

import noisewise as nws
from noisewise import Dataset, ParameterError, SchemaError, ask
from noisewise.errors import NoisewiseError
from noisewise.questions.question import KINDS
from tests.attacks.outcomes import Purse
from tests.cli.running import invoke
from tests.every_question import CALLS

VISITS = pl.DataFrame(
    {
        "who": [f"p{i % 40}" for i in range(200)] + [None] * 50,
        "spent": [2.5] * 120 + [10.0] * 80 + [1000.0] * 50,
        "shop": ["A", "B"] * 125,
        "day": [date(2024, 1, 1 + i // 40) for i in range(250)],
        "took": [timedelta(minutes=i // 40 % 2) for i in range(250)],
        "word": ["x" if i // 40 % 2 == 0 else None for i in range(250)],
    }
)
"""Forty people with five visits each: three of 2.50 and two of 10. Fifty visits of nobody."""

TAKING = sorted(name for name, kind in KINDS.items() if "per_person" in kind.signature.parameters)
HELD = {"unit": "who", "contributions": 3}


def answer(held, rule, name="median", column="spent", bounds=(0, 100), **more):
    return getattr(held, name)(column, bounds=bounds, epsilon=60, per_person=rule, **more)


@pytest.mark.parametrize("lazy", [False, True])
def test_a_question_is_about_the_records_of_people(lazy):
    held = Dataset(VISITS.lazy() if lazy else VISITS, **HELD)
    expected = {"sum": 28, "mean": 6, "max": 10, "min": 3, "count": 5}
    assert {rule: answer(held, rule).value for rule in expected} == expected
    assert answer(held, "mean", granularity=Fraction(1, 2)).value == 5.5
    assert answer(held, "count", column="word").value == 3  # of a column of any type, what is not missing
    assert answer(held, "count", column="who").value == 5
    assert abs(answer(held, "sum", "sum").value - 1100) < 100


def test_rows_that_do_not_pass_are_not_added_up():
    held = Dataset(VISITS, **HELD)
    few = held.where("spent < 5")
    assert answer(few, "sum").value == 8 and answer(few, "count").value == 3
    assert answer(held.where("spent > 5 and who != 'p0'"), "sum").value == 20
    assert answer(held.where("spent > 99"), "sum").value == 0  # only rows of nobody
    groups = few.group_by("shop", keys=["A", "B"])
    assert groups.median("spent", bounds=(0, 100), epsilon=60, per_person="sum").value == (8, 8)


def test_a_person_is_one_record_whatever_contributions_says():
    many = answer(Dataset(VISITS, unit="who", contributions=50), "sum")
    one = answer(Dataset(VISITS, unit="who"), "sum")
    assert many.privacy == one.privacy and many.contributions == one.contributions == 1
    assert "one record per person: the sum of that person's rows" in many.notes
    assert "one record per person: the largest of that person's rows" in str(
        answer(Dataset(VISITS, unit="who"), "max")
    )


@pytest.mark.parametrize(
    ("rule", "keys"),
    [
        ("sum", None),
        *(pytest.param(rule, ("a", "b"), marks=pytest.mark.rest) for rule in ("sum", "mean", "count")),
    ],
)
def test_the_loss_is_the_price_over_all_small_tables(rule, keys):
    """All tables of up to two people with up to two rows each, beside each other with and without one of them."""
    asked = {"bounds": (0, 3), "granularity": 1, "epsilon": 1, "mechanism": "piecewise_laplace"}
    audit = nws.audit.table("median", per_person=rule, keys=keys, contributions=2, **asked)
    assert audit.passed and (keys or str(audit.range) == "1")


def test_no_limit_is_searched_for_where_all_rows_count():
    found = Dataset(VISITS, unit="who", contributions="private")
    assert answer(found, "sum").privacy == answer(Dataset(VISITS, unit="who"), "sum").privacy
    both = found.agg(a=ask.median("spent", bounds=(0, 100), per_person="sum"), epsilon=60)
    assert both.each["a"].value == 28 and "searched for" not in str(both)
    mixed = found.agg(
        a=ask.median("spent", bounds=(0, 100), per_person="sum"),
        b=ask.median("spent", bounds=(0, 100)),
        epsilon=60,
    )
    assert mixed.each["a"].value == 28 and "searched for" in str(mixed)
    with pytest.raises(ParameterError, match="contributions must be a number for per_person"):
        answer(found.group_by("shop", keys=["A"]), "sum")


def test_the_ledger_says_so(tmp_path):
    ledger = nws.Ledger.open(tmp_path / "l.ledger", budget=nws.PureDP(200), unit="who")
    held = Dataset(VISITS, unit="who", ledger=ledger)
    answer(held, "sum")
    held.group_by("shop", keys=["A"]).mean("spent", bounds=(0, 9), epsilon=1, per_person="count")
    first, second = (entry.memo for entry in ledger.entries())
    assert first.startswith("median of spent, sum per person by ")
    assert second.startswith("mean of spent, count per person by ") and "by shop" in second


@pytest.mark.parametrize("lazy", [False, True])
def test_in_groups_a_person_is_one_record_in_each_of_so_many(lazy):
    frame = VISITS.lazy() if lazy else VISITS
    for most, records in ((1, 1), (2, 2), (9, 2)):
        groups = Dataset(frame, unit="who", contributions=most).group_by("shop", keys=["A", "B"])
        asked = groups.sum("spent", bounds=(0, 100), epsilon=60, per_person="count")
        (release,) = asked.each.values()
        assert release.contributions == records and asked.privacy.as_pure() == nws.PureDP(60)
        notes = " ".join(release.notes)
        assert "one record per person and group" in notes
        assert ("at most 1 in any one" in notes) == (records > 1)
        # forty people, five visits to one shop each, of whom all take part
        assert all(abs(value - 100) < 30 for value in asked.value)
        assert asked.frame.columns == ["shop", "sum_count_spent"]
    both = pl.DataFrame({"who": [f"p{i % 50}" for i in range(300)], "shop": (["A"] * 50 + ["B"] * 50) * 3})
    both = both.with_columns(spent=pl.lit(1.0))
    half = Dataset(both, unit="who").group_by("shop", keys=["A", "B"])
    counts = half.sum("spent", bounds=(0, 9), epsilon=60, per_person="count").value
    assert (
        abs(sum(counts) - 150) < 20 and min(counts) > 30
    )  # each person in one of two groups, with three visits
    capped = Dataset(both, unit="who", contributions=2).group_by("shop", keys=["A", "B"], max_groups=1)
    assert abs(sum(capped.sum("spent", bounds=(0, 9), epsilon=60, per_person="count").value) - 150) < 20


def test_questions_with_and_without_it_share_no_column():
    groups = Dataset(VISITS, **HELD).group_by("shop", keys=["A", "B"])
    questions = {
        "visit": ask.median("spent", bounds=(0, 100)),
        "person": ask.median("spent", bounds=(0, 100), per_person="sum"),
        "visits": ask.median("spent", bounds=(0, 100), per_person="count"),
    }
    for asked in (groups, Dataset(VISITS, **HELD)):
        release = asked.agg(**questions, epsilon=60)
        values = [release.each[name].value for name in questions]
        assert values in ([(3, 3), (28, 28), (5, 5)], [3, 28, 5])


@pytest.mark.parametrize("name", TAKING)
def test_every_question_that_takes_it_answers_it(name):
    call = CALLS[name]
    assert call.kind.capabilities.columns == ("column",)
    for held in (Dataset(VISITS, **HELD), Dataset(VISITS.clear(), **HELD), Dataset(VISITS.lazy(), **HELD)):
        method = getattr(held, name)
        for rule in ("sum", "count"):
            for more in ({}, {"with_count": True}, {"interval": 0.9}):
                if set(more) <= set(call.kind.signature.parameters):
                    asked = call.keywords | {"bounds": (0, 100), "epsilon": 1, "per_person": rule} | more
                    try:
                        release = method("spent", *call.arguments, **asked)
                    except ParameterError as error:
                        assert more == {"interval": 0.9} and "interval" in str(error)
                        continue
                    assert release.contributions == 1
            groups = held.group_by("shop", keys=["A", "none"])
            getattr(groups, name)("spent", *call.arguments, **call.keywords, epsilon=1, per_person=rule)


WRONG = {
    "no unit": (lambda held, plain: plain, {"per_person": "sum"}, "unit"),
    "no rule": (lambda held, plain: held, {"per_person": "median"}, "per_person"),
    "no text": (lambda held, plain: held, {"per_person": 1}, "per_person"),
    "a list": (lambda held, plain: held, {"per_person": ["sum"]}, "per_person"),
    "bounds to find": (lambda held, plain: held, {"per_person": "sum", "bounds": "private"}, "bounds"),
    "dates": (
        lambda held, plain: held,
        {"per_person": "sum", "column": "day", "bounds": (date(2024, 1, 1), date(2025, 1, 1))},
        "bounds",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("in_groups", [False, True])
def test_what_cannot_be_answered_is_refused_before_the_debit(wrong, in_groups):
    which, asked, what = WRONG[wrong]
    for frame in (VISITS, VISITS.clear(), VISITS.lazy()):
        purse = Purse()
        held = which(Dataset(frame, **HELD, ledger=purse), Dataset(frame, ledger=purse))
        held = held.group_by("shop", keys=["A"]) if in_groups else held
        with pytest.raises(NoisewiseError, match=what):
            held.median(**{"column": "spent", "bounds": (0, 100), "epsilon": 1} | asked)
        assert not purse.paid


def test_plain_data_has_no_people():
    with pytest.raises(ParameterError, match="per_person must be asked of a Dataset with a unit"):
        nws.median([1, 2], bounds=(0, 9), epsilon=1, per_person="sum")
    assert nws.median([1, 2], bounds=(0, 9), epsilon=1, per_person=None).bounds == (0, 9)
    with pytest.raises(TypeError, match="per_person"):
        Dataset(VISITS, **HELD).count(epsilon=1, per_person="sum")
    with pytest.raises(ParameterError, match="per_person must be"):
        ask.median("spent", bounds=(0, 9), per_person="all")


def test_facts_about_rows_are_none_about_their_sums():
    held = Dataset(VISITS, **HELD, columns={"spent": nws.Column(bounds=(0, 10), granularity=5)})
    assert held.median("spent", epsilon=60, per_person="max").value == 10
    for rule in ("sum", "count"):
        with pytest.raises(NoisewiseError, match="bounds"):
            held.median("spent", epsilon=60, per_person=rule)
        assert held.median("spent", bounds=(0, 99), epsilon=60, per_person=rule).granularity == 1


def test_times_are_asked_about_people_too():
    held = Dataset(VISITS, **HELD)
    year = (date(2024, 1, 1), date(2024, 12, 31))
    assert answer(held, "max", column="day", bounds=year).value == date(2024, 1, 5)
    assert answer(held, "min", column="day", bounds=year).value == date(2024, 1, 1)
    hours = (timedelta(0), timedelta(hours=9))
    assert answer(held, "sum", column="took", bounds=hours).value == timedelta(minutes=2)
    assert answer(held, "count", column="day").value == 5
    with pytest.raises(SchemaError, match="do not add up"):
        answer(held, "sum", column="day", bounds=(datetime(2024, 1, 1), datetime(2025, 1, 1)))


def test_a_plan_needs_no_data():
    asked = {"bounds": (0, 100), "epsilon": 1}
    plain = nws.plan("median", **asked)
    assert str(nws.plan(ask.median("spent", per_person="sum", **asked))) == str(plain)
    assert str(nws.plan("median", per_person="sum", **asked)) == str(plain)


def test_the_command_line_asks_it(tmp_path):
    file = tmp_path / "visits.csv"
    VISITS.select("who", "spent", "shop").write_csv(file)
    said = ["--column", "spent", "--bounds", "0", "100", "--epsilon", "60", "--per-person", "sum"]
    done = invoke("median", str(file), *said, "--unit", "who")
    assert done.exit_code == 0 and "= 28" in done.stdout and "one record per person: the sum" in done.stdout
    done = invoke("median", str(file), *said)
    assert done.exit_code != 0 and "--unit" in done.stderr


def test_a_study_asks_it(tmp_path):
    VISITS.select("who", "spent").write_csv(tmp_path / "visits.csv")
    (tmp_path / "study.toml").write_text(
        """
        [data]
        file = "visits.csv"
        [people]
        unit = "who"
        [budget]
        ledger = "l.ledger"
        epsilon = 60
        [[ask]]
        name = "spending"
        question = "median"
        column = "spent"
        bounds = [0, 100]
        epsilon = 60
        per_person = "sum"
        """
    )
    release = nws.Study.read(tmp_path / "study.toml").run(out=tmp_path / "out")
    assert release["spending"]["value"] == 28
