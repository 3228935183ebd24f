"""Blocks: a function is asked of random parts of the records, and the answer is the median of its values.

In each round every person goes to one block, by chance and independently of all others. One person is in one block of
each round, so that with t rounds they change at most t values: a draw that hides a change of one value at epsilon/t
costs epsilon.

Proof: docs/proofs/wrap.md.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.sampling import Bits
from noisewise.questions.request import Request
from noisewise.questions.wide import people_off

Ask = Callable[[Iterator[Integers]], Floats]
"""Asks the function of the rows at some places after others, and returns a row of numbers for each."""


@dataclass(frozen=True, slots=True)
class ByBlocks:
    """How many blocks there are in each round, and how many rounds. Public."""

    blocks: int
    rounds: int

    version: ClassVar[str] = "blocks/1"
    repeats: ClassVar[int] = 5
    """How often a simulation deals the records."""

    @property
    def evaluations(self) -> int:
        return self.blocks * self.rounds

    @property
    def values(self) -> int:
        """How many values the answer is the median of."""
        return self.evaluations

    def __str__(self) -> str:
        return (
            f"the median of {self.evaluations:,} values: "
            f"{self.blocks:,} blocks in each of {self.rounds:,} rounds"
        )

    def promise(self, requests: Sequence[Request], log_miss: float) -> str:
        """Among which values the draw is, except with probability e^``log_miss``; empty if nothing is promised."""
        off = [people_off(request, log_miss) for request in requests]
        last = self.values // 2 - max(self.values if each is None else each for each in off)
        said = f"the answer is not below the {last:,} lowest of these nor above the {last:,} highest"
        return said if last > 0 else ""

    def find(self, ask: Ask, owners: Integers, bits: Bits) -> Floats:
        """The values of all blocks. Secret."""
        return ask(places for _ in range(self.rounds) for places in split(owners, self.blocks, bits))


def split(owners: Integers, blocks: int, bits: Bits) -> list[Integers]:
    """The rows of each block of a round. Every person goes to one block, independently of all others.

    Nothing but a person's own random word decides: neither how many others there are, nor what the records say.
    """
    words = bits.words(int(owners.max(initial=-1)) + 1) % np.uint64(blocks)
    block = np.where(owners < 0, -1, words.astype(np.int64)[owners]) if words.size else owners
    order = np.argsort(block, kind="stable")
    edges = np.searchsorted(block[order], np.arange(blocks + 1))
    return [order[start:stop] for start, stop in pairwise(edges)]
