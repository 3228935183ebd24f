"""Asking: one statistic with bounds, without, or with bounds that are searched for first; by the names of columns."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from functools import partial
from typing import Any, Literal

import numpy as np

from noisewise.columns import Neighbors
from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError
from noisewise.mechanisms import Chosen
from noisewise.numbers.exact import Number, describe, exact_epsilon
from noisewise.numbers.lattice import SomeBounds
from noisewise.privacy import BoundedRange, PureDP
from noisewise.privacy.refusals import suggesting
from noisewise.questions.request import Payable, Payer, Request, settle
from noisewise.questions.search import Found, Search, fitting, split
from noisewise.results.release import Release, of_columns
from noisewise.sampling import Bits
from noisewise.statistics import Statistic


@dataclass(frozen=True, slots=True, repr=False)
class Searched:
    """One statistic between bounds that are searched for first: two draws, one debit, one receipt.

    A share of epsilon finds the bounds, the rest asks the statistic. Whatever can be refused is refused beforehand: the
    search is limited to bounds that the question can be asked with. Too little data to find any answers it with None.
    """

    ask: Callable[[tuple[float, float]], Request]
    widest: Request
    search: Search

    @classmethod
    def of(
        cls, statistic: Statistic, data: object, *, epsilon: object, bounds_share: object, **asked: Any
    ) -> "Searched":
        spend, rest = split(exact_epsilon(epsilon), bounds_share)
        if not isinstance(named := asked.get("mechanism", "auto"), str):
            raise ParameterTypeError(
                f'mechanism must be a name where bounds are "private", got {describe(named)}'
            ) from None

        def ask(bounds: tuple[float, float]) -> Request:
            exactly = tuple(map(Fraction, bounds))  # a float would be read as the decimal that prints it
            return Request.of(statistic, data, epsilon=rest, bounds=exactly, **asked)

        def can_be_asked(bounds: tuple[float, float]) -> bool:
            try:
                return ask(bounds).statistic.columns == 1
            except NoisewiseError:
                return False

        ladder = fitting(can_be_asked)
        widest = ask((0.0, ladder.rungs[-1]))
        if widest.statistic.columns > 1:
            raise ParameterError(
                f'bounds must be a pair for a question about several columns, got "private" for {statistic}'
            ) from None
        return cls(ask, widest, Search(ladder, spend, widest.neighbors, widest.contributions))

    def __repr__(self) -> str:
        return "<Searched: withheld>"

    @property
    def loss(self) -> PureDP:
        """The sum of both, for any bounds: what Laplace noise costs in zCDP depends on them, so its worst case."""
        search, rest = self.search.loss, self.widest.loss
        known = rest if isinstance(rest, BoundedRange) else PureDP(rest.epsilon)
        return PureDP(search.epsilon + rest.epsilon, rho=search.as_zcdp().rho + known.as_zcdp().rho)

    @property
    def neighbors(self) -> Neighbors:
        return self.widest.neighbors

    @property
    def contributions(self) -> int:
        return self.widest.contributions

    @property
    def memo(self) -> str:
        return f"{self.widest.memo}, bounds by {self.search.version}"

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        with np.errstate(all="ignore"):
            found = self.search.find(self.widest.data, bits=bits)
        return self.between(found, receipt, bits=bits)

    def between(self, found: Found, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        """The answer once the search is over."""
        if found is None:
            told = replace(self.widest.told(None, receipt, bits is None), bounds=None, granularity=None)
        else:
            told = replace(self.ask(found).answer(receipt, bits=bits), bounds=found)
        notes = self.search.told(found, rest=self.widest.loss.epsilon)
        law = f"{told.law}, bounds by {self.search.version}"
        return replace(told, privacy=self.loss, law=law, notes=notes)


@dataclass(frozen=True, slots=True, repr=False)
class Wrapped:
    """A question that is another one in all that it does not say itself."""

    asked: Payable

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: withheld>"

    def __getattr__(self, name: str) -> Any:
        return getattr(self.asked, name)


@dataclass(frozen=True, slots=True, repr=False)
class Named(Wrapped):
    """A question about columns that have names: the ledger writes them down, and so does the answer. All public."""

    columns: tuple[str, ...]
    by: tuple[str, ...] = ()
    """The columns whose values make groups."""

    @property
    def memo(self) -> str:
        what, by, how = self.asked.memo.partition(" by ")
        groups = f" by {', '.join(self.by)}" if self.by else ""
        return f"{what}{of_columns(self.columns)}{by}{how}{groups}"

    def answer(self, receipt: Any = None, *, bits: Bits | None = None) -> Release:
        return replace(self.asked.answer(receipt, bits=bits), columns=self.columns)


def ask(
    statistic: Statistic, data: object, *, bounds: Any = None, bounds_share: object = None, **asked: Any
) -> Request | Searched:
    """Judge a question: with bounds, without, or with bounds to be searched for."""
    if isinstance(bounds, str) and bounds == "private":
        return Searched.of(statistic, data, bounds_share=bounds_share, **asked)
    if bounds_share is not None:
        raise ParameterError(
            f'bounds_share must be left out unless bounds are "private", got {describe(bounds_share)}'
        ) from None
    return Request.of(statistic, data, bounds=bounds, **asked)


def release(
    statistic: Statistic,
    data: Any,
    *,
    bounds: SomeBounds | Literal["private"] | None = None,
    epsilon: Number,
    granularity: Number | timedelta | None = None,
    neighbors: Neighbors = "add_remove",
    contributions: int | np.integer[Any] = 1,
    mechanism: Chosen = "auto",
    ledger: Payer | None = None,
    bounds_share: Number | str | None = None,
) -> Release:
    """A private answer of any statistic, one of your own too: what `median` and the other functions call.

    Args:
        statistic: What is asked, such as ``Quantile("1/2")``, or a statistic of your own.
        data: A column, or a tuple of columns where the statistic reads several.
        bounds: The lowest and highest possible value; None where the statistic needs none.
        epsilon: The privacy loss of this release.
        granularity: The spacing of possible answers.
        neighbors: ``"add_remove"`` or ``"swap"``.
        contributions: How many records one person may own, your promise.
        mechanism: ``"auto"``, a mechanism's name, or a mechanism.
        ledger: Where the loss is paid from, before the data is read.
        bounds_share: The part of epsilon that finds bounds where they are ``"private"``, by default a quarter.

    Examples:
        >>> nws.release(nws.Variance(exact=False), incomes, bounds=(0, 1_000_000), epsilon=1.0)
    """
    question = partial(
        ask,
        statistic,
        data,
        bounds=bounds,
        granularity=granularity,
        neighbors=neighbors,
        contributions=contributions,
        mechanism=mechanism,
        bounds_share=bounds_share,
    )
    with suggesting(epsilon, lambda other: question(epsilon=other)):
        return settle(lambda: question(epsilon=epsilon), ledger)
