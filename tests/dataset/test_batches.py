"""All groups at once: what one person can move, by enumeration of small tables, and what that costs."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise import (
    BoundedRange,
    Dataset,
    Envelope,
    PureDP,
    Quantile,
    Sum,
    ask,
    count,
    hazmat,
    median,
)
from noisewise.dataset import batches
from noisewise.dataset.batches import Batch, IntervalBatch, OneByOne, SharedReads, SpreadOverGroups, Together
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.mechanisms.balance import Balance
from noisewise.kernel.numbers.answers import Answers
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites.histogram import Histogram
from noisewise.questions.noise_interval import AroundAnswer, BetweenEnds, FromSums
from noisewise.questions.request import Request
from noisewise.statistics import Statistic
from noisewise.statistics.records import Column
from noisewise.tables.groups import grouped_column as groups_module
from noisewise.tables.groups.keys import Keys
from tests.kernel.sampling.goodness import LEVEL, p_value
from tests.payable import question_of

VALUES = (0, 1, 2)
RECORDS = [(key, value) for key in (0, 1) for value in (0, 2)]


def batch(rows: list[tuple[Any, ...]], contributions: int, max_groups: int | None, **asked: Any) -> Batch:
    """The question for the medians of the groups 0 and 1, of rows (person, key, value)."""
    frame = pl.DataFrame(rows, schema={"p": pl.Int64, "k": pl.Int64, "v": pl.Float64}, orient="row")
    dataset = Dataset(frame, unit="p", contributions=contributions, max_groups=max_groups)
    by = hazmat.salted(dataset, "salt").group_by("k", keys=[0, 1])
    asked = {"bounds": (0, 2), "epsilon": 1, "mechanism": "piecewise_laplace"} | asked
    found = by._bind(question_of(median, "v", **asked), SharedReads()).inner
    assert isinstance(found, Batch)
    return found


def logs(law: Law, values: Sequence[int] = VALUES) -> np.ndarray:
    return np.array([read_law(law[group]).logpmf(list(values)) for group in range(len(law))])


SETS = [own for size in range(6) for own in combinations_with_replacement(VALUES, size)]
"""Every group of up to five records."""

SCORED = ("piecewise_laplace", "inverse_sensitivity")
REACHED = {
    "balance": 1,
    "laplace": 1,
    "permute_and_flip": 0.86,
    "piecewise_laplace": 1,
    "inverse_sensitivity": 1,
}
"""How much of epsilon some person reaches; for those with a score, how much of a range of epsilon."""


def of_every_set(records: int, **asked: Any) -> Batch:
    """The medians of groups that hold every small set of records, where a person has so many."""
    rows = [(group, value) for group, own in enumerate(SETS) for value in own]
    frame = pl.DataFrame(rows, schema={"k": pl.Int64, "v": pl.Float64}, orient="row")
    by = Dataset(frame, contributions=records).group_by("k", keys=list(range(len(SETS))))
    found = by._bind(
        question_of(median, "v", **({"bounds": (0, 2), "epsilon": 1} | asked)), SharedReads()
    ).inner
    assert isinstance(found, Batch)
    return found


@pytest.mark.parametrize("mechanism", REACHED)
@pytest.mark.parametrize("records", [1, 2, 3])
def test_however_records_are_spread_over_groups_they_cost_what_is_paid(mechanism: str, records: int) -> None:
    """Every group of up to two records of others, and every way in which a person's records fall into it and others.

    Groups are independent, so log ratios, their ranges and Rényi divergences of all groups are sums of those of one.
    """
    asked = of_every_set(records, mechanism=mechanism)
    law, index = logs(asked.look()), {own: group for group, own in enumerate(SETS)}
    orders = np.array([[1.01], [2], [8], [64]])
    worst = np.zeros((records + 1, 3 + len(orders)))
    for others in (own for own in SETS if len(own) <= 2):
        for own in (own for own in SETS if 0 < len(own) <= records):
            both = law[index[tuple(sorted(others + own))]], law[index[others]]
            for one, other in (both, both[::-1]):
                ratio = one - other
                moments = np.log(np.sum(np.exp(orders * one + (1 - orders) * other), axis=1))
                moved = [ratio.max(), -ratio.min(), np.ptp(ratio), *(moments / (orders[:, 0] - 1))]
                worst[len(own)] = np.maximum(worst[len(own)], moved)
    spreads = [parts for parts in product(range(records + 1), repeat=3) if sum(parts) <= records]
    joint = np.max([worst[list(parts)].sum(axis=0) for parts in spreads], axis=0)
    up, down, width, *divergences = joint
    assert asked.loss == (BoundedRange(1) if mechanism in SCORED else PureDP(1))
    assert max(up, down) <= 1 + 1e-9
    assert all(divergences <= orders[:, 0] * float(asked.loss.as_zcdp().rho) + 1e-9)
    if mechanism in SCORED:
        assert REACHED[mechanism] - 1e-9 <= width <= 1 + 1e-9
    else:
        assert max(up, down) >= REACHED[mechanism] - 1e-9


@pytest.mark.parametrize("max_groups", [None, 1])
def test_the_price_is_epsilon_whatever_the_groups_of_a_person_are(max_groups: int | None) -> None:
    for records in (1, 2, 9):
        asked = batch([], records, max_groups, epsilon=Fraction(7, 10))
        assert (
            asked.spread == SpreadOverGroups(records, 2, max_groups=max_groups or 2)
            and asked.contributions == records
        )
        assert asked.loss == BoundedRange(Fraction(7, 10)) == asked.answer("paid").privacy


def test_the_squares_of_a_person_are_the_most_there_can_be() -> None:
    """Every way in which so many records fall into as many groups."""
    for records, per_group in product(range(1, 7), (None, 1, 2, 3, 4, 7)):
        most = records if per_group is None else min(per_group, records)
        spreads = combinations_with_replacement(range(most + 1), records)
        largest = max(sum(each**2 for each in own) for own in spreads if sum(own) <= records)
        assert SpreadOverGroups(records, 9, per_group).squares == largest


@pytest.mark.parametrize(("records", "per_group"), [(3, 1), (4, 3), (3, 3), (2, 5)])
def test_the_price_of_a_limit_on_one_group_is_epsilon_too(records: int, per_group: int) -> None:
    """A receipt says the limit where it is one."""
    frame = pl.DataFrame({"p": [1, 1, 1, 2], "k": [0, 0, 0, 1], "v": [0.0, 1.0, 2.0, 1.0]})
    dataset = Dataset(frame, unit="p", contributions=records, per_group=per_group)
    by = dataset.group_by("k", keys=[0, 1])
    asked = question_of(median, "v", bounds=(0, 2), epsilon=Fraction(1, 2), mechanism="piecewise_laplace")
    found = by._bind(asked, SharedReads()).inner
    assert isinstance(found, Batch)
    limit = per_group if per_group < records else None
    assert found.spread == SpreadOverGroups(records, 2, limit, max_groups=2)
    assert found.loss == BoundedRange(Fraction(1, 2)) and found.memo.endswith("in 2 groups")
    note = found.answer("paid").notes[0]
    each = f"one person has at most {records} records in them, each paid for with ε = "
    assert each in note
    assert note.endswith(f", and at most {per_group} in any one group") == (limit is not None)
    kept = int(np.asarray(found.read().counts)[0])
    assert kept == min(3, records, per_group)


def test_counts_in_groups_are_a_histogram() -> None:
    """The same law and the same price at the same epsilon, also where a person has several records."""
    labels = ["a", "b", "b", "c", "c", "c"]
    for records, epsilon in product((1, 2, 3), (Fraction(1, 2), 2)):
        by = Dataset(pl.DataFrame({"k": labels}), contributions=records).group_by("k", keys=[*"abcd"])
        counts = by._bind(question_of(count, None, epsilon=epsilon), SharedReads()).inner
        bins = Histogram.of(labels, [*"abcd"], epsilon=epsilon, contributions=records)
        assert isinstance(counts, Batch) and counts.loss == bins.loss and counts.loss.rho == bins.loss.rho
        one, other = counts.look(), bins.look()
        for group in range(4):
            costs = [
                [law.rate * cost for cost in read_law(law[group]).cost(range(9))] for law in (one, other)
            ]
            assert costs[0] == costs[1] and costs[0][(1, 2, 3, 0)[group]] == 0


@pytest.mark.parametrize("epsilon", [1, 20])
def test_a_batch_is_the_law_of_single_records_in_each_group_by_itself(epsilon: int) -> None:
    rows = [(n, n % 2, n % 3) for n in range(90)]
    law = batch(rows, 3, None, epsilon=epsilon).look()
    assert law.rate == Fraction(epsilon, 6)
    for group in (0, 1):
        own = [value for _, key, value in rows if key == group]
        alone = hazmat.law(
            Quantile("1/2"),
            own,
            bounds=(0, 2),
            epsilon=Fraction(epsilon, 3),
            mechanism="piecewise_laplace",
        )
        assert list(read_law(law[group]).cost(list(VALUES))) == list(read_law(alone).cost(list(VALUES)))


@pytest.mark.parametrize("granularity", [1, 2, 3, 0.5])
def test_answers_are_numbers_of_the_lattice_in_the_order_of_the_keys(granularity: float) -> None:
    rows = [(n, n % 2, 2 * (n % 2)) for n in range(400)]
    asked = batch(rows, 1, None, bounds=(0, 12), epsilon=64, granularity=granularity)
    values = asked.answer(bits=hazmat.SeededBits(1)).value
    floor = 2 // granularity * granularity if granularity != 3 else 3
    assert values == (0, floor)
    assert all(type(value) is (float if granularity == 0.5 else int) for value in values)


def test_a_receipt_says_what_is_paid_in_one_sentence() -> None:
    told, of_one = batch([], 2, None).answer("paid"), batch([], 1, None).answer()
    assert told.receipt == "paid" and told.private and told.contributions == 2
    together = "the price of all groups together: one person has at most"
    assert told.notes[0] == f"{together} 2 records in them, each paid for with ε = 0.5"
    assert of_one.notes[0] == f"{together} 1 record in them" and len(of_one.notes) == len(told.notes) == 2
    assert batch([], 1, None).memo == "median by piecewise-laplace/1, in 2 groups"


class Broken(Statistic):
    """An envelope whose levels cross."""

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        return Envelope.of([2, 1], [0, 2], answers.support)


class FromZero(Statistic):
    """A statistic of one's own without a fast way: how many records, up to 2."""

    def envelope(self, column: Column, answers: Answers, levels: int) -> Envelope:
        known, edits = min(column.count, 2), np.arange(min(levels, 2) + 1)
        return Envelope.of(np.maximum(known - edits, 0), np.minimum(known + edits, 2), answers.support)


