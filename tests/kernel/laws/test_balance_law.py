"""The law of balance: equal to a naive second implementation, readable far out, and drawn from exactly."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import noisewise as nws
from noisewise import ParameterError, hazmat
from noisewise.kernel.laws.balance_law import BalanceLaw
from noisewise.kernel.laws.score import Odds, Score
from noisewise.kernel.sampling.balance_draw import FloatWeights
from noisewise.planning.readings.read_law import read_law
from tests.kernel.sampling.goodness import LEVEL, p_value, tilted

ONE = Fraction(1)
STEPS = Score.steps([0, 2, 3, 7], [-3, -1, 1, 3], (0, 9), bottom=2)
MEAN = Score.fraction(7, 4, (0, 12), odds=Odds(0, 24))
LAWS = [BalanceLaw(STEPS, Fraction(3, 4)), BalanceLaw(MEAN, Fraction(1, 3)), BalanceLaw(MEAN, Fraction(2))]


def naive(law: BalanceLaw) -> list[float]:
    """The distribution function, by sums over places or by a fine Riemann sum over the public coordinate."""
    low, high = law.ends
    kappa, score = float(law.kappa), law.score
    if score.unit == 1:
        phi = [float(score.at(k)) for k in range(low, high)]
        pairs = [
            (
                math.fsum(math.exp(kappa * p) for p in phi[: i + 1]),
                math.fsum(math.exp(-kappa * p) for p in phi[i:]),
            )
            for i in range(high - low)
        ]
    else:
        fine = 200_000
        z = (np.arange(fine) + 0.5) * 2 / fine
        up, down = 7.0, 4.0
        phi_z = -up + down * np.minimum(z, 1) + up * np.maximum(z - 1, 0)
        growing, falling = np.exp(kappa * phi_z) * 2 / fine, np.exp(-kappa * phi_z) * 2 / fine

        def coordinate(k: int) -> float:
            r = (2 * k + 1) / (24 - 2 * k - 1)
            return r if r <= 1 else 2 - 1 / r

        pairs = []
        for k in range(low, high):
            at = coordinate(k) * fine / 2
            i, part = int(at), at - int(at)
            pairs.append(
                (growing[:i].sum() + part * growing[i], falling[i + 1 :].sum() + (1 - part) * falling[i])
            )
    return [d / (2 * u) if d <= u else 1 - u / (2 * d) for d, u in pairs] + [1.0]


@pytest.mark.parametrize("law", LAWS, ids=["steps", "fraction", "sharp fraction"])
class TestReading:
    def test_cdf_and_pmf_are_those_of_the_naive_law(self, law: BalanceLaw) -> None:
        expected = naive(law)
        values = list(range(law.ends[0], law.ends[1] + 1))
        assert np.allclose(read_law(law).cdf(values), expected, atol=1e-9)
        assert np.allclose(read_law(law).pmf(values), np.diff([0.0, *expected]), atol=1e-9)
        assert math.isclose(read_law(law).pmf(values).sum(), 1, abs_tol=1e-12)
        assert read_law(law).cdf(-5) == 0 and read_law(law).cdf(99) == 1 and read_law(law).pmf(99) == 0

    def test_quantiles_invert_the_cdf(self, law: BalanceLaw) -> None:
        values = np.arange(law.ends[0], law.ends[1] + 1)
        cdf = read_law(law).cdf(values)
        for share in (0, 0.01, 0.3, 0.5, 0.9, 1):
            assert read_law(law).quantile(share) == values[np.argmax(cdf >= share)]

    def test_expected_error_is_the_mean_distance_from_the_centre(self, law: BalanceLaw) -> None:
        values = np.arange(law.ends[0], law.ends[1] + 1)
        assert math.isclose(
            read_law(law).expected_error(),
            (read_law(law).pmf(values) * np.abs(values - read_law(law).centre)).sum(),
        )

    def test_draws_are_of_this_law_and_of_no_other(self, law: BalanceLaw) -> None:
        values = list(range(law.ends[0], law.ends[1] + 1))
        counts = np.bincount(law.draw(200_000, bits=hazmat.SeededBits(5)), minlength=len(values))
        assert p_value(counts, read_law(law).pmf(values)) > LEVEL
        assert p_value(counts, tilted(read_law(law).pmf(values))) < LEVEL

    def test_what_floats_leave_open_balls_decide_alike(
        self, law: BalanceLaw, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fast = law.draw(300, bits=hazmat.SeededBits(6)).tolist()
        pick = FloatWeights.pick

        def unsure(self: FloatWeights, groups: object, words: object) -> object:
            drawn, sure = pick(self, groups, words)  # type: ignore[arg-type]
            return np.zeros_like(drawn), np.zeros_like(sure)

        monkeypatch.setattr(FloatWeights, "pick", unsure)
        assert law.draw(300, bits=hazmat.SeededBits(6)).tolist() == fast


def test_far_probabilities_keep_their_logarithms() -> None:
    law = BalanceLaw(Score.steps([0, 500], [-2000, 2000], (0, 1000)), ONE)
    logs = read_law(law).logpmf([0, 1, 499, 500, 501, 999, 1000])
    assert np.all(np.isfinite(logs))
    assert logs[3] == pytest.approx(0, abs=1e-12)
    # below the step D is j+1 places of e^-2000 and U nearly 500-j of e^2000
    assert logs[0] == pytest.approx(math.log(1 / 2) - 4000 - math.log(500))
    assert logs[1] - logs[0] == pytest.approx(math.log(2 / 499 - 1 / 500) - math.log(1 / 500), rel=1e-9)


def test_the_nearest_levels_decide_as_all_do() -> None:
    data = np.random.default_rng(3).integers(0, 10**6, 400)
    asked = {"bounds": (0, 10**6), "epsilon": 1, "mechanism": "balance"}
    some = hazmat.law(nws.Quantile("1/2"), data, levels=15, **asked)
    every = hazmat.law(nws.Quantile("1/2"), data, levels=1000, **asked)
    assert some.score.more.all() and not every.score.more.any()
    bits = hazmat.SeededBits
    undecided = sum(int(some.draw_from(bits(s).words(1), bits(s))[0]) < 0 for s in range(100))
    assert 0 < undecided < 100
    for seed in range(100):
        assert some.draw(1, bits=bits(seed)) == every.draw(1, bits=bits(seed))
        assert some.draw_each(bits=bits(seed)) == every.draw_each(bits=bits(seed))
    assert read_law(some).cdf(5 * 10**5) == read_law(every).cdf(5 * 10**5)


def test_the_nearest_levels_of_many_groups_decide_as_all_do() -> None:
    data = np.random.default_rng(3).integers(0, 10**6, 400)
    asked = {"bounds": (0, 10**6), "epsilon": 1, "mechanism": "balance"}
    one, other = (hazmat.law(nws.Quantile("1/2"), data, levels=levels, **asked) for levels in (15, 1000))
    every = BalanceLaw(Score.stack([other.score] * 3), other.kappa)
    some = BalanceLaw(Score.stack([one.score] * 3), one.kappa, complete=lambda: every.score)
    assert any(
        (some.draw_from(hazmat.SeededBits(s).words(3), hazmat.SeededBits(s)) < 0).any() for s in range(20)
    )
    for seed in range(40):
        drawn = some.draw_each(bits=hazmat.SeededBits(seed))
        assert drawn.tolist() == every.draw_each(bits=hazmat.SeededBits(seed)).tolist()


@pytest.mark.parametrize("answer", [0, 7, 20])
def test_equal_records_are_not_all_read(answer: int) -> None:
    """In a column of ties the nearest levels all begin at one answer, which they decide for by themselves."""

    def fails() -> Score:
        raise AssertionError("all levels were read")

    law = hazmat.law(nws.Quantile("1/2"), [answer] * 1_000, bounds=(0, 20), epsilon=1, mechanism="balance")
    assert law.score.more.all()
    assert np.all(replace(law, complete=fails).draw(500) == answer)


def test_many_laws_are_drawn_from_like_single_ones() -> None:
    scores = [Score.steps([0, a], [-1, 1], (0, 50)) for a in (5, 20, 45)] + [STEPS_WIDE]
    together = BalanceLaw(Score.stack(scores), Fraction(3))
    words = hazmat.SeededBits(8).words(4)
    drawn = together.draw_from(words, hazmat.SeededBits(9))
    for group, score in enumerate(scores):
        alone = BalanceLaw(score, Fraction(3)).draw_from(words[group : group + 1], hazmat.SeededBits(9))
        assert alone[0] == drawn[group]


STEPS_WIDE = Score.steps([0, 10, 30, 31], [-3, -1, 1, 3], (0, 50))


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(ParameterError, match="one law"):
        read_law(BalanceLaw(Score.stack([STEPS, STEPS]), ONE)).cdf(1)
    with pytest.raises(ParameterError, match="probabilities between 0 and 1"):
        read_law(LAWS[0]).quantile(2)
    assert repr(LAWS[0]) == "<BalanceLaw: withheld>"
    assert read_law(LAWS[0]).support == (0, 9)


@pytest.mark.parametrize("unit", [1, 2, 512])
def test_a_law_is_the_same_anywhere_on_a_long_lattice(unit: int) -> None:
    """Between distant ends, so that positions have more bits than a float; their differences are what counts."""

    def law(origin: int) -> BalanceLaw:
        support, near = (origin - 2**20, origin + 2**20), [origin, origin + 3, origin + 4, origin + 9]
        if unit == 1:
            score = Score.steps([support[0], *near], [-40, -3, -1, 1, 40], support, bottom=2)
        else:
            positions = [unit * k for k in (support[0], *near, support[1])]
            score = Score.lines(positions, [-40, -40, -3, 2, 40, 40], support, unit=unit)
        return BalanceLaw(score, ONE)

    here, far = law(0), law(2**50)
    values = np.arange(-3, 14)
    assert np.allclose(read_law(here).logpmf(values), read_law(far).logpmf(values + 2**50), rtol=1e-12)
    bits = hazmat.SeededBits
    assert np.array_equal(here.draw(300, bits=bits(3)) + 2**50, far.draw(300, bits=bits(3)))
