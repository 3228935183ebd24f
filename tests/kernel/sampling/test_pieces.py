"""Pieces of scores: what they show, and whether answers are places."""

from fractions import Fraction

import numpy as np

from noisewise.kernel.laws.score import Score

ONE, GROUP = Fraction(1), np.zeros(1, np.int64)


def test_pieces_are_withheld_and_know_whether_answers_are_places() -> None:
    steps = Score.steps([0, 4], [-1, 1], (0, 10)).pieces(GROUP, ONE)
    lines = Score.lines([0, 20], [-1, 1], (0, 10)).pieces(GROUP, ONE)
    assert steps.places and not lines.places
    assert repr(steps) == "<Pieces: withheld>"