def own(statistic: Statistic, rows: list[tuple[Any, ...]]) -> Batch:
    asked = batch(rows, 1, None)
    request = Request.of(statistic, [], bounds=(0, 2), epsilon=1)
    return Batch(request, asked.groups, asked.spread)


def test_a_statistic_of_ones_own_is_asked_group_by_group() -> None:
    law = own(FromZero(), [(1, 0, 1), (2, 1, 1), (3, 1, 1)]).look()
    assert [read_law(law[group]).cost(group + 1) for group in (0, 1)] == [0, 0]


def test_an_envelope_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="only widen from level to level"):
        own(Broken(), []).look()


def test_several_questions_cost_their_sum() -> None:
    parts = {"a": batch([], 1, None), "b": batch([], 2, None, epsilon=0.5)}
    asked = Together(parts)
    assert asked.loss == PureDP(Fraction(3, 2))
    assert asked.loss.as_zcdp().rho == sum(part.loss.as_zcdp().rho for part in parts.values())
    assert asked.memo == "; ".join(part.memo for part in parts.values())
    told = asked.answer("paid")
    assert [one.receipt for one in told.value] == ["paid", "paid"]
    assert told.notes == (
        "median: ε = 1, pure differential privacy",
        f"median: {parts['b'].loss}",
    )
    assert (asked.neighbors, asked.contributions) == ("add_remove", 2)


