"""Release: one value and its receipt. Nothing secret can be reached from it, least of all the law it was drawn from."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from time import gmtime, strftime
from typing import TYPE_CHECKING, Any, Literal

from noisewise.calls import judged_class
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.losses import Loss
from noisewise.kernel.numbers.exact import spell
from noisewise.results.card import card_of
from noisewise.results.pictures.digits import Toward, rounded, to_three
from noisewise.version import GLOSSARY, __version__

if TYPE_CHECKING:
    from noisewise.results.pictures.svg import Picture

Form = Literal["numbers", "counts", "quantiles", "distribution"]
"""What several numbers are: counts of bins, quantiles, pairs (value, share) that rise, or anything else."""

MANY = 12
"""How many values of a long answer a receipt prints, or how many intervals."""

FINE, FINE_STEPS = 2**22, 2**12
"""A step is fine if so many of them lie between the bounds; so many of its steps are not told apart in print."""

WORDS = f"  words        {GLOSSARY}"
"""The last line of a printed receipt: where its words are explained."""

LONGEST_STEP = 8
"""A step that takes more letters is written in three digits."""


IntervalKind = Literal["noise", "population"]

Scope = Literal["answer", "all", "each"]
"""What the probability is about: the one answer, all answers of a question together, or each group by itself."""


@dataclass(frozen=True, slots=True)
class AnswerInterval:
    """Two ends, ``low, high = release.interval``; a tuple of them for an answer of several numbers, or for groups.

    There are two kinds. An interval of the noise holds what the records themselves say: the answer that would be given
    without noise. An interval of the population holds what is true of the population that the records are a sample of,
    so that the luck of the sample is in it, too. Proof: docs/proofs/answer_interval.md.

    Attributes:
        low: The lower end.
        high: The upper end.
        confidence: The probability that the truth lies between them, whatever the data are; at least this.
        kind: ``"noise"`` where the truth is that of these records, ``"population"`` where it is that of the population
            they are a sample of.
        epsilon: The part of epsilon that paid for it; 0 where the noise is public.
        scope: What the probability is about: one ``"answer"``, ``"all"`` numbers of an answer together, or ``"each"``
            group.
    """

    low: Any
    high: Any
    confidence: Fraction
    kind: IntervalKind = "noise"
    epsilon: Fraction = Fraction(0)
    scope: Scope = "answer"

    def __iter__(self) -> Iterator[Any]:
        return iter((self.low, self.high))

    def __len__(self) -> int:
        return 2

    def __getitem__(self, end: int) -> Any:
        return (self.low, self.high)[end]

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it; exact numbers as text."""
        return {
            "low": self.low,
            "high": self.high,
            "confidence": spell(self.confidence),
            "kind": self.kind,
            "epsilon": spell(self.epsilon),
            "scope": self.scope,
        }

    def sentence(self, truth: str, ends: Sequence[tuple[str, str]]) -> str:
        """What it says, in words, of a truth such as "median of salary"; with all ends as a person writes them."""
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


