"""Steps: what a law hands to the sampler."""

from fractions import Fraction

import numpy as np
import pytest

from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.kernel.sampling import Steps


def steps_of(*envelopes, rate=Fraction(1, 2), graded=True):
    return Law(Envelope.stack(list(envelopes)).rows(np.arange(len(envelopes))), rate, graded)._steps()


def test_a_bounded_law_is_a_plateau_and_two_sides_that_end_in_a_jump():
    steps = steps_of(Envelope.of([5, 5, 2], [6, 9, 9], (0, 20)))
    assert steps.widths.tolist() == [[2, 3, 0, 11, 0, 3, 2]]
    assert steps.levels.tolist() == [0, 1, 2, 3, 1, 2, 3]
    assert not steps.endless.any()
    assert steps.closing == (3, 6)
    assert (steps.rate, steps.graded, len(steps)) == (Fraction(1, 2), True, 1)


@pytest.mark.parametrize(
    ("support", "widths", "endless"),
    [
        ((None, None), [1, 1, 4, 2, 4], [False, False, True, False, True]),
        ((-9, None), [1, 1, 4, 2, 7], [False, False, True, False, False]),
        ((None, 3), [1, 1, 2, 2, 4], [False, False, False, False, True]),
    ],
)
def test_an_unbounded_side_ends_in_an_endless_step(support, widths, endless):
    steps = steps_of(Envelope.of([0, -2], [0, 1], support, 4))
    assert steps.widths.tolist() == [widths]
    assert steps.endless.tolist() == endless


def test_groups_are_rows_that_go_on_without_points():
    one, two, three = (
        Envelope.of([5], [5], (0, 9)),
        Envelope.of([1, 0], [2, 8], (0, 9)),
        Envelope.of([9], [9], (0, 9)),
    )
    steps = steps_of(one, two, three)
    assert len(steps) == 3
    assert steps.levels.tolist() == [0, 1, 2, 1, 2]
    assert steps.widths.tolist() == [[1, 4, 0, 5, 0], [2, 6, 1, 1, 0], [1, 0, 0, 9, 0]]


def test_an_endless_side_goes_on_by_its_stride():
    steps = steps_of(Envelope.of([0], [0], (None, 5), 2), Envelope.of([0, -1], [3, 3], (None, 5), 2))
    assert steps.widths.tolist() == [[1, 5, 0, 2, 2], [4, 0, 2, 1, 2]]
    assert steps.endless.tolist() == [False, False, False, False, True]


def test_every_point_of_a_bounded_support_is_in_one_step():
    for seed in range(50):
        rng = np.random.default_rng(seed)
        lower = -np.cumsum(rng.integers(0, 4, 6))
        upper = np.cumsum(rng.integers(0, 4, 6))
        steps = steps_of(Envelope.of(lower, upper, (-40, 50)))
        assert steps.widths.sum() == 91
        assert np.all(steps.widths >= 0)


def test_steps_are_withheld():
    steps = steps_of(Envelope.of([5], [6], (0, 9)))
    assert repr(steps) == str(steps) == "<Steps: withheld>"
    assert isinstance(steps, Steps)
