"""Pairs of a column that stays where it is: parts, draws and their joint law are those of memory."""

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from noisewise.hazmat import SeededBits
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.sampling import ties
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites.quantiles import JointQuantiles, Quantiles
from noisewise.questions.composites.tied_pairs import RankedPart, TiedPairs
from noisewise.statistics.records import Tally
from noisewise.tables.columns.array_column import Declared
from tests.kernel.sampling.goodness import LEVEL, p_value, tilted
from tests.kernel.sampling.test_ties import Replay
from tests.questions.composites.test_quantiles import QUARTERS, UNITS, told

SMALL = Lattice(0, 2, Fraction(1))
FOUR = ["1/5", "2/5", "1/2", "9/10"]


class Counted:
    """A column that counts its records, as an engine does."""

    def __init__(self, records: Any, lattice: Lattice = SMALL, neighbors: Any = "add_remove") -> None:
        self.records, self.lattice, self.neighbors = np.sort(np.array(records, np.int64)), lattice, neighbors
        self.gathered: list[tuple[int, int]] = []

    @property
    def count(self) -> int:
        return self.records.size

    def gather(self, windows: Any) -> None:
        self.gathered += windows

    def ranks(self, start: int, stop: int) -> Any:
        return self.records[start - 1 : stop - 1]

    def tally(self, start: int, stop: int) -> Tally:
        indices = np.unique(self.ranks(start, stop))
        counts = np.array([np.count_nonzero(self.records == k) for k in indices])
        return Tally(int(np.count_nonzero(self.records < indices[0])), indices, counts)

    def upto(self, index: int) -> int:
        return int(np.count_nonzero(self.records <= index))


class Elsewhere(Declared):
    """Records that are read as such a column."""

    def __init__(self, records: Any) -> None:
        object.__setattr__(self, "records", records)

    def read(self, lattice: Any, neighbors: Any) -> Any:
        return Counted(self.records, lattice, neighbors)


def joint(
    records: Any, qs: Any, mechanism: str = "balance", bounds: Any = (0, 2), **asked: Any
) -> JointQuantiles:
    how = {"bounds": bounds, "epsilon": 2, "mechanism": mechanism} | asked
    return replace(JointQuantiles.of(Quantiles(qs), [], **how), data=Elsewhere(records))


# The joint law, by enumeration.


