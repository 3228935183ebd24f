"""Levels and balls of one's own: released as they are, refused by public facts alone, and total in what they hold."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import noisewise as nws
from noisewise.audit.worlds import World
from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.functions.own_statistic import of_given
from noisewise.statistics.given_levels import GivenLevels
from tests.kernel.laws.moves import worst_gap, worst_move

DOMAIN = (0, 1, 3, 4)
SUPPORT = (0, 4)


def middle(records):
    """The median of swapped records with its levels, written down by hand."""
    ranked, rank = sorted(records), (len(records) - 1) // 2
    padded = [0] * 9 + ranked + [4] * 9
    return (
        [padded[9 + rank - l] for l in range(4)],
        [padded[9 + rank + l] for l in range(4)],
    )


def capped_sum(records):
    """Two sums, one of them capped, with radii."""
    return [sum(records), min(sum(records), 5)], nws.RadiusBounds.of([8, 8], 8)


def law_of(given, **asked):
    return of_given(given, epsilon=1, mechanism="piecewise_laplace", **asked).look()


def test_any_levels_are_released_and_sound_ones_stay_as_they_are():
    for numbers in product((-1, 0, 3, 4, 5), repeat=4):
        lower, upper = list(numbers[:2]), list(numbers[2:])
        envelope = nws.Envelope.of(lower, upper, SUPPORT)
        tidy = GivenLevels(envelope).envelope(None, of_given(envelope, epsilon=1).frame.answers, 2)
        assert tidy.fault(SUPPORT) is None
        same = (tidy.lower.tolist(), tidy.upper.tolist()) == (lower, upper)
        assert same == (envelope.fault(SUPPORT) is None)


def test_numbers_of_any_size_never_raise():
    for lower, upper in (([2**70, 1], [3, -(2**90)]), (np.array([2**64 - 1, 0], np.uint64), [9, 9])):
        for mechanism in ("plm", "inverse", "permute_and_flip", "auto"):
            envelope = nws.Envelope.of(lower, upper, SUPPORT)
            assert 0 <= nws.release(envelope, epsilon=1, mechanism=mechanism).value <= 4
    radii = nws.RadiusBounds.of([-5, 2**70], 3)
    balls = radii.around([2**80, -(2**90)], box=(0, 9))
    assert len(nws.release(balls, epsilon=1).value) == 2
    assert law_of(balls).centre.tolist() == [9, 0]

    odd = [np.int64(5), -(2**70)]
    assert nws.Envelope.of(odd, [np.int64(9), 2**63], SUPPORT).upper.tolist() == [9, 2**62]
    assert nws.Envelope.around(2**70, [1, 2], SUPPORT).lower.tolist() == [4, 3, 1]
    assert nws.RadiusBounds.of(odd, 7).steps.tolist() == [5, 0]
    assert nws.RadiusBounds.from_local_sensitivity([1, 2**80], 7).steps.tolist() == [1, 7]
    assert nws.RadiusBounds.of([1], 7).envelope(2**70, (0, 9)).upper.tolist()[0] == 9
    assert nws.RadiusBounds.of([1], 7).envelope(-(2**70), (None, None)).lower[0] == -(2**61)
    assert nws.RadiusBounds.of([1], 7).around([np.int64(2), -(2**100)]).centre.tolist() == [2, -(2**61)]


class Payer:
    """A ledger that notices a debit."""

    paid = False

    def debit(self, *_, **__):
        self.paid = True


def paid(release):
    """Whether a release that must be refused was paid first."""
    ledger = Payer()
    with pytest.raises((nws.ParameterError, nws.ParameterTypeError)):
        release(ledger)
    return ledger.paid


def test_laplace_noise_is_refused_for_levels():
    """Levels that nest do not bound the answer's own move: these two are neighbours, and it moves by 10."""
    one = nws.Envelope.of([0, 0], [0, 10], (0, 10), 1)
    for mechanism in ("laplace", nws.Laplace(epsilon=1, sensitivity=10)):
        assert not paid(lambda ledger, by=mechanism: nws.release(one, epsilon=1, mechanism=by, ledger=ledger))
    balls = nws.RadiusBounds.of([1], 2).around([3, 4])
    assert len(nws.release(balls, epsilon=1, mechanism="laplace").value) == 2  # radii bound the answer's move


