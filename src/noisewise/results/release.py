"""Release: one answer and its receipt. It holds nothing secret. The law that it was drawn from is not kept."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from time import gmtime, strftime
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from noisewise.calls import checked_class
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.losses import ZCDP, ApproxDP, Loss
from noisewise.kernel.numbers.exact import spell
from noisewise.kernel.prices import Price, Rho, said
from noisewise.ledger.amounts import worth
from noisewise.results.acts_as_number import ActsAsNumber
from noisewise.results.card import card_of
from noisewise.results.in_frames import InFrames
from noisewise.results.pictures.digits import Toward, rounded, to_three, up_to_three
from noisewise.version import GLOSSARY, __version__

if TYPE_CHECKING:
    from noisewise.results.pictures.svg import Picture

Form = Literal["numbers", "counts", "quantiles", "distribution"]
"""What several numbers are: counts of bins, quantiles, pairs (value, share) of a distribution, or other numbers."""

MANY = 12
"""The most values of an answer, and the most intervals, that a receipt prints."""

FINE, FINE_STEPS = 2**22, 2**12
"""A granularity is fine if at least 2^22 steps lie between the bounds. Of a fine one, 2^12 steps are rounded to one."""

HIGH = 10
"""Above this epsilon, a receipt says what it means for one person."""

WORDS = f"  words        {GLOSSARY}"
"""The last line of a printed receipt: where its words are explained."""

LONGEST_STEP = 8
"""A step with a longer text is written in three digits."""

INDENT = "\n" + " " * 15
"""What continues a line of a receipt below its text."""

IntervalKind = Literal["noise", "population"]

Scope = Literal["answer", "all", "each"]
"""Which truths lie in the interval with the stated probability: one, all together, or that of each group by itself."""


@dataclass(frozen=True, slots=True)
class AnswerInterval:
    """Two ends, ``low, high = release.interval``. For several numbers or groups, each end is a tuple.

    There are two kinds. An interval of the noise contains the answer that these records would give without noise. An
    interval of the population contains the true value of the population from which the records were sampled, so that it
    allows for the randomness of the sample, too. Proof: docs/proofs/answer_interval.md.

    Attributes:
        low: The lower end.
        high: The upper end.
        confidence: The least probability, whatever the data are, that the truth lies between both ends.
        kind: ``"noise"`` if the truth is about these records, ``"population"`` if it is about the population from which
            they were sampled.
        epsilon: The part of epsilon that paid for it; 0 if the noise is public.
        scope: Whether the probability is about one ``"answer"``, ``"all"`` numbers of an answer together, or ``"each"``
            group.
        rho: The part of rho that paid for it, at a price in rho.
    """

    low: Any
    high: Any
    confidence: Fraction
    kind: IntervalKind = "noise"
    epsilon: Fraction = Fraction(0)
    scope: Scope = "answer"
    rho: Fraction = Fraction(0)

    def paid(self, price: Price) -> "AnswerInterval":
        """The same interval, paid for with this price."""
        if isinstance(price, Rho):
            return replace(self, rho=price.rho, epsilon=Fraction(0))
        return replace(self, epsilon=price)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.low, self.high))

    def __len__(self) -> int:
        return 2

    def __getitem__(self, end: int) -> Any:
        return (self.low, self.high)[end]

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON can hold them; exact numbers as text."""
        return {
            "low": self.low,
            "high": self.high,
            "confidence": spell(self.confidence),
            "kind": self.kind,
            **({"rho": spell(self.rho)} if self.rho else {"epsilon": spell(self.epsilon)}),
            "scope": self.scope,
        }

    def sentence(self, truth: str, ends: Sequence[tuple[str, str]]) -> str:
        """Return the interval in words. ``truth`` names what it contains, such as "median of salary".

        ``ends`` has both ends of the interval as text, for each number of the answer.
        """
        sure = f"with probability {spell(100 * self.confidence)}%"
        always = "whatever the data are" if self.kind == "noise" else "whatever the population is"
        if self.scope == "each":
            return f"in each group the true {truth} lies in its interval {sure}, {always}"
        if self.scope == "all":
            pairs = "; ".join(f"{low} to {high}" for low, high in ends[:MANY])
            rest = f"; ... ({len(ends):,} in all)" if len(ends) > MANY else ""
            return f"{sure} all true numbers of the {truth} lie in their intervals, {always}: {pairs}{rest}"
        ((low, high),) = ends
        return f"the true {truth} lies between {low} and {high} {sure}, {always}"