@judged_class("it is what questions answer, such as median(ages, bounds=(0, 120), epsilon=1)")
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Release:
    """A private answer and what it cost.

    ``float(release)`` and ``int(release)`` give the value, ``f"{release:,.0f}"`` formats it, and ``print(release)``
    prints it with all that a reader must know. The words of a receipt are explained in
    docs/glossary.md in the source of noisewise.

    Attributes:
        value: The answer, safe to publish: an int where the granularity is a whole number, else a float; a tuple where
            several were asked for.
        privacy: What the release may tell about anybody, as a loss.
        statistic: What was asked, like ``"median"``.
        mechanism: How it was blurred, like ``"piecewise_laplace"``.
        neighbors: Whom it protects: ``"add_remove"`` or ``"swap"``.
        contributions: The most records one person can have, as the caller guaranteed.
        granularity: The spacing of possible answers, as a Fraction; None where an answer is no number.
        bounds: The lowest and the highest possible record, as typed; None where none were asked for.
        law: The name and version of the law, which never changes its meaning.
        version: The version of noisewise.
        receipt: The ledger's entry; None where no ledger was given.
        notes: What else a reader must know, a line each.
        unit: What a person has: a record, or an edge or a node of a graph.
        private: False for a draw that was replayed from a seed.
        people: The column that names people, where records were chosen so that nobody has more; None where the caller
            guarantees it.
        columns: The columns of a table that it is about; none where it was asked of data without names.
        count: About how many records took part, a private whole number; None where it was not asked for.
        interval: Between which numbers the true answer lies, and how surely; None where none was asked for.
        time: When it was released, in UTC, to the second.
        names: What each number of the value is called, such as a bin; of a table, a tuple for each axis. None for a
            single number. Public.
        smooth: The public width by which a smooth mechanism widens its levels; 0 where it does not.
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

    @property
    def what(self) -> str:
        """What was asked, of which columns, in words."""
        return f"{self.statistic}{of_columns(self.columns)}"

    def __float__(self) -> float:
        return float(self._one())

    def __int__(self) -> int:
        return int(self._one())

    def __format__(self, spec: str) -> str:
        return format(self._one(), spec) if spec else str(self)

    def _one(self) -> Any:
        """The value, where it is a single one."""
        if self.value is None:
            raise ParameterError(self.statistic, "has no value", why="there was too little data") from None
        if isinstance(self.value, tuple):
            raise ParameterTypeError(
                self.statistic, f"has {len(self.value)} values", why="use .value"
            ) from None
        return self.value

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it; exact numbers as text."""
        return {
            "value": self.value,
            "privacy": self.privacy.to_dict(),
            "statistic": self.statistic,
            "columns": list(self.columns),
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
            **self._interval_fields(),
            **({} if self.count is None else {"count": self.count}),
            "receipt": _receipt(self.receipt),
            "private": self.private,
            "time": self.time,
        }

    def card(self) -> dict[str, Any]:
        """A record of the release to file or publish, as JSON can hold it: what was released, when, from what, by what
        law, at what cost in each kind of loss, and a paragraph that says in plain words what that means.

        The fields are this library's own, and ``card`` is the number of their format; they are no registry's schema.
        """
        return card_of(self.to_dict(), self.privacy)

    @property
    def frame(self) -> Any:
        """The answer as a data frame with a row for each number: its name, its value, and its interval if it has one.

        Numbers have the digits that mean something, as the receipt prints them; ``value`` has all. It is one of Polars,
        pandas or PyArrow: the first of them that is loaded, or else that is installed.
        """
        from noisewise.results.tidy import columns_of, frame_of_columns

        return frame_of_columns(columns_of(self))

    def plot(self) -> "Picture":
        """A picture of an answer of several numbers; made of the release alone."""
        from noisewise.results.release_picture import picture_of

        return picture_of(self)

    def _repr_html_(self) -> str:
        from noisewise.results.release_html import release_html

        return release_html(self)

    def __repr__(self) -> str:
        width = f", smooth = {spell(self.smooth)}" if self.smooth else ""
        lines = [
            f"{self.what} = {self.printed(self.value)}",
            f"  privacy      {self.privacy}",
            f"  protects     {whom(self.neighbors, self.contributions, self.unit, self.people)}",
            *self._range(),
            *self._interval_lines(),
            *(f"  note         {note}" for note in self.notes),
            f"  drawn by     {self.law}{width} (noisewise {self.version})",
        ]
        if self.receipt is not None:
            lines.append(f"  paid         {self.receipt}")
        if not self.private:
            lines.insert(1, "  NOT PRIVATE  drawn from a seed: anybody who has it can undo the noise")
        return "\n".join(lines)

    def __str__(self) -> str:
        return f"{self!r}\n{WORDS}"

    @property
    def noise_interval(self) -> AnswerInterval | None:
        """An interval that comes with the answer; one of the population is the answer itself."""
        return self.interval if self.interval is not None and self.interval.kind == "noise" else None

    def _interval_fields(self) -> dict[str, Any]:
        interval = self.noise_interval
        return {} if interval is None else {"interval": interval.to_dict()}

    def interval_sentence(self) -> str:
        """Between which numbers the true answer lies, and how surely; nothing where there is no interval of noise."""
        if (interval := self.noise_interval) is None:
            return ""
        truth = self.what if self.columns else f"{self.statistic} of these records"
        pairs = [tuple(interval)] if interval.scope == "answer" else [*zip(*interval, strict=True)]
        ends = [(self.printed(low, -1), self.printed(high, 1)) for low, high in pairs]
        return interval.sentence(truth, ends)

    def _interval_lines(self) -> list[str]:
        """Between which numbers the true answer lies, and what that cost."""
        if (interval := self.noise_interval) is None:
            return []
        paid = f"takes ε = {spell(interval.epsilon)} of it"
        cost = paid if interval.epsilon else "costs nothing: its noise is public"
        return [f"  interval     {self.interval_sentence()}", f"               {cost}"]

    def _range(self) -> list[str]:
        """Within what bounds and in what steps it was asked for."""
        if self.granularity is None:
            return []
        return [f"  asked        {_within(self.bounds)}in steps of {_spoken_step(self.granularity)}"]

    def printed(self, number: Any, toward: Toward = 0) -> str:
        """The answer, or a number of it, without digits that mean nothing. Public facts alone decide how many do.

        A fine lattice has many more steps than noise lets through, so that a millionth of the range is as much as is
        printed; a step that somebody chose is printed in full. ``value`` stays exact.
        """
        if isinstance(self.granularity, Fraction):
            return _end(number, self._finest(), toward)
        return _computed(number) if self.granularity is None else _end(number)

    def readable(self, value: Any, toward: Toward = 0) -> Any:
        """The answer, or a number of it, as `printed` writes it, but still as a number: what tables hold.

        ``toward`` is -1 for the lower end of an interval and 1 for the upper, which so holds what it held.
        """
        if not isinstance(value, (tuple, float)):
            return value
        if isinstance(self.granularity, Fraction):
            scale = self._finest()
            return value if scale is None else _each(value, lambda one: _numeric(rounded(one, scale, toward)))
        return (
            _each(value, lambda one: float(_computed(one)))
            if self.granularity is None and not toward
            else value
        )

    def _finest(self) -> float | None:
        """The smallest difference that is printed, where the lattice is a fine one that nobody chose."""
        step = self.granularity
        assert isinstance(step, Fraction), "an answer that is a number"
        top, bottom = step.as_integer_ratio()
        if bottom == 1 or top != 1 or bottom & (bottom - 1) or step * FINE > _width(self.bounds):
            return None
        interval, scale = self.noise_interval, float(step * FINE_STEPS)
        if interval is not None and isinstance(interval.low, float) and isinstance(interval.high, float):
            scale = max(scale, (interval.high - interval.low) / 1000)
        return scale


