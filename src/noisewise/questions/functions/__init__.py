"""The questions as functions: data in, one paid and private answer out.

All take the same keywords, in the same order. ``bounds`` and ``epsilon`` have no default and are never read off the
data. Each function is one statistic handed to `release`, or one of the `releases`.
"""

from noisewise.questions.functions.categories import most_common
from noisewise.questions.functions.components import principal_component
from noisewise.questions.functions.graphs import k_stars, triangles
from noisewise.questions.functions.intervals import median_interval, quantile_interval
from noisewise.questions.functions.joint import ecdf, five_number_summary, quantiles
from noisewise.questions.functions.limits import private_bounds
from noisewise.questions.functions.matrices import covariance, linear_regression
from noisewise.questions.functions.metrics import accuracy, auc, f1, log_loss, mae, mse, r2, rmse
from noisewise.questions.functions.moments import std, variance
from noisewise.questions.functions.networks import degree_quantile, spanning_tree_cost, transitivity
from noisewise.questions.functions.order import max, median, min, quantile
from noisewise.questions.functions.pairs import pearson, spearman, theil_sen
from noisewise.questions.functions.ranges import iqr, mad, range, spread
from noisewise.questions.functions.robust import gini, trimmed_mean, winsorized_mean
from noisewise.questions.functions.totals import count, mean, proportion, sum
from noisewise.questions.functions.vectors import histogram, vector_mean

__all__ = [
    "accuracy",
    "auc",
    "count",
    "covariance",
    "degree_quantile",
    "ecdf",
    "f1",
    "five_number_summary",
    "gini",
    "histogram",
    "iqr",
    "k_stars",
    "linear_regression",
    "log_loss",
    "mad",
    "mae",
    "max",
    "mean",
    "median",
    "median_interval",
    "min",
    "most_common",
    "mse",
    "pearson",
    "principal_component",
    "private_bounds",
    "proportion",
    "quantile",
    "quantile_interval",
    "quantiles",
    "r2",
    "range",
    "rmse",
    "spanning_tree_cost",
    "spearman",
    "spread",
    "std",
    "sum",
    "theil_sen",
    "transitivity",
    "triangles",
    "trimmed_mean",
    "variance",
    "vector_mean",
    "winsorized_mean",
]