@checked_class("it is what questions answer, such as median(ages, bounds=(0, 120), epsilon=1)")
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Release(ActsAsNumber, InFrames):
    """A private answer and what it cost.

    It acts as its number: in ``float(release)``, ``release / 12``, ``np.asarray(release)`` and ``f"{release:,.0f}"``.
    ``print(release)`` prints it with everything a reader must know. docs/glossary.md in the source of noisewise
    explains the words of a receipt.

    Attributes:
        value: The answer, safe to publish: an int if the granularity is a whole number, else a float; a tuple if the
            question has several answers.
        privacy: The most that the release can reveal about one person, as a loss.
        statistic: What was asked, like ``"median"``.
        mechanism: The mechanism that added the noise, like ``"piecewise_laplace"``.
        neighbors: Whom it protects: ``"add_remove"`` or ``"swap"``.
        contributions: The most records one person can have, as the caller guaranteed.
        granularity: The spacing of possible answers, as a Fraction; None if the answer is not a number.
        bounds: The lowest and the highest possible record, as typed; None if the question has none.
        law: The name and version of the law, which never changes its meaning.
        version: The version of noisewise.
        receipt: The ledger's entry; None without a ledger.
        notes: What else a reader must know, a line each.
        unit: What a person has: a record, or an edge or a node of a graph.
        private: False for a draw that was replayed from a seed.
        people: The column that names people, if the library chose records so that nobody has more; None if the caller
            guarantees it.
        columns: The columns of a table that it is about; empty for data without names.
        count: About how many records took part, a private whole number; None if it was not asked for.
        interval: Two numbers between which the true answer lies with a stated probability; None if not asked for.
        time: When it was released, in UTC, to the second.
        names: The name of each number of the value, such as a bin; for a table, a tuple for each axis. Public.
        labels: What people call the columns, with their units of measure, where the Dataset knows it.
        smooth: The public width by which a smooth mechanism widens its levels; 0 for other mechanisms.
        form: What several numbers are: ``"counts"`` of bins, ``"quantiles"``, a ``"distribution"``, or ``"numbers"``.
    """

    value: Any
    privacy: Loss
    statistic: str
    mechanism: str
    neighbors: str
    contributions: int
    granularity: Fraction | timedelta | None
    bounds: tuple[Any, Any] | None
    law: str
    version: str = __version__
    receipt: Any = None
    notes: tuple[str, ...] = ()
    unit: str = "record"
    private: bool = True
    people: str | None = None
    columns: tuple[str, ...] = ()
    interval: AnswerInterval | None = None
    count: Any = None
    time: str = field(default_factory=lambda: now(), compare=False)
    names: tuple[Any, ...] = ()
    form: Form = "numbers"
    smooth: Fraction = Fraction(0)
    labels: tuple[str, ...] = ()

    @property
    def what(self) -> str:
        """What was asked, of which columns, in words."""
        return f"{self.statistic}{of_columns(self.labels or self.columns)}"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.value if isinstance(self.value, tuple) else self._one(), dtype)

    def __format__(self, spec: str) -> str:
        return format(self._one(), spec) if spec else str(self)

    def _one(self) -> Any:
        """Return the value. Refuse a missing value, and several values."""
        if self.value is None:
            raise ParameterError(self.statistic, "has no value", why="there was too little data") from None
        if isinstance(self.value, tuple):
            raise ParameterTypeError(
                self.statistic, f"has {len(self.value)} values", why="use .value"
            ) from None
        return self.value

    @property
    def is_table(self) -> bool:
        """Whether it is a table of counts, with an axis for each column and a total at the end of each axis."""
        return bool(self.names) and isinstance(self.names[0], tuple)

    def wide(self, *, totals: bool = False) -> Any:
        """A table of counts as a data frame with a row for each category of the first columns, and a column for each
        category of the last. ``totals=True`` adds the totals, which are sums of released cells."""
        from noisewise.results.tidy import wide_frame

        return wide_frame(self, totals)

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON can hold them; exact numbers as text."""
        return {
            "value": self.value,
            "privacy": self.privacy.to_dict(),
            "statistic": self.statistic,
            "columns": list(self.columns),
            **({"labels": list(self.labels)} if self.labels else {}),
            "mechanism": self.mechanism,
            "law": self.law,
            **({"smooth": spell(self.smooth)} if self.smooth else {}),
            "neighbors": self.neighbors,
            "contributions": self.contributions,
            "granularity": None if self.granularity is None else _step(self.granularity),
            "bounds": _texts(self.bounds),
            "version": self.version,
            "notes": list(self.notes),
            "unit": self.unit,
            "people": self.people,
            **({} if self.noise_interval is None else {"interval": self.noise_interval.to_dict()}),
            **({} if self.count is None else {"count": self.count}),
            "receipt": _receipt(self.receipt),
            "private": self.private,
            "time": self.time,
        }

    def card(self) -> dict[str, Any]:
        """A record of the release to file or publish, as JSON can hold it: what was released, when, from what, by which
        law, what it cost in each kind of loss, and a paragraph that explains this in plain words.

        The fields are this library's own, and ``card`` is the number of their format; they are no registry's schema.
        """
        return card_of(self.to_dict(), self.privacy)

    @property
    def frame(self) -> Any:
        """The answer as a data frame with a row for each number: its name, its value, and its interval if it has one.

        Numbers have the significant digits, as the receipt prints them; ``value`` has all digits. The frame is of
        Polars, pandas or PyArrow: of the first that is loaded, or else that is installed.
        """
        from noisewise.results.tidy import frame_of

        return frame_of(self)

    def plot(self) -> "Picture":
        """A picture of an answer of several numbers, made from the release alone."""
        from noisewise.results.release_picture import picture_of

        return picture_of(self)

    def _repr_html_(self) -> str:
        from noisewise.results.release_html import release_html

        return release_html(self)

    @property
    def receipt_facts(self) -> list[tuple[str, tuple[str, ...]]]:
        """What a printed receipt says below the answer: the name of each fact, and its lines."""
        facts: list[tuple[str, tuple[str, ...]]] = [
            ("privacy", (privacy_and_worth(self.privacy, self.receipt),)),
            ("protects", (whom(self.neighbors, self.contributions, self.unit, self.people),)),
        ]
        if not self.private:
            facts.insert(0, ("NOT PRIVATE", ("drawn from a seed: anybody who has it can undo the noise",)))
        if self.granularity is not None:
            facts.append(("asked", (self.possible_answers(),)))
        if (interval := self.noise_interval) is not None:
            price = Rho(interval.rho) if interval.rho else interval.epsilon
            cost = f"takes {said(price)} of it" if price else "costs nothing: its noise is public"
            facts.append(("interval", (self.interval_sentence(), cost)))
        facts += [("note", (note,)) for note in (*self.notes, *_high(self.privacy))]
        width = f", smooth = {spell(self.smooth)}" if self.smooth else ""
        facts.append(("drawn by", (f"{self.law}{width} (noisewise {self.version})",)))
        return facts if self.receipt is None else [*facts, ("paid", (str(self.receipt),))]

    @property
    def receipt_lines(self) -> list[str]:
        return [f"  {name:<13}{INDENT.join(text)}" for name, text in self.receipt_facts]

    def __repr__(self) -> str:
        if self.is_table:
            from noisewise.results.tidy import table_lines

            return "\n".join([f"{self.what}:", *table_lines(self), *self.receipt_lines])
        return "\n".join([f"{self.what} = {self.printed(self.value)}", *self.receipt_lines])

    def __str__(self) -> str:
        return f"{self!r}\n{WORDS}"

    def possible_answers(self) -> str:
        """The bounds and the granularity in words."""
        assert self.granularity is not None, "an answer with steps"
        return f"{_within(self.bounds)}in steps of {_spoken_step(self.granularity)}"

    @property
    def noise_interval(self) -> AnswerInterval | None:
        """The interval beside the answer. An interval of the population is the answer itself, and none beside it."""
        return self.interval if self.interval is not None and self.interval.kind == "noise" else None

    def interval_sentence(self) -> str:
        """The interval of the noise in words; empty if there is none."""
        if (interval := self.noise_interval) is None:
            return ""
        truth = self.what if self.columns else f"{self.statistic} of these records"
        if self.is_table:
            sure = f"{spell(100 * interval.confidence)}%"
            return f"all true cells lie in their intervals at once with probability {sure}: see .frame"
        pairs = [tuple(interval)] if interval.scope == "answer" else [*zip(*interval, strict=True)]
        ends = [(self.printed(low, -1), self.printed(high, 1)) for low, high in pairs]
        return interval.sentence(truth, ends)

    def printed(self, number: Any, toward: Toward = 0) -> str:
        """The answer, or a number of it, as text without digits below the noise. Only public facts decide how many.

        The last digit is the first one that the interval leaves in doubt. Without an interval, about a millionth of
        the range of a fine lattice is printed, and a step that the user chose in full. ``value`` stays exact.
        """
        doubt = self._doubt()
        if doubt is None and self.granularity is None:
            return _computed(number)
        return rounded(
            number, self._finest() if doubt is None else doubt, toward, MANY, whole=doubt is not None
        )

    def readable(self, value: Any, toward: Toward = 0) -> Any:
        """The answer, or a number of it, rounded as `printed` rounds it, but still a number, for tables.

        ``toward`` is -1 for the lower end of an interval and 1 for its upper end, so that it never becomes narrower.
        """
        doubt = self._doubt()
        scale = self._finest() if doubt is None else doubt
        if not isinstance(value, (tuple, float)) or (
            scale is None and (self.granularity is not None or toward)
        ):
            return value
        text = (
            _computed if scale is None else lambda one: rounded(one, scale, toward, whole=doubt is not None)
        )
        return _each(value, lambda one: float(text(one).replace(",", "")))

    def _doubt(self) -> float | None:
        """The power of ten, at most 1, of the first digit that the interval leaves in doubt; None if it does not say.

        Of several intervals the narrowest decides, so that a column has one number of decimals.
        """
        interval = self.noise_interval
        if interval is None:
            return None
        widths = [
            high - low for low, high in _pairs(interval.low, interval.high) if 0 < high - low < math.inf
        ]
        if not widths:
            return None
        doubt = 10.0 ** min(0, math.floor(math.log10(min(widths) / 2)))
        step = self.granularity
        return max(doubt, _decimal_step(step)) if isinstance(step, Fraction) else doubt

    def _finest(self) -> float | None:
        """The smallest difference that is printed if the lattice is a fine one that the user did not choose."""
        step = self.granularity
        if not isinstance(step, Fraction):
            return None
        top, bottom = step.as_integer_ratio()
        if bottom == 1 or top != 1 or bottom & (bottom - 1) or step * FINE > _width(self.bounds):
            return None
        return float(step * FINE_STEPS)


def _pairs(low: Any, high: Any) -> Iterator[tuple[float, float]]:
    """The ends of all intervals that are numbers, as floats."""
    if isinstance(low, tuple) and isinstance(high, tuple):
        for one, other in zip(low, high, strict=True):
            yield from _pairs(one, other)
    elif isinstance(low, (int, float)) and isinstance(high, (int, float)):
        yield float(low), float(high)


def _decimal_step(step: Fraction) -> float:
    """The place of a step's last decimal, such as 0.01 for 0.25; 0 if it has more than eight."""
    for decimals in range(9):
        if (step * 10**decimals).denominator == 1:
            return 10.0**-decimals
    return 0.0


