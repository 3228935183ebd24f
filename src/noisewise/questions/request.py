"""A request: one statistic of one column, or of rows, by one mechanism. Bounds are known or searched for.

Every parameter and the data's declared type are checked when a request is made, from public facts alone. A request that
cannot be answered is refused then. Data is read only in ``answer``, after the debit.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, partial
from typing import Any, Literal, Unpack

import numpy as np

from noisewise.errors import Keyword, NoisewiseError, ParameterError, ParameterTypeError, Words
from noisewise.kernel.laws import AnyLaw
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.laws.score import Score
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, Loss, Neighbors, PureDP, group_loss
from noisewise.kernel.mechanisms import ByScore, Gaussian, GaussianBalance, Laplace, ShiftedPiecewiseLaplace
from noisewise.kernel.mechanisms.laplace import WIDEST
from noisewise.kernel.numbers.exact import describe
from noisewise.kernel.prices import Price, exact_price
from noisewise.kernel.sampling import Bits
from noisewise.kernel.settle import sum_of_losses
from noisewise.questions.choice import (
    AnyMechanism,
    check_named,
    choose,
    gaussian_balance,
    loss_at,
    no_shift,
    typed_again,
    width_of,
)
from noisewise.questions.keywords import Drawn, Protection, SomeBounds
from noisewise.questions.measured import Measured, centre_of
from noisewise.questions.payable import Payable, bounds_as_typed, once
from noisewise.questions.promise import Promise, promise_of_request, promise_of_search
from noisewise.questions.pull import aim, checked_pull, epsilon_per_record, move_of, removals_note
from noisewise.questions.search import BoundsSearch, FoundBounds, fitting, split
from noisewise.questions.terms import SIGNED, PrivacyTerms, exact_signed
from noisewise.questions.wide import FEW, Width
from noisewise.results.release import Release
from noisewise.statistics.statistic import Frame, ScoreStatistic, Statistic
from noisewise.statistics.vector import VectorStatistic
from noisewise.tables.columns import declare, declare_graph, declare_rows
from noisewise.tables.columns.array_column import Declared
from noisewise.tables.columns.array_rows import DeclaredRows
from noisewise.tables.columns.indicators import Indicator

MOST_LEVELS = 2**22
"""The most levels for graphs, and for answers without a public end. There the number of records does not limit them."""


@dataclass(frozen=True, repr=False)
class Request(Payable):
    """One statistic of one column, or of rows, by one mechanism. What is public about it is worked out once."""

    statistic: Statistic
    data: Any
    bounds: tuple[object, object] | None
    frame: Frame
    neighbors: Neighbors
    contributions: int
    price: Price
    mechanism: AnyMechanism
    loss: BoundedRange | PureDP | ZCDP
    pull: Fraction | None
    """The most that one record moves the score, as the statistic said before anything was paid; None without one."""
    record_epsilon: Fraction
    """The part of epsilon that pays for each of a person's records, or what stands for it in Gaussian balance."""
    signed: bool = False
    """Whether draws below the public range of answers stay as they are."""
    aimed: tuple[Statistic, Fraction] = field(init=False)
    """The statistic that is scored, as it is or after some removals, and how much higher the score is then."""
    width: Width = field(init=False)
    """With how many records the answer could be anywhere. It is known before anything is paid."""

    def __post_init__(self) -> None:
        each, answers = self.record_epsilon, self.frame.answers
        aimed = aim(self.statistic, self.mechanism, self.neighbors, each, answers)
        object.__setattr__(self, "aimed", aimed)
        object.__setattr__(self, "width", Width.of(self))

    @classmethod
    def of(
        cls,
        statistic: Statistic,
        data: object,
        *,
        bounds: Any = None,
        granularity: object = None,
        mechanism: object = "auto",
        smooth: object = 0,
        signed: object = False,
        **terms: Unpack[Protection],
    ) -> "Request":
        """Check every parameter and the data's declared type. Errors are the same whatever the records are."""
        if not isinstance(statistic, Statistic):
            raise ParameterTypeError(
                "statistic", 'must be a statistic such as Quantile("1/2")', got=_no_statistic(statistic)
            ) from None
        price, relation, owned = check_terms(statistic, **terms)
        secret_nodes = statistic.unit == "node"
        graph = declare_graph(data, secret_nodes=secret_nodes) if statistic.reads == "graph" else None
        asked = (bounds, granularity)
        frame = statistic.frame_on(graph.size, *asked) if graph else statistic.frame(*asked)
        declared = graph or _declare(statistic, indicator_of(statistic), data)

        @cache
        def sensitivity() -> int:
            reach = statistic.sensitivity(frame, relation, declared.size) * owned
            low, high = frame.answers.support
            return reach if low is None or high is None else min(reach, high - low)

        each = epsilon_per_record(price, owned)
        pull = checked_pull(statistic, relation, each, frame.answers)
        chosen = choose(
            mechanism,
            price=price,
            steady=statistic.steady(relation),
            sensitivity=sensitivity,
            answers=frame.answers,
            smooth=smooth,
            scored=pull is not None,
            ranked=type(statistic).edits_off is not Statistic.edits_off,
            move=move_of(statistic, relation, owned),
            enveloped=type(statistic).envelope is not ScoreStatistic.envelope,
            shifts=True,
        )
        if isinstance(chosen, ShiftedPiecewiseLaplace):
            if (side := statistic.removals_reach(frame)) is None:
                raise no_shift("a maximum, a minimum or a sum of numbers of one sign", chosen.name) from None
            chosen = chosen.on(side, frame.answers, sensitivity())
        if isinstance(chosen, GaussianBalance):
            each = epsilon_per_record(price, owned, chosen)
            pull = checked_pull(statistic, relation, each, frame.answers)
        typed = None if bounds is None else (bounds_as_typed(bounds[0]), bounds_as_typed(bounds[1]))
        loss, may_be_negative = loss_at(price, chosen), exact_signed(signed)
        if may_be_negative and not isinstance(chosen, (Gaussian, Laplace)):
            raise ParameterError(
                "signed",
                f"must be left out for {chosen.name}",
                why="only noise of a public width is right on average",
            ) from None
        checked = cls(
            statistic,
            declared,
            typed,
            frame,
            relation,
            owned,
            price,
            chosen,
            loss,
            pull,
            each,
            may_be_negative,
        )
        if graph or None in frame.answers.support:
            _check_reach(statistic, checked.levels, sensitivity())
        return checked

    def about(
        self, statistic: Statistic, mechanism: AnyMechanism | None = None, price: Price | None = None
    ) -> "Request":
        """The same question about another statistic of the column, or by another mechanism at its price.

        The pull is taken anew.
        """
        by, paid = mechanism or self.mechanism, self.price if price is None else price
        if isinstance(by, GaussianBalance):
            by = gaussian_balance(paid, move_of(statistic, self.neighbors, self.contributions))
        each = epsilon_per_record(paid, self.contributions, by)
        pull, loss = checked_pull(statistic, self.neighbors, each, self.frame.answers), loss_at(paid, by)
        return replace(
            self, statistic=statistic, price=paid, mechanism=by, loss=loss, pull=pull, record_epsilon=each
        )

    def with_data(self, data: object) -> "Request":
        """The same question about this data. What is public about it is worked out once for both."""
        return self._twin(_declare(self.statistic, self.indicator, data))

    def without_data(self) -> "Request":
        """The same question without data. What is public about it is worked out once for both."""
        question = self._twin(None)
        vars(self)["_twin_of"], vars(question)["_twin_of"] = question, None
        return question

    def _twin(self, data: Any) -> "Request":
        twin = object.__new__(Request)
        vars(twin).update(vars(self), data=data, _twin_of=self)
        return twin

    def loss_of(self, records: int) -> Loss:
        if type(self.mechanism) is Laplace:
            return self.mechanism.loss_of(records)
        return group_loss(self.loss, records)

    @once
    def memo(self) -> str:
        per = f", per {self.unit}" if self.unit else ""
        return f"{self.statistic} by {self.mechanism.version}{per}"

    @property
    def unit(self) -> str | None:
        return None if self.statistic.unit == "record" else self.statistic.unit

    @once
    def person_pull(self) -> Fraction:
        """The most that one person moves the score. Public."""
        assert self.pull is not None, "balance is chosen only where there is a score"
        return self.pull if self.contributions == 1 else self.pull * self.contributions

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        return promise_of_request(self, miss, size)

    def measured(self) -> Measured:
        return Measured.of_law(self.look())

    @once
    def indicator(self) -> Indicator | None:
        """Which records count as ones, in a column of any type; None if the statistic reads numbers."""
        return indicator_of(self.statistic)

    @once
    def levels(self) -> int:
        """The number of levels of an envelope, or of a score at first. Each level is one edit of a record. Public."""
        if isinstance(self.mechanism, ByScore):
            return self.mechanism.levels(self.frame.answers, self.person_pull)
        return self.mechanism.levels(self.frame.answers) * self.contributions

    def look(self, people: int | None = None) -> AnyLaw:
        """The secret law. ``people`` replaces the level rule by another public number of levels."""
        records, answers = self.frame
        levels = self.levels if people is None else people * self.contributions
        with np.errstate(all="ignore"):  # whatever the caller's settings are, records cause no warnings
            column = self.data.read(records, self.neighbors)
            if isinstance(self.mechanism, ByScore):
                return self._balance_law(self.mechanism, column, levels)
            return self.law_of(self.statistic.envelope(column, answers, levels), self.support(column))

    def law_of(self, envelope: Envelope, support: tuple[int | None, int | None]) -> Law | GaussianLaw:
        """The law of an envelope, or of those of many groups. Raises if one breaks a rule that holds for all data."""
        if not isinstance(envelope, Envelope):
            raise ParameterTypeError(f"envelope() of {self.statistic}", "must return an Envelope") from None
        if fault := envelope.fault(support):
            raise ParameterError(f"the envelope of {self.statistic}", f"must {fault}") from None
        assert not isinstance(self.mechanism, ByScore), "balance draws from a score"
        law = self.mechanism.law(envelope.per_person(self.contributions), self.frame.answers)
        is_public = support[0] is not None and support[0] == support[1]
        return replace(law, clamp=(None, None)) if self.signed and not is_public else law

    def checked_score(self, score: Score, support: tuple[int | None, int | None]) -> Score:
        """Return the score. Raises if it breaks a rule that holds for all data."""
        if not isinstance(score, Score):
            raise ParameterTypeError(f"score() of {self.statistic}", "must return a Score") from None
        if fault := score.fault(support):
            raise ParameterError(f"the score of {self.statistic}", f"must {fault}") from None
        return score

    def support(self, column: Any = None) -> tuple[int | None, int | None]:
        """The least and the greatest index of the answer, or None. They are public; they may depend on n under swap."""
        return self._support_of(column.count) if self.neighbors == "swap" else self._support

    @once
    def _support(self) -> tuple[int | None, int | None]:
        return self._support_of(0)

    def _support_of(self, size: int) -> tuple[int | None, int | None]:
        said = self.statistic.support_of(self.frame, self.neighbors, size)
        low, high = zip(self.frame.answers.support, said, strict=True)
        known_low, known_high = ([end for end in ends if end is not None] for ends in (low, high))
        return max(known_low, default=None), min(known_high, default=None)

    def _balance_law(self, balance: ByScore, column: Any, levels: int) -> BalanceLaw:
        """The law of the score. It starts with the nearest levels, and reads all levels if a draw needs them."""
        (statistic, shift), each, support = self.aimed, self.record_epsilon, self.support(column)

        def score(levels: int) -> Score:
            return self.checked_score(statistic.score(column, self.frame.answers, levels, each), support)

        return balance.law(
            score(levels),
            self.person_pull,
            self.frame.answers,
            lambda: score(statistic.records_of(column) + 1),
            shift,
        )

    def draw(self, law: AnyLaw, receipt: object = None, *, bits: Bits | None = None) -> Release:
        return self.drawn(law, receipt, bits=bits)[0]

    def drawn(self, law: AnyLaw, receipt: object = None, *, bits: Bits | None = None) -> tuple[Release, int]:
        """Return what `draw` returns, and the index of the answer."""
        with np.errstate(all="ignore"):
            index = int(law.draw_each(bits=bits)[0])
        return self.stamped(self.number(index), receipt, bits), index

    def number(self, index: int) -> int | float:
        """The answer at this index of the lattice, as it is released."""
        top, bottom = self.frame.answers.granularity.as_integer_ratio()
        value = int(index) * top
        return value if bottom == 1 else value / bottom  # the nearest float64, however long both are

    @once
    def notes(self) -> tuple[str, ...]:
        """The notes on the receipt, one line each.

        Under swap the number of records is public. But an engine needs a query to count them, so it is not asked.
        """
        at_hand = self.neighbors == "swap" and all(type(each) is Declared for each in columns_of(self.data))
        wide = self.width.note(self.data.size() if at_hand else None) or (
            FEW if self.width.says_little else ""
        )
        removals = removals_note(self.mechanism, self.aimed[1])
        signed = [SIGNED] if self.signed else []
        return (*self.statistic.notes, *removals, *signed, *([wide] if wide else []))

    def stamped(self, value: object, receipt: object, bits: Bits | None) -> Release:
        """Make a release of a value, with everything that its reader must know."""
        return self.released(value, receipt, bits, **self._stamp)

    @once
    def _stamp(self) -> dict[str, Any]:
        """Everything on a receipt that does not depend on the value."""
        return {
            "statistic": str(self.statistic),
            "mechanism": self.mechanism.name,
            "law": self.mechanism.version,
            "granularity": self.frame.answers.granularity,
            "smooth": width_of(self.mechanism),
            "bounds": self.bounds,
            "notes": self.notes,
        }

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        return self.draw(self.look(), receipt, bits=bits)


