"""What each statistic is, as a textbook defines it, floored to the answer's lattice. Nothing here imports noisewise.

A definition takes the records as they are, whole numbers or rows of them, and the granularity; the lowest bound
answers for nobody unless it says otherwise.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

Rows = tuple[Any, ...]
Definition = Callable[[Rows, Fraction], int]


def floor(value: Any, step: Fraction) -> int:
    return math.floor(Fraction(value) / step)


def root(square: Fraction, step: Fraction) -> int:
    """The floor of a square root."""
    return math.isqrt(math.floor(square / step**2))


def signed_root(square: Fraction, step: Fraction) -> int:
    """The floor of a number that is given by itself times its size, at least the lowest point above -1."""
    reach = math.floor(1 / step)
    return max(k for k in range(-reach, reach + 1) if k * step * abs(k * step) <= square or k == -reach)


def rank(x: Any, q: Fraction) -> Any:
    return sorted(x)[max(1, math.ceil(q * len(x))) - 1]


def quantile(q: str) -> Definition:
    return lambda x, step: floor(rank(x, Fraction(q)) if x else 0, step)


def spread(low: str, high: str) -> Definition:
    return lambda x, step: floor(rank(x, Fraction(high)) - rank(x, Fraction(low)) if x else 0, step)


def count(x: Rows, step: Fraction) -> int:
    return floor(len(x), step)


def total(x: Rows, step: Fraction) -> int:
    return floor(sum(x), step)


def average(x: Any) -> Fraction:
    return Fraction(sum(x), len(x)) if x else Fraction(0)


def mean(x: Rows, step: Fraction) -> int:
    return floor(average(x), step)


def squares(x: Any) -> Fraction:
    """The mean squared distance from the mean."""
    middle = average(x)
    return sum(((v - middle) ** 2 for v in x), Fraction(0)) / max(len(x), 1)


def variance(x: Rows, step: Fraction) -> int:
    return floor(squares(x), step)


def std(x: Rows, step: Fraction) -> int:
    return root(squares(x), step)


def trimmed_mean(alpha: str) -> Definition:
    def answer(x: Rows, step: Fraction) -> int:
        cut = math.floor(Fraction(alpha) * len(x))
        return floor(average(sorted(x)[cut : len(x) - cut]), step)

    return answer


def winsorized_mean(alpha: str) -> Definition:
    def answer(x: Rows, step: Fraction) -> int:
        cut, ordered = math.floor(Fraction(alpha) * len(x)), sorted(x)
        return floor(average([min(max(v, ordered[cut]), ordered[len(x) - cut - 1]) for v in x]), step)

    return answer


def gini(x: Rows, step: Fraction) -> int:
    apart = sum(abs(u - v) for u, v in combinations(x, 2))
    return floor(Fraction(apart, len(x) * sum(x)) if x and sum(x) else 0, step)


def mad(x: Rows, step: Fraction) -> int:
    if not x:
        return 0
    middle = rank(x, Fraction(1, 2))
    return floor(rank([abs(v - middle) for v in x], Fraction(1, 2)), step)


# Rows of two columns


def accuracy(x: Rows, step: Fraction) -> int:
    return floor(average([int(y == p) for y, p in x]), step)


def mae(x: Rows, step: Fraction) -> int:
    return floor(average([min(abs(y - p), 4) for y, p in x]), step)


def mse(x: Rows, step: Fraction) -> int:
    return floor(average([min((y - p) ** 2, 4) for y, p in x]), step)


def rmse(x: Rows, step: Fraction) -> int:
    """Errors of up to 4 each; bounds are those of the error, not of its square."""
    return root(average([min(abs(y - p), 4) ** 2 for y, p in x]), step)


def log_loss(x: Rows, step: Fraction) -> int:
    """Of sure predictions, whose loss is nothing or all."""
    return floor(average([0 if y == p else 4 for y, p in x]), step)


def r2(x: Rows, step: Fraction) -> int:
    truth = [y for y, _ in x]
    off, around = sum((y - p) ** 2 for y, p in x), squares(truth) * len(truth)
    return floor(max(1 - off / around, Fraction(-1)) if around else -1, step)


def f1(x: Rows, step: Fraction) -> int:
    hit, wrong = sum(y == p == 1 for y, p in x), sum(y != p for y, p in x)
    return floor(Fraction(2 * hit, 2 * hit + wrong) if hit else 0, step)


def auc(x: Rows, step: Fraction) -> int:
    pairs = [(s, t) for y, s in x for z, t in x if y == 1 and z == 0]
    better = sum(2 * (s > t) + (s == t) for s, t in pairs)
    return floor(Fraction(better, 2 * len(pairs)) if pairs else Fraction(1, 2), step)


def correlation(x: Any) -> Fraction:
    """Of rows of two numbers, times its size."""
    a, b = average([u for u, _ in x]), average([v for _, v in x])
    both = sum((u - a) * (v - b) for u, v in x)
    around = sum((u - a) ** 2 for u, _ in x) * sum((v - b) ** 2 for _, v in x)
    return Fraction(both * abs(both), around) if around else Fraction(0)


def pearson(x: Rows, step: Fraction) -> int:
    return signed_root(correlation(x), step)


def spearman(x: Rows, step: Fraction) -> int:
    def ranks(values: list[Any]) -> list[Fraction]:
        return [Fraction(sum(v < u for v in values) + sum(v <= u for v in values) + 1, 2) for u in values]

    one, other = ranks([u for u, _ in x]), ranks([v for _, v in x])
    return signed_root(correlation(list(zip(one, other, strict=True))), step)


def theil_sen(x: Rows, step: Fraction) -> int:
    """The median slope, on the nearest point, of slopes from -2 to 2."""
    found = [Fraction(d - b, c - a) for (a, b), (c, d) in combinations(x, 2) if a != c]
    slope = rank(found, Fraction(1, 2)) if found else Fraction(0)
    return floor(min(max(slope, Fraction(-2)), Fraction(2)) + step / 2, step)


# Graphs: sorted edges between the numbers of nodes


def near(edges: Rows, node: int) -> set[int]:
    return {a + b - node for a, b in (edge[:2] for edge in edges) if node in (a, b)}


def triangles(edges: Rows, step: Fraction) -> int:
    there = {edge[:2] for edge in edges}
    nodes = sorted({node for edge in there for node in edge})
    return floor(sum(set(combinations(three, 2)) <= there for three in combinations(nodes, 3)), step)
