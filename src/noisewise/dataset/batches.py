"""Batches: one question about every group. It is checked once, paid once and answered for all groups.

A person has at most m records in all groups, of which m_g are in group g. The answer of each group is drawn by a law
that protects one record at epsilon/m. So one person changes the law of group g by at most m_g * epsilon/m, and the laws
of all groups together by at most epsilon, in whatever groups the records are. Proof: docs/proofs/groups.md.

The interval of a group is the same as for a question about that group alone. So it holds the true answer of the group
with the stated probability. Proof: docs/proofs/answer_interval.md.
"""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from noisewise.dataset.many_groups import Work, requests_in
from noisewise.errors import Keyword, ParameterError
from noisewise.kernel.laws import AnyLaw
from noisewise.kernel.laws.envelope import level_rule
from noisewise.kernel.laws.law import Law
from noisewise.kernel.losses import ZCDP, Loss, Neighbors
from noisewise.kernel.mechanisms.balance import ByScore
from noisewise.kernel.mechanisms.scored import Scored
from noisewise.kernel.numbers.answers import UTMOST
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import spell
from noisewise.kernel.numbers.lattice import Lattice, values_at
from noisewise.kernel.prices import Price, Rho, for_all
from noisewise.kernel.sampling import Bits, SystemBits, from_system
from noisewise.kernel.sampling.draw import UNDECIDED
from noisewise.kernel.secret import Secret
from noisewise.kernel.settle import sum_of_losses
from noisewise.ledger.composition import sum_with_delta
from noisewise.questions.choice import note_on_saving
from noisewise.questions.noise_interval import AroundAnswer, BetweenEnds, FromSums
from noisewise.questions.payable import Payable
from noisewise.questions.question import Question
from noisewise.questions.request import Request
from noisewise.questions.with_count import Counted, Counting
from noisewise.results.release import AnswerInterval, Release, of_columns
from noisewise.statistics.records import Groups
from noisewise.statistics.statistic import Statistic
from noisewise.tables.columns.parallel import side_by_side
from noisewise.tables.groups.grouped_column import DeclaredLocalGroups, LocalGroups
from noisewise.tables.groups.keys import Keys
from noisewise.tables.people import Choice
from noisewise.tables.table import DeclaredGroups, Table
from noisewise.tables.totals import Total

NEAR_EXPONENT = 2
"""All levels that are not read at first weigh together less than e^-2 times the weight of one point of the plateau."""
MOST_LEVELS = 2**26
"""The most levels of all groups together, if an answer is unbounded on one side."""


@dataclass(frozen=True, slots=True)
class SpreadOverGroups:
    """The most records of one person in all groups together, and the number of groups. Public."""

    records: int
    groups: int
    per_group: int | None = None
    """The most records of one person in one group. None if there is no limit below ``records``."""
    max_groups: int | None = None
    """The most groups of one person. None if there is no limit."""

    def priced(self, question: Question) -> Question:
        """The same question at the price of one of a person's records."""
        return question.for_one_record(self.records, self.per_group, self.max_groups)

    @property
    def squares(self) -> int:
        """The largest sum, over all groups, of the squared number of records of one person in the group."""
        return Rho(Fraction(1)).for_each(self.records, self.per_group, self.max_groups).squares

    def loss(self, one: Payable) -> Loss:
        """The loss of all groups, if the question ``one`` covers one record. A rho covers all of them already."""
        return one.loss if isinstance(one.loss, ZCDP) else one.loss_of(self.records)

    def stamped(self, answer: Release, one: Payable) -> Release:
        """The answer for all groups, with their loss and a note on the price."""
        owned, price = "1 record", ""
        if self.records > 1:
            owned = f"{self.records:,} records"
        if self.records > 1 and not isinstance(one.loss, ZCDP):
            each, _, _ = str(one.loss).partition(",")
            price = f", each paid for with {each}"
        capped = "" if self.per_group is None else f", and at most {self.per_group:,} in any one group"
        note = f"the price of all groups together: one person has at most {owned} in them{price}{capped}"
        return replace(
            answer,
            privacy=self.loss(one),
            contributions=self.records,
            notes=(note, *self._saved(one), *answer.notes),
        )

    def _saved(self, one: Payable) -> tuple[str, ...]:
        """A note on how much less noise one record of a person in each group would need, at a price in rho."""
        least = replace(self, per_group=1).squares
        if not isinstance(one.loss, ZCDP):
            return ()
        return tuple(filter(None, [note_on_saving(math.sqrt(self.squares / least))]))


