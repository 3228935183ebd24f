"""Worlds have as many datasets and pairs as a count by hand."""

import math

from noisewise.audit.worlds import World, ball, edits


def test_edits():
    assert edits((1,), (0, 1), "add_remove") == {(), (0, 1), (1, 1)}
    assert edits((1,), (0, 1), "swap") == {(0,), (1,)}
    assert edits((), (0, 1), "swap") == frozenset()


def test_balls_grow():
    assert ball((1,), (0, 1), "add_remove", 0) == {(1,)}
    assert (0,) in ball((1,), (0, 1), "add_remove", 2)
    assert (0,) not in ball((1,), (0, 1), "add_remove", 1)


def test_a_world_holds_every_multiset_and_each_pair_once():
    world = World((0, 1, 2), 3)
    assert len(world.datasets()) == sum(math.comb(3 + n - 1, n) for n in range(4)) == 20
    pairs = list(world.pairs())
    assert len(pairs) == len(set(pairs))
    assert all(abs(len(x) - len(y)) == 1 for x, y in pairs)
    assert sum(len(x) == 2 for x in World((0, 1), 3, least=2).datasets()) == 3


def test_a_person_with_two_records_is_two_edits():
    assert ((), (0, 1)) in set(World((0, 1), 2, owned=2).pairs())
    assert ((), (0, 1)) not in set(World((0, 1), 2).pairs())


def test_the_brute_force_envelope():
    assert World((0, 3), 3).envelope(sum, (3,), 2) == ([3, 0, 0], [3, 6, 9])
