"""Grouped: the questions of a Dataset, answered for each group of its rows.

The user declares groups (`Keys`), or a separate release finds them in the data (`KeySelection`). Every declared group
gets an answer, also without records. Rows of other groups are ignored.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from noisewise.calls import without_frames
from noisewise.dataset.batches import (
    Batch,
    CountedBatch,
    IntervalBatch,
    OfColumns,
    OneByOne,
    SharedReads,
    SpreadOverGroups,
    Together,
    of_totals,
)
from noisewise.dataset.many_groups import check_many
from noisewise.dataset.methods import (
    Questions,
    beside_each,
    check_questions,
    data_of,
    in_one_snapshot,
    refuse_cluster,
)
from noisewise.dataset.timed import Timed, in_time, notes_on, translate
from noisewise.errors import ParameterError, ParameterTypeError, Words
from noisewise.kernel.numbers.exact import Number, describe, exact, spell
from noisewise.kernel.prices import Price, exact_price, pure_epsilon
from noisewise.kernel.settle import settle
from noisewise.ledger.refusals import Suggesting
from noisewise.questions.composites.key_selection import KeySelection
from noisewise.questions.noise_interval import AroundAnswer, BetweenEnds, FromSums
from noisewise.questions.payable import Payable
from noisewise.questions.question import Question, price_of_all, priced
from noisewise.questions.request import Request
from noisewise.questions.terms import check_groups, price_of
from noisewise.questions.with_count import Counted
from noisewise.results.grouped_release import (
    GroupedRelease,
    make_frame,
    with_keys,
    with_notes_of_each,
)
from noisewise.results.release import Release
from noisewise.results.tidy import columns_of_groups
from noisewise.statistics.quantile import exact_share
from noisewise.tables.groups.keys import Keys
from noisewise.tables.groups.one_by_one import GroupTables
from noisewise.tables.names import is_column, unknown_column
from noisewise.tables.people import Choice
from noisewise.tables.table import GroupSources, Table

if TYPE_CHECKING:
    from noisewise.dataset.dataset import Dataset, DatasetPayer


class Grouped(Questions[GroupedRelease]):
    """Groups of a Dataset's rows. Made by `Dataset.group_by`.

    Attributes:
        keys: The groups there are, in the order of the declared keys; those that were found, from the lowest key to
            the highest. Public.
        selection: The release that chose them, where they were not declared.
    """

    def __init__(
        self,
        dataset: "Dataset",
        keys: Keys,
        selection: Release | None = None,
        *,
        table: Table | None = None,
        key_notes: tuple[str, ...] = (),
    ) -> None:
        self._dataset, self.keys, self.selection = dataset, keys.even(), selection
        self._table, self._key_notes = table or dataset._table, key_notes

    @classmethod
    def of(
        cls, dataset: "Dataset", columns: tuple[Any, ...], *, keys: Any, epsilon: Any, rho: Any, delta: Any
    ) -> "Grouped":
        """Check the columns and the keys."""
        names = _columns(columns, dataset)
        check_groups(dataset.neighbors)
        unpriced, facts = epsilon is None and rho is None, dataset._facts
        noted: tuple[str, ...] = ()
        if keys is None and unpriced and delta is None and (keys := facts.keys(names)) is not None:
            noted = (f"keys of {', '.join(names)} from {facts.source}",)
        if keys is None and (unpriced or delta is None):
            raise ParameterError(
                "group_by",
                "must be given keys, the groups that you know without looking at the data, or else epsilon or rho, "
                "and delta, to find out which groups the data has",
            ) from None
        if keys is None:
            with dataset._table.snapshot():
                selection = cls.selection_of(dataset, names, price_of(epsilon, rho), delta)
                release = settle(selection, dataset.payer)
            return cls.of_selected(dataset, release)
        if not unpriced or delta is not None:
            raise ParameterError(
                "epsilon, rho and delta",
                "must be left out where keys are given",
                why="they pay for finding the groups",
            ) from None
        typed, implied = Keys.of(names, keys, dataset._table.native_frame), list[str]()
        table: Table = dataset._table
        for name, column in zip(names, typed.columns, strict=True):
            before, table = table, table.compared_with(name, column)
            implied += [name] if table is not before else []
        declared = table.grouped(None, typed, None).keys.even().alike()  # keys in the types of the columns
        return cls(dataset, declared, table=table, key_notes=(*noted, *table.notes(tuple(implied))))

    @classmethod
    def selection_of(cls, dataset: "Dataset", names: tuple[str, ...], price: Any, delta: Any) -> Payable:
        """The release that finds groups in the data. Nothing is paid yet."""
        if dataset.contributions == "private":
            spend = pure_epsilon(exact_price(price))
            return dataset._after_search(
                spend, lambda limited, share: cls.selection_of(limited, names, share * spend, delta)
            )
        table, choice, owned = dataset._table, dataset.choice, dataset.contributions
        if choice is None and owned > 1:
            raise ParameterError(
                "unit",
                f"must be given to find groups where a person may own {owned} rows",
                why="only it tells how many different persons a group has",
            ) from None
        most = min(owned, dataset.max_groups or owned)
        find = table.count_keys(names, choice, most)
        return KeySelection.of(names, find, price=price, delta=delta, groups=most, contributions=owned)

    @classmethod
    def of_selected(cls, dataset: "Dataset", release: Release) -> "Grouped":
        """The groups that were found. A limit on the records of a person that was found with them stays."""
        dataset = dataset._at_most(release.contributions)
        release = replace(release, people=dataset.unit, notes=(*release.notes, *dataset._notes))
        keys: Keys = release.value
        return cls(dataset, keys, replace(release, value=tuple(keys.listed())))

    def __repr__(self) -> str:
        return f"<Grouped: {len(self.keys):,} groups by {', '.join(self.keys.names)}>"

    def __len__(self) -> int:
        return len(self.keys)

    @without_frames
    @in_one_snapshot
    def agg(
        self,
        *unnamed: object,
        epsilon: Number | str | None = None,
        rho: Number | str | None = None,
        shares: Mapping[str, Number] | None = None,
        interval: Number | str | None = None,
        with_count: Number | str | bool = False,
        **questions: Question,
    ) -> GroupedRelease:
        """Several questions at once: one debit for their sum, one data frame, and each column is read once.

        Args:
            epsilon: The privacy loss of all questions and groups together; or else each question has its own.
            rho: The same in zero-concentrated differential privacy, in place of epsilon.
            shares: How the price is divided, as numbers by the names of columns; by default all get the same.
            interval: A confidence such as 0.95, for an interval beside every answer that can have one.
            with_count: True, for a private count beside every answer that can have one, or its share of epsilon.
            questions: Questions by the names of their columns in the answer, as `ask` writes them down.

        Examples:
            >>> by = staff.group_by("dept", keys=["A", "B"])
            >>> pay = ask.median("salary", bounds=(0, 500_000))
            >>> by.agg(epsilon=1, n=ask.count(), pay=pay, shares={"n": 1, "pay": 3})
        """
        check_questions(questions, unnamed, interval, with_count)
        if taken := [name for name in questions if name in self.keys.names]:
            raise ParameterError(
                "answers", "must not be named like a column of keys", got=repr(taken[0])
            ) from None

        price = price_of_all(epsilon, rho, shares)

        def alone(question: Question) -> Payable:
            return self._bind(question, SharedReads())

        def at(price: Price | None) -> Payable:
            each = priced(questions, price, shares)
            return self._within_limit(
                beside_each(each, alone, interval=interval, with_count=with_count),
                lambda grouped, each, shared: Together(
                    {name: grouped._bind(question, shared) for name, question in each.items()}
                ),
                SharedReads(),
            )

        return self._answered(list(questions), price, at)

    def _answered(
        self, names: list[str], price: Price | None, at: Callable[[Price | None], Payable]
    ) -> GroupedRelease:
        """Pay for several questions at once, read the data, draw the answers. ``at`` makes them at a price."""
        together = at(price)
        with Suggesting(price, at):
            answer = settle(together, self._payer)
        return self._arrange(answer, dict(zip(names, answer.value, strict=True)))

    @in_one_snapshot
    def _ask(self, question: Question) -> GroupedRelease:
        """Check the question, pay, read the data, draw the answers."""
        payable, name = self._bind(question, SharedReads()), column_name(question, self.keys.names)
        with Suggesting(question.typed_price, lambda price: self._bind(question.at(price), SharedReads())):
            answer = settle(payable, self._payer)
        return self._arrange(answer, {name: answer})

    def _bind(self, question: Question, shared: SharedReads, *, searched: bool = False) -> Payable:
        """The question about all groups. Nothing is paid yet; whatever can be refused is refused here.

        If the groups were ``searched`` for, the debit is already made. Then their number is no reason to refuse.
        """
        if not len(self):
            raise ParameterError(
                "there",
                "must be a group to ask about",
                why="the selection of keys found none",
                fix=self.selection.notes[0].partition("; ")[2] if self.selection else "",
            ) from None
        if not question.can.in_groups:
            people = question.can.people
            graph = question.can.columns == ("edges",)
            raise ParameterError(
                question.name,
                "must be asked of the whole table",
                why="a person may be in several groups"
                if people
                else "a graph has no groups"
                if graph
                else "the column of groups is one more column to cross",
                fix="count in groups counts records, at most contributions of each person" if people else "",
            ) from None
        self.keys.alike()
        if self._dataset._search is not None:
            return self._within_limit(
                {question.name: question},
                lambda grouped, each, shared: grouped._bind(each[question.name], shared),
                shared,
            )
        question, known = self._dataset._facts.filled(question)
        timed = translate(question.paid_from(self._dataset.ledger), self._table)
        payable = self._of_groups(question, timed, shared, searched)
        notes = tuple(dict.fromkeys((*self._key_notes, *known, *notes_on(timed), *self._dataset._notes)))
        labels = self._dataset._facts.labels(question.about)
        return OfColumns(payable, question.about, self.keys.names, notes, labels, question.total)

    def _within_limit(
        self,
        questions: Mapping[str, Question],
        bind: "Callable[[Grouped, dict[str, Question], SharedReads], Payable]",
        shared: SharedReads,
    ) -> Payable:
        """The questions, bound by ``bind``. If contributions are private, a part of their price finds the limit."""
        if self._dataset._search is None:
            return bind(self, dict(questions), shared)
        if any(question.total for question in questions.values()):
            raise ParameterError(
                "contributions",
                "must be a number for per_person in groups",
                got=Words("private"),
                why="it says in how many groups a person takes part, not how many rows they have",
            ) from None

        def within(dataset: "Dataset", each: dict[str, Question]) -> Payable:
            limited = Grouped(
                dataset, self.keys, self.selection, table=self._table, key_notes=self._key_notes
            )
            return bind(limited, each, SharedReads())  # its work counts once

        return self._dataset._within_limit(questions, within)

    def _of_groups(self, question: Question, timed: Timed, shared: SharedReads, searched: bool) -> Payable:
        """The question about all groups. It is one batch if its answers can be drawn together, otherwise one by one."""
        dataset, in_numbers, table = self._dataset, timed.question, timed.table
        if not question.can.batched:
            refuse_cluster(f"{question.name} in groups", table, "batched")
        groups = len(self.keys)
        most = min(dataset.max_groups or groups, groups)
        choice, spread = self._choice, SpreadOverGroups(dataset._contributions, groups, self._per_group, most)
        if (total := question.total) is not None:  # a person has one record in each group
            records = min(dataset._contributions, most)
            choice = of_totals(choice, total, records)
            spread = SpreadOverGroups(records, groups, 1 if records > 1 else None, most)
        data = data_of(in_numbers, table, choice)
        in_numbers.check()
        typed = in_numbers.bind(data, neighbors=dataset.neighbors, contributions=spread.records)
        of_one = spread.priced(in_numbers)
        payable = typed if spread.records == 1 else of_one.bind(data, neighbors=dataset.neighbors)
        uncounted = payable.inner if isinstance(payable, Counted) else payable
        if isinstance(uncounted, (Request, AroundAnswer, BetweenEnds, FromSums)) and question.can.columns == (
            "column",
        ):
            reading = (timed.reading, question.can.asks_whether_true)
            column = shared.column(table, question.columns[0], self.keys, choice, reading)
            if not searched:
                check_many(uncounted, spread.groups, shared.work, batched=True)
            batch = (
                Batch.of(uncounted, column, spread)
                if isinstance(uncounted, Request)
                else IntervalBatch.of(uncounted, column, spread)
            )
            counted = CountedBatch(batch, payable.counting) if isinstance(payable, Counted) else batch
            return in_time(counted, timed.clock, grouped=True)
        if not searched:
            check_many(uncounted, spread.groups, shared.work, batched=False)
        tables = self._each_group(question, table, choice)

        def of_group(group: int) -> Payable:
            return of_one.bind(data_of(of_one, tables[group], None), neighbors=dataset.neighbors)

        return in_time(OneByOne(payable, of_group, spread), timed.clock, grouped=True)

    def _each_group(self, question: Question, table: Table, choice: Choice | None) -> GroupSources:
        """A table for each group. Either queries ask about all groups at once, or the rows are in memory."""
        if question.can.batched and question.streamed:
            of_rows = question.can.columns not in (("column",), ("label",))
            streamed = table.streamed_groups(question.about, self.keys, choice, of_rows=of_rows)
            if streamed is not None:
                return streamed
        reader = table.in_groups(question.about, self.keys, choice, f"{question.name} in groups")
        return GroupTables(reader, table.names, choice)

    def _arrange(self, about: Release, each: dict[str, Release]) -> GroupedRelease:
        """The answers as a data frame of the user's own library."""
        keys, people = self.keys, self._dataset.unit
        releases = {name: replace(release, people=people) for name, release in each.items()}
        values = [release.value for release in releases.values()]
        frame = make_frame(self._table.result_frame, columns_of_groups(keys, releases))
        together = values[0] if len(values) == 1 else tuple(zip(*values, strict=True))
        about = with_notes_of_each(replace(about, value=together, people=people), releases)
        all_groups = with_keys(about, self.selection)
        return GroupedRelease(frame, keys, all_groups, releases)

    @property
    def _choice(self) -> Choice | None:
        choice = self._dataset.choice
        if choice is None:
            return None
        return replace(choice, max_groups=self._dataset.max_groups, per_group=self._per_group)

    @property
    def _payer(self) -> "DatasetPayer | None":
        """What pays, with the limit that the ledger writes down."""
        payer = self._dataset.payer
        return None if payer is None else replace(payer, per_group=self._per_group)

    @property
    def _per_group(self) -> int | None:
        """The most records of a person in one group. None if ``contributions`` allows no more anyway."""
        most = self._dataset.per_group
        return None if most is None or most >= self._dataset._contributions else most


