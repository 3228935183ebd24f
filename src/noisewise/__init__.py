"""noisewise: private statistics, exact draws, paid for in advance.

An envelope is how far the answer could move if l people changed their data. A statistic draws the envelope, a mechanism
turns it into a law on a lattice, and a release is one exact draw from that law, paid for in advance.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from noisewise.dataset.ask import ask
from noisewise.dataset.dataset import Dataset
from noisewise.errors import (
    BudgetExceeded,
    LedgerError,
    NoisewiseError,
    ParameterError,
    ParameterTypeError,
    ReleaseFailed,
    SchemaError,
)
from noisewise.laws.envelope import Envelope
from noisewise.laws.radii import Radii
from noisewise.mechanisms import InverseSensitivity, Laplace, PermuteAndFlip, PiecewiseLaplace
from noisewise.planning.plan import epsilon_for, plan
from noisewise.planning.simulate import simulate
from noisewise.privacy import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.privacy.composition import Composed, compose
from noisewise.privacy.curves import delta_at, epsilon_at
from noisewise.privacy.ledger import Ledger
from noisewise.questions.functions import (
    accuracy,
    auc,
    count,
    covariance,
    degree_quantile,
    ecdf,
    f1,
    five_number_summary,
    gini,
    histogram,
    iqr,
    k_stars,
    linear_regression,
    log_loss,
    mad,
    mae,
    mean,
    median,
    median_interval,
    most_common,
    mse,
    pearson,
    principal_component,
    private_bounds,
    proportion,
    quantile,
    quantile_interval,
    quantiles,
    r2,
    rmse,
    spanning_tree_cost,
    spearman,
    spread,
    std,
    theil_sen,
    transitivity,
    triangles,
    trimmed_mean,
    variance,
    vector_mean,
    winsorized_mean,
)
from noisewise.questions.functions import max as max
from noisewise.questions.functions import min as min
from noisewise.questions.functions import range as range
from noisewise.questions.functions import sum as sum
from noisewise.questions.functions.statistic import release
from noisewise.questions.question import KINDS as _KINDS
from noisewise.questions.settle import Payer
from noisewise.releases.quantiles import Quantiles
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.release import Release
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
    DegreeQuantile,
    Gini,
    KStars,
    LogLoss,
    Mean,
    Pearson,
    Proportion,
    Quantile,
    Range,
    SpanningTreeCost,
    Spearman,
    Spread,
    Statistic,
    Std,
    Sum,
    TheilSen,
    Transitivity,
    Triangles,
    TrimmedMean,
    Variance,
    WinsorizedMean,
)
from noisewise.version import __version__

if _TYPE_CHECKING:
    from noisewise import bridges as bridges
    from noisewise import hazmat as hazmat
    from noisewise import testing as testing

__all__ = [
    "AUC",
    "Accuracy",
    "ApproxDP",
    "BoundedRange",
    "BudgetExceeded",
    "Composed",
    "Count",
    "Dataset",
    "DegreeQuantile",
    "Envelope",
    "F1",
    "Gini",
    "GroupedRelease",
    "IQR",
    "InverseSensitivity",
    "KStars",
    "Laplace",
    "Ledger",
    "LedgerError",
    "LogLoss",
    "MAD",
    "MAE",
    "MSE",
    "Mean",
    "NoisewiseError",
    "ParameterError",
    "ParameterTypeError",
    "Payer",
    "Pearson",
    "PermuteAndFlip",
    "PiecewiseLaplace",
    "Proportion",
    "PureDP",
    "Quantile",
    "Quantiles",
    "R2",
    "RMSE",
    "Radii",
    "Range",
    "Release",
    "ReleaseFailed",
    "SchemaError",
    "SpanningTreeCost",
    "Spearman",
    "Spread",
    "Statistic",
    "Std",
    "Sum",
    "TheilSen",
    "Transitivity",
    "Triangles",
    "TrimmedMean",
    "Variance",
    "WinsorizedMean",
    "ZCDP",
    "__version__",
    "accuracy",
    "ask",
    "auc",
    "bridges",
    "compose",
    "count",
    "covariance",
    "degree_quantile",
    "delta_at",
    "ecdf",
    "epsilon_at",
    "epsilon_for",
    "f1",
    "five_number_summary",
    "gini",
    "hazmat",
    "histogram",
    "iqr",
    "k_stars",
    "linear_regression",
    "log_loss",
    "mad",
    "mae",
    "mean",
    "median",
    "median_interval",
    "most_common",
    "mse",
    "pearson",
    "plan",
    "principal_component",
    "private_bounds",
    "proportion",
    "quantile",
    "quantile_interval",
    "quantiles",
    "r2",
    "release",
    "rmse",
    "simulate",
    "spanning_tree_cost",
    "spearman",
    "spread",
    "std",
    "testing",
    "theil_sen",
    "transitivity",
    "triangles",
    "trimmed_mean",
    "variance",
    "vector_mean",
    "winsorized_mean",
]

_ON_FIRST_USE = ("bridges", "hazmat", "testing")

if not _TYPE_CHECKING:

    def __getattr__(name: str) -> _Any:
        """Rooms that few need, on first use; and questions that were registered after this was imported."""
        if name in _ON_FIRST_USE:
            return _import_module(f"noisewise.{name}")
        if name in _KINDS:
            return _KINDS[name].function
        raise AttributeError(f"module 'noisewise' has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*__all__, *_KINDS})