@dataclass(frozen=True, slots=True, repr=False)
class Searched(Payable):
    """One statistic between bounds that are searched for first: two draws, one debit, one receipt.

    A share of epsilon pays for the search, the rest for the answer. Nothing is refused after the search, because it is
    limited to bounds that the question can be asked with. The answer is None if the data is too little for bounds.
    """

    between_bounds: Callable[..., Request]
    """Makes the question between bounds that were found. Its epsilon is what the search leaves, unless one is given."""
    widest: Request
    search: BoundsSearch

    @classmethod
    def of(
        cls, statistic: Statistic, data: object, *, bounds_share: object, **keywords: Unpack[Drawn]
    ) -> "Searched":
        spend, rest = split(exact_price(keywords["epsilon"]), bounds_share)
        if getattr(statistic, "reads", None) == "graph":
            raise _no_search(statistic, "a graph")
        named = keywords.get("mechanism", "auto")
        check_named(named, "bounds are ", Words("private"))

        def between_bounds(
            bounds: tuple[float, float], like: AnyMechanism | None = None, price: Price = rest
        ) -> Request:
            exactly = tuple(map(Fraction, bounds))  # a float would be read as the decimal that prints it
            mechanism: Any = named if like is None else typed_again(like, price)
            asked: Drawn = {**keywords, "mechanism": mechanism, "epsilon": price}
            return Request.of(statistic, data, bounds=exactly, **asked)

        def can_be_asked(bounds: tuple[float, float]) -> bool:
            try:
                return between_bounds(bounds).statistic.columns == 1
            except NoisewiseError:
                return False

        magnitudes = fitting(can_be_asked)
        widest = between_bounds((0.0, magnitudes.powers[-1]))
        if widest.statistic.columns > 1:
            raise _no_search(statistic, "several columns")
        # whatever bounds are found, the loss is that of the mechanism at the widest bounds
        by_the_same = partial(between_bounds, like=widest.mechanism)
        return cls(
            by_the_same, widest, BoundsSearch(magnitudes, spend, widest.neighbors, widest.contributions)
        )

    @property
    def inner(self) -> Request:
        return self.widest

    @property
    def asked(self) -> Payable:
        """The question that the rest of epsilon pays for, between the widest bounds that may be found."""
        return self.widest

    @property
    def law(self) -> str:
        """The permanent name of the law, with that of the search."""
        return f"{self.widest.mechanism.version}, bounds by {self.search.version}"

    @property
    def loss(self) -> PureDP | ZCDP:
        """The loss of the search plus the loss of the answer."""
        return sum_of_losses(self.search.loss, whatever_is_found(self.asked.loss))

    def loss_of(self, records: int) -> PureDP | ZCDP:
        return sum_of_losses(self.search.loss_of(records), whatever_is_found(self.asked.loss_of(records)))

    @property
    def memo(self) -> str:
        return f"{self.asked.memo}, bounds by {self.search.version}"

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        return promise_of_search(self, miss)

    def measured(self) -> Measured:
        """The distance from the answer between bounds that hold all records; infinite if a draw finds no bounds."""
        bounds = self.search.widest(self.widest.data)
        centre = 0.0 if bounds is None else centre_of(self.between_bounds(bounds).look(0))
        return Measured.of_draws(
            self, centre, lambda value: [np.inf if value is None else abs(value - centre)]
        )

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        with np.errstate(all="ignore"):
            bounds = self.search.find(self.widest.data, bits=bits)
        return self.between(bounds, receipt, bits=bits)

    def between(self, bounds: FoundBounds, receipt: object = None, *, bits: Bits | None = None) -> Release:
        """The answer between the bounds that the search found; None if it found none."""
        notes = self.search.notes(bounds, rest=self.widest.price)
        if bounds is None:
            release = self.widest.stamped(None, receipt, bits)
            return replace(
                release, bounds=None, granularity=None, privacy=self.loss, law=self.law, notes=notes
            )
        release, more = self.answer_between(bounds, receipt, bits)
        return replace(release, bounds=bounds, privacy=self.loss, law=self.law, notes=(*notes, *more))

    def answer_between(
        self, bounds: tuple[float, float], receipt: object, bits: Bits | None
    ) -> tuple[Release, tuple[str, ...]]:
        """The answer between the bounds that were found, and more notes for its receipt."""
        return self.between_bounds(bounds).answer(receipt, bits=bits), ()


