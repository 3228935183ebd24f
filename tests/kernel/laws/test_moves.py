"""Moves of costs and probabilities, for laws whose ratios are known."""

import math
from fractions import Fraction

from noisewise.audit.worlds import World
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from tests.kernel.laws.moves import outcomes, worst_gap, worst_move, worst_range, worst_ratio

WORLD = World((0, 1), 1, "swap", least=1)


def law(centre, rate=1, support=(0, 3)):
    return Law(Envelope.of([centre, centre - 1], [centre, centre + 1], support, stride=1), Fraction(rate))


def test_the_cost_of_shifted_laws_moves_by_one():
    laws = {(0,): law(1), (1,): law(2)}
    assert worst_move(laws, WORLD)[0] == 1
    assert math.isclose(worst_range(laws, WORLD), 2)
    assert 1 <= worst_ratio(laws, WORLD) <= 2


def test_a_support_that_changes_is_infinitely_bad():
    laws = {(0,): law(1), (1,): law(1, support=(0, 2))}
    assert worst_move(laws, WORLD)[0] == math.inf


def test_gaps_by_hand():
    table = {(0,): [Fraction(0), math.inf], (1,): [Fraction(5, 2), math.inf]}
    assert worst_gap(table, WORLD)[0] == Fraction(5, 2)


def test_enough_of_an_open_side_is_looked_at():
    assert outcomes(law(0, support=(None, None))) == list(range(-4, 5))
