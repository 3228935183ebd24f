"""What can be asked: one file per statistic, each with its envelope or its score.

Whoever writes a statistic of their own finds everything for it here: the base classes `Statistic` and `ScoreStatistic`,
the `Frame` of records and answers with its `Lattice` and `Answers`, a `Score` with its `Odds`, and the protocols of
the records that a statistic reads (`Column`, `Rows`, `RowsInMemory`, `Graph`, `RowNumber`, `RowWhole`, `Arithmetic`).

Read `statistic` (the base class) and `records` (what it may read) first, then `quantile` and `mean` as examples. A
statistic that needs several files has a folder: `variance/`, `gini/`, `spread/`, `theil_sen/`. A wrong
envelope makes an answer less private, so each statistic names its proof in docs/proofs and inherits its tests.

It imports the kernel, `errors` and `calls`. The ledger, tables, questions and all that stands above them may import it.
"""

from noisewise.kernel.laws.score import Odds, Score
from noisewise.kernel.numbers.answers import Answers
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics.auc import AUC
from noisewise.statistics.count import Count
from noisewise.statistics.degree_quantile import DegreeQuantile
from noisewise.statistics.f1 import F1
from noisewise.statistics.gini.gini import Gini
from noisewise.statistics.huber_mean import HuberMean
from noisewise.statistics.mean import Mean, Proportion
from noisewise.statistics.pearson import Pearson
from noisewise.statistics.quantile import Quantile
from noisewise.statistics.r2 import R2
from noisewise.statistics.ratio import Rate, Ratio
from noisewise.statistics.records import Column, Graph, Rows, RowsInMemory
from noisewise.statistics.row_formulas import Arithmetic, RowNumber, RowWhole
from noisewise.statistics.row_losses import MAE, MSE, RMSE, Accuracy, LogLoss
from noisewise.statistics.spearman import Spearman
from noisewise.statistics.spread.mad import MAD
from noisewise.statistics.spread.quantile_range import IQR, Range, Spread
from noisewise.statistics.statistic import Frame, ScoreStatistic, Statistic
from noisewise.statistics.sum import Sum
from noisewise.statistics.theil_sen.theil_sen import TheilSen
from noisewise.statistics.triangles import Triangles
from noisewise.statistics.trimmed_mean import TrimmedMean, WinsorizedMean
from noisewise.statistics.variance.variance import Std, Variance
from noisewise.statistics.weighted_mean import WeightedMean

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
    "Answers",
    "Arithmetic",
    "Column",
    "Count",
    "DegreeQuantile",
    "Frame",
    "Gini",
    "Graph",
    "HuberMean",
    "Lattice",
    "LogLoss",
    "Mean",
    "Odds",
    "Pearson",
    "Proportion",
    "Quantile",
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
