"""Draws of balance: float64 against balls, the bits at the edges, and levels that were not read."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import ctx

from noisewise.hazmat import SeededBits
from noisewise.kernel.laws.score import Odds, Score
from noisewise.kernel.sampling.balance_draw import FloatWeights, draw_answers
from noisewise.kernel.sampling.balance_noise import LAPLACE
from noisewise.kernel.sampling.bits import Uniform
from noisewise.kernel.sampling.certified_pieces import CertifiedPieces
from noisewise.kernel.sampling.coordinates import Pieces
from noisewise.kernel.sampling.draw import UNDECIDED
from tests.kernel.sampling.goodness import First

ONE = Fraction(1)


def random_pieces(seed: int, *, wide: bool = False) -> Pieces:
    """Steps at random places, or a fraction with random sums."""
    dice = np.random.default_rng(seed)
    high = int(dice.integers(2, 2**33 if wide else 30))
    kappa = Fraction(int(dice.integers(1, 400)), 100)
    if seed % 2:
        starts = np.concatenate([[0], np.sort(dice.integers(0, high + 1, int(dice.integers(0, 9))))])
        levels = np.arange(starts.size) * 2 - int(dice.integers(0, 12))
        return Score.steps(starts, levels, (0, high), bottom=4).pieces(np.zeros(1, np.int64), kappa)
    up, down = dice.integers(0, 10 ** int(dice.integers(1, 7)), 2).tolist()
    score = Score.fraction(up, down, (0, high), odds=Odds(0, 2 * high), bottom=int(dice.integers(1, 50)))
    return score.pieces(np.zeros(1, np.int64), kappa)


def extreme_pieces(seed: int) -> Pieces:
    """Any kind of score, with the least and the largest kappa, lattice, unit and denominator of releases."""
    dice = np.random.default_rng(seed)
    epsilon = dice.choice([Fraction(1, 10**6), Fraction(1, 10), ONE, Fraction(64)])
    kappa = epsilon / (2 * int(dice.choice([1, 1, 10**6]))) * dice.choice([ONE, Fraction(10, 9)])
    low = -int(dice.integers(0, 2)) * 2**51
    high = low + int(2 ** dice.integers(1, 52))
    if seed % 3 == 0:
        starts = np.sort(dice.integers(low, high + 1, int(dice.integers(0, 40))))
        bottom = int(dice.choice([2, 20, 10**9, 10**40]))
        levels = [bottom * count - bottom * starts.size // 2 - 1 for count in range(starts.size + 1)]
        score = Score.steps([low, *starts.tolist()], levels, (low, high), bottom=bottom)
    elif seed % 3 == 1:
        up, down = dice.integers(0, 10 ** int(dice.integers(1, 13)), 2).tolist()
        up, down = dice.choice([[up, down], [0, down], [up, 0]], p=[0.8, 0.1, 0.1]).tolist()
        unit = int(dice.choice([6, 6 * 2**20, 6 * 5**15]))
        odds = Odds(low * unit, high * unit, 1, int(dice.integers(1, 3)))
        score = Score.fraction(
            up, down, (low, high), odds=odds, bottom=int(dice.integers(1, 10**6)), unit=unit
        )
    else:
        unit = int(dice.choice([2, 2**9, 2**20]))
        inner = dice.integers(low, high + 1, int(dice.integers(0, 7))).tolist()
        points = sorted({low * unit, high * unit, *(k * unit for k in inner)})
        values = np.sort(dice.integers(-(10**6), 10 ** int(dice.integers(1, 10)), len(points))).tolist()
        score = Score.lines(points, values, (low, high), bottom=int(dice.integers(1, 1000)), unit=unit)
    return score.pieces(np.zeros(1, np.int64), kappa)


def at_a_boundary(exact: CertifiedPieces, k: int) -> int:
    """The first 64 bits of the uniform number from which on the answer is above k."""
    with ctx.workprec(400 + exact._spare):
        down, up = exact.integrals(k, 400)
        share = down / (2 * up) if down <= up else 1 - up / (2 * down)
        word = (share * 2**64).floor().unique_fmpz()
    return min(max(int(word or 0), 3000), 2**64 - 3001)


def test_omega_lies_between_its_ends() -> None:
    words = np.array([0, 1, 2**62, 2**63 - 1, 2**63, 2**63 + 5, 2**64 - 2, 2**64 - 1], np.uint64)
    with np.errstate(divide="ignore"):
        least, most = LAPLACE.omegas(words)
    for word, low, high in zip(words.tolist(), least, most, strict=True):
        u = Fraction(2 * word + 1, 2**65)
        omega = 2 * u if u <= Fraction(1, 2) else 1 / (2 * (1 - u))
        assert low <= omega * (1 + Fraction(1, 2**50)) and high >= omega * (1 - Fraction(1, 2**50))


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_floats_and_balls_pick_the_same_answer(seed: int, wide: bool) -> None:
    pieces = random_pieces(seed, wide=wide)
    words = SeededBits(seed).words(200).copy()
    words[:4] = [0, 2**63, 2**64 - 1, 2**63 - 1]
    drawn, sure = FloatWeights.of(pieces).pick(np.zeros(200, np.int64), words)
    assert sure[4:].mean() > 0.9  # the fast path is the usual one
    exact = CertifiedPieces(pieces, 0)
    for i in np.flatnonzero(sure)[:60]:
        assert exact.pick(Uniform(int(words[i]), SeededBits(0))) == drawn[i]


@pytest.mark.parametrize("seed", range(30))
def test_one_draw_is_picked_as_many_are(seed: int) -> None:
    """By numbers rather than by arrays; NaNs and infinities, undecided draws and levels that are not known included."""
    pieces = random_pieces(seed) if seed < 10 else extreme_pieces(seed)
    for more in ([False, False], [True, True]):
        weights = FloatWeights.of(replace(pieces, more=np.array([more])))
        words = np.concatenate(
            [SeededBits(seed).words(6), np.array([0, 2**63, 2**63 - 1, 2**64 - 1], np.uint64)]
        )
        drawn, sure = weights.pick(np.zeros(words.size, np.int64), words)
        each = [weights.pick(np.int64(0), word) for word in words]
        assert [(int(k), bool(is_sure)) for k, is_sure in each] == [*zip(drawn, sure, strict=True)]


def test_one_draw_between_ends_that_are_farther_apart_than_64_bits_hold() -> None:
    far = 2**63 - 2
    words = np.array([0, 1, 2**63, 2**64 - 1], np.uint64)
    for level in (0, 22):
        weights = FloatWeights.of(
            Score.steps([-far], [level], (-far, far)).pieces(np.zeros(1, np.int64), ONE)
        )
        _, sure = weights.pick(np.zeros(words.size, np.int64), words)
        assert [bool(weights.pick(np.int64(0), word)[1]) for word in words] == sure.tolist()


@pytest.mark.parametrize("seed", range(36))
def test_no_float_decides_wrongly_at_a_boundary(seed: int) -> None:
    """Extreme numbers, and uniform numbers a few units beside those at which the answer changes."""
    pieces = extreme_pieces(seed)
    low, high = pieces.support
    weights, exact = FloatWeights.of(pieces), CertifiedPieces(pieces, 0)
    words = np.concatenate(
        [SeededBits(seed).words(12), np.array([0, 2**63, 2**63 - 1, 2**64 - 1], np.uint64)]
    )
    drawn, _ = weights.pick(np.zeros(words.size, np.int64), words)
    for k in np.clip(drawn[:4] - 1, low, high - 1).tolist():
        word = at_a_boundary(exact, k)
        near = [word + offset for offset in (-2000, -3, -1, 0, 1, 3, 2000)]
        words = np.concatenate([words, np.array(near, np.uint64)])
    drawn, sure = weights.pick(np.zeros(words.size, np.int64), words)
    for i in np.flatnonzero(sure):
        assert exact.pick(Uniform(int(words[i]), SeededBits(0))) == drawn[i]


@pytest.mark.parametrize("seed", range(40))
def test_the_slack_holds_the_error_of_both_sums(seed: int) -> None:
    """Of 16 times what is granted, so a sixteenth of it must do."""
    pieces = random_pieces(seed, wide=True)
    weights, exact = FloatWeights.of(pieces), CertifiedPieces(pieces, 0)
    low, high = pieces.support
    for k in np.unique(np.linspace(low, high - 1, 7).astype(np.int64)).tolist():
        position = k if pieces.places else pieces.unit * k + pieces.unit // 2
        piece = int(np.searchsorted(pieces.edges[0], position, side="right")) - 1
        if not 0 <= piece < weights.bars.shape[1]:
            continue
        at = weights.at(np.zeros(1, np.int64), np.array([piece]))
        down, up, inside, after = at.integrals(np.array([k]))
        if not (inside[0] and after[0]) or abs(math.log(at.growth[0])) > 149:
            continue
        with ctx.workprec(256):
            true_down, true_up = exact.integrals(k, 256)
            for ours, true in ((down, true_down), (up, true_up)):
                error = abs(float(ours.sum[0]) - true)
                assert error <= true * float(weights.slack[0]) / 16 + float(ours.error[0])


def test_undecided_bits_are_refined_not_replaced() -> None:
    """u = 1/2 to 64 bits and omega = 1 is D = U here: only further bits can tell."""
    pieces = Score.steps([0, 1], [-1, 1], (0, 2)).pieces(np.zeros(1, np.int64), ONE)
    for last, answer in ((0, 1), (2**64 - 1, 1)):
        bits = First([last], First([last] * 2, SeededBits(1)))
        assert draw_answers(pieces, np.zeros(1, np.int64), np.array([2**63], np.uint64), bits) == [answer]
    # the boundary of answer 0 is D/U = e^-1/(e + e^-1)
    boundary = float(np.exp(-1) / (np.exp(1) + np.exp(-1))) / 2
    word = int(boundary * 2**64)
    low = draw_answers(pieces, np.zeros(1, np.int64), np.array([word - 10**5], np.uint64), SeededBits(2))
    high = draw_answers(pieces, np.zeros(1, np.int64), np.array([word + 10**5], np.uint64), SeededBits(2))
    assert (low[0], high[0]) == (0, 1)


def test_what_depends_on_levels_that_were_not_read_is_undecided() -> None:
    score = Score.steps([0, 40, 60], [-2, 0, 2], (0, 100), more=(True, True))
    pieces = score.pieces(np.zeros(1, np.int64), Fraction(1, 10))
    words = SeededBits(3).words(500)
    drawn = draw_answers(pieces, np.zeros(500, np.int64), words, SeededBits(4))
    sure = drawn != UNDECIDED
    assert not sure.all()
    further = Score.steps([0, 10, 40, 60, 90], [-4, -2, 0, 2, 4], (0, 100)).pieces(
        np.zeros(1, np.int64), Fraction(1, 10)
    )
    again = draw_answers(further, np.zeros(500, np.int64), words, SeededBits(4))
    assert np.array_equal(drawn[sure], again[sure])


@pytest.mark.parametrize(
    ("starts", "kappa"),
    [([0, 1, 30, 59], ONE / 2), ([0, 30, 30, 30], ONE), ([0, 0, 0, 0], ONE), ([0, 60, 60, 60], ONE)],
)
@pytest.mark.parametrize("more", [(True, False), (False, True), (True, True)])
def test_levels_that_were_not_read_may_weigh_nothing_or_all(
    more: tuple[bool, bool], starts: list[int], kappa: Fraction
) -> None:
    """A draw is sure only if it is the same whether the levels beyond are all near or all far away."""
    group, words = np.zeros(1, np.int64), SeededBits(3).words(300)
    read = Score.steps(starts, [-2, -1, 1, 2], (0, 60), more=more).pieces(group, kappa)
    drawn, sure = FloatWeights.of(read).pick(np.zeros(300, np.int64), words)
    assert 0.1 < sure.mean() < (0.9 if all(more) else 1.1)
    for lowest, highest in ((-2, 2), (-(10**6), 2), (-2, 10**6), (-(10**6), 10**6)):
        if (lowest < -2 and not more[0]) or (highest > 2 and not more[1]):
            continue
        whole = Score.steps(starts, [lowest, -1, 1, highest], (0, 60)).pieces(group, kappa)
        every = draw_answers(whole, np.zeros(300, np.int64), words, SeededBits(0))
        assert np.array_equal(every[sure], drawn[sure])


@pytest.mark.parametrize("seed", [1, 3, 4, 6])
def test_what_floats_leave_open_is_decided_by_further_bits(seed: int) -> None:
    """64 bits that end at a boundary: what follows them decides on which side of it the draw is."""
    pieces = random_pieces(seed)
    exact = CertifiedPieces(pieces, 0)
    low, high = pieces.support
    for k in {low, (low + high) // 2, high - 1}:
        word = at_a_boundary(exact, k)
        answers = []
        for further in (0, 2**64 - 1):
            bits = First([further], SeededBits(1))
            drawn = draw_answers(pieces, np.zeros(1, np.int64), np.array([word], np.uint64), bits)
            answers.append(int(drawn[0]))
        assert answers[0] <= k < answers[1] or not 3000 < word < 2**64 - 3001


@pytest.mark.parametrize("seed", range(8))
def test_steep_lines_far_out_are_drawn_from_rightly(seed: int) -> None:
    """Short steep lines in the middle of a long lattice, as a robust mean between loose bounds has."""
    dice = np.random.default_rng(seed)
    middle, reach = int(dice.integers(2**50, 2**51)), int(dice.choice([100, 5000]))
    knots = [0, *(2 * middle + np.unique(dice.integers(-reach, reach, 40))).tolist(), 2**52]
    rises = dice.integers(0, 10 ** int(dice.integers(2, 6)), len(knots))
    values = np.cumsum(rises) - int(rises.sum() // 2)
    pieces = Score.lines(knots, values.tolist(), (0, 2**51)).pieces(np.zeros(1, np.int64), Fraction(1, 2))
    words = SeededBits(seed).words(150)
    drawn, sure = FloatWeights.of(pieces).pick(np.zeros(150, np.int64), words)
    assert sure.mean() > 0.5
    exact = CertifiedPieces(pieces, 0)
    for i in np.flatnonzero(sure):
        assert exact.pick(Uniform(int(words[i]), SeededBits(0))) == drawn[i]


@pytest.mark.parametrize("seed", range(4))
def test_short_pieces_far_out_are_drawn_from_rightly(seed: int) -> None:
    """Records next to each other on a lattice of 2^60 points, as joint quantiles make it."""
    dice = np.random.default_rng(seed)
    records = 2**59 + np.sort(dice.integers(0, 300, 60))
    levels = 2 * np.arange(61) - 60
    score = Score.steps([0, *records.tolist()], levels, (0, 2**60), bottom=2)
    pieces = score.pieces(np.zeros(1, np.int64), Fraction(3))
    words = SeededBits(seed).words(100)
    drawn, sure = FloatWeights.of(pieces).pick(np.zeros(100, np.int64), words)
    assert sure.mean() > 0.5
    exact = CertifiedPieces(pieces, 0)
    for i in np.flatnonzero(sure):
        assert exact.pick(Uniform(int(words[i]), SeededBits(0))) == drawn[i]


def test_scores_beyond_what_floats_hold_are_drawn_from() -> None:
    """A mean of ten million records at a large epsilon: exponents of millions."""
    score = Score.fraction(3 * 10**6, 7 * 10**6, (0, 2**32), odds=Odds(0, 2**33))
    pieces = score.pieces(np.zeros(1, np.int64), Fraction(4))
    drawn, sure = FloatWeights.of(pieces).pick(np.zeros(1000, np.int64), SeededBits(5).words(1000))
    assert sure.mean() > 0.99
    assert np.median(np.abs(drawn / 2**32 - 0.3)) < 1e-6
