"""The questions whose errors are measured: every statistic of every column, pair of columns and model at hand."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from datasets import Column, Data, Pairs, Predictions
from rivals import MEDIAN, NINTH

import noisewise as nws
from noisewise.kernel.laws.law import Law
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request

TENTH = Fraction(1, 10)
ARITHMETIC = (nws.Mean(), nws.Variance(), nws.Std())
SMOOTH = (nws.TrimmedMean(TENTH), nws.WinsorizedMean(TENTH), nws.Gini())
ORDERED = {
    MEDIAN: nws.Quantile(Fraction(1, 2)),
    NINTH: nws.Quantile(1 - TENTH),
    "iqr": nws.IQR(),
    "range": nws.Range(),
    "spread(0.1, 0.9)": nws.Spread(TENTH, 1 - TENTH),
    "mad": nws.MAD(),
}


class Question(NamedTuple):
    """A statistic of some data, asked between public bounds."""

    about: str
    name: str
    statistic: nws.Statistic
    data: Any
    n: int
    bounds: Any = None
    granularity: str | None = None

    def request(self, mechanism: str, epsilon: str, neighbors: str) -> Request:
        return Request.of(
            self.statistic,
            self.data,
            bounds=self.bounds,
            epsilon=Fraction(epsilon),
            granularity=None if self.granularity is None else Fraction(self.granularity),
            neighbors=neighbors,
            mechanism=mechanism,
        )

    def error(self, mechanism: str, epsilon: str, neighbors: str) -> float | None:
        """None where the mechanism cannot answer: permute-and-flip among too many answers."""
        try:
            return read_law(self.request(mechanism, epsilon, neighbors).look()).expected_error()
        except nws.ParameterError:
            return None

    def answer(self) -> float:
        """The true answer, on the lattice."""
        law = self.request("laplace", "1", "add_remove").look()
        assert isinstance(law, Law)
        return float(int(law.envelope.lower[0]) * law.granularity)

    def range(self) -> tuple[float, float]:
        """One step between answers, and the whole range of them; for a count or a sum, what a record can add."""
        request = self.request("laplace", "1", "add_remove")
        assert isinstance(request.mechanism, nws.Laplace)
        answers, step = request.frame.answers, float(request.frame.answers.granularity)
        closed = None not in answers.support
        return step, step * (answers.points - 1 if closed else request.mechanism.sensitivity)


def of(data: Data) -> Iterator[Question]:
    for column in data.columns:
        yield from of_column(column)
    for pairs in data.pairs:
        yield from of_pairs(pairs)
    for predictions in data.predictions:
        yield from of_predictions(predictions)


def of_column(column: Column) -> Iterator[Question]:
    field, values = column
    n, about = values.size, field.name
    yield Question(about, "count", nws.Count(), values, n)
    yield Question(about, "sum", nws.Sum(), values, n, field.bounds)
    above = (values > field.above).astype(np.float64)
    mean, *spreads = (Question(about, str(each), each, values, n, field.bounds) for each in ARITHMETIC)
    yield from (mean, Question(about, "proportion", nws.Proportion(), above, n), *spreads)
    for name, statistic in ORDERED.items():
        yield Question(about, name, statistic, values, n, field.bounds, field.granularity)
    for each in SMOOTH:
        yield Question(about, str(each), each, values, n, field.bounds)


def of_pairs(pairs: Pairs) -> Iterator[Question]:
    both, n = (pairs.x, pairs.y), pairs.x.size
    yield Question(pairs.name, "pearson", nws.Pearson(), both, n, pairs.bounds)
    yield Question(pairs.name, "spearman", nws.Spearman(), both, n)
    if pairs.slopes is not None:
        yield Question(pairs.name, "theil_sen", nws.TheilSen(), both, n, pairs.slopes)


def of_predictions(found: Predictions) -> Iterator[Question]:
    both, n, most = (found.truth, found.predicted), found.truth.size, found.most
    if found.bounds is not None:
        yield Question(found.name, "mae", nws.MAE(), both, n, (0.0, most))
        yield Question(found.name, "mse", nws.MSE(), both, n, (0.0, most**2))
        yield Question(found.name, "rmse", nws.RMSE(), both, n, (0.0, most))
        yield Question(found.name, "r2", nws.R2(), both, n, found.bounds)
        return
    labels = (found.truth, (found.predicted > 0.5).astype(np.float64))
    yield Question(found.name, "accuracy", nws.Accuracy(), labels, n)
    yield Question(found.name, "f1", nws.F1(), labels, n)
    yield Question(found.name, "auc", nws.AUC(), both, n)
    yield Question(found.name, "log_loss", nws.LogLoss(), both, n, (0.0, most))
