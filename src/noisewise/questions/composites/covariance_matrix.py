"""Covariance matrices: the sums of a table are released once. Everything else is computed from the released sums.

The D sums of `Covariance` are drawn together, with noise in the maximum norm. The noise of each sum has a size of about
(D + 1)/2. Independent Laplace noise at epsilon/D for each sum would have size D. Means, second moments and covariances
follow from the sums. The answer is the nearest matrix without negative eigenvalues. If rows are swapped, their number
is public and not released. Only this one draw looks at the data and is paid for. Proof: docs/proofs/covariance.md.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple, Unpack

import numpy as np

from noisewise.kernel.mechanisms import Gaussian, Laplace
from noisewise.kernel.numbers.arrays import Floats
from noisewise.kernel.sampling import Bits
from noisewise.questions.composites.vector_answers import VectorRequest
from noisewise.questions.keywords import Priced
from noisewise.questions.measured import Measured
from noisewise.questions.payable import Payable
from noisewise.questions.promise import Promise, as_float, sure
from noisewise.results.pictures.digits import up_to_three
from noisewise.results.release import Release
from noisewise.statistics.covariance import STEPS, Covariance, ends


class ReleasedMoments(NamedTuple):
    """Released means and second moments of columns scaled to -1 .. 1, and about how far noise moved them. Public."""

    mean: Floats
    second: Floats
    noise: float

    @property
    def covariance(self) -> Floats:
        return self.second - np.outer(self.mean, self.mean)


@dataclass(frozen=True, slots=True, repr=False)
class CovarianceRequest(Payable):
    """The sums of one table, checked and not yet paid for."""

    sums: VectorRequest

    @classmethod
    def of(
        cls,
        data: object,
        *,
        centred: bool = True,
        response: bool = False,
        counted: bool = True,
        products: bool = True,
        **keywords: Unpack[Priced],
    ) -> "CovarianceRequest":
        """Check every parameter; ``keywords`` are those of a `VectorRequest`."""
        neighbors: object = keywords.get("neighbors")
        secret = counted and not (isinstance(neighbors, str) and neighbors == "swap")
        return cls(VectorRequest.of(Covariance(centred, response, secret, products), data, **keywords))

    @property
    def inner(self) -> VectorRequest:
        return self.sums

    @property
    def statistic(self) -> Covariance:
        assert isinstance(self.sums.statistic, Covariance)
        return self.sums.statistic

    @property
    def scales(self) -> tuple[Floats, Floats]:
        """The middle of each column's bounds, and half the distance between them."""
        middles, halves = zip(*map(ends, self.sums.frame.records), strict=True)
        return np.array(middles), np.array(halves)

    def moments(self, sums: tuple[float, ...]) -> ReleasedMoments:
        """Compute means and second moments from released sums and public numbers alone."""
        entries = self.statistic.entries(len(self.sums.frame.records))
        table = np.zeros((len(self.sums.frame.records) + 1,) * 2)
        for (i, j), each in zip(entries, sums, strict=True):
            table[i, j] = table[j, i] = each
        rows = max(table[0, 0] if self.statistic.counted else self.sums.data.size(), 1.0)
        table = np.clip(table / rows, -1, 1)
        second = table[1:, 1:].copy()
        np.fill_diagonal(second, (1 + second.diagonal()) / 2)
        return ReleasedMoments(table[0, 1:], second, self._noise(len(entries)) / rows)

    def matrix(self, moments: ReleasedMoments) -> tuple[tuple[float, ...], ...]:
        """The nearest matrix without negative eigenvalues, in the unit of the data."""
        matrix = nearest_covariance(moments.covariance if self.statistic.centred else moments.second)
        halves = self.scales[1]
        return tuple(map(tuple, (matrix * np.outer(halves, halves)).tolist()))

    def promise(self, miss: Fraction, size: int | None = None) -> Promise:
        """The error of every number. If it depends on a secret number of rows, the errors of the sums, in people."""
        numbers, sums = len(self.sums.frame.records) ** 2, self.sums.sums_off(miss)
        if sums is None:
            return Promise(mechanism=self.sums.mechanism.name, numbers=numbers)
        share = None if size is None else self.error(sums[0], size)
        if share is None:
            return Promise(mechanism=self.sums.mechanism.name, numbers=numbers, sentence=sums[1])
        halves = self.scales[1]
        error, held = as_float(share * Fraction(float(halves.max())) ** 2), ""
        if (halves != halves[0]).any():
            held = (
                f"{sure(1 - miss)} each covariance is off by at most {up_to_three(float(share))} times half the widths "
                "of both columns' bounds"
            )
        return Promise(
            mechanism=self.sums.mechanism.name,
            error=error,
            error_of_all=error,
            numbers=numbers,
            sentence=held,
        )

    def error(self, z: Fraction, size: int) -> Fraction | None:
        """The error of each covariance, over half the widths of both columns, if each sum is off by at most z rows.

        With n rows, a mean is then off by d = z/n, a second moment by d, and a product of two means of at most 1 by 2d.
        The nearest matrix without negative eigenvalues is no farther from the true one, in the sum of all squares.
        Proof: docs/proofs/planning.md, Claim 9.
        """
        columns, rows, off = len(self.sums.frame.records), size, z
        if self.statistic.counted:  # the number of rows is noisy as well, which adds as much again
            rows, off = size - math.ceil(z), 2 * z
        if rows < 1:
            return None
        each = off / rows + Fraction(1, STEPS)  # records are rounded to such steps
        products = 2 * each if self.statistic.centred else 0
        diagonal, beside = each / 2 + products, each + products
        squares = columns * diagonal**2 + columns * (columns - 1) * beside**2
        return Fraction(math.sqrt(squares)) * (1 + Fraction(1, 10**9))

    def measured(self) -> Measured:
        return Measured.of_numbers(self, self.matrix(self.moments(self.sums.without_noise())))

    def _noise(self, dimensions: int) -> float:
        """The standard deviation of the noise on a sum: a point of a cube |z| <= R. R is a sum of D + 1 waiting
        times."""
        mechanism, statistic = self.sums.mechanism, self.statistic
        if isinstance(mechanism, Gaussian):
            return math.sqrt(mechanism.variance) / STEPS
        if isinstance(mechanism, Laplace):
            rate, reach = mechanism.epsilon, mechanism.sensitivity
        else:
            moved = statistic.sensitivity(self.sums.frame, self.neighbors, self.sums.data.size)
            rate, reach = mechanism.epsilon / 2, moved * self.contributions
        return math.sqrt((dimensions + 1) * (dimensions + 2) / 3) * reach / STEPS / float(rate)

    def answer(self, receipt: object = None, *, bits: Bits | None = None) -> Release:
        released = self.sums.answer(receipt, bits=bits)
        value = self.matrix(self.moments(released.value))
        about = "the means" if self.statistic.centred else "the middle of the bounds"
        note = f"columns within their bounds, products about {about}, per row"
        return replace(released, value=value, granularity=None, notes=(note, joint_note(released)))


def joint_note(released: Release) -> str:
    """Return a note for the receipt that says how the numbers were computed."""
    return (
        f"computed from {len(released.value)} sums that were drawn together; from few records it says little"
    )


def nearest_covariance(matrix: Floats) -> Floats:
    """The nearest matrix without negative eigenvalues."""
    try:
        values, vectors = np.linalg.eigh(matrix)
    except np.linalg.LinAlgError:  # this depends on released numbers alone
        return np.diag(np.maximum(matrix.diagonal(), 0))
    product = (vectors * np.maximum(values, 0)) @ vectors.T
    nearest: Floats = (product + product.T) / 2  # symmetric to the last bit
    return nearest
