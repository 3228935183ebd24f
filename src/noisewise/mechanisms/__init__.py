"""How an answer is blurred: one file per mechanism."""

from noisewise.mechanisms.balance import Balance
from noisewise.mechanisms.choice import Auto, Chosen, choose
from noisewise.mechanisms.inverse_sensitivity import InverseSensitivity
from noisewise.mechanisms.laplace import Laplace
from noisewise.mechanisms.mechanism import Mechanism
from noisewise.mechanisms.permute_and_flip import PermuteAndFlip
from noisewise.mechanisms.piecewise_laplace import PiecewiseLaplace
from noisewise.mechanisms.shifted_inverse import ShiftedInverse

__all__ = [
    "Auto",
    "Balance",
    "Chosen",
    "InverseSensitivity",
    "Laplace",
    "Mechanism",
    "PermuteAndFlip",
    "PiecewiseLaplace",
    "ShiftedInverse",
    "choose",
]
