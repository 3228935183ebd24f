"""The normal distribution in float64, in logarithms, so that nothing is lost far out."""

import math

import numpy as np

from noisewise.kernel.numbers.arrays import Floats

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
SMOOTH = 8
"""Between two points whose densities are e^SMOOTH apart or less, the density is summed by quadrature."""


def log_below(z: Floats) -> Floats:
    """ln P(Z <= z) for each z."""
    far = np.abs(z)
    with np.errstate(all="ignore"):
        outwards = np.log(erfcx(far / math.sqrt(2)) / 2) - far * far / 2
        return np.where(z <= 0, outwards, np.log1p(-np.exp(outwards)))


def log_between(low: Floats, high: Floats, rise: Floats) -> Floats:
    """ln P(low < Z <= high). ``rise`` is high - low, and may be more exact than that difference."""
    mirrored = low + high > 0
    first = np.where(mirrored, -high, low)
    with np.errstate(all="ignore"):
        near, far = log_below(np.where(mirrored, -low, high)), log_below(first)
        apart = near + np.log1p(-np.exp(far - near))
        t = (NODES + 1) / 2 * rise[..., None]
        density = np.exp(-(first[..., None] + t / 2) * t) @ (WEIGHTS / 2)
        close = np.log(density * rise) - first * first / 2 - math.log(2 * math.pi) / 2
        return np.where((np.abs(first) + rise) * rise <= SMOOTH, close, apart)


def erfcx(x: Floats) -> Floats:
    """exp(x^2) * erfc(x) for x >= 0. Far out it is a continued fraction."""
    near = np.minimum(x, 5.0)
    inside = np.exp(near * near) * np.array([math.erfc(each) for each in near.ravel().tolist()]).reshape(
        near.shape
    )
    far = np.maximum(x, 5.0)
    fraction = far
    for n in range(40, 0, -1):
        fraction = far + n / 2 / fraction
    return np.where(x <= 5.0, inside, 1 / (math.sqrt(math.pi) * fraction))
