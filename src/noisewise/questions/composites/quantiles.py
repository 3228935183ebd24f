"""Joint quantiles: drawn from the middle out, each from its own part of the records [Kaplan, Schnapp & Stemmer 2022].

The middle quantile is drawn from the whole column. Its value splits the records and the bounds in two. The quantiles
below it are drawn from the records at or below that value, those above it from the rest, and so on. A record is in one
part at each depth. So it pays for one path down a tree, not for every quantile, and answers never cross.

    target    quantile q of the column is quantile (q - q_below)/(q_above - q_below) of its part. The neighbouring
              quantiles q_below and q_above were drawn before
    price     each path down costs epsilon. A person's m records are m edits at epsilon/m, a swap is two at epsilon/2
    ties      a record is read as a pair (k, u): its index and random bits of its own. Splits fall between pairs, so
              equal records are split where the quantile is. A quantile that splits nothing reads k alone

A single quantile is the same release as `quantile`. Proof: docs/proofs/quantiles.md.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any, Unpack, cast

import numpy as np

from noisewise.calls import checked_class
from noisewise.errors import ParameterError, ParameterTypeError, Value
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.laws.score import Score
from noisewise.kernel.losses import Loss, Neighbors, PureDP
from noisewise.kernel.mechanisms.balance import Balance
from noisewise.kernel.mechanisms.scored import Scored
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.arrays import Integers
from noisewise.kernel.numbers.exact import Number, describe, spell, whole
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.prices import Price, Rho
from noisewise.kernel.sampling import Bits, SystemBits
from noisewise.kernel.sampling.ties import WORD, short_words
from noisewise.questions.choice import choose, width_of
from noisewise.questions.composites.tied_pairs import RankedPart, TiedPairs
from noisewise.questions.composites.tree import Split, TreePart, scaled
from noisewise.questions.keywords import Protection
from noisewise.questions.measured import Measured
from noisewise.questions.noise_interval import SHARE, Ends, WithDrawnEnds, between, ends_of
from noisewise.questions.noise_interval import VERSION as ENDS
from noisewise.questions.payable import Payable, bounds_as_typed, no_interval
from noisewise.questions.promise import Promise
from noisewise.questions.request import Request
from noisewise.questions.terms import PrivacyTerms
from noisewise.questions.wide import FEW
from noisewise.results.release import AnswerInterval, Form, Release
from noisewise.statistics.quantile import Quantile, exact_share
from noisewise.statistics.records import CountedColumn
from noisewise.tables.columns import ArrayColumn, Column, declare
from noisewise.tables.columns.array_column import Declared, nearest_float64
from noisewise.tables.groups.grouped_column import SortedColumn

MOST = 10_000
"""The most quantiles in one release."""

MOST_WITH_INTERVALS = 20
"""The most quantiles in one release if each has an interval."""

LISTED = 9
"""A receipt names at most this many quantiles one by one."""

TIE_BITS, PAIR_BITS = WORD, 59
"""The random part u has 16 bits. If a pair (k, u) would be longer than 59 bits, u has fewer, but at least 7."""


@checked_class()
@dataclass(frozen=True, slots=True, init=False)
class Quantiles:
    """Several quantiles of one column in one release; its value is a tuple in the order of ``qs``."""

    qs: tuple[Fraction, ...]

    def __init__(self, qs: Iterable[Number | str]) -> None:
        object.__setattr__(self, "qs", _shares(qs))

    def __str__(self) -> str:
        if len(self.qs) <= LISTED:
            return f"quantiles({', '.join(map(spell, self.qs))})"
        return f"quantiles({spell(min(self.qs))} .. {spell(max(self.qs))}, {len(self.qs)} of them)"

    @property
    def notes(self) -> tuple[str, ...]:
        """More notes for the receipt."""
        return ()

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each number in the answer."""
        return tuple(map(spell, self.qs))

    @property
    def form(self) -> Form:
        """How the answer is shown."""
        return "quantiles"

    def value(self, answers: dict[Fraction, int | float]) -> tuple[object, ...]:
        """The value to release, from the answer of each q."""
        return tuple(answers[q] for q in self.qs)

    def numbers(self, value: Any) -> tuple[Any, ...]:
        """The answer of each q, from the released value."""
        return tuple(value)


