"""Brackets of variances side by side hold the exact numbers, and what they leave open is computed in integers."""

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from noisewise.statistics.variance.known_column import KnownColumns
from noisewise.statistics.variance.variance import Variance, _needed
from noisewise.statistics.variance.variance_bound import highest, lower_bound, upper_bound
from noisewise.statistics.variance.variance_brackets import Brackets, SideBySide
from noisewise.statistics.variance.variance_lower import exact_lower
from noisewise.statistics.variance.variance_removals import Removals
from noisewise.statistics.variance.variance_upper import exact_upper
from tests.statistics.test_envelopes import grouped

LEVELS = 12


def shapes(rng: np.random.Generator, n: int, width: int) -> list[list[float]]:
    """Records from 0 to ``width`` that floats find hard: far from 0 and close together, at the bounds, in clusters."""
    centre = width // 3
    return [
        rng.integers(0, width, n, endpoint=True).tolist(),
        (centre + rng.integers(0, 3, n)).tolist(),
        [centre] * (n - 1) + [centre + 1],
        [centre] * n,
        [0] * (n // 2) + [width] * (n - n // 2),
        [0] * (n - 1) + [width],
        np.floor(width / (1 + rng.exponential(1000, n))).tolist(),
    ]


def in_block(groups: list[list[float]], bounds: Any) -> tuple[SideBySide, KnownColumns]:
    frame = Variance().frame(bounds, None)
    local = grouped(groups, frame.records)
    known = local.below(np.full(len(groups), local.lattice.high), squares=True)
    columns = KnownColumns.of(local, known, *_needed(local, known, LEVELS))
    return SideBySide(columns, np.arange(len(groups)), LEVELS), columns


def holds(found: Brackets, column: int, exactly: list[tuple[int, int]]) -> bool:
    ends = zip(found.least[:, column].tolist(), found.most[:, column].tolist(), strict=True)
    exact = (Fraction(*ratio) for ratio in exactly)
    return all(Fraction(low) <= each <= Fraction(high) for (low, high), each in zip(ends, exact, strict=True))


@pytest.mark.parametrize("width", [2, 1000, 2**33 + 1, 2**51])
@pytest.mark.parametrize("n", [14, 29, 64])
def test_brackets_hold_the_exact_numbers(n: int, width: int) -> None:
    block, columns = in_block(shapes(np.random.default_rng(n), n, width), (0, width))
    edits = np.full(len(columns), LEVELS)
    lower, (upper, unknown), beyond = block.lower(), block.upper(LEVELS + 1, edits), block.beyond(3)
    removals = Removals(block, upper, np.flatnonzero(unknown))
    raised = removals.search(edits)
    for column, moments in enumerate(block.moments):
        known: Any = columns[column]
        least = [*exact_lower(known, moments, LEVELS + 1)]
        assert holds(lower, column, least + [(0, 1)] * (LEVELS + 1 - len(least)))
        most = [*exact_upper(known, moments, LEVELS + 1)]
        assert holds(raised if unknown[column] else upper, column, most)
        bound = [*upper_bound(moments, LEVELS, "add_remove")]
        bound += [highest(moments, "add_remove")] * (LEVELS + 1 - len(bound))
        assert holds(beyond, column, bound)
        for level, ratio in enumerate(least):
            assert Fraction(*block.exact_lower(level, column)) == Fraction(*ratio)
        for level, ratio in enumerate(most):
            exactly = removals.exact if unknown[column] else partial(block.exact_upper, upper)
            assert Fraction(*exactly(level, column)) == Fraction(*ratio)
        for level, ratio in enumerate(bound[3:], 3):
            assert Fraction(*block.exact_beyond(beyond, level, column)) == Fraction(*ratio)
    assert unknown.any() and (n < 64 or not unknown.all())


def test_the_bound_below_is_never_needed_here() -> None:
    """Where the least spread is 0, or one record is left, the bound by sums is 0 as well: levels end there."""
    for group in ([0, 0, 0, 9], [5], [], [1, 2], [0, 4, 4, 4, 8]):
        block, columns = in_block([list(map(float, group))], (0, 9))
        known: Any = columns[0]
        exact = [*exact_lower(known, block.moments[0], LEVELS + 1)]
        bound = [*lower_bound(block.moments[0], LEVELS, "add_remove")]
        assert all(top == 0 for top, _ in bound[len(exact) :])
