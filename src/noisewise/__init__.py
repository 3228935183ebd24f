"""noisewise: private medians and quantiles, exact draws, paid for in advance.

An envelope is how far the answer could move if l people changed their data. A statistic draws the envelope, a mechanism
turns it into a law on a lattice, and a release is one exact draw from that law, paid for in advance.
"""

from noisewise import hazmat
from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError, ReleaseFailed, SchemaError
from noisewise.functions import max as max
from noisewise.functions import median, quantile
from noisewise.functions import min as min
from noisewise.mechanisms import InverseSensitivity, Laplace, PiecewiseLaplace
from noisewise.privacy import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.receipt import Release
from noisewise.statistics import Quantile
from noisewise.version import __version__

__all__ = [
    "ApproxDP",
    "BoundedRange",
    "InverseSensitivity",
    "Laplace",
    "NoisewiseError",
    "ParameterError",
    "ParameterTypeError",
    "PiecewiseLaplace",
    "PureDP",
    "Quantile",
    "Release",
    "ReleaseFailed",
    "SchemaError",
    "ZCDP",
    "__version__",
    "hazmat",
    "median",
    "quantile",
]