def test_a_shared_column_is_read_once() -> None:
    class Table:
        reads, keys = 0, Keys.of(("k",), [0])

        def grouped(self, name: str, keys: Keys, choice: None) -> "Table":
            return self

        def read(self, lattice: Any, neighbors: Any) -> object:
            self.reads += 1
            return object()

    table, once, keys = Table(), SharedReads(), Keys.of(("k",), [0])
    first, again = (once.column(table, "v", keys, None, None) for _ in range(2))
    assert first is again
    assert first.read("lattice", "add_remove") is again.read("lattice", "add_remove")
    assert table.reads == 1
    first.read("another", "add_remove")
    once.column(table, "w", keys, None, None).read("lattice", "add_remove")
    assert table.reads == 3


def test_what_is_secret_is_withheld() -> None:
    asked = batch([], 1, None)
    shown = [repr(asked), repr(Together({"a": asked})), repr(asked.groups)]
    assert shown == ["<Batch: withheld>", "<Together: withheld>", "<ReadOnce: withheld>"]


def medians(groups: int, **asked: Any) -> tuple[Batch, Law]:
    """The question for the medians of many groups that all hold the same records, and the law of each."""
    values = [0, 3, 3, 4, 6, 6, 7, 9, 12, 20, 21, 30]
    frame = pl.DataFrame({"k": np.repeat(np.arange(groups), len(values)), "v": values * groups})
    by = Dataset(frame).group_by("k", keys=list(range(groups)))
    asked = {"bounds": (0, 40), "epsilon": 1} | asked
    found = by._bind(question_of(median, "v", **asked), SharedReads()).inner
    assert isinstance(found, Batch)
    return found, hazmat.law(Quantile("1/2"), values, **asked)


