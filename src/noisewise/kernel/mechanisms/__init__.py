"""Mechanisms: each states its loss, the number of levels it needs, and its law. Read `mechanism` first."""

from noisewise.kernel.mechanisms.balance import Balance, ByScore, ShiftedInverse
from noisewise.kernel.mechanisms.gaussian import Gaussian
from noisewise.kernel.mechanisms.gaussian_balance import GaussianBalance
from noisewise.kernel.mechanisms.laplace import Laplace
from noisewise.kernel.mechanisms.mechanism import Mechanism
from noisewise.kernel.mechanisms.permute_and_flip import PermuteAndFlip, WholePermuteAndFlip
from noisewise.kernel.mechanisms.scored import InverseSensitivity, PiecewiseLaplace, ShiftedPiecewiseLaplace

__all__ = [
    "Balance",
    "ByScore",
    "Gaussian",
    "GaussianBalance",
    "InverseSensitivity",
    "Laplace",
    "Mechanism",
    "PermuteAndFlip",
    "PiecewiseLaplace",
    "ShiftedInverse",
    "ShiftedPiecewiseLaplace",
    "WholePermuteAndFlip",
]