class FiveNumberSummary(Quantiles):
    """Minimum, quartiles and maximum."""

    __slots__ = ()

    def __init__(self) -> None:
        Quantiles.__init__(self, [0, Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), 1])

    def __str__(self) -> str:
        return "five-number summary"

    @property
    def names(self) -> tuple[str, ...]:
        return ("min", "lower quartile", "median", "upper quartile", "max")


class ECDF(Quantiles):
    """The empirical distribution function: the quantiles i/(steps + 1), as pairs (value, share) with rising values."""

    __slots__ = ()

    def __init__(self, steps: int) -> None:
        count = whole("steps", steps, least=1, most=MOST)
        Quantiles.__init__(self, [Fraction(i, count + 1) for i in range(1, count + 1)])

    def __str__(self) -> str:
        return f"ecdf({len(self.qs)})"

    @property
    def notes(self) -> tuple[str, ...]:
        return ("pairs (value, share): about this share of the records is at or below the value",)

    @property
    def form(self) -> Form:
        return "distribution"

    def value(self, answers: dict[Fraction, int | float]) -> tuple[object, ...]:
        return tuple((answers[q], float(q)) for q in self.qs)

    def numbers(self, value: Any) -> tuple[Any, ...]:
        return tuple(number for number, _ in value)


@dataclass(frozen=True, slots=True, repr=False)
class JointQuantiles(Payable):
    """Several quantiles of one column, checked and not yet paid for."""

    question: Quantiles
    data: Declared
    bounds: tuple[object, object]
    lattice: Lattice
    neighbors: Neighbors
    contributions: int
    root: Split
    tie_bits: int
    price: Price
    loss: Loss

    @classmethod
    def of(
        cls,
        question: Quantiles,
        data: object,
        *,
        bounds: Any,
        granularity: object = None,
        mechanism: object = "auto",
        smooth: object = 0,
        **terms: Unpack[Protection],
    ) -> "JointQuantiles":
        """Check every parameter and the declared type of the data. Errors are the same whatever the records say."""
        price, relation, owned = PrivacyTerms.of(**terms)
        lattice = Lattice.between(bounds, granularity)
        declared = declare(data)
        by = choose(mechanism, price=price, steady=False, sensitivity=lambda: 1, smooth=smooth, scored=True)
        if not isinstance(by, (Scored, Balance)):
            raise ParameterError(
                "mechanism",
                "must be auto, balance, piecewise_laplace or inverse_sensitivity for several quantiles",
                got=str(by.name),
            ) from None
        if isinstance(by, Scored):
            by.check_answers(Answers.on(lattice))
        edits = owned if relation == "add_remove" else 2
        along = price.in_a_tree() if isinstance(price, Rho) else price
        tree = Split.tree(sorted(set(question.qs)), (Fraction(0), Fraction(1)), along, by, edits)
        assert tree is not None, "there is a quantile to ask for"
        root = replace(tree, mechanism=scaled(by, tree.step))
        return cls(
            question=question,
            data=declared,
            bounds=(bounds_as_typed(bounds[0]), bounds_as_typed(bounds[1])),
            lattice=lattice,
            neighbors=relation,
            contributions=owned,
            root=root,
            tie_bits=min(TIE_BITS, PAIR_BITS - max(abs(lattice.low), abs(lattice.high)).bit_length()),
            price=price,
            loss=price.loss if isinstance(price, Rho) else _loss(root, price),
        )

    def loss_of(self, records: int) -> Loss:
        return self.loss if isinstance(self.price, Rho) else _loss(self.root, self.price, records)

    def with_interval(self, confidence: Fraction, at: Callable[[Price], Payable]) -> Payable:
        """An interval for each quantile. With this probability all quantiles lie in their intervals."""
        qs = sorted(set(self.question.qs))
        if len(qs) > MOST_WITH_INTERVALS:
            raise no_interval(
                str(self.question),
                f"every end takes a part of epsilon, too little of it for more than {MOST_WITH_INTERVALS} quantiles",
                fix="ask for fewer by quantiles",
            ) from None
        low, high = (end * self.lattice.granularity for end in (self.lattice.low, self.lattice.high))
        spend: Any = self.price
        requests = [
            Request.of(
                Quantile(q),
                self.data,
                bounds=(low, high),
                granularity=self.lattice.granularity,
                mechanism="balance",
                epsilon=spend,
                neighbors=self.neighbors,
                contributions=self.contributions,
            )
            for q in qs
        ]
        ends = ends_of(requests, spend * SHARE, 1 - confidence)
        answer = at(spend * (1 - SHARE))
        assert isinstance(answer, JointQuantiles) and ends is not None, "quantiles have ends"
        return QuantilesBetweenEnds(
            answer, dict(zip(qs, zip(requests, ends, strict=True), strict=True)), confidence
        )

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        return Promise(
            mechanism=self.root.mechanism.name,
            people=self.root.people_off(
                self.lattice, self.tie_bits, self.neighbors, self.contributions, miss
            ),
            numbers=len(self.question.qs),
            attained=True,
        )

    def measured(self) -> Measured:
        column, answers = self.data.read(self.lattice, self.neighbors), Answers.on(self.lattice)
        indices = [int(Quantile(q).envelope(column, answers, 0).lower[0]) for q in self.question.qs]
        true = np.array([float(index * answers.granularity) for index in indices])

        def distances(value: Any) -> list[float]:
            apart: list[float] = np.abs(np.array(self.question.numbers(value), np.float64) - true).tolist()
            return apart

        return Measured.of_draws(self, tuple(true.tolist()), distances)

    @property
    def law(self) -> str:
        """The permanent name of the law, and the name of the law of each draw."""
        return f"joint-quantiles/1 by {self.root.mechanism.version}"

    @property
    def memo(self) -> str:
        return f"{self.question} by {self.law}"

    def whole(self, bits: Bits) -> Column | TreePart | RankedPart:
        """The whole column. If it will be split, all records as pairs (k, u), each written as one number."""
        spare, column = self.tie_bits, self.data.read(self.lattice, self.neighbors)
        if self.root.is_last:
            return column
        low, high, step = self.lattice.low, self.lattice.high, self.lattice.granularity
        fine = Lattice(low << spare, (high + 1 << spare) - 1, step / (1 << spare))
        if not isinstance(column, (ArrayColumn, SortedColumn)):
            counted = cast("CountedColumn", column)
            counted.gather(self._windows(fine, column.count))
            return RankedPart.whole(TiedPairs(counted, spare, bits), fine, self.neighbors)
        k = _indices(column) if isinstance(column, ArrayColumn) else column.indices
        u = short_words(k.size, spare, bits)
        return TreePart((k << spare) + u, fine, self.neighbors)

    def _windows(self, fine: Lattice, count: int) -> list[tuple[int, int]]:
        """The ranks that the draws are likely to read: around each quantile, twice as far as one draw reads.

        They are read all at once, in as few passes as one quantile needs. Any other rank takes a further pass.
        """
        answers, windows = Answers.on(fine), []
        for split in self.root:
            by = split.mechanism
            levels = by.levels(answers, Fraction(1)) if isinstance(by, Balance) else by.levels(answers)
            reach, rank = min(2 * levels * self.contributions, count), int(split.q * count)
            windows.append((max(rank - reach, 1), min(rank + reach, count) + 1))
        return windows

    def look(self, split: Split, part: Column | TreePart | RankedPart) -> Law | BalanceLaw:
        """The secret law of one quantile on its part. On the whole column it is the law of `quantile`."""
        column: Any = (
            part.rounded(self.tie_bits)
            if split.is_last and isinstance(part, (TreePart, RankedPart))
            else part
        )
        owned, answers = self.contributions if split is self.root else 1, Answers.on(column.lattice)
        if isinstance(split.mechanism, Balance):
            each = split.mechanism.epsilon / owned
            pull = split.target.pull(column.neighbors, each) * owned

            def score(levels: int) -> Score:
                return split.target.score(column, answers, levels, each)

            nearest = score(split.mechanism.levels(answers, pull))
            return split.mechanism.law(nearest, pull, answers, lambda: score(column.count + 1))
        levels = split.mechanism.levels(answers) * owned
        return split.mechanism.law(split.target.envelope(column, answers, levels).per_person(owned), answers)

    def draw(
        self, split: Split, part: Column | TreePart | RankedPart, bits: Bits
    ) -> Iterator[tuple[Fraction, int]]:
        """Draw the quantile of a split and those below it in the tree. Yields each q with the index of its answer."""
        index = int(self.look(split, part).draw_each(bits=bits)[0])
        yield split.q, index if split.is_last else index >> self.tie_bits
        if isinstance(part, (TreePart, RankedPart)) and not split.is_last:
            pieces: list[TreePart | RankedPart] = [*part.cut(index)]
            for child, piece in zip((split.below, split.above), pieces, strict=True):
                if child is not None:
                    yield from self.draw(child, piece, bits)

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        source, step = bits or SystemBits(), self.lattice.granularity
        with np.errstate(all="ignore"):  # whatever the caller's settings are, records cause no warnings
            indices = dict(self.draw(self.root, self.whole(source), source))
        number = int if step.denominator == 1 else float
        return self.released(
            self.question.value({q: number(index * step) for q, index in indices.items()}),
            receipt,
            bits,
            statistic=str(self.question),
            mechanism=self.root.mechanism.name,
            granularity=self.lattice.granularity,
            bounds=self.bounds,
            law=self.law,
            smooth=width_of(self.root.mechanism),
            notes=(*self.question.notes, FEW),
            names=self.question.names,
            form=self.question.form,
        )


