"""Blocks and balance: any function of the records, asked of random blocks of them.

In each round every person goes to one block, by chance and independently of all others. The function is asked of each
block, and the answer is the median of all values, drawn by balance. One person is in one block of each round, so that
with t rounds they change at most t values: a draw that hides a change of one value at epsilon/t costs epsilon.

Proof: docs/proofs/wrap.md.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from noisewise.dataset.wrapper.copies import CopiedRows
from noisewise.dataset.wrapper.workers import Workers
from noisewise.errors import ParameterError, ParameterTypeError
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
from noisewise.questions.wide import people_off
from noisewise.results.release import Release
from noisewise.statistics.quantile import Quantile
from noisewise.tables.columns import declare

VERSION = "blocks/1"
MEDIAN = Quantile("1/2")
ROUNDS, FEWEST, MOST = 8, 8, 2**20
ANSWERS = 1000
"""About how many different answers there are if no granularity is given."""
MISS = Fraction(1, 20)
"""By default blocks are so many that the draw is surely among their values, except with this probability."""
ASSIGNMENTS, DRAWS = 5, 40
"""How often a simulation assigns records to blocks, and how often it draws after each."""

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
    blocks: int
    rounds: int
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
        blocks: Any = None,
        rounds: Any = None,
        workers: Any = None,
        timeout: Any = None,
        progress: Progress | None = None,
        **terms: Any,
    ) -> "Wrapped":
        """Check every parameter. No record is read."""
        if not callable(f):
            raise ParameterTypeError("f", "must be a function of records", got=describe(f)) from None
        price, relation, owned = PrivacyTerms.of(**terms)
        pairs, names = _pairs(bounds)
        steps = [_step(pair, given) for pair, given in zip(pairs, _each(granularity, names), strict=True)]
        points = max(MEDIAN.frame(*asked).answers.points for asked in zip(pairs, steps, strict=True))
        many = whole("rounds", ROUNDS if rounds is None else rounds, least=1)
        part = price / len(pairs)
        enough = 2 * math.log(len(pairs) * points / MISS) / float(pure_epsilon(part))
        size = (
            max(FEWEST, math.ceil(enough + 4 / many)) if blocks is None else whole("blocks", blocks, least=1)
        )
        if size * many > MOST:
            raise ParameterError(
                ("blocks", "rounds")[blocks is None and rounds is not None],
                f"must be fewer: at most {MOST:,} evaluations",
                got=f"{size:,} blocks in each of {many:,} rounds",
            ) from None
        moved = many if rows.people else many * min(owned, size)
        each = for_each(part, moved, moved, 1)
        values = np.zeros(size * many)
        requests = tuple(
            Request.of(MEDIAN, values, bounds=pair, granularity=step, neighbors="swap", epsilon=each)
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
            rows, staff, name, requests, price, relation, owned, size, many, bounds_as_typed(bounds), progress
        )

    @property
    def loss(self) -> PureDP | ZCDP:
        return self.price.loss if isinstance(self.price, Rho) else PureDP(self.price)

    @property
    def statistic(self) -> str:
        return f"wrap({self.function})"

    @property
    def law(self) -> str:
        return f"{VERSION}, {self.requests[0].mechanism.version}"

    @property
    def memo(self) -> str:
        return f"{self.statistic} by {self.law}"

    @property
    def evaluations(self) -> int:
        return self.blocks * self.rounds

    @property
    def plan(self) -> str:
        """What is evaluated, in words. Public."""
        return f"the median of {self.evaluations:,} values: {self.blocks:,} blocks in each of {self.rounds:,} rounds"

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        """How many of the values the draw may leave behind."""
        off = [people_off(request, math.log(miss / len(self.requests))) for request in self.requests]
        last = self.evaluations // 2 - max(self.evaluations if each is None else each for each in off)
        said = (
            f"{sure(1 - miss)} the answer is not below the {last:,} lowest of these nor above the {last:,} highest"
            if last > 0
            else "these are too few to promise anything"
        )
        return Promise(
            mechanism=self.requests[0].mechanism.name,
            numbers=len(self.requests),
            sentence=f"{self.plan}; {said}",
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
        wide = [note for request in self.requests if (note := request.width.note(self.evaluations))]
        return (
            self.plan,
            "where the function fails, the lower bound stands for its value; how often is not told",
            *wide[:1],
        )

    def values(self, bits: Bits | None = None) -> Floats:
        """What the function says of each block; NaN where it says no number. Secret."""
        values = np.empty((self.evaluations, len(self.requests)))
        with closing(self.workers.evaluate(self._blocks(bits or SystemBits()))) as found:
            for done, (place, row) in enumerate(found, 1):
                values[place] = row
                if self.progress is not None:
                    self.progress(f"{done:,} of {self.evaluations:,} blocks", done / self.evaluations)
        return values

    def _blocks(self, bits: Bits) -> Iterator[bytes | None]:
        """Every block of every round, pickled."""
        owners = self.rows.owners()
        for _ in range(self.rounds):
            for places in split(owners, self.blocks, bits):
                yield self.rows.packed(places)

    def measured(self) -> Measured:
        """How far draws are from the function of all records."""
        owners = self.rows.owners()
        with self.workers:
            ((_, true),) = self.workers.evaluate([self.rows.packed(np.flatnonzero(owners >= 0))])
        found = []
        for _ in range(ASSIGNMENTS):
            with self.workers:
                values = self.values()
            for place, request in enumerate(self.requests):
                law = replace(request, data=declare(values[:, place])).look()
                drawn = [request.number(int(law.draw_each()[0])) for _ in range(DRAWS)]
                found.append(np.abs(np.array(drawn, np.float64) - true[place]))
        far = np.concatenate(found)

        def within(share: float) -> float:
            return float(np.quantile(far, share, method="higher"))

        answer = tuple(true.tolist()) if self.workers.names else float(true[0])
        return Measured(answer, float(far.mean()), within, ASSIGNMENTS * DRAWS)


def split(owners: Integers, blocks: int, bits: Bits) -> list[Integers]:
    """The rows of each block of a round. Every person goes to one block, independently of all others.

    Nothing but a person's own random word decides: neither how many others there are, nor what the records say.
    """
    words = bits.words(int(owners.max(initial=-1)) + 1) % np.uint64(blocks)
    block = np.where(owners < 0, -1, words.astype(np.int64)[owners]) if words.size else owners
    order = np.argsort(block, kind="stable")
    edges = np.searchsorted(block[order], np.arange(blocks + 1))
    return [order[start:stop] for start, stop in pairwise(edges)]


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