class OfGroups(Payable):
    """One question about every group, at the price of all groups together. ``inner`` covers one record."""

    __slots__ = ()

    inner: Payable
    spread: SpreadOverGroups

    @property
    def loss(self) -> Loss:
        return self.spread.loss(self.inner)

    @property
    def contributions(self) -> int:
        return self.spread.records

    @property
    def memo(self) -> str:
        return f"{self.inner.memo}, in {self.spread.groups:,} groups"


@dataclass(frozen=True, slots=True, repr=False)
class Batch(OfGroups):
    """One statistic of one column in groups. The envelopes of all groups make one law, which is drawn from once."""

    inner: Request
    """About one record."""
    groups: DeclaredGroups
    spread: SpreadOverGroups

    @classmethod
    def of(cls, request: Request, groups: DeclaredGroups, spread: SpreadOverGroups) -> "Batch":
        """Make the batch, or refuse it if its levels need too much memory.

        A bounded answer is never refused, since the levels of a group end with its records.
        """
        answers = request.frame.answers
        levels = (request.levels + 1) * spread.groups
        if None in answers.support and levels > MOST_LEVELS:
            raise ParameterError(
                "epsilon",
                f"must be larger, or groups fewer, for {request.statistic} by this mechanism",
                why=f"all groups would take {levels:,} levels, above {MOST_LEVELS:,}",
                fix=(Keyword("mechanism", "laplace"), " takes none"),
            ) from None
        return cls(request, groups, spread)

    def look(self) -> AnyLaw:
        """The secret laws of all groups."""
        with np.errstate(all="ignore"):
            return self._law(self.read(), self.inner.levels)

    def read(self) -> Groups:
        """The records of all groups. Secret."""
        return self.groups.read(self.inner.frame.records, self.inner.neighbors)

    def _law(self, groups: Groups, levels: int) -> AnyLaw:
        """The laws of all groups at the price of one record, computed from ``levels`` levels."""
        request, answers = self.inner, self.inner.frame.answers
        statistic, support = request.statistic, request.support()
        if isinstance(request.mechanism, ByScore):
            statistic, shift = request.aimed
            score = statistic.scores(groups, answers, levels, request.record_epsilon)
            for group in range(len(score) if type(statistic).scores is Statistic.scores else 1):
                request.checked_score(score[group], support)
            return replace(request.mechanism.law(score, request.person_pull, answers), shift=shift)
        return request.law_of(statistic.envelopes(groups, answers, levels), support)

    def draw(self, bits: Bits | None) -> NDArray[np.int64]:
        """Draw once for each group. The nearest levels are read first. More are read only for groups that need them."""
        groups, levels = self.read(), self.inner.levels
        few, source = self._nearest(), bits or SystemBits()
        by_score, in_memory = isinstance(self.inner.mechanism, ByScore), isinstance(groups, LocalGroups)
        if not by_score and (few is None or not in_memory):
            return self._law(groups, levels).draw_each(bits=bits)
        words = source.words(len(groups))
        if few is not None and isinstance(groups, LocalGroups):
            drawn = self._draw_in_parts(groups, few, words, bits)
        else:
            drawn = self._law(groups, levels).draw_from(words, source)
        for further in (levels, int(groups.counts.max(initial=0)) + 1) if by_score else (levels,):
            left = np.flatnonzero(drawn == UNDECIDED)
            if left.size and isinstance(groups, LocalGroups):
                drawn[left] = self._law(groups.only(left), further).draw_from(words[left], source)
            elif left.size:
                drawn[left] = self._law(groups, further).draw_from(words, source)[left]
        return drawn

    def _draw_in_parts(
        self, groups: LocalGroups, few: int, words: NDArray[np.uint64], bits: Bits | None
    ) -> NDArray[np.int64]:
        """Draw once for each group from a few levels, some groups at a time. `UNDECIDED` if a group needs more
        levels."""

        def nearest(part: slice) -> NDArray[np.int64]:
            law = self._law(groups.part(part), few)
            near = replace(law, nearest=few + 1) if isinstance(law, Law) else law
            return near.draw_from(words[part], bits or SystemBits())

        parts = groups.parts()
        # threads share the system's randomness; a seed is read in one order
        return np.concatenate(side_by_side(nearest, parts) if from_system(bits) else [*map(nearest, parts)])

    def _nearest(self) -> int | None:
        """The number of levels that nearly always decide a draw. None if a few levels cannot be computed alone."""
        answers, mechanism = self.inner.frame.answers, self.inner.mechanism
        if not self.inner.statistic.nearest_first or None in answers.support:
            return None
        if isinstance(mechanism, ByScore):
            return mechanism.levels(answers, self.inner.person_pull, NEAR_EXPONENT)
        if isinstance(mechanism, Scored):
            return level_rule(answers.points, mechanism.epsilon / 2, NEAR_EXPONENT)
        return None

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        """The answers in the order in which keys were declared."""
        granularity = self.inner.frame.answers.granularity
        with np.errstate(all="ignore"):
            drawn = self.draw(bits)
            whole = granularity.denominator == 1
            values = drawn.tolist() if whole else values_at(drawn, granularity).tolist()
        if whole and granularity > 1:
            values = [k * int(granularity) for k in values]
        return self.spread.stamped(self.inner.stamped(tuple(values), receipt, bits), self.inner)