def _no_search(statistic: Statistic, data: str) -> ParameterError:
    rule = f"must be a pair for a question about {data}"
    return ParameterError("bounds", rule, got=(Words("private"), f" for {statistic}"))


def whatever_is_found(loss: Loss) -> Loss:
    """A loss that holds for whatever bounds or limit a search finds. The zCDP cost of Laplace noise depends on them, so
    its worst case counts."""
    return loss if isinstance(loss, (BoundedRange, ZCDP, ApproxDP)) else PureDP(loss.as_pure().epsilon)


def request(
    statistic: Statistic,
    data: object,
    *,
    bounds: SomeBounds | Literal["private"] | None = None,
    bounds_share: object = None,
    **keywords: Unpack[Drawn],
) -> Request | Searched:
    """Check and return a question about one statistic, with bounds, without, or with bounds to be searched for."""
    if isinstance(bounds, str) and bounds == "private":
        return Searched.of(statistic, data, bounds_share=bounds_share, **keywords)
    if bounds_share is not None:
        raise ParameterError(
            "bounds_share",
            ("must be left out unless bounds are ", Words("private")),
            got=describe(bounds_share),
        ) from None
    return Request.of(statistic, data, bounds=bounds, **keywords)


def columns_of(data: object) -> tuple[object, ...]:
    """The columns that a question reads, one or several."""
    return data.columns if isinstance(data, DeclaredRows) else (data,)


