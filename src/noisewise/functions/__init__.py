"""The questions as functions: data in, one paid and private answer out.

All take the same keywords, in the same order. ``bounds`` and ``epsilon`` have no default and are never read off the
data. Each function is one statistic handed to `release`.
"""

from noisewise.functions.intervals import median_interval, quantile_interval
from noisewise.functions.order import max, median, min, quantile
from noisewise.functions.totals import count, mean, proportion, sum

__all__ = [
    "count",
    "max",
    "mean",
    "median",
    "median_interval",
    "min",
    "proportion",
    "quantile",
    "quantile_interval",
    "sum",
]
