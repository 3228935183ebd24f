"""Vector means and principal components at a price in rho: functions of sums that are released once.

Gaussian noise hides a vector of sums at a price that follows from its Euclidean length. For these answers it is smaller
than any noise around the answer itself. So at a price in rho the sums of `Covariance` are released, and the rest is
computed from released numbers. Proof: docs/proofs/prices.md.

    vector mean            the number of rows, and the sum of each column
    principal component    the sums of all products. Twice a square less one is summed for each column, so half the
                           number of rows is missing. If all bounds are equally wide, that is a multiple of the
                           identity, which turns no direction. Otherwise the number of rows is released, too
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from noisewise.kernel.prices import Rho
from noisewise.kernel.sampling import Bits
from noisewise.questions.choice import is_auto
from noisewise.questions.composites.covariance_matrix import CovarianceRequest, joint_note
from noisewise.questions.composites.vector_answers import VectorRequest
from noisewise.questions.keywords import Priced
from noisewise.questions.measured import Measured
from noisewise.questions.payable import Payable
from noisewise.questions.promise import Promise, as_float
from noisewise.results.release import Release
from noisewise.statistics.principal_component import PrincipalComponent
from noisewise.statistics.vector_mean import VectorMean


@dataclass(frozen=True, slots=True, repr=False)
class FromMoments(Payable):
    """An answer that is computed from released sums, checked and not yet paid for."""

    table: CovarianceRequest

    @property
    def inner(self) -> CovarianceRequest:
        return self.table

    def value(self, sums: tuple[float, ...]) -> tuple[Any, ...]:
        """The answer that these sums give."""
        raise TypeError(f"{type(self).__name__} computes no answer")

    def measured(self) -> Measured:
        return Measured.of_numbers(self, self.value(self.table.sums.without_noise()))

    def _released(self, name: str, receipt: object, bits: Bits | None) -> Release:
        released = self.table.sums.answer(receipt, bits=bits)
        return replace(
            released,
            value=self.value(released.value),
            statistic=name,
            granularity=None,
            notes=(joint_note(released),),
        )


class MeanFromSums(FromMoments):
    """The mean of every column."""

    __slots__ = ()

    @property
    def memo(self) -> str:
        return f"vector mean by {self.table.sums.version}"

    def value(self, sums: tuple[float, ...]) -> tuple[float, ...]:
        middles, halves = self.table.scales
        rows = max(sums[0], 1.0)
        means: list[float] = (middles + halves * np.clip(np.array(sums[1:]) / rows, -1, 1)).tolist()
        return tuple(means)

    def promise(self, miss: Any, size: int | None = None) -> Promise:
        """The error of every mean. If it depends on a secret number of rows, the errors of the sums, in people."""
        table = self.table.sums
        numbers, off = len(table.frame.records), table.sums_off(miss)
        if off is None or size is None or size <= (z := math.ceil(off[0])):
            sentence = "" if off is None else off[1]
            return Promise(mechanism=table.mechanism.name, numbers=numbers, sentence=sentence)
        error = as_float(2 * off[0] / (size - z)) * float(self.table.scales[1].max())
        return Promise(mechanism=table.mechanism.name, error=error, error_of_all=error, numbers=numbers)

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        return self._released("vector mean", receipt, bits)


@dataclass(frozen=True, slots=True, repr=False)
class ComponentFromSums(FromMoments):
    """The direction of most spread about the middle of the bounds, or its projector."""

    asked: PrincipalComponent

    @property
    def memo(self) -> str:
        return f"{self.asked} by {self.table.sums.version}"

    def value(self, sums: tuple[float, ...]) -> tuple[Any, ...]:
        halves, counted = self.table.scales[1], self.table.statistic.counted
        swap = self.neighbors == "swap"  # then the number of rows is public
        rows = max(sums[0], 0.0) if counted else float(self.table.sums.data.size()) if swap else 0.0
        matrix = np.zeros((halves.size, halves.size))
        entries = self.table.statistic.entries(halves.size)
        for (i, j), each in [*zip(entries, sums, strict=True)][int(counted) :]:
            matrix[i - 1, j - 1] = matrix[j - 1, i - 1] = (rows + each) / 2 if i == j else each
        matrix *= np.outer(halves, halves) / halves.max() ** 2
        vector = _largest(matrix)
        if self.asked.toward is None:
            return tuple(map(tuple, np.outer(vector, vector).tolist()))
        toward = np.array([float(each) for each in self.asked.toward])
        return tuple((vector if vector @ toward >= 0 else -vector).tolist())

    def promise(self, miss: Any, size: int | None = None) -> Promise:
        """The errors of the sums, in people. The error of the direction is unknown: it depends on the other spreads."""
        table = self.table.sums
        off, numbers = table.sums_off(miss), len(table.frame.records)
        sentence = "" if off is None else off[1]
        return Promise(mechanism=table.mechanism.name, numbers=numbers, sentence=sentence)

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        return self._released(str(self.asked), receipt, bits)


def ask_mean(statistic: VectorMean, data: object, **keywords: Unpack[Priced]) -> Payable:
    """The question about the mean of every column: from sums at a price in rho, unless their noise is chosen."""
    chosen = statistic != VectorMean() or keywords.get("granularity") is not None
    if chosen or not _by_sums(keywords) or keywords.get("neighbors") == "swap":
        return VectorRequest.of(statistic, data, **keywords)
    return MeanFromSums(CovarianceRequest.of(data, products=False, **keywords))


def ask_component(statistic: PrincipalComponent, data: object, **keywords: Unpack[Priced]) -> Payable:
    """The question about the direction of most spread: from sums at a price in rho, unless the noise is chosen."""
    asked = VectorRequest.of(statistic, data, **keywords)
    if statistic.length is not None or keywords.get("granularity") is not None or not _by_sums(keywords):
        return asked
    table = CovarianceRequest.of(data, centred=False, counted=False, **keywords)
    halves = table.scales[1]
    if (halves != halves[0]).any():
        table = CovarianceRequest.of(data, centred=False, **keywords)
    return ComponentFromSums(table, statistic)


def _by_sums(keywords: Any) -> bool:
    """Whether the price is a rho, and the user chose no mechanism."""
    in_rho = isinstance(keywords.get("epsilon"), Rho)
    return in_rho and is_auto(keywords.get("mechanism", "auto")) and not keywords.get("smooth")


def _largest(matrix: Any) -> Any:
    """The eigenvector of the largest eigenvalue. Only released numbers are read here."""
    try:
        return np.linalg.eigh(matrix)[1][:, -1]
    except np.linalg.LinAlgError:
        return np.eye(len(matrix))[0]