@pytest.mark.parametrize("stride", [np.uint8(200), np.int16(200), 200])
def test_a_stride_of_few_bits_counts_in_full(stride):
    radii = nws.RadiusBounds.of([1, 2], stride)
    balls = of_given(radii.around([0]), epsilon=1, mechanism="laplace", contributions=2)
    assert balls.mechanism.sensitivity == 400
    by_hand = nws.RadiusBounds(np.array([1, 2]), stride).around([0])
    assert of_given(by_hand, epsilon=1, mechanism="laplace", contributions=2).mechanism.sensitivity == 400
    assert nws.release(radii.around([0]), epsilon=1, mechanism="plm", contributions=2).value is not None
    open_ends = nws.Envelope.of([0, -1], [0, 1], (None, None), stride)
    assert type(open_ends.stride) is type(radii.stride) is int
    assert of_given(open_ends, epsilon=1, contributions=3).look().envelope.stride == 600


@pytest.mark.parametrize(
    "make",
    [
        lambda: nws.RadiusBounds.of([[1, 2], [3, 4]], 7).around([1, 2]),
        lambda: nws.RadiusBounds.of(3, 7).around([1, 2]),
        lambda: nws.RadiusBounds.from_local_sensitivity([[1, 2], [3, 4]], 7).around([1, 2]),
        lambda: nws.RadiusBounds(np.array([1.5, np.nan]), 7).around([1, 2]),
        lambda: nws.RadiusBounds(np.array([[1, 2]]), 7).around([1, 2]),
        lambda: nws.RadiusBounds([1, 2], 7).around([1, 2]),
        lambda: nws.RadiusBounds.of([1], 7).around([[1, 2]]),
        lambda: nws.RadiusBounds.of([1], 7).around(["a"]),
        lambda: nws.RadiusBounds.of([1], "7").around([1]),
        lambda: nws.Envelope(np.array([5.0, 3.0]), np.array([5.0, 6.0]), np.array([0, 2]), (0, 10)),
        lambda: nws.Envelope(np.array([5, None]), np.array([5, 6]), np.array([0, 2]), (0, 10)),
        lambda: nws.Envelope([5, 3], [5, 6], np.array([0, 2]), (0, 10)),
        lambda: nws.Envelope.of([[5], [3]], [[5], [6]], (0, 10)),
        lambda: nws.Envelope.of([0, -1], [0, 1], (None, None), 2**51 + 1),
    ],
)
def test_what_is_no_flat_sequence_is_refused_before_the_debit(make):
    assert not paid(lambda ledger: nws.release(make(), epsilon=1, mechanism="plm", ledger=ledger))


@pytest.mark.parametrize("owned, relation", [(1, "swap"), (1, "add_remove"), (2, "add_remove")])
def test_the_loss_is_what_is_paid_on_a_small_world(owned, relation):
    """The levels of a sum of numbers from 0 to 1, which any record moves by at most 1."""
    world = World((0, 1), 3, relation, owned)
    laws = {
        x: law_of(
            nws.Envelope.of(
                [max(sum(x) - l, 0) for l in range(3)], [min(sum(x) + l, 4) for l in range(3)], SUPPORT
            ),
            neighbors=relation,
            contributions=owned,
        )
        for x in world.datasets()
    }
    assert 0 < worst_move(laws, world)[0] <= 1


def test_levels_that_do_not_nest_are_worth_nothing():
    """Two levels at the median itself, and then the ends: the cost moves by more than one."""
    world = World(DOMAIN, 3, "swap")
    laws = {x: law_of(nws.Envelope.of(*middle(x), SUPPORT)) for x in world.datasets()}
    assert 0 < worst_move(laws, world)[0] <= 1
    narrow = {
        x: law_of(nws.Envelope.of(*[[side[0]] * 2 for side in middle(x)], SUPPORT)) for x in world.datasets()
    }
    assert worst_move(narrow, world)[0] > 1