def _columns(columns: tuple[Any, ...], dataset: "Dataset") -> tuple[str, ...]:
    """The columns to group by, as names or as one list. Raises unless the table has them."""
    if len(columns) == 1 and isinstance(columns[0], (list, tuple)):
        columns = tuple(columns[0])
    if not columns:
        raise ParameterTypeError(
            "group_by", 'must name a column, as in group_by("dept", keys=["A", "B"])'
        ) from None
    for name in columns:
        if not is_column(name, dataset.columns):
            raise unknown_column("group_by", name, dataset.columns) from None
    if len(set(columns)) < len(columns):
        raise ParameterError(
            "group_by", "must name different columns", got=", ".join(map(describe, columns))
        ) from None
    return columns


def column_name(question: Question, keys: tuple[str, ...]) -> str:
    """The name for a column of answers: the question, the parameters that distinguish it, and its columns.

    It is never the name of a key.
    """
    given = {name: question.parameter(name) for name in question.can.distinguished_by}
    numbers = [
        spell(exact_share(value, name) if isinstance(value, str) else exact(name, value))
        for name, value in given.items()
    ]
    indicator = question.can.indicator(question)
    category = [] if indicator is None or indicator.category is None else [str(indicator.category)]
    rule = [] if question.total is None else [question.total.rule]
    name = "_".join([question.name, *numbers, *category, *rule, *question.about])
    while name in keys:
        name += "_answer"
    return name