@dataclass(frozen=True, slots=True, repr=False)
class CountedBatch(Payable):
    """One statistic in groups, and the number of records of each group in the column that was read."""

    inner: "Batch | IntervalBatch"
    counting: Counting

    @property
    def loss(self) -> Loss:
        return sum_of_losses(self.inner.loss, self.counting.noise.loss_of(self.inner.spread.records))

    @property
    def memo(self) -> str:
        return f"{self.inner.memo}, count by {self.counting.noise.version}"

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        release = self.inner.answer(receipt, bits=bits)
        with np.errstate(all="ignore"):
            counts = self.counting.draw(self.inner.read().counts.tolist(), bits)
        return self.counting.beside_groups(release, counts, self.inner.spread.records, self.loss)


@dataclass(frozen=True, slots=True, repr=False)
class OneByOne(OfGroups):
    """Any question, asked about one group after the other."""

    inner: Payable
    """About one record."""
    of_group: Callable[[int], Payable]
    spread: SpreadOverGroups

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        """The answers in the order of the declared keys. Notes that differ between groups are left out."""
        drawn = [self._drawn(group, bits) for group in range(self.spread.groups)]
        first, *others = answers = [release for release, _ in drawn]
        same: dict[str, Any] = {
            field: getattr(first, field)
            if all(getattr(first, field) == getattr(other, field) for other in others)
            else nothing
            for field, nothing in (("granularity", None), ("bounds", None), ("notes", ()))
        }
        together = replace(
            first,
            value=tuple(each.value for each in answers),
            interval=in_each_group([each.interval for each in answers], self.spread.records),
            receipt=receipt,
            **same,
        )
        stamped = self.spread.stamped(together, self.inner)
        if not isinstance(self.inner, Counted):
            return stamped
        counts = [count for _, count in drawn]
        return self.inner.counting.beside_groups(stamped, counts, self.spread.records, self.loss)

    def _drawn(self, group: int, bits: Bits | None) -> tuple[Release, int]:
        """The answer of one group, and the number of its records if that is asked for."""
        payable = self.of_group(group)
        return payable.drawn(None, bits) if isinstance(payable, Counted) else (payable.answer(bits=bits), 0)


@dataclass(frozen=True, slots=True, repr=False)
class OfColumns(Payable):
    """A question about named columns. The ledger and the answer show the names, which are public."""

    inner: Payable
    columns: tuple[str, ...]
    by: tuple[str, ...] = ()
    """The columns of the keys."""
    notes: tuple[str, ...] = ()
    """Further notes on the columns."""
    labels: tuple[str, ...] = ()
    """What people call the columns, which the answer shows."""
    total: Total | None = None
    """How all rows of a person became one record. None if each row is one."""

    @property
    def memo(self) -> str:
        what, by, how = self.inner.memo.partition(" by ")
        groups = f" by {', '.join(self.by)}" if self.by else ""
        rule = "" if self.total is None else f", {self.total.rule} per person"
        return f"{what}{of_columns(self.columns)}{rule}{by}{how}{groups}"

    @property
    def unit(self) -> str | None:
        return self.inner.unit

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        answer = self.inner.answer(receipt, bits=bits)
        notes = (*answer.notes, *self.notes)
        if self.total is not None:
            per = "person and group" if self.by else "person"
            notes = (f"one record per {per}: the {self.total} of that person's rows", *notes)
        return replace(answer, columns=self.columns, notes=notes, labels=self.labels)


