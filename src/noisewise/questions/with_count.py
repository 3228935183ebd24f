"""A private count beside an answer: how many records took part in it.

A share of epsilon pays for the count, which gets discrete Laplace noise. The rest pays for the answer. There is one
debit for both, and one receipt. Noise at epsilon hides what contributions/epsilon records say. If the released count is
below `FEW` times that number, the receipt warns that the answer says little. This rule reads only released numbers.
Proof: docs/proofs/with_count.md.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.errors import ParameterError
from noisewise.kernel.losses import Loss
from noisewise.kernel.mechanisms.laplace import WIDEST
from noisewise.kernel.numbers.exact import describe, whole
from noisewise.kernel.prices import Price, exact_price, for_all, said
from noisewise.kernel.sampling import Bits
from noisewise.kernel.settle import sum_of_losses
from noisewise.questions.choice import Noise, check_named, noise_at, reach_of
from noisewise.questions.noisy_counts import law_of_counts
from noisewise.questions.payable import Payable
from noisewise.results.release import Release
from noisewise.statistics.quantile import exact_share
from noisewise.tables.columns.watched import Witness

SHARE = Fraction(1, 10)
"""The part of epsilon that a count beside an answer takes, unless the user says otherwise."""

FEW = 20
"""An answer from fewer than `FEW` times contributions/epsilon records says little: noise hides a twentieth of it."""


@dataclass(frozen=True, slots=True)
class Counting:
    """The public part of a count beside an answer: the price and the noise of the count, and the price of the rest."""

    price: Price
    rest: Price
    noise: Noise
    few: int
    """The least number of records with which the answer says something. Public."""

    @classmethod
    def of(cls, price: object, share: object, contributions: object) -> "Counting":
        """Check a share of the price; True stands for a tenth."""
        total, part = exact_price(price), SHARE if share is True else _share(share)
        owned = whole("contributions", contributions, least=1, most=WIDEST)
        count, rest = part * total, (1 - part) * total
        return cls(count, rest, noise_at(count, owned), math.ceil(FEW * reach_of(rest, owned)))

    def draw(self, counts: list[int], bits: Bits | None) -> list[int]:
        """Private counts, never below 0."""
        drawn: list[int] = law_of_counts(self.noise, counts).draw_each(bits=bits).tolist()
        return drawn

    def beside(self, release: Release, count: int, loss: Loss) -> Release:
        """The answer with its count, and a note if the released count is low."""
        paid = f"counted for {said(self.price)}, the answer drawn for {said(self.rest)}"
        notes = [f"about {count:,} records took part: {paid}"]
        if count < self.few:
            notes.append(f"fewer than about {self.few:,} records took part: this answer says little")
        law = f"{release.law}, count by {self.noise.version}"
        return replace(release, privacy=loss, count=count, law=law, notes=(*release.notes, *notes))

    def beside_groups(self, release: Release, counts: list[int], records: int, loss: Loss) -> Release:
        """The answers of all groups with their counts. A person has up to ``records`` records in all of them."""
        spent, rest = (said(for_all(each, records)) for each in (self.price, self.rest))
        notes = [f"n is about how many records took part: counted for {spent}, answers drawn for {rest}"]
        if low := sum(count < self.few for count in counts):
            notes.append(
                f"n is below about {self.few:,} in {low:,} of {len(counts):,} groups: their answers say little"
            )
        law = f"{release.law}, count by {self.noise.version}"
        return replace(release, privacy=loss, count=tuple(counts), law=law, notes=(*release.notes, *notes))


@dataclass(frozen=True, slots=True, repr=False)
class Counted(Payable):
    """A question and the number of records that take part in it: two draws, one debit."""

    inner: Payable
    counting: Counting
    witness: Witness

    @property
    def loss(self) -> Loss:
        return sum_of_losses(self.inner.loss, self.counting.noise.loss)

    @property
    def memo(self) -> str:
        return f"{self.inner.memo}, count by {self.counting.noise.version}"

    @property
    def alone(self) -> Payable:
        return self.inner.alone

    def count_error(self, miss: Fraction) -> int:
        return self.counting.noise.farthest(miss / 2)

    def loss_of(self, records: int) -> Loss:
        return sum_of_losses(self.inner.loss_of(records), self.counting.noise.loss_of(records))

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        release, count = self.drawn(receipt, bits)
        return self.counting.beside(release, count, self.loss)

    def drawn(self, receipt: object, bits: Bits | None) -> tuple[Release, int]:
        """The answer without the count, and the count."""
        release = self.inner.answer(receipt, bits=bits)
        with np.errstate(all="ignore"):
            (count,) = self.counting.draw([self.witness.count], bits)
        return release, count


def with_count(
    make: Callable[..., Payable],
    data: Any,
    watch: Callable[[Any, Witness], Any],
    **keywords: Any,
) -> Payable:
    """Return ``make(data, **keywords)``, the question. Its answer gets a count if ``with_count`` says so."""
    share = keywords.pop("with_count", None)
    if share is None or share is False:
        return make(data, **keywords)
    if isinstance(neighbors := keywords.get("neighbors"), str) and neighbors == "swap":
        raise ParameterError(
            "with_count", "must be left out under swap", why="there the number of records is public"
        ) from None
    check_named(keywords.get("mechanism", "auto"), "a part of epsilon pays for a count")
    counting = Counting.of(keywords.get("epsilon"), share, keywords.get("contributions", 1))
    witness = Witness()
    return Counted(make(watch(data, witness), **{**keywords, "epsilon": counting.rest}), counting, witness)


def no_records(what: object, why: str = "a graph has edges, and no records") -> ParameterError:
    """Return the error for a question that takes no count: it is about a graph, or its answer counts the records."""
    return ParameterError("with_count", f"must be left out for {what}", why=why)


def _share(given: object) -> Fraction:
    share = exact_share(given, "with_count")
    if not 0 < share < 1:
        raise ParameterError(
            "with_count", "must be True, or a share of epsilon above 0 and below 1", got=describe(given)
        ) from None
    return share
