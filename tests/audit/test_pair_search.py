"""The search for the worst pair, and enclosed numbers."""

import math
from fractions import Fraction

from flint import arb

from noisewise.audit.pair_search import Enclosed, PairSearch
from noisewise.audit.subjects import subject_of_laws
from noisewise.kernel.numbers.balls import precision


def peaked(x):
    """Only datasets with seven ones reveal anything."""
    return {0: Fraction(3, 4) if sum(x) == 7 else Fraction(1, 2), 1: Fraction(1, 2)}


def test_a_climb_goes_on_until_its_tries_or_its_seconds_are_over():
    subject = subject_of_laws(peaked, values=range(8), epsilon=1, records=12)
    assert subject.space.count() > 20_000
    told = []
    found = PairSearch(subject, tries=120, progress=lambda *now: told.append(now)).run()
    assert found.pairs == 120 and not found.every and told[-1][:2] == (120, 120)
    assert PairSearch(subject, seconds=0.01).run().pairs >= 1
    again = PairSearch(subject, tries=120).run()
    assert again.worst.pair == found.worst.pair


def test_an_infinite_loss_ends_a_climb():
    def secretive(x):
        return {0: 1} if len(x) > 3 else {1: 1}

    found = PairSearch(subject_of_laws(secretive, values=range(30), epsilon=1, records=12), tries=500).run()
    assert (
        found.loss.low == math.inf and found.loss.exceeds(Fraction(10**9)) and str(found.loss) == "infinite"
    )
    assert found.pairs < 500


def test_of_many_pairs_that_are_as_good_as_worst_the_worst_is_found():
    """Most pairs are just below the claim, and only the last is above it, by a billionth."""
    near = Fraction(2718281828, 10**9)  # just below e

    def tied(x):
        above = near * (1 + Fraction(1, 10**9)) if x == [9, 9, 9] else near
        return {0: above, 1: 100 - above} if len(x) % 2 else {0: 1, 1: 99}

    found = PairSearch(subject_of_laws(tied, values=range(10), epsilon=1, records=3)).run()
    assert found.every and found.pairs > 100
    assert found.loss.exceeds(Fraction(1)) and found.worst.pair[1] == (9, 9, 9)


def test_enclosed_numbers_are_rounded_outwards():
    with precision(256):
        third = Enclosed.of(arb(1) / 3)
    assert third.low < Fraction(1, 3) < third.high and str(third) == "0.333333333333"
    assert not third.exceeds(Fraction(1, 3)) and third.exceeds(Fraction(33, 100))
    assert str(Enclosed(0.1, 0.2)) == "0.1 to 0.2"
    assert str(Enclosed(-1e-80, 1e-80)) == "0"
