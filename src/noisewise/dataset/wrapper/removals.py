"""Removals: a function is asked of all subsets that lack a few people, for few records. Exact, for any function.

Let c be a public depth. Level i is the least, over at most i removals, of the largest value that at most c - i further
removals reach. A neighbour's level i + 1 is at most level i, whatever the function is. So the number of levels above
an answer moves by at most one: the median of the c + 1 levels is drawn by balance at epsilon/2, or by piecewise
Laplace.

Proof: docs/proofs/wrap.md.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from noisewise.dataset.wrapper.blocks import Ask
from noisewise.kernel.mechanisms import Balance, Gaussian, GaussianBalance
from noisewise.kernel.numbers.arrays import Floats, Integers
from noisewise.kernel.sampling import Bits
from noisewise.questions.request import Request


@dataclass(frozen=True, slots=True)
class ByRemovals:
    """How many removals are tried at most, of at most how many people. Public."""

    depth: int
    most: int

    version: ClassVar[str] = "removals/1"
    repeats: ClassVar[int] = 1

    @property
    def evaluations(self) -> int:
        """The most subsets there can be."""
        return sum(math.comb(self.most, gone) for gone in range(self.depth + 1))

    @property
    def values(self) -> int:
        """How many levels the answer is the median of."""
        return self.depth + 1

    def __str__(self) -> str:
        subsets = f"all subsets that lack at most {self.depth:,} of at most {self.most:,}"
        return f"{subsets}: up to {self.evaluations:,} values"

    def promise(self, requests: Sequence[Request], log_miss: float) -> str:
        """Whether the draw is surely among the values, except with probability e^``log_miss``."""
        off = [
            (math.log(each.frame.answers.points) - log_miss)
            / float(each.mechanism.epsilon)
            * (1 if isinstance(each.mechanism, Balance) else 2)
            for each in requests
            if not isinstance(each.mechanism, (Gaussian, GaussianBalance))
        ]
        said = "the answer lies between the least and the greatest of these"
        return said if 2 * max(off) <= self.depth + 1 else ""

    def find(self, ask: Ask, owners: Integers, bits: Bits) -> Floats:
        """All levels, from the highest. Secret."""
        people = np.unique(owners[owners >= 0])
        words = bits.words(int(owners.max(initial=-1)) + 1)
        order = np.argsort(words[people], kind="stable")
        chosen = np.sort(people[order[: self.most]])  # a person more or less swaps at most one of them
        sizes = range(min(self.depth, chosen.size) + 1)
        gone = [left for size in sizes for left in combinations(range(chosen.size), size)]
        kept = (np.flatnonzero(np.isin(owners, np.delete(chosen, list(left)))) for left in gone)
        rows = ask(kept)
        rows[np.isnan(rows)] = -np.inf
        values = {sum(1 << person for person in left): row for left, row in zip(gone, rows, strict=True)}
        return levels(values, chosen.size, self.depth)


def levels(values: dict[int, Floats], people: int, depth: int) -> Floats:
    """The levels, from the highest, of the values of subsets. The bits of a key say who is gone."""
    largest, found = values, []
    for more in range(depth + 1):
        found.append(np.min([*largest.values()], axis=0))
        largest = {
            gone: np.max([row, *(largest[gone | 1 << i] for i in range(people) if not gone >> i & 1)], axis=0)
            for gone, row in largest.items()
            if gone.bit_count() < depth - more
        }
    return np.array(found[::-1])
