"""What may be asked: one file per question."""

from noisewise.statistics.quantile import Quantile
from noisewise.statistics.statistic import Statistic

__all__ = ["Quantile", "Statistic"]
