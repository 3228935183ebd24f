"""noisewise: private statistics, exact draws, paid for in advance.

An envelope is how far the answer could move if l people changed their data. A statistic draws the envelope, a mechanism
turns it into a law on a lattice, and a release is one exact draw from that law, paid for in advance.
"""

from noisewise import hazmat, testing
from noisewise.envelope import Envelope
from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError, ReleaseFailed, SchemaError
from noisewise.functions import (
    accuracy,
    auc,
    count,
    f1,
    iqr,
    log_loss,
    mad,
    mae,
    mean,
    median,
    median_interval,
    most_common,
    mse,
    private_bounds,
    proportion,
    quantile,
    quantile_interval,
    r2,
    rmse,
    spread,
    std,
    variance,
)
from noisewise.functions import max as max
from noisewise.functions import min as min
from noisewise.functions import range as range
from noisewise.functions import sum as sum
from noisewise.mechanisms import InverseSensitivity, Laplace, PermuteAndFlip, PiecewiseLaplace
from noisewise.planning import epsilon_for, plan
from noisewise.privacy import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.receipt import Release
from noisewise.release import release
from noisewise.simulation import simulate
from noisewise.statistics import (
    AUC,
    F1,
    IQR,
    MAD,
    MAE,
    MSE,
    R2,
    RMSE,
    Accuracy,
    Count,
    LogLoss,
    Mean,
    Proportion,
    Quantile,
    Range,
    Spread,
    Statistic,
    Std,
    Sum,
    Variance,
)
from noisewise.version import __version__

__all__ = [
    "AUC",
    "Accuracy",
    "ApproxDP",
    "BoundedRange",
    "Count",
    "Envelope",
    "F1",
    "IQR",
    "InverseSensitivity",
    "Laplace",
    "LogLoss",
    "MAD",
    "MAE",
    "MSE",
    "Mean",
    "NoisewiseError",
    "ParameterError",
    "ParameterTypeError",
    "PermuteAndFlip",
    "PiecewiseLaplace",
    "Proportion",
    "PureDP",
    "Quantile",
    "R2",
    "RMSE",
    "Range",
    "Release",
    "ReleaseFailed",
    "SchemaError",
    "Spread",
    "Statistic",
    "Std",
    "Sum",
    "Variance",
    "ZCDP",
    "__version__",
    "accuracy",
    "auc",
    "count",
    "epsilon_for",
    "f1",
    "hazmat",
    "iqr",
    "log_loss",
    "mad",
    "mae",
    "mean",
    "median",
    "median_interval",
    "most_common",
    "mse",
    "plan",
    "private_bounds",
    "proportion",
    "quantile",
    "quantile_interval",
    "r2",
    "release",
    "rmse",
    "simulate",
    "spread",
    "std",
    "testing",
    "variance",
]
