"""Bits of equal records, drawn late: the exact law of all that is read is that of bits drawn beforehand."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb, log
from typing import Any

import numpy as np
import pytest

from noisewise.hazmat import SeededBits
from noisewise.kernel.sampling import ties
from noisewise.kernel.sampling.ties import TiedBits, heads, short_words
from tests.kernel.sampling.goodness import LEVEL, p_value, tilted


class Replay:
    """Every draw of coins and short words, one outcome after the other; ``ways`` runs a program through them all."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self._script: list[int] = []
        self._at, self._sizes, self.chance = 0, list[int](), Fraction(1)
        patch.setattr(ties, "heads", self._heads)
        patch.setattr(ties, "short_words", self._short_words)

    def choose(self, chances: list[Any]) -> int:
        """The outcome of this way among those that have these chances."""
        if self._at == len(self._script):
            self._script.append(0)
        choice = self._script[self._at]
        self._sizes[self._at :] = [len(chances)]
        self._at += 1
        self.chance *= chances[choice]
        return choice

    def _heads(self, count: int, bits: Any) -> int:
        return self.choose([Fraction(comb(count, h), 2**count) for h in range(count + 1)])

    def _short_words(self, count: int, width: int, bits: Any) -> Any:
        every = list(product(range(1 << width), repeat=count))
        return np.array(every[self.choose([Fraction(1, len(every))] * len(every))], np.int64)

    def ways(self, program: Callable[[], Any]) -> Iterator[tuple[Any, Any]]:
        """What the program reads, each way with its chance."""
        while True:
            self._at, self.chance = 0, Fraction(1)
            yield program(), self.chance
            while self._script and self._script[-1] + 1 == self._sizes[len(self._script) - 1]:
                self._script.pop()
            if not self._script:
                return
            self._script[-1] += 1

    def law(self, program: Callable[[], Any]) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for read, chance in self.ways(program):
            found[read] = found.get(read, 0) + chance
        return found


def read_all(count: int, ranks: Callable[[int, int], Any], upto: Callable[[int], int]) -> tuple[Any, ...]:
    """A reader who decides by what it has read where to read next, and who reads everything again in the end."""
    middle = tuple(ranks(count // 2, min(count // 2 + 1, count)))
    below = upto(middle[0] - 1) if middle else 0
    through = upto(middle[0]) if middle else 0
    return middle, below, through, tuple(ranks(below, through)), tuple(ranks(0, count)), upto(1), upto(0)


@pytest.mark.parametrize("few", [0, 1, 2, 9])
@pytest.mark.parametrize(("count", "width"), [(0, 2), (1, 2), (3, 1), (4, 1), (3, 2), (2, 3), (2, 0)])
def test_all_that_is_read_has_the_law_of_bits_drawn_beforehand(
    count: int, width: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ties, "FEW", few)

    def late() -> Any:
        tied = TiedBits(count, width, SeededBits(0))
        return read_all(count, lambda start, stop: tied.ordered(start, stop).tolist(), tied.upto)

    beforehand: dict[Any, Any] = {}
    for us in product(range(1 << width), repeat=count):
        ordered = np.sort(np.array(us, np.int64))
        read = read_all(
            count,
            lambda start, stop, all=ordered: all[start:stop].tolist(),
            lambda u, all=ordered: int(np.count_nonzero(all <= u)),
        )
        beforehand[read] = beforehand.get(read, 0) + Fraction(1, 2 ** (width * count))
    assert Replay(monkeypatch).law(late) == beforehand


def test_blocks_that_are_drawn_together_are_independent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ties, "FEW", 2)

    def late() -> Any:
        blocks = TiedBits.of_each(np.array([2, 3, 1]), 1, SeededBits(0))
        return tuple(tuple(each.ordered(0, each.count).tolist()) for each in blocks)

    law = Replay(monkeypatch).law(late)
    for block in product((0, 1, 2), (0, 1, 2, 3), (0, 1)):  # how many ones
        sizes = (2, 3, 1)
        read = tuple((0,) * (n - ones) + (1,) * ones for n, ones in zip(sizes, block, strict=True))
        chances = [Fraction(comb(n, ones), 2**n) for n, ones in zip(sizes, block, strict=True)]
        assert law[read] == chances[0] * chances[1] * chances[2]


@pytest.mark.parametrize("together", [64, 1 << 23])
@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 130])
def test_each_coin_is_one_bit_that_is_read_once(
    count: int, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ties, "COINS", together)

    class Bit:
        def __init__(self, place: int) -> None:
            self.place = place

        def words(self, size: int) -> Any:
            found = np.array([1 << self.place % 64 if at == self.place // 64 else 0 for at in range(size)])
            self.place -= 64 * size
            return found.astype(np.uint64)

    assert sum(heads(count, Bit(place)) for place in range(192)) == count


def test_short_words_are_the_bits_of_words_each_once() -> None:
    class Words:
        def words(self, count: int) -> Any:
            return np.array([0x4444333322221111, 0x8888777766665555][:count], np.uint64)

    assert short_words(5, 16, Words()).tolist() == [0x1111, 0x2222, 0x3333, 0x4444, 0x5555]
    assert short_words(2, 4, Words()).tolist() == [1, 2]


def test_many_ties_are_split_as_fair_bits_split_them() -> None:
    """Of 5,000 records 12 order statistics are read, and then how many of the records lie in the lowest eighth."""
    bits, drawn = SeededBits(3), []
    for _ in range(600):
        tied = TiedBits(5_000, 16, bits)
        u = tied.ordered(1_200, 1_212)
        assert u.size == 12 and np.all(np.diff(u) >= 0)
        assert tied.upto(int(u[-1])) >= 1_212 > tied.upto(int(u[0]) - 1)
        drawn.append(tied.upto((1 << 13) - 1))
    edges = range(560, 690, 10)
    odds = [log(comb(5_000, few)) + (5_000 - few) * log(7) - 5_000 * log(8) for few in range(800)]
    chances = np.diff([0, *(np.exp(odds[:edge]).sum() for edge in edges), 1])
    counts = np.bincount(np.searchsorted(list(edges), drawn, side="right"), minlength=len(chances))
    assert p_value(counts, chances) > LEVEL
    assert p_value(40 * counts, tilted(chances)) < LEVEL


def test_ranks_that_no_record_has_are_no_error() -> None:
    """A column that changes between two passes has other counts."""
    for count in (0, 3, 3_000):
        tied = TiedBits(count, 7, SeededBits(1))
        found = tied.ordered(0, count + 5)
        assert found.size == count + 5 and found[-1] == 127 and np.all(np.diff(found) >= 0)


def test_bits_are_withheld() -> None:
    assert repr(TiedBits(3, 2, SeededBits(1))) == "<TiedBits: withheld>"
