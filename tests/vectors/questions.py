"""Questions whose receipts are frozen: every public function, every mechanism, tables and groups."""

from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl

import noisewise as nws
from tests.every_question import CALLS
from tests.vectors import ours

INCOMES = [(17 * k * k + 31 * k) % 997 for k in range(200)]
OTHERS = [(13 * k * k + 7 * k) % 499 for k in range(200)]
SMALL = [k % 10 for k in INCOMES]
FLAGS = [k % 3 == 0 for k in INCOMES]
GUESSES = [k % 4 == 0 for k in INCOMES]
SHARES = [k / 997 for k in INCOMES]
MATRIX = np.array([INCOMES, OTHERS]).T
EDGES = [(i, j) for i in range(20) for j in range(i) if (i * j + i + j) % 3 == 0]
FRAME = pl.DataFrame(
    {
        "person": [k % 120 for k in range(200)],
        "team": ["abcd"[k % 4] for k in range(200)],
        "pay": INCOMES,
        "debt": OTHERS,
        "since": [date(2020, 1 + k % 12, 1 + k % 28) for k in range(200)],
    }
)

Paid = Callable[[Any], Any]


def _of(name: str, *data: Any, **asked: Any) -> Paid:
    return lambda ledger: getattr(nws, name)(*data, epsilon=1, ledger=ledger, **asked)


def _in_rho(name: str, *data: Any, **asked: Any) -> Paid:
    return lambda ledger: getattr(nws, name)(*data, rho=HALF, ledger=ledger, **asked)


def _older(paid: Paid) -> Paid:
    """The same question as auto answered it before there was Gaussian balance."""

    def ask(ledger: Any) -> Any:
        with ours.no_gaussian_balance():
            return paid(ledger)

    return ask


def _people(ledger: Any, **how: Any) -> nws.Dataset:
    return nws.Dataset(FRAME, **{"unit": "person", "contributions": 2, "ledger": ledger, **how})


WIDE = (0, 1000)
HALF = Fraction(1, 2)
COARSE = Fraction(1, 8)