def _each(value: Any, change: Callable[[float], float]) -> Any:
    """A value with ``change`` applied to each of its floats."""
    if isinstance(value, tuple):
        return tuple(_each(one, change) for one in value)
    return change(value) if isinstance(value, float) else value


def _step(granularity: Fraction | timedelta) -> str:
    """A step between numbers, or between points in time, as exact text."""
    return str(granularity) if isinstance(granularity, timedelta) else spell(granularity)


def _spoken_step(granularity: Fraction | timedelta) -> str:
    """A step as text, in three digits if the exact text is long."""
    exactly = _step(granularity)
    if isinstance(granularity, timedelta) or len(exactly) <= LONGEST_STEP:
        return exactly
    return f"about {to_three(float(granularity))}"


def _width(bounds: object) -> Fraction:
    """The distance between bounds, the largest of several pairs; 1 without bounds, or if they are not numbers."""
    if isinstance(bounds, tuple) and len(bounds) == 2:
        low, high = bounds
        if isinstance(low, (int, float, Fraction, Decimal)) and isinstance(
            high, (int, float, Fraction, Decimal)
        ):
            return Fraction(high) - Fraction(low)
    if isinstance(bounds, tuple):
        return max(map(_width, bounds), default=Fraction(1))
    return Fraction(1)