@pytest.mark.fails_by_chance(
    1e-10
)  # several threads draw; what each limit leaves to chance is 1e-12, were the counts of its law
@pytest.mark.parametrize("mechanism", ["piecewise_laplace", "inverse_sensitivity", "permute_and_flip"])
@pytest.mark.parametrize("exponent", [-3, -1, 2])
def test_the_nearest_levels_first_is_the_law(
    mechanism: str, exponent: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few levels are looked at first, draws that they leave open come from the whole law by the same bits."""
    monkeypatch.setattr(batches, "NEAR_EXPONENT", exponent)
    monkeypatch.setattr(groups_module, "PART", 20_000)
    asked, law = medians(30_000, mechanism=mechanism)
    opened = []
    plain = Law.draw_from
    monkeypatch.setattr(
        Law, "draw_from", lambda self, *given: opened.append(len(self)) or plain(self, *given)
    )
    values = np.arange(41)
    right = read_law(law).pmf(values)
    off = right * np.where(values % 2, 1.1, 0.9)
    for bits in (hazmat.SeededBits(7), None):
        counts = np.bincount(np.array(asked.answer(bits=bits).value), minlength=41)
        assert p_value(counts, right) > (LEVEL if bits else 1e-12)
        assert p_value(counts, off / off.sum()) < LEVEL
    if mechanism != "permute_and_flip":
        assert len(opened) > 20 and (exponent == 2 or max(opened) > 2000)
    else:
        assert not opened


def test_answers_without_public_ends_are_drawn_from_all_levels_at_once() -> None:
    """What lies beyond the nearest levels of an open side is endless, and has no bound to allow for."""

    class Open(Sum):
        nearest_first = True

    rows = [(n, n % 2, 1) for n in range(40)]
    asked = batch(rows, 1, None)
    request = Request.of(Open(), [], bounds=(0, 2), epsilon=1, mechanism="piecewise_laplace")
    found = Batch(request, asked.groups, asked.spread)
    assert None in request.frame.answers.support and found._nearest() is None
    assert asked._nearest() is not None


def test_a_seed_gives_the_same_answers_again() -> None:
    asked, _ = medians(50)
    one, other = (asked.answer(bits=hazmat.SeededBits(3)).value for _ in range(2))
    assert one == other != asked.answer(bits=hazmat.SeededBits(4)).value


@pytest.mark.parametrize(("contributions", "max_groups"), [(1, None), (2, 1), (3, None)])
def test_a_person_of_many_rows_moves_the_joint_law_no_more_than_is_paid(
    contributions: int, max_groups: int | None
) -> None:
    """A table of up to one row of others, and a person of up to four rows, in two groups: the log ratio of all answers
    together is the sum over groups, since they are drawn independently.
    """
    asked = {"contributions": contributions, "max_groups": max_groups, "mechanism": "balance"}
    paid, worst = float(batch([], **asked).loss.epsilon), 0.0
    crowds = [own for size in (1, 2, 4) for own in combinations_with_replacement(RECORDS, size)]
    for others in ((), *((record,) for record in RECORDS)):
        rest = [(person, *record) for person, record in enumerate(others)]
        without = logs(batch(rest, **asked).look())
        for own in crowds:
            with_them = logs(batch(rest + [(9, *record) for record in own], **asked).look())
            ratio = with_them - without
            worst = max(worst, ratio.max(axis=1).sum(), -ratio.min(axis=1).sum())
    assert 0.99 < worst <= paid + 1e-9 == 1 + 1e-9


def test_balance_counts_all_records_of_a_person() -> None:
    """A median of added records is moved by a half each, so kappa is epsilon over how many a person has."""
    rows = [(0, 0, 1.0), (1, 1, 2.0)]
    for owned in (1, 2, 5):
        law = batch(rows, owned, None, mechanism="balance").look()
        assert isinstance(law, BalanceLaw) and law.kappa == Fraction(1, owned)


def test_balance_reads_on_where_the_nearest_levels_do_not_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(i, i % 2, float(i * i % 2003)) for i in range(400)]

    def drawn(levels: int) -> list[Any]:
        monkeypatch.setattr(Balance, "levels", lambda *_: levels)
        asked = batch(rows, 1, None, bounds=(0, 10**6), epsilon=Fraction(1, 10), mechanism="balance")
        return [asked.answer(bits=hazmat.SeededBits(seed)).value for seed in range(20)]

    assert drawn(2) == drawn(1000)


@pytest.mark.parametrize("contributions", [1, 2, 3])
@pytest.mark.parametrize("question", ["median", "gini"])
def test_counts_of_groups_are_of_the_answers_records_and_inside_the_price(
    contributions, question, monkeypatch
):
    """Every person of up to so many rows in two groups, beside others; missing numbers and groups that nobody declared
    among them. The exact counts are read off, and their noise covers what the person moves them by."""
    monkeypatch.setattr("noisewise.questions.with_count.Counting.draw", lambda self, counts, bits: counts)
    kinds = [("a", 1), ("a", None), ("b", 2), ("c", 1)]
    others = [("a", 3), ("b", 1)]

    def grouped(rows):
        frame = pl.DataFrame(
            {
                "p": [0] * len(rows) + [1, 2],
                "g": [g for g, _ in [*rows, *others]],
                "x": pl.Series([x for _, x in [*rows, *others]], dtype=pl.Float64),
            }
        )
        by = Dataset(frame, unit="p", contributions=contributions).group_by("g", keys=["a", "b"])
        return getattr(by, question)("x", bounds=(0, 4), epsilon=1, with_count=0.25)

    without, worst = grouped([]), 0
    assert without.about.count == (1, 1) and without.privacy.epsilon == 1
    for size in range(1, contributions + 2):
        for rows in combinations_with_replacement(kinds, size):
            release = grouped(list(rows))
            moved = sum(np.abs(np.subtract(release.about.count, without.about.count)))
            worst = max(worst, moved)
            there = [sum(each == key for each, x in rows if x is not None) for key in "ab"]
            if sum(there) <= contributions:
                assert release.about.count == (1 + there[0], 1 + there[1])
            assert release.frame["n"].to_list() == list(release.about.count) == list(release.counts["n"])
    assert worst == contributions  # and the noise is that of so many records for a quarter of epsilon
    assert "counted for ε = 0.25, answers drawn for ε = 0.75" in str(without)


def test_several_questions_have_a_count_each_and_rare_groups_are_named():
    frame = pl.DataFrame({"g": ["a"] * 500 + ["b"], "x": [1.0] * 501, "y": [1.0] * 300 + [None] * 201})
    asked = {"bounds": (0, 4), "epsilon": 50, "with_count": True}
    by = Dataset(frame).group_by("g", keys=["a", "b", "n"])
    release = by.agg(x=ask.mean("x", **asked), y=ask.mean("y", **asked), n=ask.count(epsilon=50))
    assert list(release.counts) == ["n_x", "n_y"] and release.about.count is None
    assert release.frame.columns == ["g", "x", "y", "n", "n_x", "n_y"]
    assert abs(release.counts["n_x"][0] - 500) < 9 and abs(release.counts["n_y"][0] - 300) < 9
    few = by.mean("x", **{**asked, "epsilon": 5, "with_count": 0.9})
    assert "n is below about 40 in 2 of 3 groups: their answers say little" in str(few)
    assert "n_" not in by.mean("x", bounds=(0, 4), epsilon=1).frame.columns
    assert few.to_dict()["count"] == few.about.count and few.card()["count"] == list(few.about.count)


def test_a_count_takes_another_name_where_n_is_taken():
    frame = pl.DataFrame({"n": ["a"], "x": [1.0]})
    release = Dataset(frame).group_by("n", keys=["a"]).mean("x", bounds=(0, 4), epsilon=1, with_count=True)
    assert release.frame.columns == ["n", "mean_x", "n_"]


GROUPS = 2000
PAY = [3, 5, 5, 6, 7, 7, 8, 9, 12, 15] * 4
BETWEEN = {"bounds": (0, 20), "epsilon": 2, "interval": 0.9}
QUESTIONS = {
    "count": (ask.count(epsilon=2, interval=0.9), 40, AroundAnswer),
    "sum": (ask.sum("pay", **BETWEEN), 308, AroundAnswer),
    "median": (ask.median("pay", **BETWEEN), 7, BetweenEnds),
    "min": (ask.min("pay", **BETWEEN), 3, BetweenEnds),
    "mean": (ask.mean("pay", **BETWEEN), 7.7, FromSums),
    "variance": (ask.variance("pay", **BETWEEN), 11.41, FromSums),
    "trimmed_mean": (ask.trimmed_mean("pay", 0.1, **BETWEEN), 7.375, BetweenEnds),
    "iqr": (ask.iqr("pay", **BETWEEN), 4, BetweenEnds),
    "mean by balance": (ask.mean("pay", **BETWEEN, mechanism="balance"), 7.7, FromSums),
}


def in_groups(groups):
    frame = pl.DataFrame({"key": np.repeat(np.arange(groups), len(PAY)), "pay": PAY * groups})
    return nws.Dataset(frame).group_by("key", keys=range(groups))


@pytest.fixture(scope="module")
def by():
    return in_groups(GROUPS)


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_group_is_held_as_often_as_is_said(name, by):
    question, truth, kind = QUESTIONS[name]
    slow, groups = name == "variance", 40 if name == "variance" else GROUPS
    batch = (in_groups(groups) if slow else by)._bind(question, SharedReads()).inner
    assert isinstance(batch, IntervalBatch) and isinstance(batch.inner, kind)
    release = batch.answer("paid")
    low, high = map(np.array, release.interval)
    held = np.mean((low <= truth + 1e-9) & (truth - 1e-9 <= high))
    assert held >= 0.9 - (0.2 if slow else 0.03), held
    assert np.all(low <= np.array(release.value)) and np.all(np.array(release.value) <= high)
    assert release.interval.scope == "each" and len(release.value) == groups
    if kind is AroundAnswer:
        assert held <= 0.985, "public noise is as wide as the law says"


def test_it_says_and_costs_what_one_group_after_the_other_does(by):
    few = nws.Dataset(pl.DataFrame({"key": ["a", "b"] * 30, "pay": [1, 9] * 30}), contributions=3)
    groups = few.group_by("key", keys=["a", "b"])
    for question, _, _ in QUESTIONS.values():
        batch = groups._bind(question, SharedReads()).inner
        one = OneByOne(batch.inner, lambda group, of=batch.inner: of, batch.spread)
        together, apart = batch.answer(), one.answer()
        for field in (
            "privacy",
            "statistic",
            "mechanism",
            "law",
            "notes",
            "contributions",
            "granularity",
            "bounds",
        ):
            assert getattr(together, field) == getattr(apart, field), (question, field)
        assert batch.memo == one.memo and batch.loss == one.loss
        for field in ("confidence", "kind", "epsilon", "rho", "scope"):
            assert getattr(together.interval, field) == getattr(apart.interval, field)
        assert type(together.value[0]) is type(apart.value[0]) is type(together.interval.low[0])


def test_empty_groups_have_intervals_too():
    groups = nws.Dataset(pl.DataFrame({"key": ["a"], "pay": [1.5]})).group_by("key", keys=["a", "b"])
    mean = groups.mean("pay", **BETWEEN)
    assert len(mean.ends["low"]) == 2 and mean.ends["low"][1] >= 0
    count = groups.count(epsilon=Fraction(1, 2), interval=0.9, with_count=True)
    assert count.frame.columns == ["key", "count", "low", "high", "n"] and min(count.ends["low"]) >= 0
