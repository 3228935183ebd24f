"""For type checkers alone, written by scripts/registered.py."""

from noisewise import audit as audit
from noisewise import bridges as bridges
from noisewise import hazmat as hazmat
from noisewise import paper as paper
from noisewise import testing as testing
from noisewise.dataset.dataset import Dataset as Dataset
from noisewise.dataset.facts import Column as Column
from noisewise.dataset.methods import ask as ask
from noisewise.dataset.wrapper.wrap import wrap as wrap
from noisewise.errors import BudgetExceeded as BudgetExceeded
from noisewise.errors import LedgerError as LedgerError
from noisewise.errors import NoisewiseError as NoisewiseError
from noisewise.errors import ParameterError as ParameterError
from noisewise.errors import ParameterTypeError as ParameterTypeError
from noisewise.errors import ReleaseFailed as ReleaseFailed
from noisewise.errors import SchemaError as SchemaError
from noisewise.kernel.settle import Payer as Payer
from noisewise.kernel_calls import ApproxDP as ApproxDP
from noisewise.kernel_calls import Balance as Balance
from noisewise.kernel_calls import BoundedRange as BoundedRange
from noisewise.kernel_calls import Envelope as Envelope
from noisewise.kernel_calls import InverseSensitivity as InverseSensitivity
from noisewise.kernel_calls import Laplace as Laplace
from noisewise.kernel_calls import PermuteAndFlip as PermuteAndFlip
from noisewise.kernel_calls import PiecewiseLaplace as PiecewiseLaplace
from noisewise.kernel_calls import PureDP as PureDP
from noisewise.kernel_calls import RadiusBounds as RadiusBounds
from noisewise.kernel_calls import ShiftedInverse as ShiftedInverse
from noisewise.kernel_calls import ZCDP as ZCDP
from noisewise.ledger.composition import Composed as Composed
from noisewise.ledger.composition import compose as compose
from noisewise.ledger.curves import delta_at as delta_at
from noisewise.ledger.curves import epsilon_at as epsilon_at
from noisewise.ledger.ledger import Ledger as Ledger
from noisewise.planning.compare import compare as compare
from noisewise.planning.goal import epsilon_for as epsilon_for
from noisewise.planning.goal import rho_for as rho_for
from noisewise.planning.plan import plan as plan
from noisewise.planning.simulate import simulate as simulate
from noisewise.planning.sweep import sweep as sweep
from noisewise.questions.composites.quantiles import Quantiles as Quantiles
from noisewise.questions.functions.categories import count_distinct as count_distinct
from noisewise.questions.functions.categories import crosstab as crosstab
from noisewise.questions.functions.categories import histogram as histogram
from noisewise.questions.functions.categories import most_common as most_common
from noisewise.questions.functions.graphs import degree_quantile as degree_quantile
from noisewise.questions.functions.graphs import triangles as triangles
from noisewise.questions.functions.means import count as count
from noisewise.questions.functions.means import count_interval as count_interval
from noisewise.questions.functions.means import count_people as count_people
from noisewise.questions.functions.means import huber_mean as huber_mean
from noisewise.questions.functions.means import mean as mean
from noisewise.questions.functions.means import mean_interval as mean_interval
from noisewise.questions.functions.means import proportion as proportion
from noisewise.questions.functions.means import proportion_interval as proportion_interval
from noisewise.questions.functions.means import rate as rate
from noisewise.questions.functions.means import ratio as ratio
from noisewise.questions.functions.means import sum as sum
from noisewise.questions.functions.means import trimmed_mean as trimmed_mean
from noisewise.questions.functions.means import weighted_mean as weighted_mean
from noisewise.questions.functions.means import winsorized_mean as winsorized_mean
from noisewise.questions.functions.metrics import accuracy as accuracy
from noisewise.questions.functions.metrics import auc as auc
from noisewise.questions.functions.metrics import f1 as f1
from noisewise.questions.functions.metrics import log_loss as log_loss
from noisewise.questions.functions.metrics import mae as mae
from noisewise.questions.functions.metrics import mse as mse
from noisewise.questions.functions.metrics import r2 as r2
from noisewise.questions.functions.metrics import rmse as rmse
from noisewise.questions.functions.order import ecdf as ecdf
from noisewise.questions.functions.order import five_number_summary as five_number_summary
from noisewise.questions.functions.order import max as max
from noisewise.questions.functions.order import median as median
from noisewise.questions.functions.order import median_interval as median_interval
from noisewise.questions.functions.order import min as min
from noisewise.questions.functions.order import private_bounds as private_bounds
from noisewise.questions.functions.order import quantile as quantile
from noisewise.questions.functions.order import quantile_interval as quantile_interval
from noisewise.questions.functions.order import quantiles as quantiles
from noisewise.questions.functions.own_statistic import release as release
from noisewise.questions.functions.pairs import pearson as pearson
from noisewise.questions.functions.pairs import spearman as spearman
from noisewise.questions.functions.pairs import theil_sen as theil_sen
from noisewise.questions.functions.spread import gini as gini
from noisewise.questions.functions.spread import iqr as iqr
from noisewise.questions.functions.spread import mad as mad
from noisewise.questions.functions.spread import range as range
from noisewise.questions.functions.spread import spread as spread
from noisewise.questions.functions.spread import std as std
from noisewise.questions.functions.spread import variance as variance
from noisewise.questions.functions.vectors import covariance as covariance
from noisewise.questions.functions.vectors import linear_regression as linear_regression
from noisewise.questions.functions.vectors import principal_component as principal_component
from noisewise.questions.functions.vectors import vector_mean as vector_mean
from noisewise.results.grouped_release import GroupedRelease as GroupedRelease
from noisewise.results.joint_release import JointRelease as JointRelease
from noisewise.results.release import Release as Release
from noisewise.results.report import report as report
from noisewise.statistics import Statistic as Statistic
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
from noisewise.statistics.sum import Sum as Sum
from noisewise.statistics.theil_sen.theil_sen import TheilSen as TheilSen
from noisewise.statistics.triangles import Triangles as Triangles
from noisewise.statistics.trimmed_mean import TrimmedMean as TrimmedMean
from noisewise.statistics.trimmed_mean import WinsorizedMean as WinsorizedMean
from noisewise.statistics.variance.variance import Std as Std
from noisewise.statistics.variance.variance import Variance as Variance
from noisewise.statistics.weighted_mean import WeightedMean as WeightedMean
from noisewise.study.study import Study as Study
from noisewise.version import __version__ as __version__

