"""noisewise: private medians and quantiles, exact draws, paid for in advance.

An envelope is how far the answer could move if l people changed their data. A statistic draws the envelope, a mechanism
turns it into a law on a lattice, and a release is one exact draw from that law, paid for in advance.
"""

from noisewise import hazmat, testing
from noisewise.envelope import Envelope
from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError, ReleaseFailed, SchemaError
from noisewise.functions import count, mean, median, median_interval, proportion, quantile, quantile_interval
from noisewise.functions import max as max
from noisewise.functions import min as min
from noisewise.functions import sum as sum
from noisewise.mechanisms import InverseSensitivity, Laplace, PiecewiseLaplace
from noisewise.planning import epsilon_for, plan
from noisewise.privacy import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.receipt import Release
from noisewise.release import release
from noisewise.simulation import simulate
from noisewise.statistics import Count, Mean, Proportion, Quantile, Statistic, Sum
from noisewise.version import __version__

__all__ = [
    "ApproxDP",
    "BoundedRange",
    "Count",
    "Envelope",
    "InverseSensitivity",
    "Laplace",
    "Mean",
    "NoisewiseError",
    "ParameterError",
    "ParameterTypeError",
    "PiecewiseLaplace",
    "Proportion",
    "PureDP",
    "Quantile",
    "Release",
    "ReleaseFailed",
    "SchemaError",
    "Statistic",
    "Sum",
    "ZCDP",
    "__version__",
    "count",
    "epsilon_for",
    "hazmat",
    "mean",
    "median",
    "median_interval",
    "plan",
    "proportion",
    "quantile",
    "quantile_interval",
    "release",
    "simulate",
    "testing",
]
