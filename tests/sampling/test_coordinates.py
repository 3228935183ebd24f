"""Coordinates of answers: the same in floats and in fractions, there and back."""

from itertools import pairwise

import numpy as np
import pytest

from noisewise.sampling.coordinates import Even, Odds


def test_a_coordinate_is_the_same_in_floats_and_fractions() -> None:
    for odds in (Odds(3, 203), Odds(-6, 30, 1, 2), Odds(0, None, 1, 7)):
        positions = np.arange(3, 30)
        exact = [odds.exact(int(p)) for p in positions]
        assert np.allclose(odds.floats(positions), [float(z) for z in exact], rtol=1e-15)
        assert np.allclose(odds.positions(odds.floats(positions)), positions - odds.low, rtol=1e-12)
        assert all(a < b for a, b in pairwise(exact))
    assert Odds(0, 30, 1, 2).middle() == 20 and Odds(0, 30, 1, 2).exact(20) == 1
    assert Odds(0, None, 1, 7).middle() == 7
    with pytest.raises(AssertionError):
        Odds(0, 31, 1, 2).middle()


def test_the_plain_coordinate_counts_from_its_origin() -> None:
    even = Even(-5, 5)
    assert even.floats(np.array([-5, 0, 7])).tolist() == [0, 5, 12]
    assert even.exact(7) == 12 and even.positions(np.array([12.0])) == 12