def test_balls_move_no_cost_by_more_than_one():
    world, points = World((0, 4, 8), 2), np.array([*product(range(-4, 20, 2), range(-4, 10, 2))])
    costs = {}
    for x in world.datasets():
        centre, radii = capped_sum(x)
        law = law_of(radii.around(centre, "linf", ([0, 0], [16, 5])))
        assert isinstance(law, BallLaw)
        costs[x] = list(read_law(law).cost(points))
    assert 0 < worst_gap(costs, world)[0] <= 1


def test_an_answer_of_several_numbers_is_cut_to_its_box():
    radii = nws.RadiusBounds.of([1], 1)
    law = law_of(radii.around([40, -(2**62)], "linf", ([0, 0], [16, 5])))
    assert np.asarray(law.centre).tolist() == [16, 0]


def test_the_check_of_levels():
    checked = nws.testing.check_levels(
        lambda records: nws.Envelope.of(*middle(records or [0]), SUPPORT),
        domain=DOMAIN,
        neighbors="swap",
        most=3,
    )
    assert "monotone and nested" in str(checked)
    with pytest.raises(nws.testing.Violation, match="not nested: the levels of"):
        nws.testing.check_levels(
            lambda records: (
                nws.Envelope.of([len(records)], [len(records)], (0, 9), 1)
                .truncate(0)
                .widen(0)
                .splice(nws.Envelope.of([len(records)] * 2, [len(records)] * 2, (0, 9)), 1)
            ),
            domain=[0],
        )
    with pytest.raises(nws.testing.Violation, match="not nested"):  # in one direction alone
        nws.testing.check_levels(
            lambda records: nws.Envelope.of([0, 0], [1 - len(records)] * 2, (0, 4)), domain=[0], most=1
        )
    with pytest.raises(nws.testing.Violation, match=r"wrong levels at .*stay within the public support"):
        nws.testing.check_levels(lambda records: nws.Envelope.of([-1], [1], (0, 9)), domain=[0])
    with pytest.raises(nws.testing.Violation, match="not nested"):  # a box must be public
        nws.testing.check_levels(
            lambda records: nws.RadiusBounds.of([1], 1).around([0], box=(0, 5 + len(records))), domain=[0]
        )
    with pytest.raises(nws.testing.Violation, match="not nested"):
        nws.testing.check_levels(
            lambda records: nws.RadiusBounds.of([1], 1).around([0] * (1 + len(records))), domain=[0]
        )
    with pytest.raises(nws.ParameterError, match="radii must not end by jump_after"):
        nws.testing.check_levels(
            lambda records: nws.RadiusBounds.of([1], 1).jump_after(1).around([0]), domain=[0]
        )
    with pytest.raises(nws.ParameterTypeError, match="make must return an Envelope, or balls"):
        nws.testing.check_levels(sum, domain=[0])
    around = nws.RadiusBounds.of([1], 1)
    nws.testing.check_levels(lambda records: around.around([len(records), 0]), domain=[0])
    with pytest.raises(nws.testing.Violation, match="not nested"):
        nws.testing.check_levels(lambda records: around.around([2 * len(records), 0]), domain=[0])


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: nws.Envelope.of([0], [0, 1], SUPPORT), "lower and upper must be flat and equally long"),
        (lambda: nws.Envelope.of([], [], SUPPORT), "lower and upper must be flat and equally long"),
        (lambda: nws.Envelope.of([[0]], [[0]], SUPPORT), "lower and upper must be flat"),
        (lambda: nws.Envelope.of([0.5], [1.5], SUPPORT), "levels must be whole numbers"),
        (lambda: nws.Envelope.of([0], [0], (4, 0)), "support must be a pair of which the first is lower"),
        (lambda: nws.Envelope.of([0], [0], (0.5, 1)), "support must be whole numbers"),
        (lambda: nws.Envelope.of([0], [0], 7), "support must be a pair"),
        (lambda: nws.Envelope.of([0], [0], (0, 2**60)), "within 2\\^51 steps"),
        (lambda: nws.Envelope.of([0], [0], (0, None)), "stride must be given"),
        (lambda: nws.Envelope.of([0], [0], (0, None), 0), "stride must be from 1"),
        (lambda: nws.Envelope.of([0], [0], (0, None), 1.5), "stride must be a whole number"),
        (
            lambda: nws.RadiusBounds.of([1], 1).around([0.5]),
            "centre must be a flat sequence of whole numbers",
        ),
        (lambda: nws.RadiusBounds.of([1], 1).around(3), "centre must be a flat sequence"),
        (lambda: nws.RadiusBounds.of([1], 1).around([1], "l2"), 'norm must be "l1" or "linf"'),
        (lambda: nws.RadiusBounds.of([1], 1).around([1], box=(3, 1)), "box must have a lower end below"),
        (lambda: nws.RadiusBounds.of([1], 1).around([1], box=([0, 0], 1)), "box must be whole numbers"),
        (lambda: nws.RadiusBounds.of([1], 1).around([1], box=(1, 2, 3)), "box must be a pair"),
        (lambda: nws.RadiusBounds.of([1], 1).jump_after(1).around([1]), "radii must not end by jump_after"),
        (lambda: nws.RadiusBounds.of([1], 2**52).around([1]), "stride must be from 1 to 2"),
        (lambda: nws.RadiusBounds.of([1], 1).around([1], box=5), "box must be a pair"),
        (lambda: nws.RadiusBounds.of([1], 1), r"radii must be around an answer: radii.around\(answer\), or"),
    ],
)
def test_what_is_public_is_refused_before_the_debit(make, message, tmp_path):
    ledger = nws.Ledger.open(tmp_path / "own.ledger", budget=nws.PureDP(1))
    with pytest.raises(nws.NoisewiseError, match=message):
        nws.release(make(), epsilon=1, ledger=ledger)
    assert ledger.spent == nws.PureDP(0)


