"""Where the public names of noisewise are defined. A name is imported when it is first used.

Questions and statistics are added to this table from the registered ones. Type checkers read ``__init__.pyi`` instead,
which ``python -m scripts.registered`` writes.
"""

from noisewise import statistics
from noisewise.questions import kinds

OTHERS = {
    "noisewise": ("audit", "bridges", "hazmat", "paper", "testing"),
    "noisewise.dataset.dataset": ("Dataset",),
    "noisewise.dataset.facts": ("Column",),
    "noisewise.dataset.methods": ("ask",),
    "noisewise.dataset.wrapper.wrap": ("wrap",),
    "noisewise.errors": (
        "BudgetExceeded",
        "LedgerError",
        "NoisewiseError",
        "ParameterError",
        "ParameterTypeError",
        "ReleaseFailed",
        "SchemaError",
    ),
    "noisewise.kernel.settle": ("Payer",),
    "noisewise.kernel_calls": (
        "ApproxDP",
        "Balance",
        "BoundedRange",
        "Envelope",
        "InverseSensitivity",
        "Laplace",
        "PermuteAndFlip",
        "PiecewiseLaplace",
        "PureDP",
        "RadiusBounds",
        "ShiftedInverse",
        "ZCDP",
    ),
    "noisewise.ledger.composition": ("Composed", "compose"),
    "noisewise.ledger.curves": ("delta_at", "epsilon_at"),
    "noisewise.ledger.ledger": ("Ledger",),
    "noisewise.planning.compare": ("compare",),
    "noisewise.planning.goal": ("epsilon_for", "rho_for"),
    "noisewise.planning.plan": ("plan",),
    "noisewise.planning.simulate": ("simulate",),
    "noisewise.planning.sweep": ("sweep",),
    "noisewise.questions.composites.quantiles": ("Quantiles",),
    "noisewise.questions.functions.own_statistic": ("release",),
    "noisewise.results.grouped_release": ("GroupedRelease",),
    "noisewise.results.joint_release": ("JointRelease",),
    "noisewise.results.release": ("Release",),
    "noisewise.results.report": ("report",),
    "noisewise.statistics": ("Statistic",),
    "noisewise.study.study": ("Study",),
    "noisewise.version": ("__version__",),
}
"""Modules and their public names, except questions and statistics."""

MODULES = {
    **{name: f"noisewise.questions.functions.{module}" for name, module in kinds.MODULES.items()},
    **{name: f"noisewise.statistics.{module}" for name, module in statistics.MODULES.items()},
    **{name: module for module, names in OTHERS.items() for name in names},
}
"""The module of each public name."""

BUILTINS = {"max", "min", "range", "sum"}
"""Public names that a star import leaves out, because Python has them too."""

__all__ = sorted(set(MODULES) - BUILTINS)
