"""What answers promise that are computed from noisy sums, whose noise is the same for all data.

two sums       a mean with an interval, of a known number of records: docs/proofs/planning.md, Claim 8
several sums   of other answers with intervals: the sums in people, as how far the answer is off depends on them
covariances    of a known number of rows, in the unit of the products: Claim 9
regression     the sums in rows, as how far coefficients are off depends on the regressors
"""

import math
from collections.abc import Callable
from fractions import Fraction

from noisewise.kernel.mechanisms import Laplace
from noisewise.questions.composites.covariance_matrix import CovarianceRequest
from noisewise.questions.composites.vector_answers import VectorRequest
from noisewise.questions.several_sums import SeveralSums
from noisewise.questions.two_sums import TwoSums
from noisewise.results.pictures.digits import up_to_three
from noisewise.statistics.covariance import STEPS

Steps = tuple[int, int]
"""How far noise goes, in one number and in the farthest of several."""


def error_of_two_sums(sums: TwoSums, miss: Fraction, size: int) -> Fraction | None:
    """How far the mean of so many records is off, but for a chance of ``miss``; None where there are too few.

    Both sums are 0 with a chance of at most e^(-epsilon*n)/(1 + p)^2, and then the answer is the lower bound.
    """
    frame = sums.request.frame
    width = (frame.records.high - frame.records.low) * frame.records.granularity
    rate = float(sums.noise.epsilon) / sums.noise.sensitivity
    nothing = Fraction(math.exp(-rate * sums.steps * size) / 3)  # (1 + p)^2 is above 3, as p is near 1
    if size == 0 or nothing >= miss:
        return None
    total = size * sums.steps - int(sums.rounds)
    reach = sums.reach((miss - nothing) / 2) + int(sums.rounds)
    return min(width * reach / total + frame.answers.granularity, width)


def error_of_covariance(asked: CovarianceRequest, z: Fraction, size: int) -> Fraction | None:
    """How far each covariance is off, over half the widths of both columns, where every sum is off by at most z rows.

    A mean is then off by d = z/n, a second moment by d, and a product of two means of at most 1 by 2d. The nearest
    matrix without negative eigenvalues is no farther from the true one in the sum of all squares.
    """
    columns, rows = len(asked.sums.frame.records), size
    off = Fraction(z)
    if asked.statistic.counted:  # divided by a noisy number of rows, which adds as much again
        rows, off = size - math.ceil(z), 2 * z
    if rows < 1:
        return None
    each = off / rows + Fraction(1, STEPS)  # a number is read in such steps
    products = 2 * each if asked.statistic.centred else 0
    on, beside = each / 2 + products, each + products
    squares = columns * on**2 + columns * (columns - 1) * beside**2
    return Fraction(math.sqrt(squares)) * (1 + Fraction(1, 10**9))


def widest_product(asked: CovarianceRequest) -> Fraction:
    """The largest product of half the widths of two columns' bounds, a column with itself among them."""
    return max(map(Fraction, asked.scales[1].tolist())) ** 2


def alike(asked: CovarianceRequest) -> bool:
    """Whether all columns have bounds of one width, so that one number says all."""
    halves = asked.scales[1]
    return bool((halves == halves[0]).all())


def rows_off(asked: VectorRequest, steps: Callable[[VectorRequest], Steps]) -> Fraction | None:
    """How many rows the farthest sum is off, each of which adds at most 1; None where noise depends on the data."""
    if not isinstance(asked.mechanism, Laplace):
        return None
    _, farthest = steps(asked)
    return Fraction(farthest + 1, STEPS)


def said_of_sums(sure: str, asked: VectorRequest, z: Fraction) -> str:
    """The guarantee in people: what the sums are off is no more than so many of them can do."""
    return _none_is_off(sure, int(asked.frame.low.size), math.ceil(z * STEPS / asked.stride))


def said_of_several_sums(sure: str, sums: SeveralSums, miss: Fraction) -> str:
    """The same of the sums that an answer with an interval follows from; a step more, as they are rounded down."""
    many = len(sums.summands.units)
    steps = sums.noise.farthest(miss / (2 * many)) + 1
    return _none_is_off(sure, many, math.ceil(Fraction(steps, sums.noise.sensitivity)))


def _none_is_off(sure: str, many: int, people: int) -> str:
    crowd = "1 person" if people == 1 else f"{people:,} people"
    return (
        f"{sure} none of the {many:,} sums that it is computed from is off by more than {crowd} can move it"
    )


def said_of_shares(sure: str, share: Fraction) -> str:
    """The error of covariances of columns with bounds of several widths."""
    return (
        f"{sure} each covariance is off by at most {up_to_three(float(share))} times half the widths of both "
        "columns' bounds"
    )
