"""Measurements in the real OpenDP: released, mapped, composed, and never less than their law costs."""

import math
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

import noisewise as nws
from noisewise.bridges.opendp import make_measurement
from noisewise.planning.readings.read_law import read_law
from tests.lazy_module import LazyModule

dp, mod = LazyModule("opendp.prelude"), LazyModule("opendp.mod")

MEDIAN = nws.Quantile("1/2")
DATA = [x / 10 for x in range(1001)]


@pytest.fixture(autouse=True, scope="module")
def features():
    dp.enable_features("contrib", "honest-but-curious")


def median(**asked):
    return make_measurement(MEDIAN, **({"bounds": (0, 100), "epsilon": 1} | asked))


def space():
    return dp.vector_domain(dp.atom_domain(T=float)), dp.symmetric_distance()


def sized(n):
    return dp.vector_domain(dp.atom_domain(T=float), size=n)


def opendp_count(scale):
    return space() >> dp.t.then_count() >> dp.m.then_laplace(scale=scale)


class TestTheFunction:
    def test_it_releases_what_noisewise_releases(self):
        values = [median(epsilon=4)(DATA) for _ in range(50)]
        assert {type(value) for value in values} == {int}
        assert all(abs(value - 50) <= 5 for value in values)
        assert all(abs(median(epsilon=4, granularity=0.5)(np.array(DATA)) - 50) <= 5 for _ in range(50))

    def test_missing_and_endless_records_are_read_as_ever(self):
        awkward = [math.nan] * 500 + [math.inf] * 400 + [-math.inf] * 300
        assert median(epsilon=8)(awkward) == 100
        assert isinstance(median()([]), int)

    def test_a_statistic_without_bounds_or_with_private_ones(self):
        assert abs(make_measurement(nws.Count(), epsilon=4)(DATA) - 1001) < 20
        assert abs(median(bounds="private", epsilon=16)(DATA) - 50) < 20

    def test_other_domains_are_taken_as_they_are(self):
        whole = dp.vector_domain(dp.atom_domain(T=int))
        total = make_measurement(nws.Sum(), bounds=(0, 10), epsilon=8, domain=whole)
        assert total.input_domain == whole
        assert abs(total([5] * 100) - 500) < 50
        clamped = space() >> dp.t.then_impute_constant(0.0) >> dp.t.then_clamp((0.0, 100.0))
        chained = clamped >> median(epsilon=8, domain=clamped.output_domain)
        assert abs(chained(DATA) - 50) <= 5
        assert chained.map(1) == 8

    def test_post_processing_chains(self):
        assert 4.5 <= (median(epsilon=8) >> (lambda value: value / 10))(DATA) <= 5.5

    def test_an_error_says_nothing_of_the_data(self):
        class Leaky(nws.Quantile):
            def envelope(self, column, answers, levels):
                raise ValueError(f"unlucky record {column.values[0]}")

        with pytest.raises(mod.OpenDPException) as caught:
            make_measurement(Leaky("1/2"), bounds=(0, 100), epsilon=1)([77.125])
        assert "ReleaseFailed" in str(caught.value)
        assert "77.125" not in str(caught.value)
        assert "unlucky" not in str(caught.value)

    @pytest.mark.parametrize("stop", ["KeyboardInterrupt", "SystemExit"])
    def test_an_interrupt_is_an_error_and_does_not_abort_the_process(self, stop):
        script = f"""
import noisewise as nws, opendp.prelude as dp
from noisewise.bridges.opendp import make_measurement
from tests.lazy_module import LazyModule

dp, mod = LazyModule("opendp.prelude"), LazyModule("opendp.mod")
dp.enable_features("contrib", "honest-but-curious")
class Stopped(nws.Quantile):
    def envelope(self, column, answers, levels):
        raise {stop}
try:
    make_measurement(Stopped("1/2"), bounds=(0, 1), epsilon=1)([0.5])
except Exception as error:
    print("the release was interrupted" in str(error))
"""
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