class SharedReads:
    """The columns that several questions share. Each column is read once per lattice, and the group of each row once.

    ``work`` is the work of all questions together.
    """

    def __init__(self) -> None:
        self.work = Work()
        self._columns: dict[Hashable, DeclaredGroups] = {}
        self._row_groups: Callable[[], Integers] | None = None

    def column(
        self, table: Table, name: str | None, keys: Keys, choice: Choice | None, reading: Hashable
    ) -> DeclaredGroups:
        """A column in groups. ``reading`` distinguishes different ways to read the same column."""
        key = (name, reading, choice)
        if key not in self._columns:
            groups = table.grouped(name, keys, choice)
            if isinstance(groups, DeclaredLocalGroups):
                self._row_groups = self._row_groups or cache(groups.row_groups)
                groups = replace(groups, row_groups=self._row_groups)
            self._columns[key] = ReadOnce(cache(groups.read), groups.keys)
        return self._columns[key]


@dataclass(frozen=True, slots=True, repr=False)
class ReadOnce(Secret):
    """A column in groups whose records are kept after they are read."""

    read: Callable[[Lattice, Neighbors], Groups]
    keys: Keys


def of_totals(choice: Choice | None, total: Total, most: int) -> Choice:
    """The choice of a person's totals, of which ``most`` take part at most. Raises without a unit."""
    if choice is None:
        raise ParameterError(
            "unit", "must be given for per_person", why="only it tells which rows belong to one person"
        ) from None
    return replace(choice, contributions=most, max_groups=None, per_group=None, total=total)


@dataclass(frozen=True, slots=True, repr=False)
class Together(Payable):
    """Several questions that are paid together."""

    questions: dict[str, Payable]

    @classmethod
    def of(cls, questions: dict[str, Payable]) -> "Together":
        """Put questions together. Refuse those that protect different things, such as edges of a graph and records."""
        units = {each.unit or "record": name for name, each in questions.items()}
        if len(units) > 1:
            (unit, first), (other, second), *_ = units.items()
            got = f"{first}, which protects one {unit}, and {second}, one {other}"
            rule = "must ask questions that protect the same thing"
            raise ParameterError("agg", rule, got=got, fix="ask them one by one") from None
        return cls(questions)

    @property
    def loss(self) -> Loss:
        return sum_with_delta(*self.losses)

    @property
    def losses(self) -> tuple[Loss, ...]:
        return tuple(each.loss for each in self.questions.values())

    @property
    def memo(self) -> str:
        return "; ".join(each.memo for each in self.questions.values())

    @property
    def inner(self) -> Payable:
        """The first question. All protect the same people."""
        return next(iter(self.questions.values()))

    @property
    def unit(self) -> str | None:
        return self.inner.unit  # the same for all

    @property
    def contributions(self) -> int:
        """The most records of one person that take part in any question."""
        return max(each.contributions for each in self.questions.values())

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        """One release whose value is a tuple of all releases."""
        each = [question.answer(receipt, bits=bits) for question in self.questions.values()]
        return replace(
            each[0],
            value=tuple(each),
            privacy=self.loss,
            statistic=", ".join(release.statistic for release in each),
            mechanism=", ".join(dict.fromkeys(release.mechanism for release in each)),
            law=", ".join(dict.fromkeys(release.law for release in each)),
            granularity=None,
            bounds=None,
            count=None,
            notes=tuple(f"{release.what}: {release.privacy}{_held(release.interval)}" for release in each),
            columns=tuple(dict.fromkeys(name for release in each for name in release.columns)),
            interval=each[0].interval if len(each) == 1 else None,  # the interval is of one question only
            names=(),
            form="numbers",
            labels=(),
        )


def _held(interval: AnswerInterval | None) -> str:
    """A text with the confidence of an answer's interval. Empty if it has none, or one that is not about noise."""
    noise = interval is not None and interval.kind == "noise"
    return f"; its interval is {spell(100 * interval.confidence)}% sure" if interval and noise else ""


