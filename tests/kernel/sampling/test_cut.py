"""Laws that are cut after their nearest levels: what they decide is what the whole laws decide from the same bits."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import ctx

from noisewise.hazmat import SeededBits
from noisewise.kernel.laws.envelope import Envelope
from noisewise.kernel.laws.law import Law
from noisewise.kernel.sampling.draw import UNDECIDED, FixedWeights, most_beyond
from tests.kernel.sampling.goodness import LEVEL, ball, naive_cost, naive_pmf, p_value, tilted

SUPPORT, LEVELS = (-400, 500), 40


def whole_law(seed, rate, graded, tied=False):
    """A law of many levels, some of them empty; all of the first ones where records are tied."""
    rng = np.random.default_rng(seed)
    steps = rng.integers(0, 10, (2, LEVELS)) * rng.integers(0, 2, (2, LEVELS))
    steps[:, 0] = 0
    steps[:, : LEVELS // 2] *= not tied
    down, up = np.cumsum(steps, axis=1)
    return Law(Envelope.of(-down, up, SUPPORT), Fraction(rate), graded)


def cut_law(law, nearest):
    """The same law of which only the nearest levels are known."""
    return replace(law, envelope=law.envelope.truncate(nearest - 1), nearest=nearest)


def beside_boundaries(weights, rng, count):
    """Random words, half of them near a place where one step gives way to the next."""
    words = [int(word) for word in rng.integers(0, 2**64, count // 2, np.uint64)]
    for step in rng.integers(0, weights.sums.shape[1] - 1, count - len(words)):
        boundary = int(weights.sums[0, step]) * 2**64 // int(weights.totals[0])
        away = int(rng.integers(-5, 6)) * 2 ** int(rng.integers(0, 62))
        words.append(min(max(boundary + away, 0), 2**64 - 1))
    return np.array(words, np.uint64)


@pytest.mark.parametrize("tied", [False, True], ids=["spread", "tied"])
@pytest.mark.parametrize("graded", [True, False], ids=["graded", "level"])
@pytest.mark.parametrize(
    ("rate", "nearest", "least"), [("1/2", 4, 0), ("1/2", 24, 600), ("1/10", 25, 0), ("2", 8, 600)]
)
def test_what_a_cut_law_decides_the_whole_law_decides_alike(rate, nearest, least, graded, tied):
    decided = 0
    for seed in range(6):
        whole = whole_law(seed, rate, graded, tied)
        all_steps, steps = whole._steps(), cut_law(whole, nearest)._steps()
        weights = FixedWeights.of(all_steps)
        words = beside_boundaries(weights, np.random.default_rng(seed), 400)
        zeros, further = np.zeros(words.size, np.int64), SeededBits(1)
        right = weights.pick(zeros, further, words)
        found = FixedWeights.of(steps).pick(zeros, further, words)
        sure = found >= 0
        assert np.array_equal(all_steps.levels[right[sure]], steps.levels[found[sure]])
        assert np.array_equal(right[sure] > LEVELS, found[sure] > nearest)
        assert not np.isin(found, steps.closing).any()
        decided += np.count_nonzero(sure)
    assert least <= decided < 2400


@pytest.mark.parametrize("graded", [True, False], ids=["graded", "level"])
@pytest.mark.parametrize("rate", ["1/10", "1/2", "3"])
def test_nothing_weighs_more_beyond_a_cut_than_is_allowed_for(rate, graded):
    for seed in range(4):
        whole = whole_law(seed, rate, graded)
        for nearest in (1, 2, 7, LEVELS):
            near = cut_law(whole, nearest)
            inside = range(int(near.envelope.lower[-1]), int(near.envelope.upper[-1]) + 1)
            beyond = [y for y in range(SUPPORT[0], SUPPORT[1] + 1) if y not in inside]
            with ctx.workprec(200):
                costs = (ball(naive_cost(whole, y)) for y in beyond)
                weight = float(sum((-ball(rate) * cost).exp() for cost in costs))
            assert weight <= most_beyond(near._steps())[0] < weight * 1e9


@pytest.mark.parametrize("graded", [True, False], ids=["graded", "level"])
def test_undecided_draws_that_are_drawn_again_from_the_same_bits_have_the_law(graded):
    whole = whole_law(3, "1/2", graded)
    near = cut_law(whole, 19)
    groups, bits = 60_000, SeededBits(5)
    words = bits.words(groups)
    drawn = replace(near, envelope=Envelope.stack([near.envelope] * groups)).draw_from(words, bits)
    unknown = np.flatnonzero(drawn == UNDECIDED)
    assert 0.1 * groups < unknown.size < 0.9 * groups
    again = replace(whole, envelope=Envelope.stack([whole.envelope] * unknown.size))
    drawn[unknown] = again.draw_from(words[unknown], bits)
    right = naive_pmf(whole, range(SUPPORT[0], SUPPORT[1] + 1))
    counts = np.bincount(drawn - SUPPORT[0], minlength=right.size)
    assert p_value(counts, right) > LEVEL
    assert p_value(counts, tilted(right)) < LEVEL


def test_groups_with_all_their_levels_are_decided_for_good():
    """A group that ends before the cut has its real jump; of one that is filled up nothing lies beyond."""
    short, long = Envelope.of([0, -2], [1, 4], SUPPORT), whole_law(1, 5, True).envelope
    law = Law(Envelope.stack([short, long.truncate(8)] * 500), Fraction(5), nearest=9)
    drawn = law.draw_each(bits=SeededBits(2))
    assert np.count_nonzero(drawn[::2] == UNDECIDED) == 0
    alone = Law(Envelope.stack([short] * 500), Fraction(5), nearest=9)
    assert not (alone.draw_each(bits=SeededBits(3)) == UNDECIDED).any()
    assert not alone._steps().cut


def test_each_group_is_drawn_from_its_own_bits():
    """Groups of several sizes: the same word decides a group alike alone and among others."""
    laws = [whole_law(seed, "1/2", True) for seed in range(6)]
    cut = [law.envelope.truncate(levels) for law, levels in zip(laws, (3, 30, 5, 30, 1, 9), strict=True)]
    words = SeededBits(8).words(6)
    together = Law(Envelope.stack(cut), Fraction(1, 2))
    found = together.draw_from(words, Repeated())
    alone = [Law(e, Fraction(1, 2)).draw_from(words[[i]], Repeated())[0] for i, e in enumerate(cut)]
    assert found.tolist() == alone
    assert len(set(alone)) > 3


class Repeated:
    """One word for ever."""

    def words(self, count):
        return np.full(count, 2**63 + 12345, np.uint64)
