"""A limit on the records of each person, if nobody knows a good one: it is found in the data.

A part of the price buys a quantile of the numbers of rows that people have, a whole number from 1 to a public most. It
becomes ``contributions`` of the question, which the rest of the price pays for. Each person has one number of rows, so
the quantile protects people as the question does. The limit is released, so all that follows may depend on it. Proof:
docs/proofs/found_contributions.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from noisewise.errors import NoisewiseError, ParameterError, Words
from noisewise.kernel.losses import Loss
from noisewise.kernel.numbers.exact import describe, spell, whole
from noisewise.kernel.prices import Price, Rho, said
from noisewise.kernel.sampling import Bits
from noisewise.ledger.composition import sum_with_delta
from noisewise.questions.payable import Payable
from noisewise.questions.request import Request, whatever_is_found
from noisewise.questions.search import split
from noisewise.questions.terms import EPSILON_OR_RHO
from noisewise.results.release import Release
from noisewise.statistics.quantile import Quantile, exact_share
from noisewise.tables.columns.array_column import Declared

QUANTILE, SHARE, MOST = Fraction(95, 100), Fraction(1, 10), 1000


@dataclass(frozen=True, slots=True)
class ContributionsSearch:
    """The public part of a search: which quantile is found, for which part of the price, and the largest limit."""

    quantile: Fraction = QUANTILE
    share: Fraction = SHARE
    most: int = MOST

    word: ClassVar[str] = "private"

    @classmethod
    def of(cls, contributions: object, **typed: object) -> "ContributionsSearch | None":
        """The search that was typed; None if ``contributions`` is not "private"."""
        if isinstance(contributions, cls):
            return contributions
        given = {name: value for name, value in typed.items() if value is not None}
        if not isinstance(contributions, str) or contributions != cls.word:
            for name, value in given.items():
                raise ParameterError(
                    name, ("must be left out unless contributions are ", Words(cls.word)), got=describe(value)
                ) from None
            return None
        found = {name.removeprefix("contributions_"): value for name, value in given.items()}
        quantile = exact_share(found.get("quantile", QUANTILE), "contributions_quantile")
        typed_share = found.get("share", SHARE)
        split(Fraction(1), typed_share, "contributions_share")
        most = whole("contributions_most", found.get("most", MOST), least=2)
        return cls(quantile, exact_share(typed_share), most)

    @property
    def typed(self) -> dict[str, object]:
        """The keywords of this search that are not the defaults."""
        usual = ContributionsSearch()
        names = ("quantile", "share", "most")
        return {
            f"contributions_{name}": getattr(self, name)
            for name in names
            if getattr(self, name) != getattr(usual, name)
        }

    def parts(self, price: Price) -> tuple[Price, Price]:
        """The part of the price that pays for the search, and the rest."""
        return split(price, self.share, "contributions_share")

    def before(
        self, people: Declared, price: Price, mechanism: Any, ask: Callable[[int], Payable]
    ) -> "WithFoundContributions":
        """A question for this price, after a search. ``people`` are numbers of rows, one number for each person.

        ``ask`` makes the question with a limit, at the rest of the price. Whatever can be refused is refused here.
        """
        spend, rest = self.parts(price)
        search = Request.of(
            Quantile(self.quantile), people, bounds=(0, self.most), mechanism=mechanism, epsilon=spend
        )
        ask(1)  # what is refused is refused for a small limit or for a large one
        try:
            widest = ask(self.most)
        except NoisewiseError as error:
            raise ParameterError(
                "contributions_most",
                "must be smaller for this question",
                got=str(self.most),
                why=f"with so many records of a person it is refused: {error}",
            ) from None
        return WithFoundContributions(self, search, ask, widest, rest)


def sum_of_prices(prices: Mapping[str, Price]) -> Price:
    """The price of all questions together, which one search divides. Raises unless all are epsilons, or all rhos."""
    rhos = [price.rho for price in prices.values() if isinstance(price, Rho)]
    epsilons = [price for price in prices.values() if not isinstance(price, Rho)]
    if rhos and epsilons:
        raise ParameterError(
            EPSILON_OR_RHO,
            ("must be the same for all questions where contributions are ", Words("private")),
            got="both",
        ) from None
    return Rho(sum(rhos, Fraction(0))) if rhos else sum(epsilons, Fraction(0))


@dataclass(frozen=True, slots=True, repr=False)
class WithFoundContributions(Payable):
    """A search for ``contributions``, and then a question: two draws, one debit, one receipt.

    Nothing is refused after the search, because the question can be asked with the smallest and the largest limit.
    """

    asked: ContributionsSearch
    search: Request
    ask: Callable[[int], Payable]
    inner: Payable
    """The question with the largest limit."""
    rest: Price

    @property
    def loss(self) -> Loss:
        """The loss of the search plus that of the answer, whatever limit is found."""
        return sum_with_delta(self.search.loss, *map(whatever_is_found, self.inner.losses))

    @property
    def unit(self) -> str | None:
        return self.inner.unit

    @property
    def memo(self) -> str:
        return f"{self.inner.memo}, {self._law}"

    @property
    def _law(self) -> str:
        return f"contributions by {self.search.mechanism.version}"

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        limit = max(1, self.search.answer(bits=bits).value)
        release = self.ask(limit).answer(receipt, bits=bits)
        notes = (
            f"contributions searched for with {said(self.search.price)}, the answer drawn with {said(self.rest)}",
            f"about {spell(100 * self.asked.quantile)}% of people have {limit:,} rows or fewer; of the rows of each "
            f"other person, {limit:,} take part",
        )
        if isinstance(release.value, tuple):
            value = (
                replace(each, notes=(*notes, *each.notes)) if isinstance(each, Release) else each
                for each in release.value
            )  # each answer of `agg` is shown by itself, too
            release = replace(release, value=tuple(value))
        return replace(
            release,
            privacy=self.loss,
            law=f"{release.law}, {self._law}",
            notes=(*notes, *release.notes),
        )
