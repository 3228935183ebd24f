"""The noise of balance: float64 encloses omega, also next to 0 and 1, and balls decide by the bits alone."""

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx

from noisewise.hazmat import SeededBits
from noisewise.kernel.laws.score import Score
from noisewise.kernel.numbers.arrays import Unsigned
from noisewise.kernel.numbers.balls import ball
from noisewise.kernel.sampling.balance_draw import FloatWeights, draw_answers
from noisewise.kernel.sampling.balance_noise import DEGREE, MILLS, NORMAL, NORMAL_ERROR, SPLIT, _quantile
from noisewise.kernel.sampling.bits import Uniform
from noisewise.kernel.sampling.certified_pieces import CertifiedPieces

ENDS = [0, 1, 2, 3, 2**53, 2**63 - 2**10, 2**63 - 1]
WORDS = np.array([*ENDS, *(2**64 - 1 - w for w in ENDS)], np.uint64)
"""First bits of uniform numbers next to 0, 1/2 and 1, and where float64 begins to round them."""
GROUP = np.zeros(1, np.int64)


@pytest.fixture(autouse=True)
def precise() -> Iterator[None]:
    with ctx.workprec(256):
        yield


def quantile(u: Fraction) -> arb:
    """The normal quantile."""
    return -(2 * ball(u)).erfcinv() * arb(2).sqrt()


def below(z: arb) -> arb:
    """P(Z <= z)."""
    return (-z / arb(2).sqrt()).erfc() / 2


def some_words(count: int) -> Unsigned:
    """Words of every length, so that many are next to 0 or to 1."""
    words = SeededBits(3).words(count) >> SeededBits(4).words(count) % np.uint64(64)
    return np.where(SeededBits(5).words(count) % np.uint64(2) == 0, words, ~words)


def test_omega_lies_between_its_ends_for_all_bits_that_may_follow() -> None:
    words = np.concatenate([WORDS, some_words(3000)])
    with np.errstate(divide="ignore"):
        least, most = NORMAL.omegas(words)
    for word, low, high in zip(words.tolist(), least.tolist(), most.tolist(), strict=True):
        first, last = Fraction(word, 2**64), Fraction(word + 1, 2**64)
        assert low == 0 if word == 0 else low < quantile(first).exp()
        assert high == math.inf if word == 2**64 - 1 else high > quantile(last).exp()


def test_one_word_has_the_ends_that_it_has_among_many() -> None:
    with np.errstate(divide="ignore"):
        least, most = NORMAL.omegas(WORDS)
        each = [NORMAL.omegas(word) for word in WORDS]
    assert [*zip(least, most, strict=True)] == [(low, high) for low, high in each]


def test_the_normal_quantile_errs_by_less_than_a_sixteenth_of_what_is_granted() -> None:
    pieces = [2.0**e * (1 + j / SPLIT) for e in range(63) for j in range(SPLIT)]
    ends = [*pieces, *(math.nextafter(end, 0) for end in pieces[1:]), 2.0**63]
    z = _quantile(np.array(ends))
    worst = max(
        float(abs(quantile(Fraction(w) / 2**64) - found)) for w, found in zip(ends, z.tolist(), strict=True)
    )
    assert worst < NORMAL_ERROR / 16


def test_the_polynomials_of_the_quantile_are_cut_off_late_enough() -> None:
    """The next derivative, at the end of a piece where it is largest, bounds what is left out."""
    p = np.polynomial.Polynomial([1.0])
    for n in range(1, DEGREE + 1):
        p = p.deriv() + n * p * np.polynomial.Polynomial([0.0, 1.0])
    worst = 0.0
    for e in range(64):
        z = max(abs(quantile(Fraction(2**e, 2**64))), arb(1) / 16)  # the last piece ends above 1/2
        density = (-z * z / 2).exp() / (2 * arb.pi()).sqrt()
        half = arb(2) ** (e - 65) / SPLIT
        left = sum((ball(int(c)) * z**n for n, c in enumerate(p.coef)), arb(0)) * (half / density) ** (
            DEGREE + 1
        )
        worst = max(worst, float((left / math.factorial(DEGREE + 1)).upper()))
    assert worst < 2**-53