def check_terms(statistic: Statistic | VectorStatistic, **terms: Unpack[Protection]) -> PrivacyTerms:
    """Check the price and whom to protect. Raises if the statistic cannot protect against such neighbours."""
    checked = PrivacyTerms.of(**terms)
    if checked.neighbors not in statistic.relations:
        raise ParameterError(
            "neighbors",
            f"must be {' or '.join(map(repr, statistic.relations))} for {statistic}",
            got=repr(checked.neighbors),
        ) from None
    return checked


def _declare(statistic: Statistic, indicator: Indicator | None, data: object) -> Declared | DeclaredRows:
    if statistic.columns > 1:
        return declare_rows(data, statistic.columns, statistic.fill)
    return declare(data) if indicator is None else indicator.declare(data)


def indicator_of(statistic: Statistic) -> Indicator | None:
    """Which records count as ones: those of one category, or all that exist. None if the statistic reads numbers."""
    if statistic.category is not None:
        return Indicator(statistic.category, others=not statistic.of_any_type)  # type: ignore[arg-type]
    return Indicator() if statistic.of_any_type else None


def _no_statistic(given: object) -> str:
    """Say in words what was given instead of a statistic, and what was probably meant."""
    if isinstance(given, type) and issubclass(given, Statistic):
        return f"the class {given.__name__}: write {given.__name__}()"
    if hasattr(given, "kind") and not callable(given):
        return f"the question {given!r}"
    name = getattr(given, "__name__", None)
    return f"the function {name}" if callable(given) and isinstance(name, str) else describe(given)


