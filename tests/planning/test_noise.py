"""How far public noise goes, against sums over all lattice points."""

import math
from fractions import Fraction

import numpy as np
import pytest

import noisewise as nws
from noisewise.planning.noise import laplace_steps, radial_steps

MISS = 0.05


@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("decay", [0.02, 0.3])
def test_noise_of_one_radius(dimensions, decay):
    """Against a sum over all lattice points."""
    each, largest = radial_steps(decay, MISS, dimensions)
    r = np.arange(int(60 * dimensions / decay))
    points = (2.0 * r + 1) ** dimensions
    shell = np.diff(points, prepend=0) * np.exp(-decay * r)
    face = np.diff((2.0 * r + 1) ** (dimensions - 1), prepend=0) * np.exp(-decay * r)

    def of_one(t):
        return 1 - (shell[: t + 1].sum() + (2 * t + 1) * face[t + 1 :].sum()) / shell.sum()

    def of_largest(t):
        return shell[t + 1 :].sum() / shell.sum()

    assert of_one(each) <= MISS < of_one(int(0.8 * each))
    assert of_largest(largest) <= MISS < of_largest(int(0.8 * largest))


def test_several_counts_at_once():
    """Noise on each is independent, so the chance is that of one to the power of their number."""
    one, all_of_them = laplace_steps(nws.Laplace(epsilon=1, sensitivity=5), Fraction(1, 20), 10)

    def beyond(t):
        r = math.exp(-0.2)
        return 2 * r ** (t + 1) / (1 + r)

    assert beyond(one) <= MISS < beyond(one - 1)
    assert 1 - (1 - beyond(all_of_them)) ** 10 <= MISS < 1 - (1 - beyond(all_of_them - 1)) ** 10
