"""A limit on the records of a person that is found first: what it costs, what it may depend on, and who takes part."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise import hazmat
from noisewise.audit import table_audit
from noisewise.dataset.batches import SharedReads, of_totals
from noisewise.dataset.dataset import Dataset
from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError
from noisewise.hazmat import SeededBits
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.ledger.composition import compose
from noisewise.questions.found_contributions import WithFoundContributions
from noisewise.study.study import Study
from noisewise.tables.totals import Total
from tests.every_question import CALLS, ROWS
from tests.study.worlds import STUDY, made
from tests.tables.every_engine import ENGINES, lazily

ask = nws.ask
FRAME = pl.DataFrame(
    {
        "id": ["ann", "ann", "bob", None, "cy", "cy", "cy", None, "dee", "cy"],
        "x": [1.0, 2, None, 4, 5, math.nan, 7, 8, 9, 10],
        "g": ["a", "b", "a", "a", "b", "a", "c", "a", "b", "a"],
    }
)
PAY = ask.mean("x", bounds=(0, 10))


class Purse:
    """A ledger that remembers its debits."""

    def __init__(self):
        self.paid = []

    def debit(self, loss, **said):
        self.paid.append((loss, said))


class Empty:
    def debit(self, loss, **said):
        raise nws.BudgetExceeded("nothing is left")


def private(frame=FRAME, **held):
    return Dataset(frame, unit="id", contributions="private", **held)


def rows_of(table, unit="id", most=10):
    """The numbers of rows of all people, sorted, as the search reads them."""
    choice = Dataset(table, unit=unit).choice if not isinstance(table, Dataset) else table.choice
    held = table._table if isinstance(table, Dataset) else Dataset(table, unit=unit)._table
    counted = of_totals(choice, Total("count"), 1)
    return held.rows(counted).read(Lattice.between((0, most)), "add_remove").ordered().tolist()


@pytest.mark.parametrize(
    ("name", "keywords"),
    [
        ("count", {"epsilon": 2}),
        ("count", {"rho": 0.5}),
        ("median", {"epsilon": 2, "bounds": (0, 2), "granularity": 1}),
        pytest.param("sum", {"epsilon": 2, "bounds": (0, 2)}, marks=pytest.mark.rest),
        pytest.param("median", {"rho": 0.5, "bounds": (0, 2), "granularity": 1}, marks=pytest.mark.rest),
    ],
)
def test_limit_and_answer_together_keep_the_loss(monkeypatch, name, keywords):
    """The exact law of both draws, for all tables of up to two people with up to two rows."""
    monkeypatch.setattr(table_audit, "Dataset", partial(Dataset, contributions_most=2))
    audit = nws.audit.table(name, keys=None, contributions="private", people=2, rows=2, values=2, **keywords)
    assert (audit.passed and "discrete" in audit.mechanism) or name != "count"
    if "epsilon" in keywords and name == "count":
        assert str(audit.loss) == "2", "all of the price is used, so nothing more would fit"


@pytest.mark.rest
@pytest.mark.parametrize("name", ["count", "median"])
@pytest.mark.parametrize("price", [{"epsilon": 2}, {"rho": 0.5}])
@pytest.mark.parametrize("per_group", [None, 1])
def test_in_groups_limit_and_answers_together_keep_the_loss(monkeypatch, name, price, per_group):
    monkeypatch.setattr(table_audit, "Dataset", partial(Dataset, contributions_most=2))
    keywords = price if name == "count" else {**price, "bounds": (0, 2), "granularity": 1}
    audit = nws.audit.table(
        name, contributions="private", people=2, rows=2, values=2, per_group=per_group, **keywords
    )
    assert audit.passed


def test_the_limit_is_a_private_quantile_of_rows_per_person():
    """Its law is that of a question about one number for each person, at its part of the price."""
    for quantile, share in ((None, None), ("1/2", "1/4")):
        payable = private(contributions_quantile=quantile, contributions_share=share, contributions_most=9)
        bound = payable._bind(ask.count(epsilon=2))
        assert isinstance(bound, WithFoundContributions)
        q, part = Fraction(quantile or "19/20"), Fraction(share or "1/10")
        law = hazmat.law(nws.Quantile(q), [2, 1, 4, 1], bounds=(0, 9), epsilon=2 * part)
        points = range(10)
        assert hazmat_pmf(bound.search.look(), points) == pytest.approx(law.pmf(points))
        assert bound.search.loss.as_pure() == nws.PureDP(2 * part).as_pure()


def hazmat_pmf(law, points):
    from noisewise.planning.readings.read_law import read_law

    return read_law(law).pmf(np.array(points))


def test_rows_count_after_the_condition_and_need_a_name():
    assert rows_of(FRAME) == [1, 1, 2, 4]
    assert rows_of(Dataset(FRAME, unit="id").where("g = 'b'")) == [1, 1, 1]
    assert rows_of(Dataset(FRAME, unit="id").where("x > 99")) == []
    assert rows_of(FRAME[:0]) == []
    assert rows_of(pl.DataFrame({"id": [None, None]}, schema={"id": pl.String})) == []
    assert rows_of(pl.DataFrame({"id": [1.0, 1.0, math.nan, None]})) == [2]
    assert rows_of(pl.DataFrame({"id": np.repeat([7, 8], [10**6, 3])}), most=1000) == [3, 1000]


@pytest.mark.parametrize("engine", [*ENGINES, "postgres"])
def test_engines_count_the_rows_of_people_as_memory_does(engine):
    frame = FRAME.with_columns(n=pl.Series([3, 3, None, 2**40, 3, -5, 0, 0, 3, None]))
    for unit in ("id", "n"):
        behind = Dataset(lazily(engine, frame).to_native(), unit=unit)
        for condition in (None, "g = 'b'", "x > 99"):
            both = [
                each if condition is None else each.where(condition)
                for each in (behind, Dataset(frame, unit=unit))
            ]
            assert rows_of(both[0]) == rows_of(both[1])


def test_text_files_count_the_rows_of_people(tmp_path):
    file = tmp_path / "x.csv"
    file.write_text("id,x\nann,1\nann,2\n,3\nbob,x\n")
    assert rows_of(Dataset.scan(file, unit="id")) == [1, 2]
    file.write_text("id,x\n")
    assert rows_of(Dataset.scan(file, unit="id")) == []
    release = Dataset.scan(file, unit="id", contributions="private", contributions_most=3).count(epsilon=1)
    assert 1 <= release.contributions <= 3


def test_a_large_price_finds_the_quantile_and_answers_with_it():
    people = pl.DataFrame({"id": np.repeat(np.arange(100), [2] * 96 + [900] * 4)})
    dataset = private(people, contributions_share=0.5)
    release = dataset.count(epsilon=64)
    assert (release.contributions, release.value) == (2, pytest.approx(200, abs=5))
    assert dataset.count(rho=60).contributions == 2
    assert (
        private(people, contributions_share=0.5, contributions_quantile=1).count(epsilon=64).contributions
        > 800
    )
    few = private(people, contributions_share=0.5, contributions_quantile=1, contributions_most=50)
    assert few.count(epsilon=64).contributions == 50


@pytest.mark.parametrize("price", [{"epsilon": 1}, {"rho": 0.5}])
@pytest.mark.parametrize("name", sorted(CALLS))
def test_every_question_costs_what_was_said_whatever_limit_is_found(name, price):
    call, dataset = CALLS[name], private(pl.DataFrame(ROWS))
    if "edges" in call.kind.capabilities.columns:
        with pytest.raises(NoisewiseError, match="must be left out for a graph"):
            call.of(dataset)
        return
    question = call.question(**{"epsilon": None, **price})
    bound = dataset._bind(question)
    stated = nws.PureDP(1) if "epsilon" in price else nws.ZCDP(0.5)
    if call.kind.capabilities.people:  # people count once each, so there is nothing to find
        assert not isinstance(bound, WithFoundContributions) and compose(bound.loss) == compose(bound.loss)
        return
    assert isinstance(bound, WithFoundContributions)
    total = compose(bound.loss)
    assert (total.rho if "rho" in price else total.epsilon) == (
        stated.rho if "rho" in price else stated.epsilon
    )
    paid = compose(bound.search.loss)
    for limit in (1, 2, 7, 1000):
        asked = bound.ask(limit)
        spent = compose(asked.loss, bound.search.loss)
        assert spent.rho <= total.rho and (total.epsilon is None or spent.epsilon == total.epsilon)
        assert asked.memo == bound.inner.memo and asked.contributions == limit
    assert paid.rho < total.rho
    assert bound.memo == f"{bound.inner.memo}, contributions by {bound.search.mechanism.version}"


def test_one_debit_says_both_parts_before_anything_is_read():
    purse = Purse()
    release = private(ledger=purse).median("x", bounds=(0, 10), epsilon=1)
    ((loss, said),) = purse.paid
    assert (loss.as_pure().epsilon, said["contributions"], said["unit"]) == (1, 1000, "id")
    assert said["memo"] == "median of x by balance/1, contributions by balance/1"
    assert release.law == "balance/1, contributions by balance/1"
    assert release.privacy.as_pure().epsilon == 1
    assert release.notes[0] == "contributions searched for with ε = 0.1, the answer drawn with ε = 0.9"
    assert release.notes[1].startswith(f"about 95% of people have {release.contributions:,} rows or fewer; ")
    assert f"of whom at most {release.contributions} record" in str(release)
    with pytest.raises(nws.BudgetExceeded):
        private(ledger=Empty()).count(epsilon=1)


def test_in_a_budget_of_rho_both_draws_are_cheap(tmp_path):
    ledger = nws.Ledger.open(tmp_path / "x.ledger", budget=nws.ZCDP(1), unit="id")
    release = private(ledger=ledger).median("x", bounds=(0, 10), epsilon=1)
    assert release.law == "piecewise-laplace/1, contributions by piecewise-laplace/1"
    assert ledger.spent.rho == sum(nws.BoundedRange(Fraction(part, 10)).as_zcdp().rho for part in (1, 9))
    assert private(ledger=ledger).count(rho=0.25).privacy == nws.ZCDP(0.25)
    assert (
        list(ledger.entries())[-1].memo == "count by discrete-gaussian/1, contributions by gaussian-balance/1"
    )


def test_several_questions_share_one_search():
    purse = Purse()
    dataset = private(ledger=purse)
    release = dataset.agg(epsilon=1, n=ask.count(), pay=PAY, shares={"n": 1, "pay": 2})
    ((loss, said),) = purse.paid
    assert loss.as_pure().epsilon == 1
    assert said["memo"] == "count by discrete-laplace/1; mean of x by balance/1, contributions by balance/1"
    assert {each.contributions for each in release.values()} == {release.about.contributions}
    assert [each.privacy.as_pure().epsilon for each in release.values()] == [Fraction(3, 10), Fraction(6, 10)]
    assert all("contributions searched for with ε = 0.1, " in each.notes[0] for each in release.values())
    own = dataset.agg(n=ask.count(epsilon=1), pay=PAY.with_keywords(epsilon=2))
    assert [each.privacy.as_pure().epsilon for each in own.values()] == [Fraction(9, 10), Fraction(18, 10)]
    assert purse.paid[1][0].as_pure().epsilon == 3
    in_rho = dataset.agg(n=ask.count(rho=0.1), pay=PAY.with_keywords(rho=0.2))
    assert in_rho.privacy == nws.ZCDP(Fraction(3, 10))


@pytest.mark.parametrize("make", [lambda frame: frame, lambda frame: frame.lazy()])
def test_groups_are_asked_after_one_search(make):
    purse = Purse()
    by = private(make(FRAME), ledger=purse).group_by("g", keys=["a", "b", "nobody"], per_group=2)
    release = by.agg(epsilon=1, n=ask.count(), pay=PAY)
    assert len(purse.paid) == 1 and release.privacy.as_pure().epsilon == 1 and len(release) == 3
    assert by.mean("x", bounds=(0, 10), rho=0.5).privacy == nws.ZCDP(0.5)
    assert by.quantiles("x", [0.2, 0.8], bounds=(0, 10), epsilon=1).privacy.as_pure().epsilon == 1
    memo = "mean of x by balance/1, in 3 groups by g, contributions by balance/1"
    assert by.mean("x", bounds=(0, 10), epsilon=1).receipt is None and purse.paid[-1][1]["memo"] == memo


def test_with_a_known_limit_groups_are_those_of_that_limit():
    """Each limit chooses its own rows: what was bound for the largest limit must not be read for a smaller one."""
    people = pl.DataFrame({"id": np.repeat(np.arange(200), 50), "g": ["a"] * 10_000})
    by = private(people, contributions_share=0.5, contributions_quantile=0).group_by("g", keys=["a"])
    dataset = private(pl.concat([people, people.clear()]), contributions_share=0.5, contributions_most=2)
    for grouped, most in ((by, 50), (dataset.group_by("g", keys=["a"]), 2)):
        release = grouped.agg(epsilon=128 / 2, n=ask.count())
        limit = release.about.contributions
        assert limit <= most
        assert release.each["n"].value[0] == pytest.approx(200 * limit, abs=40 * limit)


def test_the_work_of_a_question_in_groups_counts_once():
    by = private().group_by("g", keys=[f"g{place}" for place in range(10_000)])
    payable = by._bind(
        ask.quantiles("x", [0.2, 0.8], bounds=(0, 10), granularity=1, epsilon=1), SharedReads()
    )
    assert compose(payable.ask(3).loss).epsilon == Fraction(9, 10)


def test_a_limit_that_is_found_with_groups_stays():
    purse = Purse()
    frame = pl.DataFrame({"id": np.arange(3000) // 3, "g": np.arange(3000) % 3, "x": np.arange(3000) % 10})
    by = private(frame, ledger=purse, contributions_most=20).group_by("g", epsilon=2, delta=1e-6)
    assert list(by.selection.value) == [0, 1, 2] and by.selection.contributions <= 20
    assert by.selection.privacy == nws.ApproxDP(2, Fraction(1, 10**6))
    assert purse.paid[0][1]["memo"] == "keys of g by optimal-thresholding/1, contributions by balance/1"
    release = by.mean("x", bounds=(0, 10), epsilon=1)
    assert release.about.contributions == by.selection.contributions
    assert release.about.law == "balance/1" and purse.paid[1][0].as_pure().epsilon == 1
    assert private(frame, contributions_most=20).group_by("g", rho=0.5, delta=1e-6).selection is not None


def test_people_are_counted_without_a_search():
    release = private().count_people(epsilon=1)
    assert release.contributions == 1 and release.law == "discrete-laplace/1"
    assert not release.notes


@pytest.mark.parametrize("frame", [FRAME, FRAME[:0], FRAME.lazy(), FRAME[:0].lazy()])
def test_nobody_and_nothing_that_passes_are_answered(frame):
    for dataset in (private(frame), private(frame).where("x > 99")):
        for release in (
            dataset.median("x", bounds=(0, 10), epsilon=1),
            dataset.mean("x", bounds="private", epsilon=1),
            dataset.quantiles("x", [0.2, 0.8], bounds=(0, 10), epsilon=1, with_count=True),
            dataset.sum("x", bounds=(0, 10), rho=0.1, interval=0.9),
        ):
            assert 1 <= release.contributions <= 1000


def test_draws_of_a_seed_are_those_of_the_limit_and_then_of_the_answer():
    bound = private()._bind(ask.count(epsilon=60))
    bits, again = SeededBits(7), SeededBits(7)
    limit = max(1, bound.search.answer(bits=again).value)
    assert bound.answer(bits=bits).value == bound.ask(limit).answer(bits=again).value


REFUSED = {
    "contributions_share must be above 0 and below 1, got 1": {"contributions_share": 1},
    "contributions_quantile must be between 0 and 1, got 1.5": {"contributions_quantile": 1.5},
    "contributions_most must be at least 2, got 1": {"contributions_most": 1},
    'neighbors must be "add_remove" with a unit': {"neighbors": "swap"},
}


def test_wrong_searches_are_refused():
    for text, held in REFUSED.items():
        with pytest.raises(ParameterError) as caught:
            private(**held)
        assert text in str(caught.value)
    for name in ("share", "quantile", "most"):
        rule = f'contributions_{name} must be left out unless contributions are "private", got 1'
        with pytest.raises(ParameterError, match=rule):
            Dataset(FRAME, unit="id", **{f"contributions_{name}": 1})
    with pytest.raises(ParameterError, match='contributions must be a number without a unit, got "private"'):
        Dataset(FRAME, contributions="private")
    with pytest.raises(ParameterError, match='contributions must be a number without a unit, got "private"'):
        nws.median([1], bounds=(0, 1), epsilon=1, contributions="private")


def test_questions_that_cannot_be_asked_are_refused_before_the_debit():
    purse = Purse()
    dataset = private(ledger=purse)
    by_own = {"bounds": (0, 10), "epsilon": 1, "mechanism": nws.Balance(epsilon=1)}
    with pytest.raises(
        ParameterTypeError, match='mechanism must be a name where contributions are "private"'
    ):
        dataset.median("x", **by_own)
    with pytest.raises(ParameterError, match="epsilon or rho must be the same for all questions where"):
        dataset.agg(n=ask.count(epsilon=1), m=ask.count(rho=1))
    with pytest.raises(
        ParameterError, match="epsilon or rho must be given, exactly one of them, got neither"
    ):
        dataset.count()
    with pytest.raises(
        ParameterError, match="contributions_most must be smaller for this question, got 1000"
    ):
        dataset.group_by("g", epsilon=0.1, delta=1e-9)
    with pytest.raises(NoisewiseError, match="column"):
        dataset.mean("y", bounds=(0, 10), epsilon=1)
    assert not purse.paid


def test_a_dataset_says_that_its_limit_is_found():
    dataset = private(contributions_most=20)
    assert dataset.contributions == "private" and "contributions='private'" in repr(dataset)
    assert "private" in dataset._repr_html_() and dataset.where("x > 1").contributions == "private"


def test_a_plan_says_what_is_paid_and_what_is_not_known():
    known = nws.plan("count", epsilon=Fraction(9, 10), contributions=1000)
    plan = nws.plan("count", epsilon=1, contributions="private")
    assert (plan.epsilon, plan.error) == (1, known.error)
    finds = "ε = 0.1 of this finds contributions, which are not known yet: at most 1,000, for which this plan holds"
    assert finds in plan.sentence and "with contributions=1 it is at most 3 off" in plan.sentence
    in_rho = nws.plan("median", bounds=(0, 10), rho=0.5, contributions="private", groups=3)
    assert in_rho.rho == Fraction(1, 2) and "ρ = 0.05 of this finds contributions" in str(in_rho)


def test_a_study_finds_the_limit_for_each_question(tmp_path):
    private_people = 'contributions = "private"\ncontributions_most = 20'
    file = made(tmp_path)
    file.write_text(STUDY.replace("contributions = 2", private_people))
    study = Study.read(file)
    assert study.people == {"unit": "person", "contributions": "private", "contributions_most": 20}
    assert study.price().losses["pay"].as_pure().epsilon == Fraction(2, 5)
    assert "contributions='private', contributions_most=20" in study.to_python()
    again = Study.of(
        private(contributions_most=20, contributions_share="1/3"), {"n": ask.count(epsilon=1)}, file="x.csv"
    )
    assert again.people["contributions_share"] == "1/3" and again.people["contributions_most"] == 20
    answers = study.run()
    for name in ("pay", "heads"):
        assert answers[name]["contributions"] <= 20 and ", contributions by " in answers[name]["law"]
