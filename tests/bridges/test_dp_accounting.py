"""Events against the accountants of the real package: accepted where the page says so, and never undercharged."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest

import noisewise as nws
from noisewise.bridges.dp_accounting import to_event
from noisewise.kernel.losses import discrete_laplace_rho
from noisewise.ledger.ledger import Ledger
from tests.lazy_module import LazyModule

dp_accounting, pld, rdp = (
    LazyModule("dp_accounting"),
    LazyModule("dp_accounting.pld"),
    LazyModule("dp_accounting.rdp"),
)
LAPLACE = nws.PureDP(1, rho=discrete_laplace_rho(1, 10))
COUNT = nws.PureDP(1, rho=discrete_laplace_rho(1, 1))


def pld_epsilon(event, delta, count=1):
    return pld.PLDAccountant().compose(event, count).get_epsilon(delta)


def pld_delta(event, epsilon):
    return pld.PLDAccountant().compose(event).get_delta(epsilon)


def rdp_epsilon(event, delta, count=1):
    return rdp.RdpAccountant().compose(event, count).get_epsilon(delta)


def excess(p, q, epsilon):
    """The smallest delta at this epsilon between two laws on the same points."""
    return sum(max(0.0, a - math.exp(epsilon) * b) for a, b in zip(p, q, strict=True))


def randomised_response(epsilon):
    """The worst pure loss; a count by discrete Laplace noise has the same log ratios."""
    truth = 1 / (1 + math.exp(-epsilon))
    return (truth, 1 - truth), (1 - truth, truth)


def bounded_range(epsilon, top):
    """Log ratios top and top - epsilon: the extreme law of bounded range."""
    q = -math.expm1(top - epsilon) / (math.exp(top) - math.exp(top - epsilon))
    return (q * math.exp(top), 1 - q * math.exp(top)), (q, 1 - q)


class TestWhichEvent:
    def test_auto_is_pure_where_only_epsilon_is_known(self):
        event = dp_accounting.dp_event
        assert to_event(nws.PureDP(0.5)) == event.DiscreteLaplaceDpEvent(0.5, 1)
        assert to_event(COUNT) == event.DiscreteLaplaceDpEvent(1.0, 1)
        assert to_event(nws.ApproxDP(0.5, 0)) == event.DiscreteLaplaceDpEvent(0.5, 1)
        assert to_event(nws.ZCDP(0.25)) == event.ZCDpEvent(0.25)

    @pytest.mark.parametrize("loss", [nws.BoundedRange(1), LAPLACE], ids=str)
    def test_auto_is_zcdp_where_that_says_more(self, loss):
        event = to_event(loss)
        assert type(event) is dp_accounting.dp_event.ZCDpEvent
        assert event.xi == 0
        assert 0 <= Fraction(event.rho) - loss.as_zcdp().rho < Fraction(1, 2**50)

    @pytest.mark.parametrize("loss", [nws.BoundedRange(1), nws.PureDP(1), LAPLACE], ids=str)
    def test_a_currency_can_be_asked_for(self, loss):
        assert to_event(loss, as_="pure") == dp_accounting.dp_event.DiscreteLaplaceDpEvent(1.0, 1)
        assert to_event(loss, as_="zcdp").rho >= loss.as_zcdp().rho

    def test_a_mix_is_in_one_currency_so_that_one_accountant_takes_it(self):
        event = to_event([nws.PureDP(1), nws.BoundedRange(1), nws.PureDP(1)])
        pure, ranged = nws.PureDP(1).as_zcdp().rho, nws.BoundedRange(1).as_zcdp().rho
        twice, once = event.events
        assert (twice.count, Fraction(twice.event.rho) >= pure) == (2, True)
        assert Fraction(once.rho) >= ranged
        assert rdp.RdpAccountant().supports(event)

    def test_no_loss_is_no_event(self):
        for nothing in (nws.PureDP(0), nws.ZCDP(0), nws.BoundedRange(0), []):
            assert to_event(nothing) == dp_accounting.dp_event.NoOpDpEvent()
        assert to_event([nws.PureDP(0), nws.PureDP(1)]) == to_event(nws.PureDP(1))

    @pytest.mark.parametrize("epsilon", ["0.1", "0.3", "0.7", "1/3", "1e-400", "64"])
    @pytest.mark.parametrize("kind", [nws.PureDP, nws.BoundedRange])
    def test_floats_are_not_below_the_exact_numbers(self, kind, epsilon):
        loss = kind(Fraction(epsilon))
        assert Fraction(to_event(loss, as_="pure").noise_parameter) >= loss.epsilon
        assert Fraction(to_event(loss, as_="zcdp").rho) >= loss.as_zcdp().rho


class TestWhoTakesIt:
    def test_rdp_takes_zcdp_events_under_every_relation_and_no_pure_ones(self):
        for relation in dp_accounting.NeighboringRelation:
            accountant = rdp.RdpAccountant(neighboring_relation=relation)
            assert accountant.supports(to_event(nws.BoundedRange(1))), relation
            assert not accountant.supports(to_event(nws.BoundedRange(1), as_="pure")), relation

    def test_pld_takes_pure_events_but_not_where_records_are_replaced_and_no_zcdp_ones(self):
        for relation in dp_accounting.NeighboringRelation:
            accountant = pld.PLDAccountant(relation)
            replaced = relation is dp_accounting.NeighboringRelation.REPLACE_ONE
            assert accountant.supports(to_event(nws.PureDP(1))) is not replaced, relation
            assert not accountant.supports(to_event(nws.BoundedRange(1))), relation


class TestNobodyIsUndercharged:
    @pytest.mark.parametrize("epsilon", [0.1, 1, 3])
    def test_a_pure_event_has_the_curve_of_randomised_response(self, epsilon):
        for at in (0, epsilon / 4, epsilon / 2, 0.99 * epsilon):
            exact = excess(*randomised_response(epsilon), at)
            assert exact - 1e-12 <= pld_delta(to_event(nws.PureDP(epsilon)), at) <= exact + 1e-3

    def test_a_laplace_event_would_undercharge_a_count(self):
        truly = excess(*randomised_response(1), 0.5)
        assert pld_delta(dp_accounting.LaplaceDpEvent(1.0), 0.5) < 0.8 * truly
        assert pld_delta(to_event(COUNT), 0.5) >= truly - 1e-12

    def test_a_laplace_event_would_undercharge_bounded_range(self):
        """Bounded range composes nearly like Laplace noise of half its epsilon, but not quite."""
        truly = excess(*bounded_range(1, top=0.9), 0.6)
        assert truly > 0.03
        assert pld_delta(dp_accounting.LaplaceDpEvent(2.0), 0.6) < 1e-12
        assert pld_delta(to_event(nws.BoundedRange(1), as_="pure"), 0.6) >= truly
        assert rdp.RdpAccountant().compose(to_event(nws.BoundedRange(1))).get_delta(0.6) >= truly

    def test_a_hundred_of_bounded_range_cost_more_than_a_hundred_laplace_events(self):
        hundred = [nws.BoundedRange(1)] * 100
        laplace = pld_epsilon(dp_accounting.LaplaceDpEvent(2.0), 1e-6, count=100)
        zcdp = rdp_epsilon(to_event(hundred), 1e-6)
        pure = pld_epsilon(to_event(hundred, as_="pure"), 1e-6)
        assert (round(laplace, 1), round(zcdp, 1), round(pure, 1)) == (30.5, 37.1, 83.5)
        assert laplace < 34.8 < zcdp < pure  # 34.8 is what they lose truly, at worst

    @pytest.mark.parametrize("delta", [1e-4, 1e-9])
    def test_rdp_is_not_below_the_exact_conversion(self, delta):
        event = to_event([nws.BoundedRange(0.2)] * 50)
        rho = 50 * nws.BoundedRange(0.2).as_zcdp().rho
        exact = float(nws.ZCDP(rho).as_approx(delta).epsilon)
        assert exact <= rdp_epsilon(event, delta) <= 1.001 * exact

    @pytest.mark.parametrize(
        ("epsilon_of", "as_"), [(pld_epsilon, "pure"), (rdp_epsilon, "zcdp")], ids=["pld", "rdp"]
    )
    def test_repeated_events_cost_each_time(self, epsilon_of, as_):
        one = to_event(nws.BoundedRange(0.5), as_=as_)
        thrice = to_event([nws.BoundedRange(0.5)] * 3, as_=as_)
        apart = dp_accounting.ComposedDpEvent([one, one, one])
        assert thrice == dp_accounting.dp_event.SelfComposedDpEvent(one, 3)
        assert epsilon_of(thrice, 1e-6) == pytest.approx(epsilon_of(apart, 1e-6), rel=1e-9)
        assert epsilon_of(one, 1e-6, count=3) == pytest.approx(epsilon_of(apart, 1e-6), rel=1e-9)
        assert epsilon_of(thrice, 1e-6) > 1.4 * epsilon_of(one, 1e-6)


class TestWhatWasSpent:
    def test_a_release_is_its_loss(self):
        median = nws.median([1, 2, 3], bounds=(0, 10), epsilon=0.5, mechanism="piecewise_laplace")
        assert to_event(median) == to_event(nws.BoundedRange(0.5))
        count = nws.count([1, 2, 3], epsilon=0.5)
        assert to_event([median, count]) == to_event([median.privacy, count.privacy])

    def test_a_ledger_is_all_its_entries(self, tmp_path):
        ledger = Ledger.open(tmp_path / "staff.ledger", budget=nws.ZCDP(2))
        assert to_event(ledger) == dp_accounting.dp_event.NoOpDpEvent()
        asked = {"bounds": (0, 10), "epsilon": 0.5, "ledger": ledger}
        paid = [nws.median([1, 2, 3], **asked), nws.sum([1, 2, 3], **asked), nws.median([1, 2, 3], **asked)]
        assert paid[1].privacy.rho is not None
        for as_ in ("auto", "pure", "zcdp"):
            assert to_event(ledger, as_=as_) == to_event(paid, as_=as_)
            assert to_event([ledger, nws.PureDP(1)], as_=as_) == to_event([*paid, nws.PureDP(1)], as_=as_)

    def test_entries_and_what_was_composed_are_losses_too(self, tmp_path):
        ledger = Ledger.open(tmp_path / "staff.ledger", budget=nws.ZCDP(2))
        median = nws.median([1, 2, 3], bounds=(0, 10), epsilon=0.5, ledger=ledger)
        assert to_event(median.receipt) == to_event(iter([median])) == to_event(median)
        pure, half = nws.compose(nws.PureDP(1), nws.PureDP(0.5)), nws.BoundedRange(0.5)
        assert to_event(pure, as_="pure") == dp_accounting.dp_event.DiscreteLaplaceDpEvent(1.5, 1)
        both = nws.compose(half, half)
        assert to_event(both).rho >= 2 * to_event(half).rho > 0.99 * to_event(both).rho
        assert to_event([both, nws.ZCDP(0.5)]) == to_event([nws.PureDP(1, both.rho), nws.ZCDP(0.5)])
        assert to_event(nws.compose(half, nws.ZCDP(0.5)), as_="zcdp").rho > 0.5
        with pytest.raises(nws.ParameterError, match="loss must bound the log ratio"):
            to_event(nws.compose(nws.ZCDP(0.5)), as_="pure")
        with pytest.raises(nws.ParameterError, match="losses must all have delta 0"):
            to_event(nws.compose(nws.ApproxDP(1, 1e-6)))

    @pytest.mark.parametrize(
        ("other", "whom"),
        [({"neighbors": "swap"}, "swap of 1 record"), ({"contributions": 3}, "add_remove of 3 record")],
    )
    def test_releases_that_protect_differently_do_not_add_up(self, other, whom, tmp_path):
        one = nws.median([1, 2, 3], bounds=(0, 10), epsilon=0.5)
        two = nws.median([1, 2, 3], bounds=(0, 10), epsilon=0.5, **other)
        ledger = Ledger.open(tmp_path / "staff.ledger", budget=nws.ZCDP(2), **other)
        for parts in ([one, two], [one, ledger], [nws.PureDP(1), one, two]):
            with pytest.raises(nws.ParameterError, match="releases must protect the same people") as caught:
                to_event(parts)
            assert str(caught.value).endswith(" and ".join(sorted(["add_remove of 1 record", whom])))
        assert to_event([two, ledger]) == to_event(two)

    def test_where_a_column_names_people_they_are_protected_whole(self, tmp_path):
        median = nws.median([1, 2, 3], bounds=(0, 10), epsilon=0.5)
        one, two = (replace(median, people="person_id", contributions=owned) for owned in (1, 3))
        ledger = Ledger.open(tmp_path / "staff.ledger", budget=nws.ZCDP(2), unit="person_id", contributions=2)
        assert to_event([one, two, ledger]) == to_event([one, two])
        with pytest.raises(nws.ParameterError, match="add_remove of 1 record and add_remove of everything"):
            to_event([median, one])

    def test_a_delta_has_no_event_in_the_package(self):
        for as_ in ("auto", "pure", "zcdp"):
            with pytest.raises(nws.ParameterError, match="dp_accounting has no event for it"):
                to_event(nws.ApproxDP(1, 1e-6), as_=as_)

    def test_zcdp_is_not_pure(self):
        with pytest.raises(nws.ParameterError, match="loss must bound the log ratio"):
            to_event([nws.PureDP(1), nws.ZCDP(0.5)], as_="pure")

    @pytest.mark.parametrize(
        "spent", [1.0, "loss", None, nws.PureDP, {nws.PureDP(1)}, [0.5], [[nws.PureDP(1)]]], ids=repr
    )
    def test_what_is_no_loss_is_refused_by_its_type(self, spent):
        with pytest.raises(
            nws.ParameterTypeError, match="losses must be losses, releases, entries, a ledger or a list"
        ):
            to_event(spent)

    @pytest.mark.parametrize("as_", ["laplace", None, "PURE"])
    def test_another_currency_is_refused(self, as_):
        with pytest.raises(nws.ParameterError, match='as_ must be "auto", "pure" or "zcdp", got'):
            to_event(nws.PureDP(1), as_=as_)