__all__ = [
    "AUC",
    "Accuracy",
    "ApproxDP",
    "Balance",
    "BoundedRange",
    "BudgetExceeded",
    "Column",
    "Composed",
    "Count",
    "Dataset",
    "DegreeQuantile",
    "Envelope",
    "F1",
    "Gini",
    "GroupedRelease",
    "HuberMean",
    "IQR",
    "InverseSensitivity",
    "JointRelease",
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
    "RadiusBounds",
    "Range",
    "Rate",
    "Ratio",
    "Release",
    "ReleaseFailed",
    "SchemaError",
    "ShiftedInverse",
    "Spearman",
    "Spread",
    "Statistic",
    "Std",
    "Study",
    "Sum",
    "TheilSen",
    "Triangles",
    "TrimmedMean",
    "Variance",
    "WeightedMean",
    "WinsorizedMean",
    "ZCDP",
    "__version__",
    "accuracy",
    "ask",
    "auc",
    "audit",
    "bridges",
    "compare",
    "compose",
    "count",
    "count_distinct",
    "count_interval",
    "count_people",
    "covariance",
    "crosstab",
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
    "huber_mean",
    "iqr",
    "linear_regression",
    "log_loss",
    "mad",
    "mae",
    "mean",
    "mean_interval",
    "median",
    "median_interval",
    "most_common",
    "mse",
    "paper",
    "pearson",
    "plan",
    "principal_component",
    "private_bounds",
    "proportion",
    "proportion_interval",
    "quantile",
    "quantile_interval",
    "quantiles",
    "r2",
    "rate",
    "ratio",
    "release",
    "report",
    "rho_for",
    "rmse",
    "simulate",
    "spearman",
    "spread",
    "std",
    "sweep",
    "testing",
    "theil_sen",
    "triangles",
    "trimmed_mean",
    "variance",
    "vector_mean",
    "weighted_mean",
    "winsorized_mean",
    "wrap",
]
