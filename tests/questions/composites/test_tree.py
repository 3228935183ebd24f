"""The tree of joint quantiles: who is drawn when and at what price, and how a part is cut."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from noisewise import BoundedRange, InverseSensitivity, PiecewiseLaplace, Quantile
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.questions.composites.tree import Split, TreePart, scaled

EPSILON = Fraction(3, 2)
ALL = (Fraction(0), Fraction(1))


def tree(count, edits=1, by=None):
    qs = [Fraction(i, count + 1) for i in range(1, count + 1)]
    return Split.tree(qs, ALL, EPSILON, by or PiecewiseLaplace(epsilon=EPSILON), edits)


def ways(split):
    """Every way from a split down to where its tree ends."""
    if split is None:
        return [()]
    return [(split, *way) for child in (split.below, split.above) for way in ways(child)]


def complete(split):
    """The ways that end at a last quantile."""
    return [way for way in ways(split) if way[-1].is_last]


@pytest.mark.parametrize("count", [*range(1, 40), 99, 127, 128, 1000])
def test_every_way_down_spends_epsilon_and_none_more(count):
    for way in ways(tree(count)):
        assert sum(split.step for split in way) <= EPSILON
    for way in complete(tree(count)):
        assert sum(split.step for split in way) == EPSILON


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 8, 29, 100])
def test_a_tree_is_as_low_as_can_be_and_holds_every_quantile_once(count):
    found = tree(count)
    assert sorted(split.q for split in found) == [Fraction(i, count + 1) for i in range(1, count + 1)]
    assert max(map(len, ways(found))) == count.bit_length()
    assert len(list(found)) == count


def test_equal_steps_where_the_tree_is_full():
    assert {split.step for split in tree(15)} == {EPSILON / 4}


def test_a_target_is_the_share_between_the_cuts_around_it():
    found = tree(4)  # 0.6, then 0.4 and 0.8, then 0.2
    assert (found.q, found.below.q, found.above.q, found.below.below.q) == tuple(
        Fraction(i, 5) for i in (3, 2, 4, 1)
    )
    assert (found.target, found.below.target) == (Quantile("3/5"), Quantile("2/3"))
    assert (found.above.target, found.below.below.target) == (Quantile("1/2"), Quantile("1/2"))


def test_no_quantiles_no_tree():
    assert tree(0) is None


@pytest.mark.parametrize("edits", [1, 2, 5])
def test_a_draw_is_priced_per_edit(edits):
    for split in tree(9, edits):
        assert split.mechanism.epsilon * edits == split.step


def test_rho_is_that_of_the_most_expensive_path():
    for count in (1, 2, 4, 8, 11, 100):
        found = tree(count)
        prices = [sum(BoundedRange(split.step).as_zcdp().rho for split in way) for way in ways(found)]
        assert found.rho() == max(prices)


def test_the_price_in_zcdp_is_convex():
    """What a person's records cost on several ways down together is then at most what they cost on the dearest."""
    grid = [Fraction(k, 16) for k in range(1, 1024)]
    rhos = [BoundedRange(x).as_zcdp().rho for x in grid]
    slopes = [b - a for a, b in pairwise(rhos)]
    assert all(b >= a for a, b in pairwise(slopes))


def test_a_mechanism_keeps_its_kind_and_its_width():
    for kind in (PiecewiseLaplace, InverseSensitivity):
        assert scaled(kind(epsilon=1, smooth=2), Fraction(1, 3)) == kind(epsilon=Fraction(1, 3), smooth=2)


# Parts.

RECORDS = np.array([5, -3, 0, 5, 2, 7, -4, 5])
WHOLE = TreePart(RECORDS, Lattice(-4, 7, Fraction(1, 4)), "swap")


@pytest.mark.parametrize("at", range(-4, 8))
def test_a_cut_sends_each_record_to_one_side(at):
    below, above = WHOLE.cut(at)
    assert sorted(below.records) == sorted(r for r in RECORDS if r <= at)
    assert sorted(above.records) == sorted(r for r in RECORDS if r > at)
    assert (below.lattice, above.lattice) == (
        Lattice(-4, at, Fraction(1, 4)),
        Lattice(at, 7, Fraction(1, 4)),
    )
    assert below.neighbors == above.neighbors == "add_remove", "their numbers of records are secret"


def test_a_part_answers_for_its_ranks():
    assert WHOLE.count == 8
    for start in range(1, 10):
        for stop in range(start, 10):
            assert WHOLE.ranks(start, stop).tolist() == sorted(RECORDS)[start - 1 : stop - 1]


def test_a_part_without_its_last_bits():
    part = WHOLE.rounded(1)
    assert part.records.tolist() == [2, -2, 0, 2, 1, 3, -2, 2]
    assert (part.lattice, part.neighbors) == (Lattice(-2, 3, Fraction(1, 2)), "swap")
    assert sorted(part.records) == [r >> 1 for r in sorted(RECORDS)], "order statistics stay in their order"


def test_a_part_is_secret():
    assert repr(WHOLE) == "<TreePart: withheld>"