QUESTIONS: dict[str, Paid] = {
    "median": _of("median", INCOMES, bounds=WIDE, mechanism="piecewise_laplace"),
    "median-swap": _of("median", INCOMES, bounds=WIDE, neighbors="swap", mechanism="piecewise_laplace"),
    "median-people": _of(
        "median", INCOMES, bounds=(0.0, 1000.0), contributions=3, mechanism="piecewise_laplace"
    ),
    "median-inverse-sensitivity": _of("median", INCOMES, bounds=WIDE, mechanism="inverse_sensitivity"),
    "median-laplace": _of("median", INCOMES, bounds=WIDE, mechanism="laplace"),
    "median-permute-and-flip": _of("median", INCOMES, bounds=WIDE, mechanism="permute_and_flip"),
    "median-few-answers": lambda ledger: nws.median(SMALL, bounds=(0, 9), epsilon=4, ledger=ledger),
    "median-smooth": _of(
        "median", INCOMES, bounds=WIDE, mechanism=nws.PiecewiseLaplace(epsilon=1, smooth=Fraction(5, 2))
    ),
    "median-balance": _of("median", INCOMES, bounds=WIDE, mechanism="balance"),
    "max-shifted-inverse": _of("max", INCOMES, bounds=WIDE, mechanism="shifted_inverse"),
    "max-shifted-piecewise-laplace": _of("max", INCOMES, bounds=WIDE, mechanism="shifted_piecewise_laplace"),
    "quantile-balance": _of(
        "quantile", INCOMES, "9/10", bounds=WIDE, mechanism="balance", neighbors="swap", granularity=10
    ),
    "mean-balance": _of("mean", INCOMES, bounds=WIDE, mechanism="balance", contributions=2),
    "f1-balance": _of("f1", FLAGS, GUESSES, mechanism="balance"),
    "median-private-bounds": _of("median", INCOMES, bounds="private", mechanism="piecewise_laplace"),
    "median-too-little-data": _of("median", [1, 2], bounds="private", mechanism="piecewise_laplace"),
    "quantile": _of("quantile", INCOMES, "9/10", bounds=WIDE, granularity=10, mechanism="piecewise_laplace"),
    "quantiles": _of("quantiles", INCOMES, ["1/4", "1/2", "3/4"], bounds=WIDE, mechanism="piecewise_laplace"),
    "quantiles-swap": _of(
        "quantiles", SMALL, [0.1, 0.9], bounds=(0, 9), neighbors="swap", mechanism="inverse_sensitivity"
    ),
    "five_number_summary": _of(
        "five_number_summary", INCOMES, bounds=WIDE, contributions=2, mechanism="piecewise_laplace"
    ),
    "ecdf": _of("ecdf", INCOMES, 6, bounds=WIDE, mechanism="piecewise_laplace"),
    "median_interval": _of("median_interval", INCOMES, bounds=WIDE, mechanism="piecewise_laplace"),
    "quantile_interval": _of(
        "quantile_interval", INCOMES, "1/4", bounds=WIDE, neighbors="swap", mechanism="piecewise_laplace"
    ),
    "median-with-interval": _of("median", INCOMES, bounds=WIDE, interval=0.95),
    "quantiles-with-intervals": _of("quantiles", INCOMES, ["1/4", "1/2"], bounds=WIDE, interval=0.95),
    "mean-with-interval": _of("mean", INCOMES, bounds=WIDE, interval=0.95),
    "mean-balance-with-interval": _of("mean", INCOMES, bounds=WIDE, interval=0.95, mechanism="balance"),
    "variance-with-interval": _of(
        "variance", INCOMES, bounds=WIDE, interval=0.95, mechanism="piecewise_laplace"
    ),
    "ratio-with-interval": _of("ratio", INCOMES, INCOMES[::-1], bounds=WIDE, interval=0.95),
    "trimmed_mean-with-interval": _of(
        "trimmed_mean", INCOMES, "1/10", bounds=WIDE, interval=0.95, mechanism="piecewise_laplace"
    ),
    "huber_mean-with-interval": _of("huber_mean", INCOMES, 10_000, bounds=WIDE, interval=0.95),
    "count-with-interval": _of("count", INCOMES, interval=0.95),
    "mean_interval": _of("mean_interval", INCOMES, bounds=WIDE),
    "proportion_interval": _of("proportion_interval", FLAGS),
    "count_interval": _of("count_interval", INCOMES),
    "min": _of("min", INCOMES, bounds=WIDE, mechanism="piecewise_laplace"),
    "max": _of("max", INCOMES, bounds=WIDE, mechanism="piecewise_laplace"),
    "count": _of("count", INCOMES),
    "count-piecewise": _of("count", INCOMES, mechanism="piecewise_laplace", contributions=2),
    "sum": _of("sum", INCOMES, bounds=WIDE),
    "mean": _of("mean", INCOMES, bounds=WIDE, mechanism="piecewise_laplace"),
    "mean-swap": _of("mean", INCOMES, bounds=WIDE, neighbors="swap"),
    "proportion": _of("proportion", FLAGS, granularity=0.01, mechanism="piecewise_laplace"),
    "variance": _of("variance", INCOMES, bounds=WIDE, granularity=COARSE),
    "std": _of("std", INCOMES, bounds=WIDE, granularity=COARSE),
    "trimmed_mean": _of("trimmed_mean", INCOMES, "1/10", bounds=WIDE),
    "winsorized_mean": _of("winsorized_mean", INCOMES, "1/10", bounds=WIDE),
    "weighted_mean": _of("weighted_mean", INCOMES, OTHERS, bounds=WIDE),
    "huber_mean": _of("huber_mean", INCOMES, 100, bounds=WIDE),
    "ratio": _of("ratio", INCOMES, OTHERS, bounds=WIDE, ceiling=100),
    "rate": _of("rate", FLAGS, INCOMES, per=1000, bounds=((0, 1), WIDE)),
    "gini": _of("gini", INCOMES, bounds=WIDE),
    "iqr": _of("iqr", INCOMES, bounds=WIDE),
    "range": _of("range", INCOMES, bounds=WIDE),
    "spread": _of("spread", INCOMES, "1/10", "9/10", bounds=WIDE),
    "mad": _of("mad", INCOMES, bounds=WIDE),
    "theil_sen": _of("theil_sen", INCOMES, OTHERS, bounds=(-2, 2)),
    "theil_sen-line": _of(
        "theil_sen",
        INCOMES,
        OTHERS,
        bounds=(-2, 2),
        intercept_bounds=(-1000, 1000),
        mechanism="piecewise_laplace",
    ),
    "pearson": _of("pearson", INCOMES, OTHERS, bounds=WIDE),
    "spearman": _of("spearman", INCOMES, OTHERS),
    "accuracy": _of("accuracy", FLAGS, GUESSES, mechanism="piecewise_laplace"),
    "f1": _of("f1", FLAGS, GUESSES, mechanism="piecewise_laplace"),
    "auc": _of("auc", FLAGS, SHARES),
    "log_loss": _of("log_loss", FLAGS, SHARES, bounds=(0, 5), mechanism="piecewise_laplace"),
    "mae": _of("mae", INCOMES, OTHERS, bounds=WIDE, mechanism="piecewise_laplace"),
    "mse": _of("mse", INCOMES, OTHERS, bounds=(0, 10**6), mechanism="piecewise_laplace"),
    "rmse": _of("rmse", INCOMES, OTHERS, bounds=WIDE),
    "r2": _of("r2", INCOMES, OTHERS, bounds=WIDE),
    "histogram": _of("histogram", SMALL, [0, 3, 6, 10]),
    "histogram-labels": _of("histogram", [*"abcabca"], [*"abcd"], neighbors="swap"),
    "crosstab": _of("crosstab", ([*"abcabcab" * 9], [0, 1] * 36), [[*"abd"], [0, 1]], contributions=2),
    "count_people": lambda ledger: _people(ledger).count_people(epsilon=1),
    "count_distinct": _of("count_distinct", [*"abcabcab" * 9], [*"abcd"], contributions=2),
    "most_common": _of("most_common", [*"abcabcab" * 9], [*"abcd"], contributions=2),
    "private_bounds": _of("private_bounds", INCOMES),
    "vector_mean": _of("vector_mean", MATRIX, bounds=WIDE),
    "vector_mean-l1": _of("vector_mean", MATRIX, bounds=WIDE, norm="l1", granularity=COARSE),
    "vector_mean-piecewise": _of(
        "vector_mean", MATRIX, bounds=WIDE, granularity=COARSE, mechanism="piecewise_laplace"
    ),
    "vector_mean-l1-piecewise": _of(
        "vector_mean", MATRIX, bounds=WIDE, granularity=COARSE, norm="l1", mechanism="piecewise_laplace"
    ),
    "vector_mean-inverse-sensitivity": _of(
        "vector_mean", MATRIX, bounds=WIDE, granularity=COARSE, mechanism="inverse_sensitivity"
    ),
    "vector_mean-l1-inverse-sensitivity": _of(
        "vector_mean", MATRIX, bounds=WIDE, granularity=COARSE, norm="l1", mechanism="inverse_sensitivity"
    ),
    "covariance": _of("covariance", MATRIX, bounds=WIDE),
    "linear_regression": _of("linear_regression", np.array(INCOMES), OTHERS, bounds=WIDE),
    "linear_regression-robust": _of(
        "linear_regression",
        np.array(INCOMES),
        OTHERS,
        bounds=WIDE,
        method="robust",
        mechanism="piecewise_laplace",
    ),
    "principal_component": _of("principal_component", MATRIX, bounds=WIDE),
    "triangles": _of("triangles", EDGES, nodes=20),
    "degree_quantile": _of("degree_quantile", EDGES, "1/2", nodes=20, max_degree=9),
    "table-median": lambda ledger: _people(ledger).median(
        "pay", bounds=WIDE, epsilon=1, mechanism="piecewise_laplace"
    ),
    "table-dates": lambda ledger: nws.Dataset(FRAME, ledger=ledger).median(
        "since", bounds=(date(2020, 1, 1), date(2021, 1, 1)), epsilon=1, mechanism="piecewise_laplace"
    ),
    "table-pearson": lambda ledger: _people(ledger).pearson("pay", "debt", bounds=WIDE, epsilon=1),
    "groups-median": lambda ledger: (
        nws.Dataset(FRAME, ledger=ledger)
        .group_by("team", keys=[*"abcde"])
        .median("pay", bounds=WIDE, epsilon=1, mechanism="piecewise_laplace")
    ),
    "groups-mean-balance": lambda ledger: (
        _people(ledger)
        .group_by("team", keys=[*"abcd"])
        .mean("pay", bounds=WIDE, epsilon=1, mechanism="balance")
    ),
    "groups-mean-people": lambda ledger: (
        _people(ledger)
        .group_by("team", keys=[*"abcd"])
        .mean("pay", bounds=WIDE, epsilon=1, mechanism="piecewise_laplace")
    ),
    "groups-mean-per-group": lambda ledger: (
        _people(ledger, per_group=1)
        .group_by("team", keys=[*"abcd"])
        .mean("pay", bounds=WIDE, epsilon=1, mechanism="piecewise_laplace")
    ),
    "groups-quantiles": lambda ledger: (
        _people(ledger, max_groups=1)
        .group_by("team", keys=[*"ab"])
        .quantiles("pay", ["1/4", "3/4"], bounds=WIDE, epsilon=1, mechanism="piecewise_laplace")
    ),
    "groups-agg": lambda ledger: (
        _people(ledger)
        .group_by("team", keys=[*"abcd"])
        .agg(
            n=nws.ask.count(epsilon=1),
            pay=nws.ask.median("pay", bounds=WIDE, epsilon=2, mechanism="permute_and_flip"),
        )
    ),
    "groups-found": lambda ledger: (
        _people(ledger).group_by("team", epsilon=1, delta=1e-3).sum("pay", bounds=WIDE, epsilon=1)
    ),
    "wrap": lambda ledger: nws.wrap(
        np.median, INCOMES, bounds=(0, 1000), epsilon=1, blocks=3, rounds=2, contributions=2, ledger=ledger
    ),
    "wrap-several-of-people": lambda ledger: nws.wrap(
        lambda rows: {"rows": len(rows), "one": 1},
        _people(ledger),
        bounds={"rows": (0, 100), "one": (0, 2)},
        epsilon=1,
        blocks=3,
        rounds=1,
    ),
    "wrap-removals": lambda ledger: nws.wrap(
        np.median, INCOMES[:5], bounds=(0, 1000), epsilon=8, method="removals", most=6, depth=1, ledger=ledger
    ),
    "count-in-rho": _in_rho("count", INCOMES, contributions=2),
    "sum-laplace-in-rho": _in_rho("sum", INCOMES, bounds=WIDE, mechanism="laplace"),
    "mean-in-rho": _in_rho("mean", INCOMES, bounds=WIDE),
    "mean-swap-with-interval-in-rho": _in_rho(
        "mean", INCOMES, bounds=WIDE, neighbors="swap", interval=0.95, mechanism="piecewise_laplace"
    ),
    "ratio-with-interval-in-rho": _in_rho("ratio", INCOMES, OTHERS, bounds=WIDE, interval=0.95),
    "median-in-rho": _in_rho("median", INCOMES, bounds=WIDE),
    "median-balance-in-rho": _in_rho("median", INCOMES, bounds=WIDE, mechanism="balance", contributions=2),
    "median-private-bounds-in-rho": _older(_in_rho("median", INCOMES, bounds="private")),
    "median-gaussian-balance-in-rho": _in_rho(
        "median", INCOMES, bounds=WIDE, mechanism="gaussian_balance", contributions=2
    ),
    "mean-by-gaussian-balance-in-rho": _in_rho("mean", INCOMES, bounds=WIDE, mechanism="gaussian_balance"),
    "groups-gaussian-balance-in-rho": lambda ledger: (
        _people(ledger).group_by("team", keys=[*"abcd"]).median("pay", bounds=WIDE, rho=HALF)
    ),
    "quantiles-in-rho": _in_rho("quantiles", INCOMES, ["1/4", "1/2", "3/4"], bounds=WIDE, contributions=2),
    "histogram-swap-in-rho": _in_rho("histogram", SMALL, [0, 3, 6, 10], neighbors="swap"),
    "most_common-in-rho": _in_rho("most_common", [*"abcabcab" * 9], [*"abcd"]),
    "vector_mean-in-rho": _in_rho("vector_mean", MATRIX, bounds=WIDE, contributions=2),
    "theil_sen-line-in-rho": _in_rho(
        "theil_sen", INCOMES, OTHERS, bounds=(-2, 2), intercept_bounds=(-1000, 1000)
    ),
    "groups-in-rho": _older(
        lambda ledger: (
            _people(ledger, max_groups=1)
            .group_by("team", keys=[*"abcd"])
            .agg(
                rho=HALF,
                shares={"n": 1, "total": 2, "middle": 1},
                n=nws.ask.count(),
                total=nws.ask.sum("pay", bounds=WIDE),
                middle=nws.ask.median("pay", bounds=WIDE),
            )
        )
    ),
    "groups-found-in-rho": _older(
        lambda ledger: (
            _people(ledger).group_by("team", rho=HALF, delta=1e-3).mean("pay", bounds=WIDE, rho=HALF)
        )
    ),
    "median-found-contributions": lambda ledger: _people(
        ledger, contributions="private", contributions_most=5
    ).median("pay", bounds=WIDE, epsilon=1),
    "groups-found-contributions-in-rho": _older(
        lambda ledger: (
            _people(ledger, contributions="private", contributions_most=5)
            .group_by("team", keys=[*"ab"])
            .count(rho=HALF)
        )
    ),
    "keys-found": lambda ledger: _people(ledger).group_by("team", epsilon=1, delta=1e-3).selection,
}

ROWS = {name.partition("-")[0] for name in QUESTIONS}
QUESTIONS |= {
    name: lambda ledger, call=call: call.release(ledger=ledger)
    for name, call in CALLS.items()
    if name not in ROWS
}
