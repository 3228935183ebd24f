"""What may be asked: one file per question."""

from noisewise.statistics.accuracy import Accuracy
from noisewise.statistics.auc import AUC
from noisewise.statistics.count import Count
from noisewise.statistics.f1 import F1
from noisewise.statistics.log_loss import LogLoss
from noisewise.statistics.mad import MAD
from noisewise.statistics.mean import Mean
from noisewise.statistics.proportion import Proportion
from noisewise.statistics.quantile import Quantile
from noisewise.statistics.r2 import R2
from noisewise.statistics.row_losses import MAE, MSE, RMSE
from noisewise.statistics.spread import IQR, Range, Spread
from noisewise.statistics.statistic import Frame, Statistic
from noisewise.statistics.std import Std
from noisewise.statistics.sum import Sum
from noisewise.statistics.variance import Variance

__all__ = [
    "AUC",
    "F1",
    "IQR",
    "MAD",
    "MAE",
    "MSE",
    "R2",
    "RMSE",
    "Accuracy",
    "Count",
    "Frame",
    "LogLoss",
    "Mean",
    "Proportion",
    "Quantile",
    "Range",
    "Spread",
    "Statistic",
    "Std",
    "Sum",
    "Variance",
]
