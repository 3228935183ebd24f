"""Certain comparisons of balance: their integrals are those of the definition, and so is the answer."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from flint import ctx

from noisewise.hazmat import SeededBits
from noisewise.kernel.laws.score import Score
from noisewise.kernel.sampling.bits import Uniform
from noisewise.kernel.sampling.certified_pieces import CertifiedPieces

ONE, GROUP, KAPPA = Fraction(1), np.zeros(1, np.int64), Fraction(3, 7)
STEPS = Score.steps([0, 2, 2, 5], [-3, -1, 1, 2], (0, 8))
LINES = Score.lines([0, 6, 16], [-4, 0, 5], (0, 8))


def by_definition(score: Score, k: int) -> tuple[Decimal, Decimal]:
    """D and U at the boundary of k: sums over places, or over 20,000 strips of a line."""
    with localcontext() as context:
        context.prec = 30
        if score.unit == 1:
            weights = [(Decimal(int(score.at(j))) * 3 / 7).exp() for j in range(8)]
            return sum(weights[: k + 1], Decimal(0)), sum((1 / w for w in weights[k:]), Decimal(0))
    strips, boundary = (np.arange(20_000) + 0.5) * 16 / 20_000, 2 * k + 1
    heights = float(KAPPA) * np.interp(strips, [0, 6, 16], [-4, 0, 5])
    down, up = np.exp(heights[strips < boundary]).sum(), np.exp(-heights[strips > boundary]).sum()
    return Decimal(down * 16 / 20_000), Decimal(up * 16 / 20_000)


@pytest.mark.parametrize("score", [STEPS, LINES], ids=["steps", "lines"])
def test_integrals_and_answers_are_those_of_the_definition(score: Score) -> None:
    exact = CertifiedPieces(score.pieces(GROUP, KAPPA), 0)
    ratios = []
    for k in range(8):
        with ctx.workprec(128):
            balls = exact.integrals(k, 128)
        for ball, true in zip(balls, by_definition(score, k), strict=True):
            assert float(ball) == pytest.approx(float(true), rel=1e-12 if score is STEPS else 1e-6)
        ratios.append(float(balls[0]) / float(balls[1]))
    for word in SeededBits(1).words(200).tolist():
        u = word / 2**64
        omega = 2 * u if u <= 0.5 else 1 / (2 * (1 - u))
        least = next((k for k, ratio in enumerate(ratios) if ratio >= omega), 8)
        assert exact.pick(Uniform(word, SeededBits(2))) == least


def test_empty_pieces_are_left_out() -> None:
    """Records that tie make pieces without places, which weigh nothing."""
    tied = CertifiedPieces(STEPS.pieces(GROUP, KAPPA), 0)
    plain = CertifiedPieces(Score.steps([0, 2, 5], [-3, 1, 2], (0, 8)).pieces(GROUP, KAPPA), 0)
    with ctx.workprec(128):
        for k in range(8):
            for one, other in zip(tied.integrals(k, 128), plain.integrals(k, 128), strict=True):
                assert one.overlaps(other)


@pytest.mark.parametrize("target", [1, 7, 9, 16])
def test_known_levels_decide_as_all_levels_would(target: int) -> None:
    """Of few levels many draws depend on the others: these are left open, and no other is decided
    otherwise. Records tie with each other and with both bounds."""
    records = [0, 0, 3, 9, 9, 9, 20, 31, 31, 60]
    heights = [2 * below - target for below in range(len(records) + 1)]
    decided = 0
    whole = CertifiedPieces(Score.steps([0, *records], heights, (0, 60)).pieces(GROUP, 2 * KAPPA), 0)
    words = [*SeededBits(target).words(30).tolist(), 0, 2**63 - 1, 2**63, 2**64 - 1]
    for start in range(len(records)):
        for stop in range(start, len(records) + 1):
            read = Score.steps(
                [0, *records[start:stop]],
                heights[start : stop + 1],
                (0, 60),
                more=(start > 0, stop < len(records)),
            )
            some = CertifiedPieces(read.pieces(GROUP, 2 * KAPPA), 0)
            for word in words:
                answer = some.pick_known(Uniform(word, SeededBits(3)))
                decided += answer is not None
                assert answer in (None, whole.pick(Uniform(word, SeededBits(3))))
    assert 200 < decided < 1800, decided


def test_known_levels_read_no_further_bits() -> None:
    uniform = Uniform(2**63, SeededBits(4))
    assert CertifiedPieces(LINES.pieces(GROUP, KAPPA), 0).pick_known(uniform) is not None
    between = Score.steps([0, 1], [-1, 1], (0, 2))  # omega is 1 at its boundary, up to the last bit
    for word in (2**63 - 1, 2**63):
        uniform = Uniform(word, SeededBits(4))
        CertifiedPieces(between.pieces(GROUP, KAPPA), 0).pick_known(uniform)
        assert uniform.bits == 64
