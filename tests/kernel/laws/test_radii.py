"""RadiusBounds: what each constructor gives, and on whole small worlds that costs move by at most one, or by more."""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from noisewise.audit.nesting import radii_nest_in
from noisewise.audit.worlds import World, ball, edits
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.kernel.laws.ball_law import BallLaw
from noisewise.kernel.laws.law import Law
from noisewise.kernel.laws.radii import FARTHEST, MOST_STRIDES, RadiusBounds
from noisewise.planning.readings.read_law import read_law
from tests.kernel.laws.moves import worst_gap, worst_move

# What each constructor gives.


def test_radii_above_the_global_sensitivity_are_cut():
    assert RadiusBounds.of([0, 2, 9, 3], 4).steps.tolist() == [0, 2, 4, 3]
    assert RadiusBounds.of(np.array([2**63 + 1], np.uint64), 4).steps.tolist() == [4]
    assert RadiusBounds.of(np.array([-3, 2, 9]), 4).steps.tolist() == [0, 2, 4]
    assert RadiusBounds.of([], 4).steps.tolist() == []
    assert RadiusBounds.of([-3, 1], 4).steps.tolist() == [0, 1]


def test_radii_are_whole_numbers():
    with pytest.raises(ParameterTypeError, match="radii must be whole numbers"):
        RadiusBounds.of([0.5], 4)
    with pytest.raises(ParameterTypeError, match="radii must be a flat sequence"):
        RadiusBounds.of([[1, 2], [3]], 4)


def test_levels_count_from_one_and_are_not_too_many():
    radii = RadiusBounds.of([1, 2], 4)
    with pytest.raises(ParameterError, match="l must be at least 1, got 0"):
        radii.radius(0)
    with pytest.raises(ParameterError, match="levels must be at most 4194304"):
        radii.jump_after(10**12)
    with pytest.raises(ParameterError, match="levels must be at most 4194304"):
        RadiusBounds.from_growth(1, 1, 10**12, 4)


def test_growing_radii_stop_at_the_global_sensitivity():
    assert RadiusBounds.from_growth(2, 3, 5, 9).steps.tolist() == [2, 5, 8, 9, 9]
    assert RadiusBounds.from_growth(2, 0, 3, 9).steps.tolist() == [2, 2, 2]
    assert RadiusBounds.from_growth(12, 1, 3, 9).steps.tolist() == [9, 9, 9]
    assert RadiusBounds.from_growth(0, 0, 3, 0).steps.tolist() == [0, 0, 0]
    assert RadiusBounds.from_growth(2**80, 2**90, 3, 2**59).steps.tolist() == [2**59] * 3
    assert RadiusBounds.from_growth(1, 2**50, 10**5, 2**59).steps.max() == 2**59


def test_sums_and_radii_at_every_level():
    radii = RadiusBounds.of([0, 2, 3], 4)
    assert radii.sums.tolist() == [0, 0, 2, 5]
    assert [radii.radius(l) for l in range(1, 7)] == [0, 2, 3, 4, 4, 4]
    assert radii.global_after(2).sums.tolist() == [0, 0, 2]
    assert radii.global_after(2).radius(3) == 4
    assert "withheld" in repr(radii)


def test_local_sensitivities_of_far_datasets_count_from_there_on():
    assert RadiusBounds.from_local_sensitivity([2, 1, 5, 3, 9], 7).steps.tolist() == [2, 2, 5, 5, 7]


def test_after_the_last_radius_the_global_sensitivity_or_the_ends_follow():
    radii = RadiusBounds.from_growth(2, 1, levels=8, stride=7)
    on, out = radii.global_after(3).envelope(50, (0, 100)), radii.jump_after(3).envelope(50, (0, 100))
    assert on.upper.tolist() == [50, 52, 55, 59, 66, 73, 80, 87, 94, 100]
    assert on.lower.tolist() == [50, 48, 45, 41, 34, 27, 20, 13, 6, 0]
    assert out.upper.tolist() == [50, 52, 55, 59]
    assert out.level(4) == (0, 100)
    assert radii.jump_after(10).envelope(50, (0, 100)).upper.tolist() == [
        50,
        52,
        55,
        59,
        64,
        70,
        77,
        84,
        91,
        98,
        100,
    ]
    assert radii.jump_after(5).per_person(2).envelope(50, (0, 100)).upper.tolist() == [50, 55, 64]
    with pytest.raises(ParameterError, match=r"must have two ends where radii end by jump_after"):
        radii.jump_after(3).envelope(50, (0, None))


def test_truncate_says_what_to_write():
    with pytest.raises(ParameterError, match=r"must be global_after\(k\), .*, or jump_after\(k\)"):
        RadiusBounds.of([1], 1).truncate(1)