def _computed(value: object) -> str:
    """A value that was computed from released numbers as text: six digits of each float in it."""
    if isinstance(value, tuple):
        each = [_computed(one) if isinstance(one, (tuple, float)) else repr(one) for one in value]
        return f"({', '.join(each)}{',' * (len(each) == 1)})"
    if not isinstance(value, float) or abs(math.frexp(value)[0]) == 0.5:  # a power of two, as bounds are
        return str(value)
    return repr(float(f"{value:.6g}"))


def _texts(bounds: object) -> list[object] | str | None:
    """Bounds as JSON can hold them: a list of exact texts, or of such lists."""
    if isinstance(bounds, tuple):
        return [_texts(end) for end in bounds]
    return None if bounds is None else str(bounds)


def _within(bounds: tuple[Any, Any] | None) -> str:
    """Bounds in words, one pair for each column."""
    if bounds is None:
        return ""
    pairs = bounds if all(isinstance(pair, tuple) for pair in bounds) else (bounds,)
    return "".join(f"within {rounded(low)} .. {rounded(high)}, " for low, high in pairs)


def privacy_and_worth(loss: Loss, receipt: Any) -> str:
    """A loss in words. If it is in zCDP, and the budget that paid has a delta, also what it is worth at this delta."""
    budget = getattr(receipt, "budget", None)
    if isinstance(loss, ZCDP) and loss.rho and isinstance(budget, ApproxDP):
        return f"{loss}: {worth(loss.rho, budget.delta)}"
    return str(loss)


