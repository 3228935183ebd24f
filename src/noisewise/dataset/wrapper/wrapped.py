"""A question about any function of records: checked, priced, and answered by the values that workers find.

The values are those of `ByBlocks`, or the levels of `ByRemovals`. Either way the answer is their median: one person
changes few of them, so that the law of a quantile under swap protects them at a part of the price.

Proof: docs/proofs/wrap.md.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from noisewise.dataset.wrapper.blocks import ByBlocks
from noisewise.dataset.wrapper.copies import CopiedRows
from noisewise.dataset.wrapper.removals import ByRemovals
from noisewise.dataset.wrapper.workers import Workers
from noisewise.errors import ParameterError, ParameterTypeError, Words
from noisewise.kernel.losses import ZCDP, Neighbors, PureDP
from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.numbers.exact import describe, exact, whole
from noisewise.kernel.numbers.lattice import exact_bounds
from noisewise.kernel.prices import Price, Rho, for_each, pure_epsilon
from noisewise.kernel.sampling import Bits, SystemBits
from noisewise.questions.measured import Measured
from noisewise.questions.payable import Payable, bounds_as_typed
from noisewise.questions.promise import Promise, sure
from noisewise.questions.request import Request
from noisewise.questions.terms import PrivacyTerms
from noisewise.questions.wide import ANYWHERE
from noisewise.results.release import Release
from noisewise.statistics.quantile import Quantile
from noisewise.tables.columns import declare

MEDIAN = Quantile("1/2")
ROUNDS, FEWEST, MOST, MOST_SUBSETS = 8, 8, 2**20, 2**16
ANSWERS = 1000
"""About how many different answers there are if no granularity is given."""
MISS = Fraction(1, 20)
"""By default blocks are so many that the draw is surely among their values, except with this probability."""
DRAWS = 200
"""How often a simulation draws."""

Progress = Callable[[str, float | None], None]


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Wrapped(Payable):
    """A function asked of blocks of records: checked, and not yet paid for."""

    rows: CopiedRows
    workers: Workers
    function: str
    requests: tuple[Request, ...]
    """The draw of each number of the answer."""
    price: Price
    neighbors: Neighbors
    contributions: int
    way: ByBlocks | ByRemovals
    bounds: Any
    progress: Progress | None = None

    @classmethod
    def of(
        cls,
        f: Any,
        rows: CopiedRows,
        *,
        bounds: Any,
        granularity: Any = None,
        workers: Any = None,
        timeout: Any = None,
        progress: Progress | None = None,
        method: Any = "blocks",
        blocks: Any = None,
        rounds: Any = None,
        depth: Any = None,
        most: Any = None,
        **terms: Any,
    ) -> "Wrapped":
        """Check every parameter. No record is read."""
        if not callable(f):
            raise ParameterTypeError("f", "must be a function of records", got=describe(f)) from None
        price, relation, owned = PrivacyTerms.of(**terms)
        pairs, names = _pairs(bounds)
        steps = [_step(pair, given) for pair, given in zip(pairs, _each(granularity, names), strict=True)]
        points = max(MEDIAN.frame(*asked).answers.points for asked in zip(pairs, steps, strict=True))
        part = price / len(pairs)
        each = 1 if rows.people else owned
        logarithm = each * math.log(len(pairs) * points / MISS) / float(pure_epsilon(part))
        if not isinstance(method, str) or method not in ("blocks", "removals"):
            raise ParameterError(
                "method", ("must be ", Words("blocks", "removals")), got=describe(method)
            ) from None
        other = {"depth": depth, "most": most}
        if method == "removals":  # progress would count the records
            other = {"blocks": blocks, "rounds": rounds, "progress": progress}
        for name, given in other.items():
            if given is not None:
                raise ParameterError(name, ("must be left out where method is ", Words(method))) from None
        way = _way(method, blocks, rounds, depth, most, logarithm)
        if isinstance(way, ByBlocks):
            each = way.rounds * min(each, way.blocks)
        paid = for_each(part, each, each, 1)
        law: dict[str, Any] = {"epsilon": paid}
        if method == "removals":  # a level moves the median twice as far as a value that is swapped
            law = {"epsilon": paid, "mechanism": "piecewise_laplace"}
            if not isinstance(paid, Rho):
                law = {"epsilon": paid / 2, "mechanism": "balance"}
        values = np.zeros(way.values)
        requests = tuple(
            Request.of(MEDIAN, values, bounds=pair, granularity=step, neighbors="swap", **law)
            for pair, step in zip(pairs, steps, strict=True)
        )
        seconds = None if timeout is None else exact("timeout", timeout)
        if seconds is not None and seconds <= 0:
            raise ParameterError("timeout", "must be above 0, in seconds", got=describe(timeout)) from None
        staff = Workers(
            f,
            names,
            None if workers is None else whole("workers", workers, least=1, most=1024),
            None if seconds is None else float(seconds),
            rows.modules,
        )
        name = str(getattr(f, "__qualname__", type(f).__qualname__)).rpartition(".")[2]
        return cls(
            rows, staff, name, requests, price, relation, owned, way, bounds_as_typed(bounds), progress
        )

    @property
    def loss(self) -> PureDP | ZCDP:
        return self.price.loss if isinstance(self.price, Rho) else PureDP(self.price)

    @property
    def statistic(self) -> str:
        return f"wrap({self.function})"

    @property
    def law(self) -> str:
        return f"{self.way.version}, {self.requests[0].mechanism.version}"

    @property
    def memo(self) -> str:
        return f"{self.statistic} by {self.law}"

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        """Among which of the values the draw surely is."""
        said = self._promised(miss)
        return Promise(
            mechanism=self.requests[0].mechanism.name,
            numbers=len(self.requests),
            sentence=f"{self.way}; {f'{sure(1 - miss)} {said}' if said else 'too few to promise anything'}",
        )

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        with self.workers, np.errstate(all="ignore"):
            values = self.values(bits)
        drawn = [
            replace(request, data=declare(values[:, place])).answer(bits=bits)
            for place, request in enumerate(self.requests)
        ]
        names = self.workers.names
        return self.released(
            tuple(each.value for each in drawn) if names else drawn[0].value,
            receipt,
            bits,
            statistic=self.statistic,
            mechanism=drawn[0].mechanism,
            law=self.law,
            granularity=None if names else self.requests[0].frame.answers.granularity,
            bounds=None if names else self.bounds,
            names=tuple(map(str, names)),
            notes=self.notes,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        wide = () if self._promised(MISS) else (f"{ANYWHERE}: these are too few",)
        failed = "where the function fails, the lower bound stands for its value; how often is not told"
        return (str(self.way), *wide, failed)

    def _promised(self, miss: Fraction) -> str:
        """Among which of the values the draw is, except with probability ``miss``; empty if nothing is promised."""
        return self.way.promise(self.requests, math.log(miss / len(self.requests)))

    def values(self, bits: Bits | None = None) -> Floats:
        """The values whose median is drawn; NaN where the function says no number. Secret."""
        return self.way.find(self._ask, self.rows.owners(), bits or SystemBits())

    def _ask(self, parts: Iterator[Integers]) -> Floats:
        """What the function says of each part of the rows."""
        rows: dict[int, Floats] = {}
        with closing(self.workers.evaluate(map(self.rows.packed, parts))) as found:
            for done, (place, row) in enumerate(found, 1):
                rows[place] = row
                if self.progress is not None:
                    self.progress(f"{done:,} of {self.way.evaluations:,} blocks", done / self.way.evaluations)
        return np.array([rows[place] for place in range(len(rows))])

    def measured(self) -> Measured:
        """How far draws are from the function of all records."""
        owners = self.rows.owners()
        with self.workers:
            ((_, true),) = self.workers.evaluate([self.rows.packed(np.flatnonzero(owners >= 0))])
        found = []
        for _ in range(self.way.repeats):
            with self.workers:
                values = self.values()
            for place, request in enumerate(self.requests):
                law = replace(request, data=declare(values[:, place])).look()
                drawn = [request.number(int(law.draw_each()[0])) for _ in range(DRAWS // self.way.repeats)]
                found.append(np.abs(np.array(drawn, np.float64) - true[place]))
        far = np.concatenate(found)

        def within(share: float) -> float:
            return float(np.quantile(far, share, method="higher"))

        answer = tuple(true.tolist()) if self.workers.names else float(true[0])
        return Measured(answer, float(far.mean()), within, DRAWS)


def _pairs(bounds: Any) -> tuple[list[tuple[Fraction, Fraction]], tuple[object, ...]]:
    """The bounds of each number of the answer, and the names of the numbers; no names if it is a single number."""
    if isinstance(bounds, Mapping):
        named = dict(bounds)
    elif isinstance(bounds, (tuple, list)) and bounds and isinstance(bounds[0], (tuple, list)):
        named = dict(enumerate(bounds, 1))
    else:
        return [exact_bounds(bounds)], ()
    if not named:
        raise ParameterError("bounds", "must hold a pair for each number", got="none") from None
    return [exact_bounds(pair) for pair in named.values()], tuple(named)


def _each(granularity: Any, names: tuple[object, ...]) -> list[Any]:
    """The granularity of each number."""
    if not isinstance(granularity, Mapping):
        return [granularity] * max(len(names), 1)
    if not names or set(granularity) != set(names):
        raise ParameterError("granularity", "must be one number, or one for each name of bounds") from None
    return [granularity[name] for name in names]


def _step(bounds: tuple[Fraction, Fraction], given: Any) -> Fraction:
    """The granularity: as given, or else the power of two nearest to a thousandth of the range."""
    if given is not None:
        return exact("granularity", given)
    width = (bounds[1] - bounds[0]) / ANSWERS
    power = round(math.log2(width.numerator) - math.log2(width.denominator))
    return Fraction(2) ** power


def _way(
    method: str, blocks: Any, rounds: Any, depth: Any, most: Any, logarithm: float
) -> ByBlocks | ByRemovals:
    return _blocks(blocks, rounds, logarithm) if method == "blocks" else _removals(depth, most, logarithm)


def _blocks(blocks: Any, rounds: Any, logarithm: float) -> ByBlocks:
    """As many blocks as keep the draw among their values, if their number was not given."""
    many = whole("rounds", ROUNDS if rounds is None else rounds, least=1)
    if blocks is None:
        blocks = max(FEWEST, math.ceil(2 * logarithm + 4 / many))
    way = ByBlocks(whole("blocks", blocks, least=1), many)
    if way.evaluations > MOST:
        raise ParameterError(
            "blocks",
            f"must be fewer: at most {MOST:,} evaluations",
            got=f"{way.blocks:,} in each of {many:,} rounds",
        ) from None
    return way


def _removals(depth: Any, most: Any, logarithm: float) -> ByRemovals:
    """As many removals as keep the draw among the values that they reach, if their number was not given."""
    if most is None:
        raise ParameterError(
            "most",
            ("must be given where method is ", Words("removals")),
            why="the number of subsets follows from it, and how many records there are may be secret",
        ) from None
    people = whole("most", most, least=1)
    if depth is None:
        depth = min(people, math.ceil(4 * logarithm) - 1)
    way = ByRemovals(whole("depth", depth, least=0, most=people), people)
    if way.evaluations > MOST_SUBSETS:
        raise ParameterError(
            "depth",
            f"must be smaller, or most, or epsilon larger: at most {MOST_SUBSETS:,} evaluations",
            got=f"{way.evaluations:,} subsets that lack at most {way.depth} of {people:,}",
        ) from None
    return way
