"""How an answer is blurred: one file per mechanism."""

from noisewise.kernel.mechanisms.balance import Balance
from noisewise.kernel.mechanisms.inverse_sensitivity import InverseSensitivity
from noisewise.kernel.mechanisms.laplace import Laplace
from noisewise.kernel.mechanisms.mechanism import Mechanism
from noisewise.kernel.mechanisms.permute_and_flip import PermuteAndFlip
from noisewise.kernel.mechanisms.piecewise_laplace import PiecewiseLaplace
from noisewise.kernel.mechanisms.shifted_inverse import ShiftedInverse

__all__ = [
    "Balance",
    "InverseSensitivity",
    "Laplace",
    "Mechanism",
    "PermuteAndFlip",
    "PiecewiseLaplace",
    "ShiftedInverse",
]
