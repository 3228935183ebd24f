"""The law of Gaussian balance: equal to its definition in balls, readable far out, and drawn from exactly."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx

import noisewise as nws
from noisewise import hazmat
from noisewise.audit.draws import probabilities
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.score import Odds, Score
from noisewise.kernel.sampling.balance_draw import FloatWeights
from noisewise.kernel.sampling.balance_noise import LAPLACE, NORMAL
from noisewise.kernel.sampling.certified_pieces import CertifiedPieces
from noisewise.planning.readings.read_law import read_law
from tests.kernel.sampling.goodness import LEVEL, p_value, tilted

STEPS = Score.steps([0, 2, 3, 7], [-3, -1, 1, 3], (0, 9), bottom=2)
MEAN = Score.fraction(7, 4, (0, 12), odds=Odds(0, 24))
FAR = Score.steps([0, 500], [-2000, 2000], (0, 1000))
LAWS = [
    BalanceLaw(STEPS, Fraction(3, 4), noise=NORMAL),
    BalanceLaw(MEAN, Fraction(1, 3), noise=NORMAL),
    BalanceLaw(MEAN, Fraction(2), noise=NORMAL),
]


def exactly(law: BalanceLaw) -> list[arb]:
    """The chances of all answers by the definition, F(ln D - ln U), in balls."""
    low, high = law.ends
    pieces = CertifiedPieces(law.score.pieces(np.zeros(1, np.int64), law.kappa), 0)
    gaps = [(down / up).log() for down, up in (pieces.integrals(k, ctx.prec) for k in range(low, high))]
    ends = [arb(0), *((-gap / arb(2).sqrt()).erfc() / 2 for gap in gaps), arb(1)]
    return [b - a for a, b in pairwise(ends)]


@pytest.mark.parametrize("law", LAWS, ids=["steps", "fraction", "sharp fraction"])
class TestReading:
    def test_chances_are_those_of_the_definition(self, law: BalanceLaw) -> None:
        values = range(law.ends[0], law.ends[1] + 1)
        with ctx.workprec(400):
            chances = exactly(law)
            logs = [float(chance.log()) for chance in chances]
            (audited,) = probabilities(law)
            assert all(
                abs(audited.ball(k) - chance) < 1e-30 for k, chance in zip(values, chances, strict=True)
            )
        assert np.allclose(read_law(law).logpmf(values), logs, rtol=1e-12, atol=1e-12)
        assert np.allclose(read_law(law).cdf(values), np.cumsum(np.exp(logs)), atol=1e-12)
        assert read_law(law).cdf(-5) == 0 and read_law(law).cdf(99) == 1 and read_law(law).pmf(99) == 0

    def test_quantiles_and_errors_are_those_of_the_chances(self, law: BalanceLaw) -> None:
        values = np.arange(law.ends[0], law.ends[1] + 1)
        reading = read_law(law)
        cdf = reading.cdf(values)
        for share in (0, 0.01, 0.3, 0.5, 0.9, 1):
            assert reading.quantile(share) == values[np.argmax(cdf >= share)]
        assert math.isclose(reading.expected_error(), reading.pmf(values) @ np.abs(values - reading.centre))
        assert math.isclose(reading.bias(), reading.pmf(values) @ (values - reading.centre))

    def test_draws_are_of_this_law_and_of_no_other(self, law: BalanceLaw) -> None:
        values = list(range(law.ends[0], law.ends[1] + 1))
        counts = np.bincount(law.draw(200_000, bits=hazmat.SeededBits(5)), minlength=len(values))
        chances = read_law(law).pmf(values)
        assert p_value(counts, chances) > LEVEL
        assert p_value(counts, tilted(chances)) < LEVEL
        assert p_value(counts, read_law(replace(law, noise=LAPLACE)).pmf(values)) < LEVEL

    def test_what_floats_leave_open_balls_decide_alike(
        self, law: BalanceLaw, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fast = law.draw(300, bits=hazmat.SeededBits(6)).tolist()
        pick = FloatWeights.pick

        def unsure(self: FloatWeights, groups: Any, words: Any) -> Any:
            drawn, sure = pick(self, groups, words)
            return np.zeros_like(drawn), np.zeros_like(sure)

        monkeypatch.setattr(FloatWeights, "pick", unsure)
        assert law.draw(300, bits=hazmat.SeededBits(6)).tolist() == fast


def test_far_probabilities_keep_their_logarithms() -> None:
    law = BalanceLaw(FAR, Fraction(1), noise=NORMAL)
    at = [0, 1, 250, 498, 499, 500, 501, 998, 999, 1000]
    logs = read_law(law).logpmf(at)
    assert np.all(np.isfinite(logs)) and logs[5] == pytest.approx(0, abs=1e-12)
    gap = -4000 - math.log(500)  # ln D - ln U of the first place
    assert logs[0] == pytest.approx(-gap * gap / 2 - math.log(-gap) - math.log(2 * math.pi) / 2, rel=1e-9)
    assert np.all(np.diff(logs[:6]) > 0) and np.all(np.diff(logs[5:-1]) < 0)


def test_the_nearest_levels_decide_as_all_do() -> None:
    data = np.random.default_rng(3).integers(0, 10**6, 400)
    asked = {"bounds": (0, 10**6), "rho": Fraction(1, 2), "mechanism": "gaussian_balance"}
    some = hazmat.law(nws.Quantile("1/2"), data, levels=15, **asked)
    every = hazmat.law(nws.Quantile("1/2"), data, levels=1000, **asked)
    assert isinstance(some, BalanceLaw) and isinstance(every, BalanceLaw)
    assert some.noise is every.noise is NORMAL
    assert some.score.more.all() and not every.score.more.any()
    bits = hazmat.SeededBits
    undecided = sum(int(some.draw_from(bits(s).words(1), bits(s))[0]) < 0 for s in range(100))
    assert 0 < undecided < 100
    for seed in range(100):
        assert some.draw(3, bits=bits(seed)).tolist() == every.draw(3, bits=bits(seed)).tolist()


def test_the_levels_that_are_read_first_decide_nearly_every_draw() -> None:
    data = np.random.default_rng(4).integers(0, 10**6, 3000)
    asked = {"bounds": (0, 10**6), "rho": Fraction(1, 2), "mechanism": "gaussian_balance"}
    law = hazmat.law(nws.Quantile("1/2"), data, **asked)
    assert isinstance(law, BalanceLaw) and law.score.more.all()
    ends = np.array([0, 1, 2**63, 2**64 - 2, 2**64 - 1], np.uint64)
    words = np.concatenate([ends, hazmat.SeededBits(1).words(20_000)])
    assert (law.draw_from(words, hazmat.SeededBits(2))[5:] >= 0).all()
