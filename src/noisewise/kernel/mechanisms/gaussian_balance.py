"""Gaussian balance: balance with normal noise in place of Laplace noise, for prices in rho.

    P(answer <= k) = F(ln D(k) - ln U(k))        F is the standard normal distribution function

If one record moves the score by a step of a proved shape, and by at most ``pull``, it moves ln D - ln U by at most
c = 2*kappa*pull, and costs rho = k*c^2/2. The constant k is proved for c <= 4:

    rises    the move never falls from one answer to the next        k = 1.04
    bump     it has one sign, and first grows and then shrinks       k = 1.01

A person who moves the score in several such steps pays for the square of their number. Proof:
docs/proofs/gaussian_balance.md.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Literal, TypeAlias

from noisewise.kernel.errors import ParameterError
from noisewise.kernel.losses import ZCDP
from noisewise.kernel.mechanisms.balance import ByScore
from noisewise.kernel.numbers.exact import Number, exact_rho, spell, whole
from noisewise.kernel.prices import root_below
from noisewise.kernel.sampling.balance_noise import NORMAL, Noise

Shape: TypeAlias = Literal["rises", "bump"]
"""How one step moves a score over the answers."""

PROVED = {"rises": Fraction(104, 100), "bump": Fraction(101, 100)}
"""The constant k of each shape."""

FARTHEST = 4
"""The largest c for which the constants are proved."""


@dataclass(frozen=True, slots=True, init=False)
class GaussianBalance(ByScore):
    """Balance with normal noise: rho-zCDP, for statistics whose score moves in steps of a proved shape.

    ``steps`` is the number of steps in which one person moves the score of one group, and ``squares`` is what the rho
    is divided by for several groups, as in `Rho`.
    """

    rho: Fraction
    shape: Shape
    steps: int
    squares: int
    reach: Fraction

    name: ClassVar[str] = "gaussian_balance"
    version: ClassVar[str] = "gaussian-balance/1"
    noise: ClassVar[Noise] = NORMAL
    nearest: ClassVar[int] = 11

    def __init__(self, *, rho: Number, shape: Shape, steps: int = 1, squares: int = 1) -> None:
        paid, many = exact_rho(rho), whole("steps", steps, least=1)
        unit = PROVED[shape] * whole("squares", squares, least=1) / 2
        if paid > unit * (FARTHEST * many) ** 2:
            raise ParameterError(
                "rho",
                f"must be at most {spell(unit * (FARTHEST * many) ** 2)} for {self.name}",
                got=spell(paid),
                why="its price is proved up to there",
                fix="use piecewise_laplace",
            ) from None
        values = paid, shape, many, squares, root_below(paid / unit)
        for name, value in zip(("rho", "shape", "steps", "squares", "reach"), values, strict=True):
            object.__setattr__(self, name, value)

    @property
    def loss(self) -> ZCDP:
        return ZCDP(self.rho)
