"""What may be asked: one file per question."""

from noisewise.statistics.count import Count
from noisewise.statistics.mean import Mean
from noisewise.statistics.proportion import Proportion
from noisewise.statistics.quantile import Quantile
from noisewise.statistics.statistic import Frame, Statistic
from noisewise.statistics.sum import Sum

__all__ = ["Count", "Frame", "Mean", "Proportion", "Quantile", "Statistic", "Sum"]