def _each(value: Any, change: Callable[[float], float]) -> Any:
    """Every float of a value, changed; all else as it is."""
    if isinstance(value, tuple):
        return tuple(_each(one, change) for one in value)
    return change(value) if isinstance(value, float) else value


def _numeric(text: str) -> float:
    return float(text.replace(",", ""))


def _step(granularity: Fraction | timedelta) -> str:
    """A spacing of numbers, or of points in time."""
    return str(granularity) if isinstance(granularity, timedelta) else spell(granularity)


def _spoken_step(granularity: Fraction | timedelta) -> str:
    """The same in words: in three digits where it takes many to write it."""
    exactly = _step(granularity)
    if isinstance(granularity, timedelta) or len(exactly) <= LONGEST_STEP:
        return exactly
    return f"about {to_three(float(granularity))}"


def _width(bounds: object) -> Fraction:
    """How far bounds are apart, the widest of several; 1 where there are none, or they are no numbers."""
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
    """A value that was computed from released numbers: six digits of each number in it."""
    if isinstance(value, tuple):
        each = [_computed(one) if isinstance(one, (tuple, float)) else repr(one) for one in value]
        return f"({', '.join(each)}{',' * (len(each) == 1)})"
    if not isinstance(value, float) or abs(math.frexp(value)[0]) == 0.5:  # a power of two, as bounds are
        return str(value)
    return repr(float(f"{value:.6g}"))


def _texts(bounds: object) -> list[object] | str | None:
    """Bounds as JSON holds them: exact text, in a list for each pair."""
    if isinstance(bounds, tuple):
        return [_texts(end) for end in bounds]
    return None if bounds is None else str(bounds)


def _within(bounds: tuple[Any, Any] | None) -> str:
    """Bounds in words, a pair for each column."""
    if bounds is None:
        return ""
    pairs = bounds if all(isinstance(pair, tuple) for pair in bounds) else (bounds,)
    return "".join(f"within {_end(low)} .. {_end(high)}, " for low, high in pairs)


def _end(number: object, scale: float | None = None, toward: Toward = 0) -> str:
    """A number, or several, as a person writes them; without digits that are finer than the scale."""
    if isinstance(number, tuple) and len(number) > MANY:
        return f"{_end(number[:MANY], scale, toward)}; ... ({len(number):,} in all)"
    if isinstance(number, tuple):
        each = [_end(one, scale, toward) for one in number]
        return "; ".join(
            f"({text})" if isinstance(one, tuple) else text for one, text in zip(number, each, strict=True)
        )
    if scale is not None and isinstance(number, float):
        return rounded(number, scale, toward)
    return f"{number:,}" if isinstance(number, (int, float, Decimal)) else str(number)


def _receipt(receipt: Any) -> object:
    """A ledger's entry as JSON holds it."""
    if receipt is None:
        return None
    return receipt.to_dict() if callable(getattr(receipt, "to_dict", None)) else str(receipt)


def of_columns(names: tuple[str, ...]) -> str:
    """What an answer is of, in words, the first names of many; nothing where it is about no column."""
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
