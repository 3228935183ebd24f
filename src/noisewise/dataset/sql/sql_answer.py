"""The answer to a statement: its questions are paid together, asked by the methods, and put into the columns asked for.

Each aggregate is a question of its own. If a statement has the same one twice, it is drawn and paid twice.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from noisewise.dataset.any_groups import in_any_groups
from noisewise.dataset.batches import SharedReads, Together
from noisewise.dataset.sql.statement import Item, Statement
from noisewise.errors import ParameterError, ReleaseFailed, Words
from noisewise.kernel.losses import Loss
from noisewise.kernel.prices import Price
from noisewise.kernel.sampling import Bits
from noisewise.ledger.composition import sum_with_delta
from noisewise.ledger.ledger import Ledger
from noisewise.questions.payable import Payable
from noisewise.questions.question import Question, priced
from noisewise.questions.terms import price_of
from noisewise.results.grouped_release import GroupedRelease, column_of
from noisewise.results.joint_release import JointRelease
from noisewise.results.release import WORDS, Release
from noisewise.results.tidy import columns_in
from noisewise.tables.time.clock import pair_in_time

if TYPE_CHECKING:
    from noisewise.dataset.dataset import Dataset
    from noisewise.dataset.grouped import Grouped


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SqlAnswer:
    """The answer to a statement: a column for each item of its SELECT, in that order.

    ``print(answer)`` prints the table with everything a reader must know. Groups stand in the order in which their keys
    were declared, or as ORDER BY says.

    Attributes:
        columns: The values by the names of columns, with the significant digits.
        release: What the methods answer, with a receipt for each question.
    """

    columns: dict[str, list[Any]]
    release: JointRelease | GroupedRelease

    @property
    def privacy(self) -> Loss:
        """The most that the answer can reveal about one person, as a loss."""
        return self.release.privacy

    @property
    def has_groups(self) -> bool:
        """Whether the statement has GROUP BY."""
        return isinstance(self.release, GroupedRelease)

    def to_pandas(self) -> Any:
        """The table as a data frame of pandas."""
        return columns_in("pandas", self._even)

    def to_polars(self) -> Any:
        """The table as a data frame of Polars."""
        return columns_in("polars", self._even)

    @property
    def _even(self) -> dict[str, list[Any]]:
        return {name: column_of(tuple(values)) for name, values in self.columns.items()}

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """The rows."""
        return zip(*self.columns.values(), strict=True)

    def __repr__(self) -> str:
        shown = [[name, *map(_shown, values)] for name, values in self.columns.items()]
        widths = [max(map(len, column)) for column in shown]
        rows = ["  ".join(map(str.rjust, row, widths)) for row in zip(*shown, strict=True)]
        return "\n".join([*rows, *self.receipt_lines])

    @property
    def receipt_lines(self) -> list[str]:
        """The receipt, a line each."""
        return [*self.release.about.receipt_lines, *self._notes]

    @property
    def _notes(self) -> list[str]:
        """What the receipts of single questions say beside."""
        each, said = self.release.each, self.release.about.notes
        names = dict[str, list[str]]()
        for name, one in each.items():
            for note in one.notes:
                names.setdefault(note, []).append(name)
        return [
            f"  note         {'' if len(of) == len(each) else ', '.join(of) + ': '}{note}"
            for note, of in names.items()
            if note not in said
        ]

    def __str__(self) -> str:
        return f"{self!r}\n{WORDS}"


def _shown(value: Any) -> str:
    return f"{value:,}" if type(value) in (int, float) else str(value)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SqlPlan:
    """What ``EXPLAIN SELECT ...`` says: the questions of a statement and what each costs. Nothing is paid or read.

    Attributes:
        questions: The questions by the names of their columns, with their prices, as `nws.plan` takes them.
        losses: What each costs.
        privacy: What the statement costs.
        condition: Which rows take part; None for all.
        by: The columns of the groups.
    """

    questions: dict[str, Question]
    losses: dict[str, Loss]
    privacy: Loss
    condition: str | None
    by: tuple[str, ...]

    def __repr__(self) -> str:
        rows = [f"{name}: {question!r}: {self.losses[name]}" for name, question in self.questions.items()]
        rows += [f"only rows where {self.condition}"] * (self.condition is not None)
        rows += [f"in groups by {', '.join(self.by)}"] * bool(self.by)
        return "\n".join([*rows, f"together: {self.privacy}"])


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Filtered(Payable):
    """A question about the rows that pass the FILTER of its aggregate, which the ledger shows."""

    inner: Payable
    condition: str

    @property
    def memo(self) -> str:
        return f"{self.inner.memo}, filter {self.condition}"

    @property
    def unit(self) -> str | None:
        return self.inner.unit

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        return self.inner.answer(receipt, bits=bits)


class SqlQuestions:
    """A statement about a Dataset, before it is paid."""

    def __init__(
        self, statement: Statement, dataset: "Dataset", price: Price, shares: Any, search: Any
    ) -> None:
        if dataset._search is not None:
            raise ParameterError(
                "contributions", "must be a number for a statement in SQL", got=Words("private")
            ) from None
        self.statement, self.price, self.shares, self.search = statement, price, shares, search
        self.data = dataset if statement.condition is None else dataset.where(statement.condition)
        conditions = dict.fromkeys([None, *(item.condition for item in statement.items)])
        self.parts = {each: self.data if each is None else self.data.where(each) for each in conditions}
        self.is_searched = bool(statement.by) and self.data._facts.keys(statement.by) is None
        if search and not self.is_searched:
            raise ParameterError(
                f"key_{min(search)}", "must be left out where no groups are searched for"
            ) from None
        for item in statement.items:
            self._check_numbers(item)

    @classmethod
    def of(
        cls, dataset: "Dataset", text: object, dialect: object, price: Price, shares: object, search: Any
    ) -> "SqlQuestions":
        """Read the statement, and check everything that can be checked without binding its questions."""
        statement = Statement.read(
            text, dialect, names=dataset.columns, unit=dataset.unit, table=dataset.name, facts=dataset._facts
        )
        given = {name: value for name, value in search.items() if value is not None}
        return cls(statement, dataset, price, shares, given)

    def _check_numbers(self, item: Item) -> None:
        """Refuse arithmetic on the answer if it is a date or a duration."""
        if item.question is None or item.is_plain:
            return
        bounds = self.data._facts.filled(item.question).question.keywords.get("bounds")
        if pair_in_time(bounds) is not None:
            raise ParameterError(
                "sql",
                "must not compute with dates, times or durations",
                got=item.name,
                fix="compute with the answer",
            ) from None

    def priced(self, price: Price | None) -> dict[str, Question]:
        return priced(self.statement.questions, price, self.shares)

    def together(self, price: Price | None, groups: Mapping[str | None, "Grouped"] | None = None) -> Together:
        """All questions, which are paid at once; in groups if there are any."""
        each, shared, bound = self.priced(price), dict[str | None, SharedReads](), dict[str, Payable]()
        for item in self.statement.items:
            if item.question is None:
                continue
            question, condition = each[item.name], item.condition
            if groups is None:
                payable: Payable = self.parts[condition]._bind(question)
            else:
                reads = shared.setdefault(condition, SharedReads())
                reads.work = next(iter(shared.values())).work  # the limits hold for all questions together
                payable = groups[condition]._bind(question, reads, searched=self.is_searched)
            bound[item.name] = payable if condition is None else Filtered(payable, condition)
        return Together.of(bound)

    def stand_ins(self) -> Together:
        """All questions in groups that are not found yet."""
        each, by = self.priced(self.price), self.statement.by
        return Together.of(
            {
                item.name: in_any_groups(self.parts[item.condition], by, each[item.name])
                for item in self.statement.items
                if item.question is not None
            }
        )

    def declared(self) -> dict[str | None, "Grouped"]:
        return {each: part.group_by(*self.statement.by) for each, part in self.parts.items()}

    def found(self) -> dict[str | None, "Grouped"]:
        """Search for the groups and pay for that, if the questions could be asked in them and paid after it."""
        by, together = self.statement.by, self.stand_ins()
        selection = self.selection
        if isinstance(self.data.ledger, Ledger):
            self.data.ledger.check(selection.loss, together.loss)
        searched = self.data.group_by(*by, **self.search)
        if not len(searched):
            raise ReleaseFailed(
                "no group has enough people to be shown, so nothing was asked; the search was paid and its debit "
                "stands"
            ) from None
        keys = searched.keys.listed()
        of_parts: dict[str | None, Grouped] = {
            each: part.group_by(*by, keys=keys) for each, part in self.parts.items() if each is not None
        }
        return {None: searched, **of_parts}

    @property
    def selection(self) -> Payable:
        """The search for groups, before it is paid."""
        from noisewise.dataset.grouped import Grouped

        if "delta" not in self.search or len(self.search) != 2:
            raise ParameterError(
                "group_by",
                f"must know the groups of {', '.join(self.statement.by)}",
                fix="declare them, as columns={...: Column(keys=[...])}; or say key_epsilon or key_rho, and key_delta, "
                "to find them",
            ) from None
        price = price_of(self.search.get("epsilon"), self.search.get("rho"))
        return Grouped.selection_of(self.data, self.statement.by, price, self.search["delta"])

    def plan(self) -> SqlPlan:
        statement = self.statement
        if self.is_searched:
            together = self.stand_ins()
            loss = sum_with_delta(self.selection.loss, together.loss)
        else:
            together = self.together(self.price, self.declared() if statement.by else None)
            loss = together.loss
        losses = {name: each.loss for name, each in together.questions.items()}
        return SqlPlan(self.priced(self.price), losses, loss, self.data.condition, statement.by)

    def answer(self) -> SqlAnswer:
        with self.data._table.snapshot():
            if not self.statement.by:
                joint = self.data._answered(list(self.statement.questions), self.price, self.together)
                return SqlAnswer(self.cells(joint), joint)
            groups = self.found() if self.is_searched else self.declared()
            grouped = groups[None]._answered(
                list(self.statement.questions), self.price, lambda price: self.together(price, groups)
            )
            return SqlAnswer(self.cells(grouped, groups[None]), grouped)

    def cells(
        self, release: JointRelease | GroupedRelease, groups: "Grouped | None" = None
    ) -> dict[str, list[Any]]:
        """The columns of the answer, in the order of the statement, and their rows in the order that it asks for."""
        columns = list[list[Any]]()
        for item in self.statement.items:
            if item.question is not None:
                one = release.each[item.name]
                values = one.readable(one.value)
                columns.append([item.of(value) for value in (values if groups is not None else (values,))])
            elif groups is not None:
                columns.append(list(groups.keys.columns[groups.keys.names.index(str(item.key))]))
        rows = list(range(len(columns[0])))
        for place, falls in reversed(self.statement.order):
            column = columns[place]
            known = [row for row in rows if column[row] is not None]
            known.sort(key=column.__getitem__, reverse=falls)
            rows = known + [row for row in rows if column[row] is None]
        rows = rows[: self.statement.limit]
        names = [item.name for item in self.statement.items]
        return {name: [column[row] for row in rows] for name, column in zip(names, columns, strict=True)}