@pytest.mark.parametrize(
    "asked, message",
    [
        ({"data": [1]}, "data must be left out"),
        ({"bounds": (0, 1)}, "bounds must be left out"),
        ({"with_count": True}, "with_count must be left out"),
        ({"interval": 0.9}, "interval must be left out"),
        ({"mechanism": "balance"}, "no score"),
        ({"granularity": 0}, "granularity must be above 0"),
        ({"contributions": 2, "neighbors": "swap"}, "contributions must be 1"),
    ],
)
def test_what_levels_do_not_take(asked, message):
    with pytest.raises(nws.NoisewiseError, match=message):
        nws.release(nws.Envelope.of([1], [2], SUPPORT), **{"epsilon": 1, **asked})


def test_a_statistic_still_needs_data():
    with pytest.raises(TypeError, match=r"release\(\) missing a required argument: 'data'"):
        nws.release(nws.Quantile("1/2"), bounds=(0, 1), epsilon=1)


def test_ledger_receipt_registry_and_plan_say_whose_guarantee_it_is(tmp_path):
    said = "nesting guaranteed by the caller"
    ledger = nws.Ledger.open(tmp_path / "own.ledger", budget=nws.PureDP(3))
    envelope = nws.Envelope.of([5, 3, 0], [5, 8, 10], (0, 10))
    released = nws.release(envelope, mechanism="piecewise_laplace", epsilon=1, ledger=ledger, granularity=0.5)
    assert (released.law, released.bounds, released.granularity) == (
        "piecewise-laplace/1",
        (0.0, 5.0),
        Fraction(1, 2),
    )
    assert said in str(released) and said in released.card()["what"]
    balls = nws.RadiusBounds.of([1, 2], 2).around([3, 4])
    assert nws.release(balls, mechanism="plm", epsilon=1, ledger=ledger).law == "piecewise-laplace-l1/1"
    assert all(said in entry.memo for entry in ledger.entries())
    assert said in ledger.registry()
    for given in (envelope, balls):
        plan = nws.plan(given, mechanism="plm", epsilon=1)
        assert said in str(plan)
    assert nws.plan(envelope, mechanism="plm", epsilon=1).people == 11
    assert "withheld" in repr(balls)
