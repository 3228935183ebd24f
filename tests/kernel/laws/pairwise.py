"""Pairwise covering: few cases in which every two settings of any two factors meet."""

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

Case = dict[str, Any]


def covering(factors: Mapping[str, Sequence[Any]], allowed: Callable[[Case], bool]) -> list[Case]:
    """Greedy and deterministic: take the allowed case that meets the most pairs not met so far, until all are met."""
    names = list(factors)
    cases = [c for c in (dict(zip(names, s, strict=True)) for s in product(*factors.values())) if allowed(c)]
    left = set().union(*(_pairs(case) for case in cases))
    chosen = []
    while left:
        best = max(cases, key=lambda case: len(_pairs(case) & left))
        chosen.append(best)
        left -= _pairs(best)
    return chosen


def _pairs(case: Case) -> set[tuple[tuple[str, str], tuple[str, str]]]:
    return set(combinations(((name, repr(value)) for name, value in case.items()), 2))
