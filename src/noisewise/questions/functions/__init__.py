"""The questions as functions: data in, one paid and private answer out, a file for each theme.

All take the same keywords, in the same order. ``bounds`` and ``epsilon`` have no default and are never read off the
data. Each function is one statistic, or one of the `composites`; being imported here is what makes it known everywhere.
"""

from noisewise.questions.functions.categories import (
    count_distinct,
    crosstab,
    histogram,
    most_common,
)
from noisewise.questions.functions.graphs import (
    degree_quantile,
    triangles,
)
from noisewise.questions.functions.means import (
    count,
    count_interval,
    count_people,
    huber_mean,
    mean,
    mean_interval,
    proportion,
    proportion_interval,
    rate,
    ratio,
    sum,
    trimmed_mean,
    weighted_mean,
    winsorized_mean,
)
from noisewise.questions.functions.metrics import accuracy, auc, f1, log_loss, mae, mse, r2, rmse
from noisewise.questions.functions.order import (
    ecdf,
    five_number_summary,
    max,
    median,
    median_interval,
    min,
    private_bounds,
    quantile,
    quantile_interval,
    quantiles,
)
from noisewise.questions.functions.pairs import pearson, spearman, theil_sen
from noisewise.questions.functions.spread import gini, iqr, mad, range, spread, std, variance
from noisewise.questions.functions.vectors import (
    covariance,
    linear_regression,
    principal_component,
    vector_mean,
)

__all__ = [
    "accuracy",
    "auc",
    "count",
    "count_distinct",
    "count_interval",
    "count_people",
    "covariance",
    "crosstab",
    "degree_quantile",
    "ecdf",
    "f1",
    "five_number_summary",
    "gini",
    "histogram",
    "huber_mean",
    "iqr",
    "linear_regression",
    "log_loss",
    "mad",
    "mae",
    "max",
    "mean",
    "mean_interval",
    "median",
    "median_interval",
    "min",
    "most_common",
    "mse",
    "pearson",
    "principal_component",
    "private_bounds",
    "proportion",
    "proportion_interval",
    "quantile",
    "quantile_interval",
    "quantiles",
    "r2",
    "range",
    "rate",
    "ratio",
    "rmse",
    "spearman",
    "spread",
    "std",
    "sum",
    "theil_sen",
    "triangles",
    "trimmed_mean",
    "variance",
    "vector_mean",
    "weighted_mean",
    "winsorized_mean",
]