class TestTheMap:
    def test_up_to_contributions_it_is_epsilon_and_then_that_of_a_group(self):
        mapped = median(epsilon=1, contributions=3)
        assert [mapped.map(d) for d in range(8)] == [0, 1, 1, 1, 2, 2, 2, 3]

    def test_swapped_records_are_counted_by_opendp_as_changes(self):
        swapped = median(neighbors="swap", domain=sized(1001))
        assert swapped.input_metric == dp.change_one_distance()
        assert [swapped.map(d) for d in range(4)] == [0, 1, 2, 3]
        assert abs(swapped(DATA) - 50) < 40

    def test_the_measure_is_the_currency(self):
        assert median().output_measure == dp.max_divergence()
        assert median(as_="zcdp").output_measure == dp.zero_concentrated_divergence()

    def test_zcdp_of_bounded_range_is_a_quarter_of_what_opendp_would_make_of_it(self):
        rho = median(as_="zcdp").map(1)
        assert 0 <= Fraction(rho) - nws.BoundedRange(1).as_zcdp().rho < Fraction(1, 2**50)
        assert dp.c.make_pureDP_to_zCDP(median()).map(1) == 0.5 > 4 * rho

    @pytest.mark.parametrize("people", [2, 3, 10])
    def test_a_group_has_a_wider_range_in_zcdp(self, people):
        rho = median(as_="zcdp", contributions=2).map(2 * people)
        assert 0 <= Fraction(rho) - nws.BoundedRange(people).as_zcdp().rho < Fraction(1, 2**48)
        assert rho > people * median(as_="zcdp").map(1)

    def test_a_known_rho_grows_with_the_square_of_the_group(self):
        mapped = make_measurement(nws.Sum(), bounds=(0, 1000), epsilon=0.1, as_="zcdp")
        loss = nws.sum([1], bounds=(0, 1000), epsilon=0.1).privacy
        assert loss.rho < nws.PureDP(loss.epsilon).as_zcdp().rho
        for people in (1, 2):
            assert 0 <= Fraction(mapped.map(people)) - people**2 * loss.rho < Fraction(1, 2**50)

    @pytest.mark.parametrize("epsilon", [0.1, 0.3, 0.7, Fraction(1, 3)])
    @pytest.mark.parametrize("people", [1, 3, 7])
    def test_floats_are_not_below_the_exact_numbers(self, epsilon, people):
        exactly = people * nws.PureDP(epsilon).epsilon
        assert exactly <= Fraction(median(epsilon=epsilon).map(people)) < exactly + Fraction(1, 2**50)

    def test_the_laws_of_real_data_keep_to_it(self):
        """Records added, removed and both at once, against the map: pure, and zCDP at several orders."""
        asked = {"bounds": (0, 8), "epsilon": 1, "contributions": 2, "granularity": 1}
        asked |= {"mechanism": "piecewise_laplace"}
        pure, zcdp = (make_measurement(MEDIAN, **asked, as_=as_) for as_ in ("pure", "zcdp"))
        values = np.arange(9)

        def law(data):
            return read_law(nws.hazmat.law(MEDIAN, data, **asked)).pmf(values)

        worst = 0.0
        base = [0, 1, 4, 5, 8, 8]
        for distance, other in [
            (1, base[1:]),
            (2, base[2:]),
            (2, [*base[:-1], 0]),
            (3, base[3:]),
            (4, [0, 0, *base[:-2]]),
            (4, [*base, 0, 0, 0, 0]),
            (5, [8]),
        ]:
            p, q = law(base), law(other)
            for one, two in ((p, q), (q, p)):
                loss = np.abs(np.log(one / two)).max()
                worst = max(worst, loss / pure.map(distance))
                assert loss <= pure.map(distance) + 1e-9
                for order in (1.5, 2, 8, 64):
                    renyi = np.log(np.sum(two * (one / two) ** order)) / (order - 1)
                    assert renyi <= order * zcdp.map(distance) + 1e-9
        assert worst > 0.5