def test_the_bound_of_the_tail_is_on_the_right_side() -> None:
    """P(Z <= z)/density(z) rises with z, as its derivative 1 + z*P/density is above 0, and is sqrt(pi/2) at 0."""
    for z in [*map(arb, range(-9, 0)), arb(-0.01), arb(0)]:
        density = (-z * z / 2).exp() / (2 * arb.pi()).sqrt()
        assert below(z) / density < MILLS and 1 + z * below(z) / density > 0
    assert (arb.pi() / 2).sqrt() < MILLS < 1.2564  # e^x <= 1 + 2x up to there
    assert arb(1.2564).exp() < 1 + 2 * arb(1.2564)


def boundary(pieces: CertifiedPieces, k: int, bits: int) -> int:
    """The uniform number at which the answer goes from k to k + 1, in units of 2^-bits, rounded down."""
    with ctx.workprec(bits + 200):
        down, up = pieces.integrals(k, bits + 200)
        return int((NORMAL.chance(down, up) * 2**bits).floor().unique_fmpz() or 0)


class Sequel:
    """Bits that go on as a number says, and end in zeros."""

    def __init__(self, number: int, bits: int) -> None:
        self.number, self.bits = number, bits

    def words(self, count: int) -> Unsigned:
        found = []
        for _ in range(count):
            self.bits -= 64
            found.append(self.number >> self.bits & 2**64 - 1 if self.bits >= 0 else 0)
        return np.array(found, np.uint64)


@pytest.mark.parametrize("kappa", [Fraction(1, 100), Fraction(1), Fraction(5)])
def test_bits_next_to_a_boundary_are_decided_by_the_last_of_them(kappa: Fraction) -> None:
    """Answers from the least likely to the most, 512 bits from the boundary between two of them on either side."""
    pieces = Score.steps([0, 2, 3, 5], [-7, -1, 1, 9], (0, 7), bottom=2).pieces(GROUP, kappa)
    exact, bits = CertifiedPieces(pieces, 0, NORMAL), 512
    found = [(k, boundary(exact, k, bits)) for k in range(7)]
    found = [(k, at) for k, at in found if 0 < at < 2**bits - 1]
    assert len(found) >= 3
    for k, at in found:
        for number, answer in ((at - 1, k), (at + 1, k + 1)):
            word = number >> bits - 64
            drawn = draw_answers(
                pieces, GROUP, np.array([word], np.uint64), Sequel(number, bits - 64), NORMAL
            )
            assert drawn == [answer]


def test_the_ends_of_all_bits_give_the_ends_of_the_answers() -> None:
    """Zeros or ones for ever would never end; a bit that differs late enough is in the outermost answer."""
    pieces = Score.steps([0, 500], [-2000, 2000], (0, 1000)).pieces(GROUP, Fraction(1))
    low, high = (
        draw_answers(pieces, GROUP, np.array([word], np.uint64), SeededBits(1), NORMAL)[0]
        for word in (0, 2**64 - 1)
    )
    assert low == high == 500  # even a chance of 2^-64 is no chance to stray by 2000 records
    thin = Score.steps([0, 500], [-1, 1], (0, 1000), bottom=2).pieces(GROUP, Fraction(4))
    low, high = (
        draw_answers(thin, GROUP, np.array([word], np.uint64), SeededBits(1), NORMAL)[0]
        for word in (0, 2**64 - 1)
    )
    exact = CertifiedPieces(thin, 0, NORMAL)
    assert low == exact.pick(Uniform(0, SeededBits(1))) < 100
    assert high == exact.pick(Uniform(2**64 - 1, SeededBits(1))) > 900


@pytest.mark.parametrize("more", [(False, False), (True, True)])
@pytest.mark.parametrize("seed", range(12))
def test_floats_and_balls_pick_the_same_answer(seed: int, more: tuple[bool, bool]) -> None:
    dice = np.random.default_rng(seed)
    inner = np.sort(dice.choice(np.arange(1, 400), 12, replace=False)).tolist()
    score = Score.steps([0, *inner], np.arange(-6, 7) * 2 + 1, (0, 400), bottom=2, more=more)
    pieces = score.pieces(GROUP, Fraction(int(dice.integers(1, 60)), 20))
    words = np.concatenate([WORDS, some_words(150)])
    drawn, sure = FloatWeights.of(pieces, NORMAL).pick(np.zeros(words.size, np.int64), words)
    assert more[0] or sure[WORDS.size :].mean() > 0.8  # short words are far out, where float64 cannot decide
    exact = CertifiedPieces(pieces, 0, NORMAL)
    for i in np.flatnonzero(sure)[:50]:
        uniform = Uniform(int(words[i]), SeededBits(0))
        assert (exact.pick_known(uniform) if more[0] else exact.pick(uniform)) == drawn[i]