@pytest.mark.parametrize(
    ("records", "qs", "few", "unit"),
    [
        ([1, 1, 1], QUARTERS, 0, 0),
        ([0, 1, 1], FOUR, 1, 0),
        ([0, 2, 2], QUARTERS, 9, 1),
        ([2, 2], FOUR, 0, 2),
        ([], QUARTERS, 0, 0),
    ],
    ids=str,
)
def test_the_joint_law_of_the_release_is_that_of_memory(
    records: Any, qs: Any, few: int, unit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over all bits and all draws; bits are drawn between the draws, and read by several of them."""
    neighbors, owned = UNITS[unit]
    asked = replace(
        joint(records, qs, "inverse_sensitivity", neighbors=neighbors, contributions=owned), tie_bits=1
    )
    expected = {drawn: math.exp(p) for drawn, p in told(asked, records).items()}
    monkeypatch.setattr(ties, "FEW", few)
    replay = Replay(monkeypatch)

    class Chosen:
        """In place of bits: every outcome of a law in its turn."""

        def choose(self, law: Any) -> Any:
            low, high = law.ends
            chances = np.exp(read_law(law).logpmf([k * law.granularity for k in range(low, high + 1)]))
            return np.array([low + replay.choose(chances.tolist())])

    bits: Any = Chosen()

    def release() -> Any:
        drawn = dict(asked.draw(asked.root, asked.whole(bits), bits))
        return tuple(drawn[q] for q in sorted(drawn))

    assert replay.law(release) == pytest.approx(expected, abs=1e-12)


def test_draws_have_that_law() -> None:
    records = [0, 2, 2, 1, 2]
    asked = replace(joint(records, QUARTERS, epsilon=4), tie_bits=1)
    law, bits = told(asked, records), SeededBits(6)
    drawn = Counter(asked.answer(bits=bits).value for _ in range(600))
    assert drawn.keys() <= law.keys()
    counts = [drawn.get(released, 0) for released in sorted(law)]
    chances = [math.exp(law[released]) for released in sorted(law)]
    assert p_value(counts, chances) > LEVEL
    assert p_value([40 * count for count in counts], tilted(chances)) < LEVEL


# Parts.


@pytest.mark.parametrize("few", [0, 3, 1024])
def test_cuts_and_ranks_are_those_of_all_pairs(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut anywhere, in any order: a record is in one part, and has the bits that it had before."""
    monkeypatch.setattr(ties, "FEW", few)
    rng = np.random.default_rng(few)
    for _ in range(30):
        column = Counted(rng.integers(-3, 4, 25), Lattice(-3, 3, Fraction(1)))
        fine = Lattice(-3 << 2, (4 << 2) - 1, Fraction(1, 4))
        parts = [RankedPart.whole(TiedPairs(column, 2, SeededBits(1)), fine, "swap")]
        reads = []
        for _ in range(6):
            part = parts.pop(int(rng.integers(len(parts))))
            at = int(rng.integers(part.lattice.low, part.lattice.high + 1))
            if part.count:
                start = int(rng.integers(1, part.count + 1))
                reads.append((part.first + start - 1, part.ranks(start, min(start + 3, part.count + 1))))
            below, above = part.cut(at)
            assert (below.lattice.high, above.lattice.low) == (at, at)
            assert below.neighbors == above.neighbors == "add_remove"
            assert (below.first, below.last, above.last) == (part.first, above.first, part.last)
            parts += [below, above]
        everything = parts[0].pairs.ranks(1, 26)
        assert sorted(everything >> 2) == sorted(column.records)
        for place, read in reads:
            assert everything[place : place + read.size].tolist() == read.tolist()
        pieces = [np.array([], np.int64)]
        for part in sorted(parts, key=lambda part: (part.lattice.low, part.lattice.high)):
            inside = part.ranks(1, part.count + 1)
            assert (
                inside.size
                == part.count
                == np.count_nonzero(
                    (everything <= part.lattice.high) & ((everything > part.lattice.low) | (part.first == 0))
                )
            )
            rounded = part.rounded(2)
            assert rounded.lattice == Lattice(part.lattice.low >> 2, part.lattice.high >> 2, Fraction(1))
            assert (rounded.ranks(1, part.count + 1) == inside >> 2).all()
            pieces.append(inside)
        assert np.concatenate(pieces).tolist() == everything.tolist()


def test_no_bits_are_drawn_where_none_are_read() -> None:
    """A billion records of one value, and one quantile of a part without further ones."""

    class Nothing:
        def words(self, count: int) -> Any:
            raise AssertionError

    class Billion(Counted):
        count = 10**9

        def ranks(self, start: int, stop: int) -> Any:
            return np.ones(stop - start, np.int64)

    pairs = TiedPairs(Billion([]), 16, Nothing())
    part = RankedPart.whole(pairs, Lattice(0, (3 << 16) - 1, Fraction(1, 1 << 16)), "add_remove").rounded(16)
    assert (part.count, part.ranks(500, 503).tolist()) == (10**9, [1, 1, 1])


def test_a_value_that_most_records_have_is_split_by_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 3,000,000 equal records a few thousand bits are drawn one by one; most are counted as coins."""

    class Most(Counted):
        count = 3_000_002

        def ranks(self, start: int, stop: int) -> Any:
            ranks = np.arange(start, stop)
            return np.where(ranks == 1, 0, np.where(ranks == self.count, 2, 1))

        def tally(self, start: int, stop: int) -> Tally:
            indices = np.unique(self.ranks(start, stop))
            return Tally([0, 1, self.count - 1][indices[0]], indices, np.array([1, 3_000_000, 1])[indices])

        def upto(self, index: int) -> int:
            return [0, 1, self.count - 1, self.count][index + 1]

    monkeypatch.setattr(Elsewhere, "read", lambda self, lattice, neighbors: Most([], lattice, neighbors))
    for mechanism in ("balance", "piecewise_laplace"):
        release = joint([], [0.001, "1/4", "1/2", "3/4", 0.999], mechanism).answer(bits=SeededBits(2))
        assert release.value == (1, 1, 1, 1, 1)


def test_what_all_draws_are_likely_to_read_is_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    column = Counted(np.arange(5_000), Lattice(0, 9_999, Fraction(1)))
    monkeypatch.setattr(Elsewhere, "read", lambda self, lattice, neighbors: column)
    joint([], QUARTERS, bounds=(0, 9_999), epsilon=8).whole(SeededBits(1))
    for (start, stop), q in zip(sorted(column.gathered), QUARTERS, strict=True):
        assert 1 < start < Fraction(q) * 5_000 < stop < 5_000


@pytest.mark.parametrize("later", [[], [1], [2, 2, 2, 0], [1] * 3_000], ids=len)
def test_a_column_that_changes_meanwhile_is_no_error(later: Any) -> None:
    """An error would depend on records."""

    class Changing(Counted):
        count = 5

        def tally(self, start: int, stop: int) -> Tally:
            self.records = np.array(sorted(later), np.int64)
            return Tally(start - 1, np.array([1]), np.array([stop - start + len(later)]))

        def ranks(self, start: int, stop: int) -> Any:
            return np.ones(stop - start, np.int64)

    for seed, mechanism in enumerate(["balance", "piecewise_laplace", "inverse_sensitivity"] * 2):
        column, asked = Changing([0, 1, 1, 2, 2]), joint([], QUARTERS, mechanism)
        fine = Lattice(0, (3 << 16) - 1, Fraction(1, 1 << 16))
        bits = SeededBits(seed)
        part = RankedPart.whole(TiedPairs(column, 16, bits), fine, "add_remove")
        assert all(0 <= k <= 2 for _, k in asked.draw(asked.root, part, bits))
        for piece in part.cut((1 << 16) - 1):
            inside = piece.ranks(1, piece.count + 1)
            assert inside.size == piece.count
            assert np.all((inside >= piece.lattice.low) & (inside <= piece.lattice.high))


def test_pairs_are_withheld() -> None:
    pairs = TiedPairs(Counted([1]), 2, SeededBits(1))
    assert repr(pairs) == "<TiedPairs: withheld>"
    assert "withheld" in repr(RankedPart.whole(pairs, Lattice(0, 11, Fraction(1, 4)), "swap"))
    assert "withheld" in repr(pairs.column.tally(1, 2))
