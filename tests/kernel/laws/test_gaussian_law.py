"""The law of Gaussian noise: drawn exactly around every centre, clamped at public ends, and read in float64."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import ctx

from noisewise import ParameterError
from noisewise.audit.draws import Choices
from noisewise.hazmat import SeededBits
from noisewise.kernel.laws.gaussian_law import GaussianLaw
from noisewise.kernel.numbers.answers import UTMOST
from noisewise.kernel.numbers.gaussian_sums import gaussian_sum
from noisewise.planning.readings.gaussian_reading import GaussianReading, log_tail, mean_beyond
from noisewise.planning.readings.read_law import read_law
from tests.kernel.sampling.goodness import LEVEL, ball, p_value, tilted

FIVE = np.array([5])


def law(variance, clamp=(None, None), centre=5, granularity=1):
    return GaussianLaw(np.array([centre]), Fraction(variance), Fraction(granularity), clamp)


def chances(variance, centre, low, high):
    """The probabilities of low..high: a wide table of terms, of which all beyond an end falls on that end."""
    reach = math.ceil(14 * math.sqrt(variance)) + abs(high - low) + abs(centre) + 5
    wide = np.arange(centre - reach, centre + reach + 1)
    weights = np.exp(-((wide - centre) ** 2) / (2 * float(variance)))
    return np.bincount(np.clip(wide, low, high) - low, weights / weights.sum(), minlength=high - low + 1)


# Drawn


@pytest.mark.parametrize("variance", ["1/4", "3", "100", "40000"])
@pytest.mark.parametrize(("centre", "clamp"), [(5, (0, 9)), (0, (0, 9)), (9, (0, 9)), (5, (4, 5))])
def test_what_lies_beyond_an_end_falls_on_it(variance, centre, clamp):
    """The density is not truncated, and no draw is repeated until it fits."""
    drawn = law(variance, clamp, centre).draw(90_000, bits=SeededBits(1)).astype(np.int64)
    counts = np.bincount(drawn - clamp[0], minlength=clamp[1] - clamp[0] + 1)
    right = chances(Fraction(variance), centre, *clamp)
    assert p_value(counts, right) > LEVEL
    if np.sort(right)[-2] > 0.15:
        assert p_value(counts, tilted(right)) < LEVEL


def test_one_side_may_be_open():
    drawn = law(100, (0, None)).draw(2000, bits=SeededBits(2))
    assert drawn.min() == 0 and drawn.max() > 15
    drawn = law(100, (None, 9)).draw(2000, bits=SeededBits(2))
    assert drawn.max() == 9 and drawn.min() < -15


def test_an_open_side_ends_at_the_utmost_index():
    centres = np.array([UTMOST // 2, -UTMOST // 2] * 2000)
    drawn = GaussianLaw(centres, Fraction(2**116)).draw_each(bits=SeededBits(3))
    assert np.abs(drawn).max() <= UTMOST
    assert (np.abs(drawn - centres) > 2**57).any()


@pytest.mark.parametrize("variance", ["2", "90000"])
def test_each_group_has_its_own_centre(variance):
    centres = np.arange(40_000) * 7 - 1000
    noise = GaussianLaw(centres, Fraction(variance)).draw_each(bits=SeededBits(4)) - centres
    reach = math.ceil(2 * math.sqrt(Fraction(variance)))
    counts = np.bincount(np.clip(noise, -reach, reach) + reach, minlength=2 * reach + 1)
    right = chances(Fraction(variance), 0, -reach, reach)
    assert p_value(counts, right) > LEVEL
    assert p_value(counts, chances(Fraction(variance) * Fraction(121, 100), 0, -reach, reach)) < LEVEL


def test_a_group_draws_what_it_draws_alone():
    """Blocks of one point take one word for each draw. So the words say what is drawn."""
    centres, words = np.array([3, 500, -20]), SeededBits(5).words(3)
    batch = GaussianLaw(centres, Fraction(50), clamp=(-900, 900))
    together = batch.draw_from(words, SeededBits(6))
    for group in range(3):
        alone = batch[group].draw_from(words[group : group + 1], SeededBits(6))
        assert alone.tolist() == [together[group]]
    assert batch[-1].centres.tolist() == [-20]


def test_each_coordinate_may_have_ends_of_its_own():
    centres, low, high = np.array([0, 5, 9] * 500), np.array([-3, 5, 0] * 500), np.array([3, 5, 50] * 500)
    vector = GaussianLaw(centres, Fraction(400), clamp=(low, high))
    drawn = vector.draw_each(bits=SeededBits(9)).reshape(-1, 3)
    assert drawn.min(axis=0).tolist() == [-3, 5, 0] and drawn.max(axis=0).tolist()[:2] == [3, 5]
    free = GaussianLaw(centres, Fraction(400)).draw_each(bits=SeededBits(9))
    assert drawn.ravel().tolist() == np.clip(free, low, high).tolist()
    assert vector[0].ends == (-3, 3) and vector[2].ends == (0, 50)
    assert read_law(vector)[2].support == (0, 50)


def test_a_draw_is_the_draw_of_each():
    for variance in (4, 10**6):
        one, each = (
            getattr(law(variance), name)(*size, bits=SeededBits(7))
            for name, size in (("draw", (1,)), ("draw_each", ()))
        )
        assert one.tolist() == each.tolist()


def test_values_are_in_the_unit_of_the_answer():
    fine, whole = law(9, granularity="1/4"), law(9)
    assert np.array_equal(fine.draw(50, bits=SeededBits(8)), whole.draw(50, bits=SeededBits(8)) / 4)
    assert fine.draw_each(bits=SeededBits(8)) == whole.draw_each(bits=SeededBits(8))


def test_a_batch_must_be_chosen_from_to_be_read():
    batch = GaussianLaw(np.array([1, 2]), Fraction(1))
    assert len(batch) == 2 and batch.ends == (None, None)
    for ask in (lambda: batch.draw(1), lambda: read_law(batch).pmf(0), lambda: read_law(batch).cdf(0)):
        with pytest.raises(ParameterError, match="one law must be chosen"):
            ask()
    with pytest.raises(IndexError):
        batch[2]


def test_it_is_a_secret_and_an_audit_chooses_its_outcome():
    assert repr(law(1)) == "<GaussianLaw: withheld>"
    assert law(1).draw_each(bits=Choices(((17,),))).tolist() == [17]


# Read


def tail(variance, m, bits=2500):
    """ln P(noise >= m), in balls."""
    with ctx.workprec(bits):
        return float((gaussian_sum(variance, m) / (1 + 2 * gaussian_sum(variance, 1))).log())


SIGMAS = ["1/11", "1/3", "1", "5", "8", "17/2", "63", "300", "1000000000000", "144115188075855872"]


@pytest.mark.parametrize("sigma", SIGMAS)
def test_tails_are_read_far_out(sigma):
    variance = Fraction(sigma) ** 2
    for far in (0, 1e-6, 0.1, 0.7, 1, 2.5, 6, 15, 40, 150):
        m = int(far * float(Fraction(sigma))) + 1
        right = tail(variance, m)
        assert float(log_tail(float(variance), np.array([m]))[0]) == pytest.approx(
            right, rel=1e-13, abs=1e-13
        )
        inside = math.log1p(-math.exp(right))
        assert float(log_tail(float(variance), np.array([1 - m]))[0]) == pytest.approx(inside, rel=1e-11)


@pytest.mark.parametrize("sigma", SIGMAS)
@pytest.mark.parametrize("limit", [0, 1, 2, 30, 400])
def test_mean_errors_are_sums_of_tails(sigma, limit):
    variance = Fraction(sigma) ** 2
    right = math.fsum(math.exp(tail(variance, t, 200)) for t in range(1, limit + 1))
    assert mean_beyond(float(variance), limit) == pytest.approx(right, rel=1e-12, abs=0)


@pytest.mark.parametrize("variance", ["1/4", "3", "63", "65", "4000"])
@pytest.mark.parametrize(("centre", "clamp"), [(5, (0, 9)), (0, (0, 400)), (400, (0, 400)), (7, (7, 7))])
def test_a_reading_is_the_table_of_its_law(variance, centre, clamp):
    reading = read_law(law(variance, clamp, centre, "1/4"))
    assert isinstance(reading, GaussianReading) and read_law(reading) is reading
    at, right = np.arange(clamp[0], clamp[1] + 1), chances(Fraction(variance), centre, *clamp)
    assert reading.centre == centre and reading.support == (clamp[0] / 4, clamp[1] / 4)
    assert reading.pmf(at / 4) == pytest.approx(right, rel=1e-9, abs=1e-300)
    assert reading.cdf(at / 4) == pytest.approx(np.cumsum(right), rel=1e-9)
    error = np.abs(at - centre)
    assert reading.expected_error() == pytest.approx(float(right @ error) / 4, rel=1e-9)
    assert reading.bias() == pytest.approx(float(right @ (at - centre)) / 4, rel=1e-9, abs=1e-11)
    for share in (0.3, 0.95):
        within = reading.within(share) * 4
        assert right[error <= within].sum() >= share - 1e-9
        assert within == 0 or right[error < within].sum() < share
        assert reading.quantile(share) * 4 == clamp[0] + np.searchsorted(np.cumsum(right), share)
    assert reading.errors(0.5) == (reading.expected_error(), reading.within(0.5), reading.bias())


def test_a_reading_answers_as_it_is_asked():
    reading = read_law(law(4, (0, None)))
    assert reading.support == (0, None)
    assert reading.pmf([-1, 0.5, 5]).tolist() == [0, 0, reading.pmf(5)]
    assert np.isnan(reading.cdf(math.nan)) and reading.cdf(-1) == 0 and reading.cdf(math.inf) == 1
    assert reading.pmf([[4, 6]]).shape == reading.cdf([[4, 6]]).shape == (1, 2)
    assert reading.logpmf(10_000) == pytest.approx(-(9995**2) / 8, rel=1e-6)
    assert (
        reading.draw(3, bits=SeededBits(1)).tolist() == law(4, (0, None)).draw(3, bits=SeededBits(1)).tolist()
    )
    batch = read_law(GaussianLaw(np.array([1, 5]), Fraction(4)))
    assert batch[1].pmf(5) == read_law(law(4)).pmf(5)


def test_probabilities_of_a_wide_law_add_up_in_balls():
    """pmf at sigma 300 against single terms."""
    variance = Fraction(300) ** 2
    reading = read_law(law(variance))
    with ctx.workprec(200):
        total = 1 + 2 * gaussian_sum(variance, 1)
        for z in (0, 1, 299, 3000, 20_000):
            right = float(-ball(Fraction(z * z) / (2 * variance)) - total.log())
            assert reading.logpmf(5 + z) == pytest.approx(right, rel=1e-13)
            assert reading.logpmf(5 - z) == pytest.approx(right, rel=1e-13)
