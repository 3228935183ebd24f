"""What a release costs: losses and how one kind of loss reads as another."""

from noisewise.privacy.losses import (
    ZCDP,
    ApproxDP,
    BoundedRange,
    Loss,
    PureDP,
    discrete_laplace_rho,
)

__all__ = [  # noqa: RUF022
    "ApproxDP",
    "BoundedRange",
    "Loss",
    "PureDP",
    "ZCDP",
    "discrete_laplace_rho",
]