def test_an_envelope_follows_the_global_sensitivity_for_a_public_number_of_levels():
    far = RadiusBounds.of([], 1).envelope(0, (-(2**40), 2**40))
    assert far.upper.size == MOST_STRIDES + 1
    assert RadiusBounds.of([0, 0], 0).envelope(1, (0, 9)).upper.tolist() == [1, 1, 1]


def test_sums_never_leave_64_bits():
    radii = RadiusBounds.of(np.full(1000, 2**59), 2**59)
    assert radii.sums.max() == FARTHEST
    assert np.all(np.diff(radii.sums) >= 0)
    assert radii.envelope(2**60, (-(2**60), 2**60)).lower.min() == -(2**60)
    open_ended = radii.envelope(0, (None, None))
    assert np.all(np.diff(open_ended.upper) == 2**59)
    assert open_ended.upper[-1] <= 2**60


def test_people_own_several_records():
    radii = RadiusBounds.of([1, 2, 3, 3, 5], 6)
    assert radii.per_person(1) is radii
    assert radii.per_person(2).steps.tolist() == [3, 6, 11]
    assert radii.per_person(2).stride == 12


def test_a_person_may_own_fewer_records():
    """Radii that alternate keep both laws for single records; of three at a time they must be made to rise."""
    even, odd = RadiusBounds.of([5, 0] * 6, 5), RadiusBounds.of([0, 5] * 6, 5)
    assert radii_nest_in(even, odd, 0)
    assert radii_nest_in(odd, even, 0)
    assert radii_nest_in(even.per_person(3), even.per_person(3), 0)
    assert radii_nest_in(even.per_person(3), odd.per_person(3), 0)
    assert radii_nest_in(odd.per_person(3), even.per_person(3), 0)


def test_the_envelope_of_one_dimension():
    envelope = RadiusBounds.of([0, 2, 3], 4).envelope(7, (0, 10))
    assert envelope.lower.tolist() == [7, 7, 5, 2, 0]
    assert envelope.upper.tolist() == [7, 7, 9, 10, 10]
    assert envelope.stride is None
    endless = RadiusBounds.of([0, 2], 4).envelope(7, (0, None))
    assert (endless.upper.tolist(), endless.stride) == ([7, 7, 9], 4)


def test_nesting_looks_at_both_laws_and_beyond_the_last_level():
    wide, narrow = RadiusBounds.of([2, 3, 4], 4), RadiusBounds.of([1, 2, 3, 4], 4)
    assert radii_nest_in(narrow, wide, 2)
    assert not radii_nest_in(narrow, wide, 3), "first"
    assert radii_nest_in(wide, narrow, 1)
    assert not radii_nest_in(RadiusBounds.of([3], 4), narrow, 1), "nested"
    assert not radii_nest_in(RadiusBounds.of([], 4), RadiusBounds.of([1, 1, 1], 4), 1), "beyond"
    assert not radii_nest_in(narrow, RadiusBounds.of([4], 5), 1), "one global sensitivity"


# Whole worlds. Records are points of a small square, and the answer is a vector whose local sensitivity varies.

SQUARE = ((0, 0), (0, 1), (1, 0), (1, 1))
WORLDS = [World(SQUARE, 3), World(SQUARE, 3, "swap"), World(SQUARE, 2, owned=2)]
NAMES = ["add_remove", "swap", "two records each"]
LEVELS = 3


def tallies(x):
    return tuple(sum(row[i] for row in x) for i in (0, 1))


def products(x):
    """Two dimensions; a record moves it the more, the more there are of the other kind, up to a cap."""
    first, second = (min(t, 2) for t in tallies(x))
    return first * second, 2 * min(first + second, 3)


def rounded_means(x):
    """Means in halves, floored: what is rounded is what must be measured."""
    return tuple(math.floor(Fraction(2 * t, len(x))) if x else 0 for t in tallies(x))


def one_number(x):
    return (products(x)[0],)


FUNCTIONS = [products, rounded_means, one_number]


def distance(a, b, norm):
    apart = [abs(i - j) for i, j in zip(a, b, strict=True)]
    return sum(apart) if norm == "l1" else max(apart)


@cache
def local(f, norm, relation, x):
    """The local sensitivity at x, by exhaustion."""
    return max((distance(f(x), f(y), norm) for y in edits(x, SQUARE, relation)), default=0)


@cache
def greatest(f, norm, relation):
    return max(local(f, norm, relation, x) for x in World(SQUARE, 6, relation).datasets())


@cache
def steepest(f, norm, relation):
    """How much one edit changes the local sensitivity."""
    return max(
        abs(local(f, norm, relation, x) - local(f, norm, relation, y))
        for x in World(SQUARE, 5, relation).datasets()
        for y in edits(x, SQUARE, relation)
    )


def around(f, norm, world, x):
    """The supremum of local sensitivities over the ball of radius l - 1, for each record level l."""
    near = [ball(x, SQUARE, world.relation, l) for l in range(LEVELS * world.owned)]
    steps = [max(local(f, norm, world.relation, y) for y in reached) for reached in near]
    return RadiusBounds.of(steps, greatest(f, norm, world.relation)).per_person(world.owned)


