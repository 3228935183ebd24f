"""What the tests of both correlations share: the definition, its floor, and neighbours to compare."""

import math
from fractions import Fraction

import numpy as np

from noisewise.audit.nesting import is_monotone, nests_in
from tests.kernel.laws.statistic_laws import StatisticLaws


def signed_square(xs, ys):
    """The correlation of two lists times its size: rational, and in the same order as correlations are."""
    n = len(xs)
    if n == 0:
        return Fraction(0)
    mean_x, mean_y = sum(map(Fraction, xs)) / n, sum(map(Fraction, ys)) / n
    both = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    spread = sum((x - mean_x) ** 2 for x in xs) * sum((y - mean_y) ** 2 for y in ys)
    return both * abs(both) / spread if spread else Fraction(0)


def floor_of(square, granularity):
    """The largest k >= -1/granularity with k*granularity at most the correlation."""
    reach = math.floor(1 / granularity)
    return max(
        k
        for k in range(-reach, reach + 1)
        if (k * granularity) * abs(k * granularity) <= square or k == -reach
    )


class CorrelationLaws(StatisticLaws):
    """Rows are ``points`` by their number, and ``odd`` ones by a float."""

    exact = False
    most = 4
    levels = 2
    granularities = (Fraction(1, 10), Fraction(1, 4), Fraction(2, 7))

    def data(self, x):
        rows = [self.odd[code] if isinstance(code, float) else self.points[code] for code in x]
        return [a for a, _ in rows], [b for _, b in rows]

    def floor(self, value, granularity):
        return floor_of(value, granularity)


def check_larger_neighbours(rng, envelope, random_rows, random_row):
    """Envelopes of up to 60 rows nest in those with one row more, or another row in the place of one."""
    for _ in range(12):
        n = int(rng.integers(1, 61))
        x, y = random_rows(rng, n)
        u, v = random_row(rng)
        at = int(rng.integers(n))
        swapped = np.concatenate([x[:at], [u], x[at + 1 :]]), np.concatenate([y[:at], [v], y[at + 1 :]])
        for neighbors, other in (("add_remove", (np.append(x, u), np.append(y, v))), ("swap", swapped)):
            here, there = envelope(x, y, neighbors), envelope(*other, neighbors)
            assert is_monotone(here) and is_monotone(there)
            assert nests_in(here, there) and nests_in(there, here), (n, neighbors)
