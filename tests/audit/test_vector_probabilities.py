"""Probabilities of vectors: the closed sums over shells agree with sums over single points."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import arb

from noisewise.audit.draws import probabilities
from noisewise.audit.probabilities import log_ball
from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.kernel.laws.radii import RadiusBounds
from noisewise.kernel.numbers.balls import precision


@pytest.mark.parametrize("norm", ["l1", "linf"])
@pytest.mark.parametrize(("steps", "graded"), [([], True), ([1, 2, 2], True), ([1, 0, 2], False)])
def test_the_sum_of_all_weights_is_that_of_points_one_by_one(norm, steps, graded):
    law = BallLaw(np.array([2, -1]), RadiusBounds.of(np.array(steps, np.int64), 2), norm, Fraction(2), graded)
    (one,) = probabilities(law)
    with precision(128):
        total = arb(0)
        for point in product(range(-43, 48), range(-46, 45)):
            total += one.ball(point)
    assert abs(float(total.mid()) - 1) < 1e-12
    outcomes = one.outcomes()
    assert (2, -1) in outcomes and one.value((2, -1)) == (2, -1)
    for outcome, log in zip(outcomes[:20], one.logs(outcomes[:20]), strict=True):
        assert abs(float(log_ball(one, outcome).mid()) - log) < 1e-9
