"""A question bound to its data: what it costs, its interval, its release, and the errors that refuse it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, TypeVar, overload

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError, Text
from noisewise.kernel import settle as kernel
from noisewise.kernel.losses import ZCDP, ApproxDP, Loss, group_loss
from noisewise.kernel.numbers.exact import describe, exact
from noisewise.kernel.prices import Price
from noisewise.kernel.sampling import Bits, from_system
from noisewise.ledger.entries import question_in
from noisewise.questions.choice import Auto
from noisewise.questions.measured import Measured
from noisewise.questions.promise import Promise
from noisewise.results.release import Form, Release

Value = TypeVar("Value")


class once(Generic[Value]):  # noqa: N801
    """A property that is computed once for an object and all its twins. The ``_twin_of`` of a twin is that object.

    ``functools.cached_property`` would take a lock, and a fork may copy a lock that is held.
    """

    def __init__(self, work: Callable[[Any], Value]) -> None:
        self._work, self.__doc__ = work, work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> "once[Value]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...
    def __get__(self, instance: object, owner: type) -> "Value | once[Value]":
        if instance is None:
            return self
        twin = vars(instance).get("_twin_of")
        value: Value = self._work(instance) if twin is None else getattr(twin, self._name)
        vars(instance)[self._name] = value
        return value


class Payable(kernel.AnyPayable[Release]):
    """A payable whose answer is a `Release`."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The question as a receipt names it."""
        return question_in(self.memo)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The losses that add up to ``loss``: one for each question that is asked."""
        return (self.loss,)

    @property
    def alone(self) -> "Payable":
        """The question without an interval or a count beside its answer, at the epsilon that these leave for it."""
        return self

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        """The promise that holds for all data, except with probability ``miss``. By default nothing is promised.

        ``size`` is the number of records, if that is public.
        """
        return Promise(mechanism="several draws")

    def count_error(self, miss: Fraction) -> int | None:
        """How far a count beside the answer is off, except with probability ``miss``; None if there is no count."""
        return None

    def measured(self) -> Measured:
        """Not private: the answer without noise, and how far releases are from it."""
        raise ParameterError(
            self.name,
            "must be asked of the public data itself to see how good it is",
            why="it is made of several draws, each of which depends on those before",
        ) from None

    def with_interval(self, confidence: Fraction, at: "Callable[[Price], Payable]") -> "Payable":
        """The same question with an interval beside its answer, at the same price. Raises if there is none.

        ``at`` makes the question at another price. It is needed if the interval takes a share of the price.
        """
        raise no_interval(self.name, "none is known for such an answer") from None

    def loss_of(self, records: int) -> Loss:
        """The loss of a person with ``records`` records, in one group or in several. This question is asked of each
        group, and hides whether one record is added or removed. Proof: docs/proofs/groups.md.
        """
        return group_loss(self.loss, records)

    def released(
        self,
        value: object,
        receipt: object,
        bits: Bits | None,
        *,
        statistic: str,
        mechanism: str,
        law: str,
        granularity: Fraction | None = None,
        smooth: Fraction = Fraction(0),
        bounds: tuple[object, object] | None = None,
        notes: tuple[str, ...] = (),
        names: tuple[str, ...] = (),
        form: Form = "numbers",
    ) -> Release:
        """Make a release of a value, with everything that its reader must know."""
        return Release(
            value=value,
            privacy=self.loss,
            statistic=statistic,
            mechanism=mechanism,
            neighbors=self.neighbors,
            contributions=self.contributions,
            granularity=granularity,
            smooth=smooth,
            bounds=bounds,
            law=law,
            receipt=receipt,
            notes=notes,
            unit=self.unit or "record",
            private=bits is None or from_system(bits),
            names=names,
            form=form,
        )


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class WithNotes(Payable):
    """The same question with more notes on its receipt."""

    inner: Payable
    notes: tuple[str, ...]

    @property
    def unit(self) -> str | None:
        return self.inner.unit

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        release = self.inner.answer(receipt, bits=bits)
        return replace(release, notes=(*release.notes, *self.notes))


def no_interval(what: str, why: str, fix: Text = "") -> ParameterError:
    """Return the error for an interval that cannot be given."""
    return ParameterError("interval", f"must be left out for {what}", why=why, fix=fix)


def check_payer(ledger: object) -> None:
    """Raise unless the ledger is None or can take debits."""
    if ledger is not None and (isinstance(ledger, type) or not callable(getattr(ledger, "debit", None))):
        raise ParameterTypeError(
            "ledger",
            'must be a Ledger, as Ledger.open("staff.ledger") gives, or anything with a debit method, or '
            "None",
            got=describe(ledger),
        ) from None


def mechanism_for(chosen: Any, ledger: object) -> Any:
    """The mechanism as given; but "auto" is replaced by `Auto` if the budget of the ledger is not pure epsilon."""
    leaves_it_to_us = isinstance(chosen, str) and chosen == "auto"
    counts_more = isinstance(getattr(ledger, "budget", None), (ZCDP, ApproxDP))
    return Auto(pure=False) if leaves_it_to_us and counts_more else chosen


def bounds_as_typed(bound: Any) -> Any:
    """Bounds as the receipt keeps them: as typed, but without NumPy types. For several columns, a pair for each."""
    if isinstance(bound, (tuple, list, np.ndarray)):
        return tuple(map(bounds_as_typed, bound))
    if isinstance(bound, np.integer):
        return int(bound)
    return float(exact("bounds", bound)) if isinstance(bound, np.floating) else bound
