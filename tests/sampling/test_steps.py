"""Steps: what a law hands to the sampler."""

from fractions import Fraction

import numpy as np
import pytest

from noisewise.envelope import Envelope
from noisewise.law import Law
from noisewise.sampling import Steps


def steps_of(*envelopes, rate=Fraction(1, 2), graded=True):
    return Law(Envelope.stack(list(envelopes)), rate, graded)._steps()


def test_a_bounded_law_is_a_plateau_and_two_sides_that_end_in_a_jump():
    steps = steps_of(Envelope.of([5, 5, 2], [6, 9, 9], (0, 20)))
    assert steps.widths.tolist() == [2, 3, 0, 11, 0, 3, 2]
    assert steps.levels.tolist() == [0, 1, 2, 3, 1, 2, 3]
    assert not steps.endless.any()
    assert steps.offsets.tolist() == [0, 7]
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
    assert steps.widths.tolist() == widths
    assert steps.endless.tolist() == endless


def test_groups_lie_behind_each_other():
    one, two, three = (
        Envelope.of([5], [5], (0, 9)),
        Envelope.of([1, 0], [2, 8], (0, 9)),
        Envelope.of([9], [9], (0, 9)),
    )
    steps = steps_of(one, two, three)
    assert len(steps) == 3
    assert steps.offsets.tolist() == [0, 3, 8, 11]
    for g, envelope in enumerate((one, two, three)):
        alone, part = steps_of(envelope), slice(steps.offsets[g], steps.offsets[g + 1])
        assert np.array_equal(steps.widths[part], alone.widths)
        assert np.array_equal(steps.levels[part], alone.levels)
        assert np.array_equal(steps.endless[part], alone.endless)


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