def growing(f, norm, world, x):
    relation = world.relation
    start, growth = local(f, norm, relation, x), steepest(f, norm, relation)
    radii = RadiusBounds.from_growth(start, growth, LEVELS * world.owned, greatest(f, norm, relation))
    return radii.per_person(world.owned)


def truncated(f, norm, world, x):
    return around(f, norm, world, x).global_after(1)


def constant(f, norm, world, x):
    """Not sound: the local sensitivity of x at every level."""
    steps = np.full(LEVELS, local(f, norm, world.relation, x))
    return RadiusBounds.of(steps, greatest(f, norm, world.relation)).per_person(world.owned)


def uncapped(f, norm, world, x):
    """Not sound: radii above the global sensitivity, and then the global sensitivity."""
    start, growth = local(f, norm, world.relation, x), steepest(f, norm, world.relation)
    return RadiusBounds(start + growth * np.arange(6), greatest(f, norm, world.relation))


def late(f, norm, world, x):
    """Not sound: as many radii as there are records, times two."""
    return around(f, norm, world, x).global_after(2 * (len(x) % 2))


def points(f):
    dimension = len(f(()))
    near = np.stack(np.meshgrid(*[np.arange(-2, 8)] * dimension), axis=-1).reshape(-1, dimension)
    far = np.stack([np.arange(-90, 90, 3), *[np.zeros(60, np.int64)] * (dimension - 1)], axis=-1)
    return np.concatenate([near, far])


def worst(f, norm, world, recipe, *, graded=True, reach=math.inf):
    """The largest move of a cost between neighbours, over points near and far; ``reach`` ends a law there."""
    costs = {}
    for x in world.datasets():
        radii = recipe(f, norm, world, x)
        law = BallLaw(np.array(f(x)), radii, norm, Fraction(1), graded)
        end = radii.sums[min(reach, radii.steps.size)]
        costs[x] = [
            cost if reach == math.inf or distance(f(x), y, norm) <= end else math.inf
            for y, cost in zip(points(f).tolist(), read_law(law).cost(points(f)), strict=True)
        ]
    return worst_gap(costs, world)[0]


@pytest.mark.parametrize("world", WORLDS, ids=NAMES)
@pytest.mark.parametrize("norm", ["l1", "linf"])
@pytest.mark.parametrize("recipe", [around, growing, truncated])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_sound_radii_move_no_cost_by_more_than_one(f, norm, recipe, world):
    assert 0 < worst(f, norm, world, recipe) <= 1
    assert worst(f, norm, world, recipe, graded=False) <= 1


@pytest.mark.parametrize("world", WORLDS, ids=NAMES)
@pytest.mark.parametrize("norm", ["l1", "linf"])
@pytest.mark.parametrize("recipe", [around, growing, truncated])
@pytest.mark.parametrize("f", FUNCTIONS)
def test_sound_radii_keep_both_laws(f, norm, recipe, world):
    for x, y in world.pairs():
        mine, other, apart = recipe(f, norm, world, x), recipe(f, norm, world, y), distance(f(x), f(y), norm)
        assert radii_nest_in(mine, other, apart)
        assert radii_nest_in(other, mine, apart)


@pytest.mark.parametrize("norm", ["l1", "linf"])
@pytest.mark.parametrize("recipe", [constant, uncapped, late])
@pytest.mark.parametrize("f", [products, one_number])
def test_unsound_radii_are_seen(f, norm, recipe):
    world = WORLDS[0]
    assert worst(f, norm, world, recipe) > 1
    assert worst(f, norm, world, recipe, graded=False) > 1
    pairs = [(recipe(f, norm, world, x), recipe(f, norm, world, y)) for x, y in world.pairs()]
    assert not all(radii_nest_in(mine, other, 0) and radii_nest_in(other, mine, 0) for mine, other in pairs)


@pytest.mark.parametrize("norm", ["l1", "linf"])
def test_a_last_ball_around_the_answer_is_seen(norm):
    assert worst(products, norm, WORLDS[0], around, reach=2) == math.inf


def jumping(f, norm, world, x):
    return around(f, norm, world, x).jump_after(1)


@pytest.mark.parametrize("recipe", [around, truncated, jumping])
@pytest.mark.parametrize("support", [(0, 4), (None, None), (0, None)])
def test_envelopes_of_one_dimension_nest(support, recipe):
    world = WORLDS[0]
    if recipe is jumping and support != (0, 4):
        return
    laws = {
        x: Law(recipe(one_number, "l1", world, x).envelope(one_number(x)[0], support), Fraction(1, 2))
        for x in world.datasets()
    }
    if support == (0, 4):
        assert worst_move(laws, world)[0] <= 1
    costs = {x: [read_law(law).cost(y) for y in range(0, 5)] for x, law in laws.items()}
    assert worst_gap(costs, world)[0] <= 1
