"""A histogram: how many records each declared bin holds, all counts at once.

A record is in one bin or in none. So a person with up to m records moves all counts together by at most m, and a
swapped record moves them by 2, in any data. Every count gets discrete Laplace noise of the full rate. This is better
than a scored mechanism at half the rate. Empty bins get noise like any other. Proof: docs/proofs/histogram.md.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias, Unpack

import numpy as np

from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.losses import Loss, Neighbors, PureDP, discrete_laplace_rho
from noisewise.kernel.mechanisms.laplace import WIDEST
from noisewise.kernel.numbers.answers import UTMOST
from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.numbers.exact import describe, exact, whole
from noisewise.kernel.numbers.lattice import exact_bounds
from noisewise.kernel.prices import Price, Rho
from noisewise.kernel.sampling import Bits
from noisewise.planning.readings.bisection import least_steps
from noisewise.questions.choice import Noise, noise_at
from noisewise.questions.keywords import Protection
from noisewise.questions.measured import Measured
from noisewise.questions.noisy_counts import law_of_counts
from noisewise.questions.payable import Payable
from noisewise.questions.promise import Promise, as_float, noise_steps
from noisewise.questions.terms import SIGNED, PrivacyTerms, exact_signed
from noisewise.results.release import AnswerInterval, Release
from noisewise.tables.columns import declare
from noisewise.tables.columns.array_column import Declared, declares_fractions
from noisewise.tables.columns.labels import MOST_LABELS, DeclaredLabels, Labels, declare_labels, length

EXACT = 2**53

SHOWN = 6
"""A receipt names at most this many bins one by one, and the last bin."""

NAMED = 10_000
"""An answer keeps the names of its bins if there are at most this many."""


@dataclass(frozen=True)
class BinEdges:
    """Bins between neighbouring edges. A bin holds its left edge, and the last bin holds both its edges. Outer edges
    may be infinite."""

    at: tuple[float, ...]
    shown: tuple[str, ...] = ()
    """The edges in words, if they are dates or times."""

    @classmethod
    def of(cls, given: list[Any]) -> "BinEdges":
        _check_count(len(given), least=2)
        at = [_edge(edge, outer=index in (0, len(given) - 1)) for index, edge in enumerate(given)]
        for low, high in pairwise(at):
            if not low < high:
                raise ParameterError(
                    "bins", "must have edges that rise", got=f"{low:g} before {high:g}"
                ) from None
        return cls(tuple(at))

    def __len__(self) -> int:
        return len(self.at) - 1

    def declare(self, data: object) -> Declared:
        return declare(data)

    def counts(self, data: Declared) -> Integers:
        return data.counts(self)

    @property
    def ends(self) -> tuple[float, float]:
        return self.at[0], self.at[-1]

    @cached_property
    def thresholds(self) -> Floats:
        """The edges between two bins."""
        return np.array(self.at[1:-1], np.float64)

    def bins_of(self, values: Floats) -> Integers:
        return np.searchsorted(self.thresholds, values, side="right")

    @property
    def names(self) -> list[str]:
        return names_of(self.shown or [*map(spell_edge, self.at)])


@dataclass(frozen=True, slots=True)
class Categories:
    """One bin for each declared category."""

    labels: Labels

    def __len__(self) -> int:
        return len(self.labels.names)

    def declare(self, data: object) -> DeclaredLabels:
        declared = declare_labels(data)
        declared.check(self.labels)
        return declared

    def counts(self, data: DeclaredLabels) -> Integers:
        return data.counts(self.labels)

    @property
    def names(self) -> list[str]:
        return [*map(str, self.labels.names)]


Bins: TypeAlias = BinEdges | Categories


def bins_of(bins: object, categories: object = None, *, fractional: bool = False) -> Bins:
    """Declared categories, or bins. Bins are categories if any is text or a boolean, and edges if all are numbers.

    Whole numbers that could be edges or categories are refused, unless the column may hold ``fractional`` numbers.
    """
    if (bins is None) == (categories is None):
        raise ParameterError(
            "histogram",
            "must be given bins, such as the edges [0, 18, 40, 65], or categories, such as [1, 2, 3]",
            got="neither" if bins is None else "both",
        ) from None
    if categories is not None:
        return Categories(Labels.of(categories))
    if isinstance(bins, BinEdges):
        return bins
    if isinstance(bins, (list, tuple, range)) or (isinstance(bins, np.ndarray) and bins.ndim == 1):
        _check_count(length(bins))  # before they are listed
    given = bins.tolist() if isinstance(bins, np.ndarray) and bins.ndim == 1 else bins
    if not isinstance(given, (list, tuple, range)):
        raise ParameterTypeError(
            "bins",
            "must be a list of edges or of categories that you know without looking at the data",
            got=describe(bins),
        ) from None
    if any(isinstance(each, (str, bool, np.bool_)) for each in given):
        return Categories(Labels.of(list(given)))
    if not fractional and may_be_codes(given):
        raise ParameterError(
            "bins",
            "must be edges or categories",
            got=f"{_listed(given)}, which may be both",
            fix=f"write bins={_listed([float(each) for each in given])} for the edges of {len(given) - 1:,} "
            f"interval{'s' if len(given) > 2 else ''}, or categories={_listed(given)} to count each of these numbers",
        ) from None
    return BinEdges.of(list(given))


def equal_bins(bins: object, bounds: object) -> list[float]:
    """The edges of a number of bins of equal width between bounds."""
    if bounds is None:
        raise ParameterError(
            "bins", "must be given with bounds=(lowest, highest) where they are a number", got=describe(bins)
        ) from None
    if isinstance(bins, list) and len(bins) == 1:  # as it is typed on a command line
        (bins,) = bins
    if isinstance(bins, (list, tuple, range, np.ndarray)):
        raise ParameterError(
            "bounds", "must be left out where bins are edges", got=describe(bounds)
        ) from None
    count, (low, high) = whole("bins", bins, least=1, most=MOST_LABELS - 1), exact_bounds(bounds)
    return [float(low + (high - low) * index / count) for index in range(count + 1)]


def _check_count(edges: int, least: int = 0) -> None:
    if not least <= edges <= MOST_LABELS:
        raise ParameterError("bins", f"must have from 2 to {MOST_LABELS:,} edges", got=str(edges)) from None


def _listed(numbers: Sequence[Any]) -> str:
    """A list as it is typed. Of a long list only the first numbers are shown."""
    rest = ["..."] if len(numbers) > SHOWN else []
    return f"[{', '.join([*map(repr, numbers[:SHOWN]), *rest])}]"


def _edge(edge: object, *, outer: bool) -> float:
    """An edge as a float64; an outer one may be infinite."""
    if isinstance(edge, (float, np.float64)) and (math.isfinite(edge) or (outer and math.isinf(edge))):
        return float(edge)
    number = exact("an edge of bins", edge)
    try:
        return float(number)
    except OverflowError:
        raise ParameterError("an edge of bins", "must be a float64", got=describe(edge)) from None


def spell_edge(edge: Any) -> str:
    """An edge as a receipt shows it."""
    if isinstance(edge, (date, time, timedelta)):
        return str(edge)
    number = float(edge)
    return f"{number:,.0f}" if number.is_integer() and abs(number) < EXACT else repr(number)


def names_of(edges: Sequence[str]) -> list[str]:
    """The name of each bin between these edges: ``[0, 20)``, and of the last ``[20, 40]``."""
    ends = [")"] * (len(edges) - 2) + ["]"]
    return [f"[{low}, {high}{end}" for (low, high), end in zip(pairwise(edges), ends, strict=True)]


def _shown(names: list[str]) -> str:
    return "; ".join([*names[:-1][:SHOWN], *["..."] * (len(names) > SHOWN + 1), names[-1]])


@dataclass(frozen=True, slots=True, repr=False)
class Histogram(Payable):
    """The counts of declared bins, checked and not yet paid for."""

    data: Declared | DeclaredLabels
    bins: Bins
    price: Price
    neighbors: Neighbors
    contributions: int
    signed: bool = False
    confidence: Fraction | None = None

    @classmethod
    def of(
        cls,
        data: object,
        bins: object,
        categories: object = None,
        *,
        signed: object = False,
        **terms: Unpack[Protection],
    ) -> "Histogram":
        """Check every parameter and the declared type of the data. Errors are the same whatever the records say."""
        fractional = declares_fractions(data)
        declared, checked = bins_of(bins, categories, fractional=fractional), PrivacyTerms.of(**terms)
        whole("contributions", checked.contributions, least=1, most=WIDEST)
        return cls(declared.declare(data), declared, *checked, exact_signed(signed))

    @property
    def reach(self) -> int:
        """How far one person can move all counts together. A swapped record leaves one bin and joins another."""
        return min(2, len(self.bins)) if self.neighbors == "swap" else self.contributions

    @property
    def loss(self) -> Loss:
        if isinstance(self.price, Rho):
            return self.price.loss
        shift = 1 if self.neighbors == "swap" else self.contributions
        moved = self.reach // shift  # at worst, this many counts move by the shift
        return PureDP(self.price, rho=moved * discrete_laplace_rho(self.price / moved, shift))

    def loss_of(self, records: int) -> Loss:
        return self.noise.loss_of(records)

    @property
    def memo(self) -> str:
        return f"histogram by {self.noise.version}"

    def with_interval(self, confidence: Fraction, at: Callable[[Price], Payable]) -> "Histogram":
        """Intervals cost nothing, as the noise is public. With this probability every count lies in its interval."""
        return replace(self, confidence=confidence)

    def interval(self, counts: tuple[int, ...]) -> AnswerInterval | None:
        """An interval for each count, if the question asks for intervals."""
        if self.confidence is None:
            return None
        miss = (1 - self.confidence) / len(self.bins)
        steps = self.noise.farthest(miss / 2)
        low = tuple(count - steps if self.signed else max(0, count - steps) for count in counts)
        high = tuple(min(count + steps, UTMOST) for count in counts)
        return AnswerInterval(low, high, self.confidence, scope="all")

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        each, all_of_them = noise_steps(self.noise, miss, len(self.bins))
        return Promise(
            mechanism=self.noise.name,
            error=as_float(each),
            error_of_all=as_float(all_of_them),
            numbers=len(self.bins),
        )

    def measured(self) -> Measured:
        """The errors of all counts, pooled: the error of a count that is chosen at random."""
        from noisewise.planning.readings.read_law import read_law

        laws = self.look()
        each = [read_law(laws[place]) for place in range(len(laws))]
        counts = [int(law.centre) for law in each]

        def enough(steps: int, share: float) -> bool:
            held = [law.cdf(n + steps) - law.cdf(n - steps - 1) for law, n in zip(each, counts, strict=True)]
            return bool(np.mean(held) >= share)

        return Measured(
            tuple(counts),
            float(np.mean([law.expected_error() for law in each])),
            lambda share: float(least_steps(lambda steps: enough(steps, share))),
        )

    @property
    def noise(self) -> Noise:
        """The noise of each count. A swap moves two counts by one; a person may have all records in one bin."""
        squared = self.reach if self.neighbors == "swap" else self.reach**2
        return noise_at(self.price, self.reach, squared)

    def look(self) -> Law | GaussianLaw:
        """The secret laws of the counts, one for each bin."""
        counts = self.bins.counts(self.data)  # type: ignore[arg-type]  # declared by these very bins
        law = law_of_counts(self.noise, counts)
        return replace(law, clamp=(None, None)) if self.signed else law

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        with np.errstate(all="ignore"):
            value = tuple(self.look().draw_each(bits=bits).tolist())
        release = self.released(
            value,
            receipt,
            bits,
            statistic="histogram",
            mechanism=self.noise.name,
            granularity=Fraction(1),
            law=self.noise.version,
            notes=(
                f"bins {_shown(self.bins.names)}",
                "records in none of the bins are ignored",
                *([SIGNED] if self.signed else []),
            ),
            names=tuple(self.bins.names) if len(self.bins) <= NAMED else (),
            form="counts",
        )
        return replace(release, interval=self.interval(value))


def may_be_codes(numbers: Sequence[object]) -> bool:
    """Whether numbers may be codes of categories as well as edges.

    They may if all are whole and at least half of them are one above the number before, as in 1, 2, 3 and in 1, 2, 9.
    """
    whole = [number for number in numbers if type(number) is int]
    if not len(whole) == len(numbers) > 1:
        return False
    rising = sorted(whole)
    return 2 * sum(high - low == 1 for low, high in pairwise(rising)) >= len(rising) - 1