@dataclass(frozen=True, slots=True, repr=False)
class QuantilesBetweenEnds(WithDrawnEnds):
    """Several quantiles and the ends of their intervals. Ends are drawn as for one quantile. There is one debit."""

    inner: JointQuantiles
    ends: dict[Fraction, tuple[Request, Ends]]
    confidence: Fraction

    @property
    def drawn(self) -> list[Request]:
        """The ends of intervals that are drawn, each as a question."""
        return [end for _, ends in self.ends.values() for end in ends if end is not None]

    @property
    def law(self) -> str:
        """The permanent name of the law, and the names of the laws of its draws."""
        return f"{self.inner.law}, intervals by {ENDS} by {Balance.version}"

    @property
    def memo(self) -> str:
        return f"{self.inner.question} by {self.law}"

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        release = self.inner.answer(receipt, bits=bits)
        question = self.inner.question
        answers = dict(zip(question.qs, question.numbers(release.value), strict=True))
        found = {
            q: between(*ends, request, answers[q], bits) for q, (request, ends) in sorted(self.ends.items())
        }
        lows, highs = (tuple(found[q][side] for q in question.qs) for side in (0, 1))
        interval = AnswerInterval(lows, highs, self.confidence, scope="all").paid(self.paid)
        return replace(release, privacy=self.loss, law=self.law, interval=interval)