def _check_reach(statistic: Statistic, levels: int, reach: int) -> None:
    """Raise if there are too many levels, or if one person moves the answer by too many steps."""
    if levels > MOST_LEVELS:
        raise ParameterError(
            "epsilon",
            f"must be larger, or contributions smaller, for {statistic} by this mechanism",
            why=f"it would take {levels:,} levels, above {MOST_LEVELS:,}",
            fix=(Keyword("mechanism", "laplace"), " takes none"),
        ) from None
    if reach > WIDEST:
        raise ParameterError(
            "contributions",
            f"must be smaller, or granularity coarser, for {statistic}",
            why=f"one person could move it by {reach:,} steps, above 2^59",
        ) from None


@dataclass(slots=True, eq=False)
class OfStatistic:
    """A question about one statistic that lacks only its data: one column, or all columns that the statistic reads."""

    statistic: Statistic
    keywords: dict[str, Any]
    asked: Request | None = None
    """The question as it was last asked, without its data. None under swap, where it depends on the public n."""

    def __call__(self, *data: object) -> Request | Searched:
        given = data[0] if len(data) == 1 else data
        if self.asked is not None:
            return self.asked.with_data(given)
        payable = request(self.statistic, given, **self.keywords)
        if isinstance(payable, Request) and payable.neighbors == "add_remove":
            self.asked = payable.without_data()
        return payable


def of_statistic(statistic: Statistic, **keywords: Any) -> OfStatistic:
    """A question about one statistic that lacks only its data: one column, or all columns that the statistic reads."""
    return OfStatistic(statistic, keywords)


def of_graph(statistic: Statistic, nodes: object, **keywords: Any) -> Callable[..., Request | Searched]:
    """A question about one statistic that lacks only its graph; ``nodes`` is None if the graph has its own nodes."""
    return lambda graph: request(statistic, (graph, nodes), **keywords)
