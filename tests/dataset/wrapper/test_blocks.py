"""The law of blocks and balance: every assignment of every small dataset, with functions of any kind."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from noisewise.dataset.wrapper.blocks import split
from noisewise.dataset.wrapper.copies import rows_of
from noisewise.dataset.wrapper.wrapped import Wrapped
from noisewise.kernel.losses import ZCDP, PureDP
from noisewise.kernel.prices import Rho, range_epsilon
from noisewise.planning.readings.read_law import read_law
from noisewise.tables.columns import declare


class Words:
    """Bits that are given."""

    def __init__(self, words):
        self.left = list(words)

    def words(self, count):
        return np.array([self.left.pop(0) for _ in range(count)], np.uint64)


def wrapped(data=(), **keywords):
    keywords = {"epsilon": 1, "bounds": (0, 2), "granularity": 1, "blocks": 2, "rounds": 2, **keywords}
    return Wrapped.of(len, rows_of(list(data)), **keywords)


def laws(asked, answers=3):
    """The chances of each answer, for each set of values that the blocks can have."""
    (request,) = asked.requests
    return {
        values: read_law(replace(request, data=declare(list(map(float, values)))).look()).pmf(range(answers))
        for values in combinations_with_replacement(range(answers), asked.way.evaluations)
    }


def chances(data, f, asked, law):
    """The chances of each answer, averaged over all assignments."""
    owners, many = np.arange(len(data)), asked.way.rounds * len(data)
    total = 0
    for words in product(range(asked.way.blocks), repeat=many):
        bits, values = Words(words), []
        for _ in range(asked.way.rounds):
            for places in split(owners, asked.way.blocks, bits):
                values.append(f[tuple(data[place] for place in places)] if places.size else 0)
        total = total + law[tuple(sorted(values))]
    return total / asked.way.blocks**many


@pytest.mark.parametrize(("blocks", "rounds", "most"), [(2, 1, 3), (3, 1, 3), (2, 2, 2), (3, 2, 2)])
def test_neighbours_differ_by_at_most_epsilon_whatever_the_function_is(blocks, rounds, most):
    random, epsilon = np.random.default_rng(blocks + 10 * rounds), 2
    asked = wrapped(epsilon=epsilon, blocks=blocks, rounds=rounds)
    law, worst = laws(asked), 0.0
    worlds = [data for size in range(most + 1) for data in product("ab", repeat=size)]
    for trial in range(12):
        f = {data: int(random.choice([0, 2] if trial % 2 else [0, 1, 2])) for data in worlds}
        found = {data: chances(data, f, asked, law) for data in worlds}
        for data in worlds:
            removed = [data[:place] + data[place + 1 :] for place in range(len(data))]
            swapped = [(*data[:i], v, *data[i + 1 :]) for i in range(len(data)) for v in "ab"]
            for other in [*removed, *swapped]:
                worst = max(worst, np.abs(np.log(found[data] / found[other])).max())
    assert worst <= epsilon * (1 + 1e-9)
    assert worst > epsilon / 4  # the worlds are large enough to notice a price that is four times too low


def test_one_value_per_round_is_worth_all_of_epsilon():
    asked = wrapped(epsilon=3, blocks=3, rounds=2)
    law, worst = laws(asked), 0.0
    for values in law:
        for i, j in product(range(6), repeat=2):
            for a, b in product(range(3), repeat=2):
                other = list(values)
                other[i], other[j] = a, b
                worst = max(worst, np.abs(np.log(law[values] / law[tuple(sorted(other))])).max())
    assert worst == pytest.approx(3)


def test_a_person_with_several_records_moves_a_value_for_each():
    asked = wrapped(epsilon=2, blocks=3, rounds=2, contributions=2)
    assert asked.requests[0].price == Fraction(2, 4)
    assert wrapped(epsilon=2, blocks=3, rounds=2, contributions=99).requests[0].price == Fraction(2, 6)
    law = laws(asked)
    assert max(np.abs(np.log(a / b)).max() for a in law.values() for b in law.values()) <= 2 * 6 / 4 + 1e-9


def test_the_price_of_several_numbers_is_shared_and_rho_pays_for_all_values():
    asked = wrapped(bounds={"a": (0, 2), "b": (0, 5)}, epsilon=1)
    assert [request.price for request in asked.requests] == [Fraction(1, 4)] * 2
    assert asked.loss == PureDP(1)
    in_rho = wrapped(epsilon=None, rho=0.5)
    assert in_rho.loss == ZCDP(Fraction(1, 2))
    (request,) = in_rho.requests
    assert request.price == Rho(Fraction(1, 2), 2, 2)
    assert range_epsilon(request.price) * 2 == pytest.approx(float(range_epsilon(Rho(Fraction(1, 2)))))


def test_what_others_are_and_how_many_does_not_move_anybody():
    random = np.random.default_rng(3)
    words = random.integers(0, 2**63, 9).tolist()
    before = split(np.arange(9), 4, Words(words))
    for gone in range(9):
        kept = [place for place in range(9) if place != gone]
        after = split(np.arange(8), 4, Words([words[place] for place in kept]))
        same = [[place for place in block if place != gone] for block in before]
        assert [[kept[place] for place in block] for block in after] == same
    assert all((np.diff(block) > 0).all() for block in before), "the order of the table is kept"


def test_rows_of_a_person_stay_together_and_rows_of_nobody_stay_out():
    owners = np.array([0, 1, -1, 0, 2, 1])
    blocks = split(owners, 2, Words([0, 1, 0]))
    assert [block.tolist() for block in blocks] == [[0, 3, 4], [1, 5]]
    assert [block.size for block in split(np.array([-1, -1]), 2, Words([]))] == [0, 0]
    assert [block.size for block in split(np.array([], int), 2, Words([]))] == [0, 0]


def test_blocks_follow_from_the_price_and_the_step_and_never_from_the_records():
    sizes = {n: wrapped([1] * n, blocks=None, rounds=None).way.evaluations for n in (0, 1, 10, 1000)}
    assert len(set(sizes.values())) == 1
    assert wrapped(epsilon=0.5, blocks=None).way.blocks > wrapped(epsilon=1, blocks=None).way.blocks
    assert wrapped(epsilon=64, blocks=None).way.blocks == 8
    fine, coarse = (wrapped(granularity=g, blocks=None, rounds=None).way.blocks for g in (0.001, 0.1))
    assert fine > coarse
    assert wrapped(granularity=None, bounds=(0, 100)).requests[0].frame.answers.granularity == Fraction(1, 8)


def test_the_promise_is_kept_by_every_law():
    asked = wrapped(epsilon=2, blocks=None, rounds=1, bounds=(0, 40))
    promise = asked.promise(Fraction(1, 20)).sentence
    last = int(promise.split("below the ")[1].split()[0])
    (request,) = asked.requests
    random = np.random.default_rng(0)
    for _ in range(20):
        values = np.sort(random.integers(0, 41, asked.way.evaluations) // random.integers(1, 41))
        pmf = read_law(replace(request, data=declare(values.astype(float))).look()).pmf(range(41))
        inside = slice(int(values[last - 1]), int(values[-last]) + 1)
        assert pmf[inside].sum() >= 0.95
    assert "too few" in wrapped(epsilon=0.1).promise(Fraction(1, 20)).sentence