def in_each_group(intervals: list[AnswerInterval | None], records: int) -> AnswerInterval | None:
    """One interval whose two ends are tuples over all groups; None where a group has no answer.

    The price of each interval is for one record. The price of the result is for ``records`` records.
    """
    known = [interval for interval in intervals if interval is not None]
    if not known:
        return None
    low, high = zip(*(interval or (None, None) for interval in intervals), strict=True)
    paid = records * known[0].epsilon
    return replace(known[0], low=low, high=high, epsilon=paid, scope="each")


WithInterval: TypeAlias = AroundAnswer | BetweenEnds | FromSums


@dataclass(frozen=True, slots=True, repr=False)
class IntervalBatch(OfGroups):
    """One statistic of one column with its interval, in groups."""

    inner: WithInterval
    """About one record."""
    groups: DeclaredGroups
    spread: SpreadOverGroups

    @classmethod
    def of(cls, question: WithInterval, groups: DeclaredGroups, spread: SpreadOverGroups) -> "IntervalBatch":
        """Make the batch, or refuse it if its levels need too much memory."""
        for request in requests_in(question):
            Batch.of(request, groups, spread)
        return cls(question, groups, spread)

    def read(self) -> Groups:
        return self._batch(self.inner.inner).read()

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        """The answers in the order in which keys were declared."""
        with np.errstate(all="ignore"):
            drawn, low, high = self._indices(bits)
        low, high = np.minimum(np.minimum(low, high), drawn), np.maximum(np.maximum(low, high), drawn)
        request, number = self.inner.inner, self.inner.inner.number
        values, lows, highs = (tuple(number(int(k)) for k in side) for side in (drawn, low, high))
        paid: Price = Fraction(0)
        if isinstance(self.inner, FromSums):
            one = (self.inner.answered or request).stamped(values, receipt, bits)
            one = replace(one, mechanism=self.inner.answered_by)
        else:
            one = request.stamped(values, receipt, bits)
        if not isinstance(self.inner, AroundAnswer):
            paid, one = self.inner.paid, replace(one, law=self.inner.law)
        if (sure := self.inner.confidence) is None:
            return self.spread.stamped(one, self.inner)
        interval = AnswerInterval(lows, highs, sure, scope="each").paid(for_all(paid, self.spread.records))
        return self.spread.stamped(replace(one, interval=interval), self.inner)

    def _indices(self, bits: Bits | None) -> tuple[Integers, Integers, Integers]:
        """The index of the answer and of both ends, for each group."""
        if isinstance(self.inner, FromSums):
            return self._from_sums(self.inner, bits)
        least, most = (
            np.int64(open_end if end is None else end)
            for end, open_end in zip(self.inner.inner.frame.answers.support, (-UTMOST, UTMOST), strict=True)
        )
        drawn = self._batch(self.inner.inner).draw(bits)
        if isinstance(self.inner, AroundAnswer):
            above = int(self.inner.inner.statistic.floored(self.inner.inner.frame))
            steps = min(self.inner.steps, 2 * UTMOST)  # further than any two answers are apart
            return drawn, np.maximum(drawn - steps, least), np.minimum(drawn + steps + above, most)
        low, high = (
            np.full_like(drawn, bound)
            if end is None
            else np.clip(self._batch(end).draw(bits) + way * end.statistic.steps_out, least, most)
            for end, bound, way in ((self.inner.low, least, -1), (self.inner.high, most, 1))
        )
        return drawn, low, high

    def _from_sums(self, question: FromSums, bits: Bits | None) -> tuple[Integers, Integers, Integers]:
        answered = None if question.answered is None else self._batch(question.answered).draw(bits)
        sums = question.sums
        drawn = sums.draw_each(self.read(), bits)
        estimates = [sums.estimate(each) for each in drawn] if answered is None else answered
        indices = np.asarray(estimates, np.int64)
        if (sure := question.confidence) is None:
            return indices, indices, indices
        ends = np.array([sums.ends(each, 1 - sure) for each in drawn], np.int64).reshape(-1, 2)
        return indices, ends[:, 0], ends[:, 1]

    def _batch(self, request: Request) -> Batch:
        return Batch(request, self.groups, self.spread)