class TestComposition:
    def test_with_a_measurement_of_opendp(self):
        both = dp.c.make_composition([median(), opendp_count(2.0)])
        middle, count = both(DATA)
        assert abs(middle - 50) < 40
        assert abs(count - 1001) < 100
        assert (both.map(1), both.map(2)) == (1.5, 3.0)

    def test_adaptively_and_no_further_than_was_agreed(self):
        queries = dp.c.make_adaptive_composition(*space(), dp.max_divergence(), d_in=1, d_mids=[1.0, 0.5])(
            DATA
        )
        assert isinstance(queries(median()), int)
        with pytest.raises(mod.OpenDPException):
            queries(median(epsilon=0.6))
        assert isinstance(queries(median(epsilon=0.5)), int)
        with pytest.raises(mod.OpenDPException, match="out of queries"):
            queries(median(epsilon=0.5))

    def test_concurrently_between_two_interactions(self):
        def inner():
            return dp.c.make_adaptive_composition(*space(), dp.max_divergence(), d_in=1, d_mids=[1.0, 0.5])

        outer = dp.c.make_adaptive_composition(*space(), dp.max_divergence(), d_in=1, d_mids=[1.5, 1.5])
        queries = outer(DATA)
        left, right = queries(inner()), queries(inner())
        answers = [left(median()), right(median()), left(opendp_count(2.0)), right(median(epsilon=0.5))]
        assert outer.map(1) == 3
        assert all(isinstance(answer, int) for answer in answers)

    def test_an_odometer_adds_it_up_and_a_filter_stops_it(self):
        odometer = dp.c.make_fully_adaptive_composition(*space(), dp.max_divergence())
        queries = odometer(DATA)
        queries(median(contributions=2))
        queries(opendp_count(2.0))
        assert (queries.privacy_loss(1), queries.privacy_loss(4)) == (1.5, 4.0)
        limited = dp.c.make_privacy_filter(odometer, d_in=1, d_out=1.2)(DATA)
        limited(median())
        with pytest.raises(mod.OpenDPException, match="would exceed privacy budget"):
            limited(median())

    def test_in_zcdp(self):
        noisy = dp.c.make_pureDP_to_zCDP(opendp_count(2.0))
        both = dp.c.make_composition([median(as_="zcdp"), noisy])
        assert both.map(1) == pytest.approx(0.12330156148224454 + 0.125, abs=1e-12)
        approximate = dp.c.make_zCDP_to_approxDP(both)
        assert approximate.map(1).epsilon(1e-6) > 1


class TestRefusals:
    def test_features_are_the_users_to_enable(self):
        dp.disable_features("honest-but-curious")
        try:
            with pytest.raises(mod.OpenDPException, match="honest-but-curious"):
                median()
        finally:
            dp.enable_features("honest-but-curious")

    def test_under_swap_the_number_of_records_is_public_and_kept(self):
        with pytest.raises(nws.ParameterError, match="domain must have a size under swap"):
            median(neighbors="swap")
        with pytest.raises(mod.OpenDPException, match="data must have the 5 records of its domain"):
            median(neighbors="swap", domain=sized(5))([1.0] * 4)
        assert isinstance(median(domain=sized(5))([1.0] * 4), int)  # else it is a secret and nothing is said

    def test_under_swap_the_loss_is_that_of_the_size(self):
        def mean(n, **asked):
            asked |= {"bounds": (0, 1), "granularity": 0.25, "epsilon": 1, "mechanism": "laplace"}
            return make_measurement(nws.Mean(), neighbors="swap", domain=sized(n), as_="zcdp", **asked)

        assert mean(4).map(1) > mean(1).map(1) > 0.36

    @pytest.mark.parametrize("statistic", [nws.Pearson(), nws.Triangles()], ids=str)
    def test_only_one_column_of_numbers_is_read(self, statistic):
        with pytest.raises(nws.ParameterError, match="statistic must read one column of numbers, got"):
            make_measurement(statistic, epsilon=1)

    def test_parameters_are_judged_before_there_is_a_measurement(self):
        with pytest.raises(nws.ParameterError, match="epsilon must be above 0"):
            median(epsilon=0)
        with pytest.raises(nws.ParameterTypeError, match="statistic must be a statistic"):
            make_measurement(nws.median, bounds=(0, 1), epsilon=1)
        with pytest.raises(nws.ParameterError, match='as_ must be "pure" or "zcdp", got'):
            median(as_="auto")
        with pytest.raises(nws.ParameterTypeError, match="domain must be a vector domain of OpenDP, got"):
            median(domain=dp.atom_domain(T=float))
        with pytest.raises(
            nws.ParameterTypeError, match="domain must hold numbers, got a vector domain of String"
        ):
            median(domain=dp.vector_domain(dp.atom_domain(T=str)))