def _loss(root: Split, epsilon: Fraction, records: int = 1) -> PureDP:
    """The loss of a person with ``records`` records. Each of them pays for one path down the tree."""
    pure = PureDP(records * epsilon)
    return PureDP(pure.epsilon, rho=min(root.rho(records), pure.as_zcdp().rho))


def _indices(column: ArrayColumn) -> Integers:
    """The index of every record, in the order of the data. Missing records are treated as the column treats them."""
    indices = column.lattice.nearest(nearest_float64(column.values))
    missing = np.isnan(indices) if column.mask is None else np.isnan(indices) | column.mask
    if column.neighbors == "swap":
        return np.where(missing, column.lattice.low, indices).astype(np.int64)
    return indices.compress(~missing).astype(np.int64)


def _shares(qs: Iterable[Number | str]) -> tuple[Fraction, ...]:
    """The typed quantiles as exact numbers. Raises unless there are 1 to ``MOST`` of them."""
    try:
        listed = None if isinstance(qs, (str, bytes)) else tuple(islice(qs, MOST + 1))
    except TypeError:
        listed = None
    if listed is None:
        raise ParameterTypeError(
            "qs", ("must be several quantiles such as ", Value("[0.25, 0.5]", "0.25,0.5")), got=describe(qs)
        ) from None
    if not 1 <= len(listed) <= MOST:
        many = f"more than {MOST:,}" if listed else "none"
        raise ParameterError("qs", f"must be 1 to {MOST:,} quantiles", got=many) from None
    return tuple(exact_share(q, "each of qs") for q in listed)