def _high(loss: Loss) -> list[str]:
    """A note on what an epsilon above `HIGH` means for one person."""
    epsilon = Fraction(0) if isinstance(loss, ZCDP) else loss.epsilon
    if epsilon <= HIGH:
        return []
    times = up_to_three(math.exp(epsilon))
    return [f"ε is above {HIGH}: seeing this can make a guess about one person {times} times as likely"]


def _receipt(receipt: Any) -> object:
    """A ledger's entry as JSON can hold it."""
    if receipt is None:
        return None
    return receipt.to_dict() if callable(getattr(receipt, "to_dict", None)) else str(receipt)


def of_columns(names: tuple[str, ...]) -> str:
    """The columns an answer is about, in words, such as " of salary, age"; empty without columns."""
    rest = f", ... ({len(names):,} in all)" if len(names) > MANY else ""
    return f" of {', '.join(names[:MANY])}{rest}" if names else ""


def now() -> str:
    """The time of a release: UTC, to the second."""
    return strftime("%Y-%m-%dT%H:%M:%S+00:00", gmtime())


def whom(neighbors: str, contributions: int, unit: str, people: str | None = None) -> str:
    """Whom a release protects, in words."""
    if neighbors == "swap":
        return f"one {unit}, replaced by any other (the number of {unit}s is public)"
    owned = f"1 {unit}" if contributions == 1 else f"{contributions} {unit}s"
    if people is not None:
        return f"one person by {people}, added or removed, of whom at most {owned} took part"
    return f"one person, added or removed, who has at most {owned} (you guarantee this)"
