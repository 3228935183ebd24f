"""What can be asked: one file per statistic, each with its envelope or its score.

Whoever writes a statistic of their own finds everything for it here: the base classes `Statistic` and `ScoreStatistic`,
the `Frame` of records and answers with its `Lattice` and `Answers`, a `Score` with its `Odds`, and the protocols of
the records that a statistic reads (`Column`, `Rows`, `RowsInMemory`, `Graph`, `RowNumber`, `RowWhole`, `Arithmetic`).

Read `statistic` (the base class) and `records` (what it may read) first, then `quantile` and `mean` as examples. A
statistic that needs several files has a folder: `variance/`, `gini/`, `spread/`, `theil_sen/`. A wrong
envelope makes an answer less private, so each statistic names its proof in docs/proofs and inherits its tests.

It imports the kernel, `errors` and `calls`. The ledger, tables, questions and all that stands above them may import it.
"""

from importlib import import_module
from typing import Any

OTHERS = {
    "Answers": "noisewise.kernel.numbers.answers",
    "Arithmetic": "noisewise.statistics.row_formulas",
    "Column": "noisewise.statistics.records",
    "Frame": "noisewise.statistics.statistic",
    "Graph": "noisewise.statistics.records",
    "Lattice": "noisewise.kernel.numbers.lattice",
    "Odds": "noisewise.kernel.laws.score",
    "RowNumber": "noisewise.statistics.row_formulas",
    "RowWhole": "noisewise.statistics.row_formulas",
    "Rows": "noisewise.statistics.records",
    "RowsInMemory": "noisewise.statistics.records",
    "Score": "noisewise.kernel.laws.score",
    "ScoreStatistic": "noisewise.statistics.statistic",
    "Statistic": "noisewise.statistics.statistic",
}
"""Other names that somebody who writes a statistic needs, and their modules."""

# written by scripts/registered.py
MODULES: dict[str, str] = {
    "AUC": "auc",
    "Accuracy": "row_losses",
    "Count": "count",
    "DegreeQuantile": "degree_quantile",
    "F1": "f1",
    "Gini": "gini.gini",
    "HuberMean": "huber_mean",
    "IQR": "spread.quantile_range",
    "LogLoss": "row_losses",
    "MAD": "spread.mad",
    "MAE": "row_losses",
    "MSE": "row_losses",
    "Mean": "mean",
    "Pearson": "pearson",
    "Proportion": "mean",
    "Quantile": "quantile",
    "R2": "r2",
    "RMSE": "row_losses",
    "Range": "spread.quantile_range",
    "Rate": "ratio",
    "Ratio": "ratio",
    "Spearman": "spearman",
    "Spread": "spread.quantile_range",
    "Std": "variance.variance",
    "Sum": "sum",
    "TheilSen": "theil_sen.theil_sen",
    "Triangles": "triangles",
    "TrimmedMean": "trimmed_mean",
    "Variance": "variance.variance",
    "WeightedMean": "weighted_mean",
    "WinsorizedMean": "trimmed_mean",
}
# until here
"""Statistics that a question releases, and the file of each."""

__all__ = sorted([*OTHERS, *MODULES])


def __getattr__(name: str) -> Any:
    """A name of this package, imported when it is first used. Type checkers read ``__init__.pyi``."""
    module = OTHERS.get(name) or (f"{__name__}.{MODULES[name]}" if name in MODULES else None)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, getattr(import_module(module), name))
