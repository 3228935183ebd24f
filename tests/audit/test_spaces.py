"""Spaces list each pair of neighbours once, and a search moves from neighbours to neighbours."""

from collections import Counter

import pytest

from noisewise.audit.spaces import Dice, EdgeSpace, NodeSpace, PeopleSpace, Records

SPACES = [
    Records(((0, 1, 2),), 3),
    Records(((0, 1), ("a", "b")), 2),
    Records(((0, 1, 2),), 3, "swap"),
    Records(((0, 1),), 3, "add_remove", 2),
    EdgeSpace(3),
    NodeSpace(3),
    PeopleSpace(("a", "b"), (0, 1), 2, 2),
]


def apart(space, pair):
    """The number of records, edges or nodes by which two datasets differ."""
    near, far = pair
    if isinstance(space, EdgeSpace):
        return sum(a != b for a, b in zip(near, far, strict=True))
    if isinstance(space, NodeSpace):
        return far[0] - near[0]
    missing, new = Counter(near) - Counter(far), Counter(far) - Counter(near)
    if space == SPACES[2]:
        assert len(near) == len(far)
        return max(missing.total(), new.total())
    assert not missing and new.total() <= getattr(space, "owned", 1)
    return 1


@pytest.mark.parametrize("space", SPACES, ids=lambda each: type(each).__name__)
def test_all_pairs_are_neighbours_and_none_is_there_twice(space):
    pairs = list(space.pairs())
    assert pairs and len(pairs) <= space.count()
    assert len({frozenset([near, far]) for near, far in pairs}) == len(pairs)
    assert {apart(space, pair) for pair in pairs} <= {0, 1}


@pytest.mark.parametrize("space", SPACES, ids=lambda each: type(each).__name__)
def test_a_search_goes_from_neighbours_to_neighbours(space):
    dice = Dice(1)
    for pair in space.shapes():
        for _ in range(15):
            pair = space.moved(pair, dice)
            assert apart(space, pair) in (0, 1)
            if isinstance(space, (Records, PeopleSpace)):
                assert max(map(len, pair)) <= space.most


def test_dice_are_the_same_for_the_same_seed():
    assert [Dice(3).below(100) for _ in range(2)] == [Dice(3).below(100) for _ in range(2)]
    assert [Dice(3).one_of("abcdef") for _ in range(1)] == [Dice(3).one_of("abcdef")]
