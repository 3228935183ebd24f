"""For type checkers alone, written by scripts/registered.py."""

from noisewise.kernel.laws.score import Odds as Odds
from noisewise.kernel.laws.score import Score as Score
from noisewise.kernel.numbers.answers import Answers as Answers
from noisewise.kernel.numbers.lattice import Lattice as Lattice
from noisewise.statistics.auc import AUC as AUC
from noisewise.statistics.count import Count as Count
from noisewise.statistics.degree_quantile import DegreeQuantile as DegreeQuantile
from noisewise.statistics.f1 import F1 as F1
from noisewise.statistics.gini.gini import Gini as Gini
from noisewise.statistics.huber_mean import HuberMean as HuberMean
from noisewise.statistics.mean import Mean as Mean
from noisewise.statistics.mean import Proportion as Proportion
from noisewise.statistics.pearson import Pearson as Pearson
from noisewise.statistics.quantile import Quantile as Quantile
from noisewise.statistics.r2 import R2 as R2
from noisewise.statistics.ratio import Rate as Rate
from noisewise.statistics.ratio import Ratio as Ratio
from noisewise.statistics.records import Column as Column
from noisewise.statistics.records import Graph as Graph
from noisewise.statistics.records import Rows as Rows
from noisewise.statistics.records import RowsInMemory as RowsInMemory
from noisewise.statistics.row_formulas import Arithmetic as Arithmetic
from noisewise.statistics.row_formulas import RowNumber as RowNumber
from noisewise.statistics.row_formulas import RowWhole as RowWhole
from noisewise.statistics.row_losses import Accuracy as Accuracy
from noisewise.statistics.row_losses import LogLoss as LogLoss
from noisewise.statistics.row_losses import MAE as MAE
from noisewise.statistics.row_losses import MSE as MSE
from noisewise.statistics.row_losses import RMSE as RMSE
from noisewise.statistics.spearman import Spearman as Spearman
from noisewise.statistics.spread.mad import MAD as MAD
from noisewise.statistics.spread.quantile_range import IQR as IQR
from noisewise.statistics.spread.quantile_range import Range as Range
from noisewise.statistics.spread.quantile_range import Spread as Spread
from noisewise.statistics.statistic import Frame as Frame
from noisewise.statistics.statistic import ScoreStatistic as ScoreStatistic
from noisewise.statistics.statistic import Statistic as Statistic
from noisewise.statistics.sum import Sum as Sum
from noisewise.statistics.theil_sen.theil_sen import TheilSen as TheilSen
from noisewise.statistics.triangles import Triangles as Triangles
from noisewise.statistics.trimmed_mean import TrimmedMean as TrimmedMean
from noisewise.statistics.trimmed_mean import WinsorizedMean as WinsorizedMean
from noisewise.statistics.variance.variance import Std as Std
from noisewise.statistics.variance.variance import Variance as Variance
from noisewise.statistics.weighted_mean import WeightedMean as WeightedMean

MODULES: dict[str, str]
__all__ = [
    "AUC",
    "Accuracy",
    "Answers",
    "Arithmetic",
    "Column",
    "Count",
    "DegreeQuantile",
    "F1",
    "Frame",
    "Gini",
    "Graph",
    "HuberMean",
    "IQR",
    "Lattice",
    "LogLoss",
    "MAD",
    "MAE",
    "MSE",
    "Mean",
    "Odds",
    "Pearson",
    "Proportion",
    "Quantile",
    "R2",
    "RMSE",
    "Range",
    "Rate",
    "Ratio",
    "RowNumber",
    "RowWhole",
    "Rows",
    "RowsInMemory",
    "Score",
    "ScoreStatistic",
    "Spearman",
    "Spread",
    "Statistic",
    "Std",
    "Sum",
    "TheilSen",
    "Triangles",
    "TrimmedMean",
    "Variance",
    "WeightedMean",
    "WinsorizedMean",
]
