"""Brute force: every dataset a few edits away, and the lowest and highest answer among them. No noisewise here."""

from collections.abc import Callable
from typing import Any


def neighbours(x: tuple[Any, ...], domain: tuple[Any, ...], relation: str) -> set[tuple[Any, ...]]:
    """Everything one record away."""
    without = [x[:i] + x[i + 1 :] for i in range(len(x))]
    if relation == "swap":
        return {tuple(sorted((*rest, v))) for rest in without for v in domain}
    return {tuple(sorted(rest)) for rest in without} | {tuple(sorted((*x, v))) for v in domain}


def force(
    f: Callable[[tuple[Any, ...]], int],
    x: tuple[Any, ...],
    around: Callable[[tuple[Any, ...]], set[tuple[Any, ...]]],
    levels: int,
) -> tuple[list[int], list[int]]:
    """The lowest and the highest answer of all data within 0, 1, ..., levels edits."""
    start = tuple(sorted(x))
    seen, rim = {start}, {start}
    lower, upper = [f(start)], [f(start)]
    for _ in range(levels):
        rim = {y for near in rim for y in around(near)} - seen
        seen |= rim
        answers = [f(y) for y in rim]
        lower.append(min([lower[-1], *answers]))
        upper.append(max([upper[-1], *answers]))
    return lower, upper
