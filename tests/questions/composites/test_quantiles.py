"""Joint quantiles: the exact joint law of tiny worlds is as private as it was paid for, and answers are quantiles."""

import itertools
import json
import math
from dataclasses import replace
from fractions import Fraction
from functools import cache
from unittest import mock

import numpy as np
import pandas as pd
import pytest

import noisewise as nws
from noisewise import BoundedRange, ParameterError, ParameterTypeError, PureDP, Quantile, SchemaError
from noisewise.audit.worlds import World
from noisewise.hazmat import SeededBits
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.settle import settle
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites.quantiles import ECDF, MOST, FiveNumberSummary, JointQuantiles, Quantiles
from noisewise.questions.composites.tree import TreePart
from noisewise.tables.columns import declare
from tests.kernel.laws.moves import FLOAT
from tests.kernel.sampling.goodness import LEVEL, p_value, tilted
from tests.payable import payable_of

HALVES, THIRDS, QUARTERS = ["1/2"], ["1/3", "2/3"], ["1/4", "1/2", "3/4"]
UNEVEN, ENDS, FOUR = ["1/10", "1/2"], [0, "1/2", 1], [0, "1/5", "2/5", "9/10"]
UNITS = [("add_remove", 1), ("add_remove", 2), ("swap", 1)]


def joint(qs, data=(), *, epsilon=1, bounds=(0, 2), mechanism="piecewise_laplace", **asked):
    return JointQuantiles.of(
        Quantiles(qs), list(data), epsilon=epsilon, bounds=bounds, mechanism=mechanism, **asked
    )


# The joint law, by enumeration.


def outcomes(asked, split, part):
    """Every way the draws from a split down can go, as indices of pairs, with its log probability."""
    law = asked.look(split, part)
    low, high = law.ends
    chances = read_law(law).logpmf([k * law.granularity for k in range(low, high + 1)])
    for index, chance in zip(range(low, high + 1), chances, strict=True):
        pieces = (None, None) if split.is_last else part.cut(index)
        below = [({}, 0.0)] if split.below is None else list(outcomes(asked, split.below, pieces[0]))
        above = [({}, 0.0)] if split.above is None else list(outcomes(asked, split.above, pieces[1]))
        for (left, p), (right, r) in itertools.product(below, above):
            yield {split.q: index, **left, **right}, chance + p + r


def joint_law(asked, pairs):
    """The exact law of the tuple drawn."""
    part = whole_of(asked, pairs)
    found = {tuple(drawn.values()): p for drawn, p in outcomes(asked, asked.root, part)}
    assert math.fsum(map(math.exp, found.values())) == pytest.approx(1, abs=1e-12)
    return found


def worst_ratio(laws, world):
    """max |log ratio| of the joint probabilities of neighbours; infinite where a support changes."""
    worst = 0.0
    for x, y in world.pairs():
        if laws[x].keys() != laws[y].keys():
            return math.inf
        worst = max(worst, *(abs(p - laws[y][drawn]) for drawn, p in laws[x].items()))
    return worst


def whole_of(asked, pairs):
    """Records given as pairs (k, u), each one number, as the part that the root is drawn from."""
    low, high, bits = asked.lattice.low, asked.lattice.high, asked.tie_bits
    fine = Lattice(low << bits, ((high + 1) << bits) - 1, asked.lattice.granularity / (1 << bits))
    return TreePart(np.array(pairs, np.int64), fine, asked.neighbors)


def most_spent(asked, world, spoil=None):
    """The sum over all draws of the range of its log ratio, in Fractions: of the dearest neighbours and history.

    A law's cost may move by at most one, so a draw at the rate h has a range of 2h times the largest move. The joint
    probability itself has twice as much room: a normalising constant seldom moves against the costs. ``spoil`` makes
    another split of a split, a part and all records.
    """

    @cache
    def costs(split, lattice, neighbors, records, whole):
        part = TreePart(np.array(records, np.int64), lattice, neighbors)
        law = asked.look(spoil(split, part, whole) if whole else split, part)
        low, high = law.envelope.support
        return law.rate, read_law(law).cost([k * law.granularity for k in range(low, high + 1)]).tolist()

    def spent(split, part, other, wholes):
        if split is None:
            return 0
        mine, theirs = (tuple(sorted(p.records.tolist())) for p in (part, other))
        if mine == theirs and spoil is None:
            return 0
        rate, before = costs(split, part.lattice, part.neighbors, mine, wholes[0])
        _, after = costs(split, other.lattice, other.neighbors, theirs, wholes[1])
        own = 2 * rate * max(abs(a - b) for a, b in zip(before, after, strict=True))
        if split.is_last:
            return own
        return own + max(
            sum(map(spent, (split.below, split.above), part.cut(at), other.cut(at), (wholes, wholes)))
            for at in range(part.lattice.low, part.lattice.high + 1)
        )

    return max(
        spent(asked.root, whole_of(asked, x), whole_of(asked, y), (x, y) if spoil else (None, None))
        for x, y in world.pairs()
    )


def world_of(asked, most, values=6):
    return World(tuple(range(values)), most, asked.neighbors, asked.contributions)


def laws_of(asked, world):
    return {x: joint_law(asked, x) for x in world.datasets()}


@pytest.mark.parametrize("mechanism", ["balance", "piecewise_laplace", "inverse_sensitivity"])
@pytest.mark.parametrize(("neighbors", "owned"), UNITS)
@pytest.mark.parametrize("qs", [HALVES, THIRDS, UNEVEN, QUARTERS, ENDS, FOUR], ids=str)
def test_the_joint_law_is_as_private_as_was_paid_for(qs, neighbors, owned, mechanism):
    """Three values with one bit of u each; the pair is the record, so this covers every choice of u."""
    epsilon = Fraction(1, 2) if mechanism == "inverse_sensitivity" else Fraction(2)
    asked = joint(qs, epsilon=epsilon, neighbors=neighbors, contributions=owned, mechanism=mechanism)
    asked = replace(asked, tie_bits=1)
    world = world_of(asked, most=3 if len(qs) < 3 else 2)
    assert worst_ratio(laws_of(asked, world), world) <= epsilon + FLOAT
    if mechanism != "balance":  # which has no costs
        assert most_spent(asked, world_of(asked, most=2 if len(qs) < 4 else 1)) <= epsilon
    assert asked.loss == PureDP(epsilon)


@pytest.mark.parametrize(("neighbors", "owned"), [("add_remove", 1), ("add_remove", 3), ("swap", 1)])
def test_the_joint_law_of_more_records(neighbors, owned):
    """And epsilon is all used: some neighbours and some history cost as much as was charged."""
    asked = replace(joint(QUARTERS, epsilon=3, neighbors=neighbors, contributions=owned), tie_bits=0)
    world = world_of(asked, most=5, values=3)
    assert worst_ratio(laws_of(asked, world), world) <= 3 + FLOAT
    assert most_spent(asked, world) == 3


@pytest.mark.parametrize(("neighbors", "owned"), UNITS)
@pytest.mark.parametrize("qs", [THIRDS, QUARTERS], ids=str)
@pytest.mark.parametrize("mechanism", ["balance", "piecewise_laplace"])
def test_rényi_divergences_are_within_rho(mechanism, qs, neighbors, owned):
    how = {"neighbors": neighbors, "contributions": owned, "mechanism": mechanism}
    asked = replace(joint(qs, epsilon=3, **how), tie_bits=0)
    world, rho = world_of(asked, most=4, values=3), float(asked.loss.rho)
    laws = {x: np.array(list(law.values())) for x, law in laws_of(asked, world).items()}
    for x, y in world.pairs():
        for p, q in ((laws[x], laws[y]), (laws[y], laws[x])):
            for order in (1.01, 2.0, 5.0, 40.0):
                divergence = math.log(np.sum(np.exp(order * p + (1 - order) * q))) / (order - 1)
                assert divergence <= order * rho + FLOAT


class Chosen:
    """A source that hands out the u's a test chose."""

    def __init__(self, us):
        self.us = us

    def words(self, count):
        pieces = np.zeros(4 * count, "<u2")
        pieces[: len(self.us)] = [u << 15 for u in self.us]
        return pieces.view("<u8")


def told(asked, records):
    """The law of what is released: over all u of one bit, as the data is really read."""
    law = {}
    for us in itertools.product((0, 1), repeat=len(records)):
        part = replace(asked, data=declare(list(records))).whole(Chosen(us))
        for drawn, p in outcomes(asked, asked.root, part):
            cut = {s.q: drawn[s.q] if s.is_last else drawn[s.q] >> 1 for s in asked.root}
            released = tuple(cut[q] for q in sorted(cut))
            law[released] = law.get(released, 0) + math.exp(p) / 2 ** len(records)
    return {released: math.log(p) for released, p in law.items()}


@pytest.mark.parametrize(("neighbors", "owned"), UNITS)
def test_the_law_of_what_is_released(neighbors, owned):
    asked = replace(joint(QUARTERS, epsilon=2, neighbors=neighbors, contributions=owned), tie_bits=1)
    world = World((0, 1, 2), 2, neighbors, owned)
    laws = {x: told(asked, x) for x in world.datasets()}
    assert worst_ratio(laws, world) <= 2 + FLOAT
    assert all(list(released) == sorted(released) for law in laws.values() for released in law)


def test_draws_have_that_law():
    asked = replace(joint(QUARTERS, [0, 2, 2, 1, 2], epsilon=4), tie_bits=1)
    law, bits, drawn = told(asked, [0, 2, 2, 1, 2]), SeededBits(5), {}
    for _ in range(1_000):
        value = asked.answer(bits=bits).value
        drawn[value] = drawn.get(value, 0) + 1
    assert drawn.keys() <= law.keys()
    counts = [drawn.get(released, 0) for released in sorted(law)]
    chances = [math.exp(law[released]) for released in sorted(law)]
    assert p_value(counts, chances) > LEVEL
    assert p_value([40 * count for count in counts], tilted(chances)) < LEVEL


@pytest.mark.parametrize(("neighbors", "owned"), [("add_remove", 1), ("add_remove", 3), ("swap", 1)])
def test_larger_data_along_random_histories(neighbors, owned):
    """Thirty pairs over twelve values, eleven quantiles: what neighbours spend, in Fractions."""
    qs = [Fraction(i, 12) for i in range(1, 12)]
    asked = joint(qs, epsilon=1, bounds=(-5, 6), neighbors=neighbors, contributions=owned)
    asked, rng, most = replace(asked, tie_bits=1), np.random.default_rng(8), 0

    def spent(split, part, other):
        if split is None:
            return 0
        laws = asked.look(split, part), asked.look(split, other)
        low, high = laws[0].envelope.support
        values = [k * laws[0].granularity for k in range(low, high + 1)]
        assert laws[0].envelope.support == laws[1].envelope.support
        own = 2 * laws[0].rate * max(abs(read_law(laws[0]).cost(values) - read_law(laws[1]).cost(values)))
        at = int(rng.integers(part.lattice.low, part.lattice.high + 1))
        return own + sum(map(spent, (split.below, split.above), part.cut(at), other.cut(at)))

    for _ in range(25):
        x = rng.integers(-10, 14, 30)
        extra = rng.integers(-10, 14, 2 if neighbors == "swap" else owned)
        pair = (
            (np.append(x, extra[:1]), np.append(x, extra[1:]))
            if neighbors == "swap"
            else (x, np.append(x, extra))
        )
        most = max(most, spent(asked.root, *(whole_of(asked, records) for records in pair)))
    assert Fraction(1, 2) < most <= 1


# What would not be private.


def test_ranks_by_the_whole_count_are_not_private():
    """A target in ranks of the whole column moves in every part when one record is added."""
    asked, world = replace(joint(QUARTERS, epsilon=1), tie_bits=0), World((0, 1, 2), 6, least=4)

    def spoil(split, part, whole):
        before = sum(record <= part.lattice.low for record in whole) if split.q > Fraction(1, 2) else 0
        rank = min(max(math.ceil(split.q * len(whole)) - before, 0), part.count)
        return replace(split, target=Quantile(Fraction(rank, part.count or 1)))

    assert most_spent(asked, world) == 1 < most_spent(asked, world, spoil)


def test_a_tie_rule_that_looks_at_the_records_is_not_private(monkeypatch):
    asked, cut = replace(joint(QUARTERS, epsilon=1), tie_bits=0), TreePart.cut

    def spoiled(self, at):
        below = self.records <= at - self.count % 2
        sides = zip(cut(self, at), (below, ~below), strict=True)
        return tuple(replace(side, records=self.records.compress(chosen)) for side, chosen in sides)

    monkeypatch.setattr(TreePart, "cut", spoiled)
    world = world_of(asked, most=5, values=3)
    assert worst_ratio(laws_of(asked, world), world) > 1.2


@pytest.mark.parametrize(("neighbors", "owned"), [("add_remove", 2), ("swap", 1)])
def test_edits_in_several_parts_that_are_charged_as_one_are_not_private(neighbors, owned):
    asked = replace(joint(QUARTERS, epsilon=1, neighbors=neighbors, contributions=owned), tie_bits=0)

    def charged_as_one(split):
        below, above = (child and charged_as_one(child) for child in (split.below, split.above))
        mechanism = type(split.mechanism)(epsilon=split.step)
        return replace(split, mechanism=mechanism, below=below, above=above)

    cheap, world = replace(asked, root=charged_as_one(asked.root)), world_of(asked, most=4, values=3)
    assert most_spent(asked, world) <= 1 < most_spent(cheap, world)


# One quantile.

MESSY = [3, None, 1.5, float("nan"), -math.inf, 400, "7", 9, 2, 2, 2, 10**400, Fraction(5, 2), 8, True]


@pytest.mark.parametrize(("neighbors", "owned"), UNITS)
@pytest.mark.parametrize("mechanism", ["balance", "piecewise_laplace", "inverse_sensitivity"])
@pytest.mark.parametrize("q", [0, "1/3", "1/2", 1])
def test_a_single_quantile_is_the_release_that_quantile_makes(q, mechanism, neighbors, owned):
    how = {"bounds": (-5, 12), "epsilon": 1, "mechanism": mechanism}
    how |= {"neighbors": neighbors, "contributions": owned}
    asked = JointQuantiles.of(Quantiles([q]), MESSY, **how)
    law, theirs = (
        asked.look(asked.root, asked.whole(SeededBits(1))),
        nws.hazmat.law(Quantile(q), MESSY, **how),
    )
    assert np.array_equal(read_law(law).logpmf(range(-5, 13)), read_law(theirs).logpmf(range(-5, 13)))
    for seed in range(20):
        single = nws.hazmat.replay(Quantile(q), MESSY, seed=seed, **how)
        assert asked.answer(bits=SeededBits(seed)).value == (single.value,)
    assert asked.loss == PureDP(1)
    alone = PureDP(1) if mechanism == "balance" else BoundedRange(1)  # not above that of any pure loss
    assert asked.loss.as_zcdp() == alone.as_zcdp()


# How records are read.


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize(
    "data",
    [
        MESSY,
        [],
        [None],
        np.array([1.5, np.nan, 900.0, -3.0]),
        np.ma.array([1, 2, 3, 4], mask=[0, 1, 0, 1]),
        np.arange(9, dtype=">i4")[::2],
        np.array([True, False, True]),
    ],
    ids=["messy", "empty", "missing", "floats", "masked", "big-endian", "booleans"],
)
def test_records_are_read_as_the_column_reads_them(data, neighbors):
    before = [*map(repr, data)]
    asked = JointQuantiles.of(Quantiles(QUARTERS), data, bounds=(-5.0, 12.0), epsilon=1, neighbors=neighbors)
    part, column = asked.whole(SeededBits(3)), declare(data).read(asked.lattice, neighbors)
    assert sorted(part.records >> asked.tie_bits) == column.ordered().tolist()
    assert (part.count, part.neighbors) == (column.count, neighbors)
    assert [*map(repr, data)] == before


def test_the_bits_of_u_are_fair_and_each_record_has_its_own():
    asked = joint(QUARTERS, [1] * 40_001, bounds=(-3, 2))
    assert asked.tie_bits == 16
    us = asked.whole(SeededBits(3)).records - (1 << 16)
    assert us.size == 40_001 and us.min() >= 0 and us.max() < 1 << 16
    ones = [int(np.count_nonzero(us >> bit & 1)) for bit in range(16)]
    assert max(abs(count - 20_000) for count in ones) < 600
    pairs = np.bincount((us[1:] & 1) * 2 + (us[:-1] & 1))
    assert max(abs(pairs - 10_000)) < 500


@pytest.mark.parametrize(
    ("bounds", "granularity", "bits"),
    [
        ((0, 2), None, 16),
        ((-1.0, 1.0), None, 16),
        ((0, 2**51), 1, 7),
        ((2**51 - 9, 2**51), 1, 7),
        ((0, 2**44), 1, 14),
    ],
)
def test_pairs_fit_64_bits_whatever_the_lattice(bounds, granularity, bits):
    data = [bounds[0], bounds[1], bounds[1], bounds[0]] * 5
    asked = joint([0, *QUARTERS, 1], data, bounds=bounds, granularity=granularity, epsilon=60)
    assert asked.tie_bits == bits
    low, high = bounds
    for seed in range(5):
        value = asked.answer(bits=SeededBits(seed)).value
        assert list(value) == sorted(value)
        assert value[0] < low + (high - low) / 4 and value[-1] > high - (high - low) / 4


# What comes out.


def value_of(data, qs, *, seed=0, **asked):
    return joint(qs, data, **asked).answer(bits=SeededBits(seed)).value


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("granularity", [1, "1/4", 3])
@pytest.mark.parametrize("size", [0, 1, 2, 50])
def test_answers_rise_with_q_and_lie_on_the_lattice(size, granularity, neighbors):
    qs, data = [Fraction(i, 20) for i in range(21)], [7 * i % 31 - 9 for i in range(size)]
    for seed in range(8):
        value = value_of(
            data, qs, seed=seed, bounds=(-10, 25), granularity=Fraction(granularity), neighbors=neighbors
        )
        assert list(value) == sorted(value)
        assert all(-10 <= v <= 25 and Fraction(v) % Fraction(granularity) == 0 for v in value)
        assert all(type(v) is (float if granularity == "1/4" else int) for v in value)


def test_answers_come_in_the_order_asked_and_repeats_are_one_draw():
    how = {"bounds": (0, 50), "epsilon": 2}
    data = list(range(50))
    plain = value_of(data, [0.25, 0.5, 0.75], seed=4, **how)
    again = value_of(data, [0.75, "1/2", 0.25, 0.5, Fraction(3, 4)], seed=4, **how)
    assert again == (plain[2], plain[1], plain[0], plain[1], plain[2])


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("name", ["zeros", "ratings", "one value", "distinct"])
def test_with_much_epsilon_the_answers_are_the_quantiles_ties_or_not(name, neighbors):
    data = {
        "zeros": [0] * 1_290 + [10 + i for i in range(710)],
        "ratings": [0] * 210 + [1] * 190 + [2] * 410 + [3] * 580 + [4] * 610,
        "one value": [3] * 2_000,
        "distinct": list(range(2_000)),
    }[name]
    qs = [Fraction(i, 20) for i in range(1, 20)]
    true = [sorted(data)[math.ceil(q * 2_000) - 1] for q in qs]
    value = value_of(data, qs, bounds=(0, 5_000), epsilon=64, neighbors=neighbors)
    apart = np.searchsorted(sorted(data), value, "right") - np.searchsorted(sorted(data), true, "right")
    assert max(abs(apart)) <= 6


def test_far_better_than_as_many_single_quantiles():
    rng, qs = np.random.default_rng(1), [Fraction(i, 20) for i in range(1, 20)]
    data = np.sort(rng.normal(0, 5, 1_000))
    true = np.array([data[math.ceil(q * 1_000) - 1] for q in qs])
    bits, error, single = SeededBits(1), 0.0, 0.0
    for _ in range(5):
        ours = joint(qs, data, bounds=(-100.0, 100.0), epsilon=1).answer(bits=bits).value
        laws = [
            nws.hazmat.law(Quantile(q), data, bounds=(-100.0, 100.0), epsilon=Fraction(1, 19)) for q in qs
        ]
        error += float(np.mean(np.abs(np.array(ours) - true)))
        single += float(
            np.mean([abs(law.draw(1, bits=bits)[0] - t) for law, t in zip(laws, true, strict=True)])
        )
    assert error < single / 3


def test_a_replay_is_the_same_every_time_and_says_so():
    asked = joint(QUARTERS, range(40), bounds=(0, 50))
    first, second = asked.answer(bits=SeededBits(9)), asked.answer(bits=SeededBits(9))
    assert first == second and not first.private and "NOT PRIVATE" in str(first)
    assert first.value == (9, 19, 26)
    assert asked.answer().private
    assert len({asked.answer(bits=SeededBits(seed)).value for seed in range(20)}) > 10


def test_a_source_of_its_own_randomness_is_used_when_none_is_given():
    asked = joint(QUARTERS, range(1_000), bounds=(0, 1_000))
    assert len({asked.answer().value for _ in range(10)}) > 5


@pytest.mark.parametrize("contributions", [2, 7, 10**6, 2**63 - 1])
def test_any_number_of_contributions(contributions):
    value = value_of(range(200), QUARTERS, bounds=(0, 200), epsilon=64, contributions=contributions)
    assert list(value) == sorted(value)


def test_people_of_several_records_cost_accuracy_but_not_by_their_square():
    """Each of m records is an edit of its own in its part; levels of m records there would cost m times m."""
    data, qs, bits = np.arange(4_000), [Fraction(i, 16) for i in range(1, 16)], SeededBits(2)
    true = np.array([math.ceil(q * 4_000) - 1 for q in qs])

    def error(owned):
        asked = joint(qs, data, bounds=(0, 4_000), epsilon=8, contributions=owned)
        return np.mean([np.abs(np.array(asked.answer(bits=bits).value) - true) for _ in range(12)])

    one, six = error(1), error(6)
    assert 3 * one < six < 12 * one


# Paying.


class Ledger:
    def __init__(self, log):
        self.log, self.debits = log, []

    def debit(self, loss, *, neighbors, contributions, memo):
        self.log.append("paid")
        self.debits.append((loss, neighbors, contributions, memo))
        return "receipt"


class Watched(list):
    """Records that write down when they are looked at."""

    def __init__(self, records, log):
        super().__init__(records)
        self.log = log

    def __iter__(self):
        self.log.append("looked")
        return super().__iter__()

    def __len__(self):
        self.log.append("looked")
        return super().__len__()


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_the_debit_comes_before_the_first_look(neighbors):
    log = []
    ledger, data = Ledger(log), Watched([1, 2, 0, 1], log)

    def ask():
        return JointQuantiles.of(
            Quantiles(QUARTERS), data, bounds=(0, 2), epsilon="half", neighbors=neighbors
        )

    with pytest.raises(ParameterTypeError, match=r"^epsilon must be a real number"):
        settle(ask(), ledger)
    assert log == []

    def ask_well():
        return JointQuantiles.of(Quantiles(QUARTERS), data, bounds=(0, 2), epsilon=0.5, neighbors=neighbors)

    release = settle(ask_well(), ledger)
    assert log[0] == "paid" and log.count("paid") == 1 and "looked" in log
    (debit,) = ledger.debits
    memo = "quantiles(0.25, 0.5, 0.75) by joint-quantiles/1 by balance/1"
    assert debit == (PureDP(Fraction(1, 2)), neighbors, 1, memo)
    assert (release.receipt, release.privacy, release.private) == ("receipt", debit[0], True)
    assert (release.statistic, release.mechanism, release.granularity) == (
        "quantiles(0.25, 0.5, 0.75)",
        "balance",
        1,
    )


def test_the_loss_is_no_bounded_range_and_knows_its_zcdp():
    for unit in ({}, {"contributions": 5}, {"neighbors": "swap"}):
        loss = joint(QUARTERS, epsilon=1, **unit).loss
        assert isinstance(loss, PureDP)
        assert loss.rho == 2 * BoundedRange(Fraction(1, 2)).as_zcdp().rho


def test_secrets_are_withheld():
    assert repr(joint(QUARTERS, [1])) == "<JointQuantiles: withheld>"


# Questions.


def test_names():
    assert str(Quantiles([0.25, "1/3", 1])) == "quantiles(0.25, 1/3, 1)"
    assert str(Quantiles(i / 100 for i in range(100, 0, -1))) == "quantiles(0.01 .. 1, 100 of them)"
    assert str(FiveNumberSummary()) == "five-number summary"
    assert str(ECDF(4)) == "ecdf(4)"
    assert Quantiles([0.5, 1]) == Quantiles(np.array([0.5, 1.0])) != Quantiles([1, 0.5])


def test_five_numbers():
    assert FiveNumberSummary().qs == tuple(Fraction(i, 4) for i in range(5))
    asked = JointQuantiles.of(FiveNumberSummary(), range(1_001), bounds=(0, 1_000), epsilon=64)
    value = asked.answer(bits=SeededBits(1)).value
    assert np.max(np.abs(np.array(value) - [0, 250, 500, 750, 1_000])) <= 5


def test_a_distribution_function_is_pairs_that_rise():
    asked = JointQuantiles.of(ECDF(4), [0] * 900 + [5] * 100, bounds=(0, 9), epsilon=8)
    release = asked.answer(bits=SeededBits(1))
    assert release.value == ((0, 0.2), (0, 0.4), (0, 0.6), (0, 0.8))
    assert json.loads(json.dumps(release.to_dict()))["value"] == [[0, 0.2], [0, 0.4], [0, 0.6], [0, 0.8]]
    assert "about this share of the records is at or below the value" in str(release)


@pytest.mark.parametrize("qs", ["0.5", b"0.5", 0.5, None, np.array(0.5), Fraction(1, 2)])
def test_several_quantiles_are_asked_for(qs):
    with pytest.raises(
        ParameterTypeError, match=r"^qs must be several quantiles such as \[0\.25, 0\.5\], got "
    ):
        Quantiles(qs)


@pytest.mark.parametrize(
    ("qs", "message"),
    [
        ([], "qs must be 1 to 10,000 quantiles, got none"),
        (itertools.repeat(0.5), "qs must be 1 to 10,000 quantiles, got more than 10,000"),
        ([0.5, 1.5], "each of qs must be between 0 and 1, got 1.5"),
        ([-0.1], "each of qs must be between 0 and 1, got -0.1"),
        (
            [0.1, "half"],
            "each of qs must be a number, or a decimal or fraction as text such as \"1/3\", got 'half'",
        ),
        ([float("nan")], "each of qs must be finite, got nan"),
    ],
)
def test_wrong_quantiles(qs, message):
    with pytest.raises(ParameterError) as caught:
        Quantiles(qs)
    assert str(caught.value) == message and caught.value.__suppress_context__


@pytest.mark.parametrize("q", [None, True, [0.5], 1j])
def test_each_is_a_number(q):
    with pytest.raises(ParameterTypeError, match=r"^each of qs must be a real number, got "):
        Quantiles([0.5, q])


@pytest.mark.parametrize(
    ("steps", "kind"), [(0, ParameterError), (MOST + 1, ParameterError), (2.5, ParameterTypeError)]
)
def test_wrong_steps(steps, kind):
    with pytest.raises(kind, match=r"^steps must be "):
        ECDF(steps)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (
            {"mechanism": "laplace"},
            "mechanism must be auto, balance, piecewise_laplace or inverse_sensitivity for several quantiles",
        ),
        (
            {"mechanism": nws.Laplace(epsilon=1, sensitivity=9)},
            "mechanism must be auto, balance, piecewise_laplace or",
        ),
        ({"mechanism": "normal"}, "mechanism must be one of "),
        (
            {"mechanism": nws.PiecewiseLaplace(epsilon=2)},
            "epsilon must agree with the mechanism's own 2, got 1",
        ),
        ({"epsilon": 0}, "epsilon must be above 0"),
        ({"bounds": (3, 1)}, "bounds must have lowest < highest"),
        ({"bounds": "private"}, "bounds must be a pair"),
        ({"granularity": 0}, "granularity must be above 0"),
        ({"contributions": 0}, "contributions must be at least 1"),
        ({"contributions": 2, "neighbors": "swap"}, "contributions must be 1 when records are swapped"),
        ({"neighbors": "add"}, "neighbors must be "),
        ({"data": np.zeros((2, 2))}, "data must be one-dimensional"),
        ({"data": np.array(["a"])}, "data must "),
    ],
)
def test_wrong_parameters_are_refused_before_anything_is_paid(wrong, message):
    asked = {"data": [1, 2], "bounds": (0, 2), "epsilon": 1} | wrong
    with pytest.raises((ParameterError, ParameterTypeError, SchemaError)) as caught:
        JointQuantiles.of(Quantiles(QUARTERS), asked.pop("data"), **asked)
    assert str(caught.value).startswith(message) and caught.value.__suppress_context__


def test_a_mechanism_with_a_rho_is_taken_along():
    smooth = nws.PiecewiseLaplace(epsilon=1, smooth=1)
    asked = joint(QUARTERS, mechanism=smooth)
    assert {split.mechanism.smooth for split in asked.root} == {1}
    tiny = replace(asked, tie_bits=1)
    world = world_of(tiny, most=2)
    assert worst_ratio(laws_of(tiny, world), world) <= 1 + FLOAT


def test_a_thousand_quantiles():
    qs = [Fraction(i, 999) for i in range(1_000)]
    value = value_of(np.arange(20_000), qs, bounds=(0, 20_000), epsilon=64)
    assert len(value) == 1_000 and list(value) == sorted(value)


# Intervals


@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
def test_all_quantiles_are_held_together(neighbors):
    """The chances of all ends to be on the wrong side, read off their laws, add up to no more than is said."""
    qs = ["1/4", "1/2", "0.9", "1"]
    data = [0] * 150 + [20] * 451
    asked = {"bounds": (0, 20), "epsilon": 4, "neighbors": neighbors, "interval": 0.95}
    question = payable_of(nws.quantiles, data, qs, **asked)
    assert len(question.drawn) == 7, "the high end of the maximum is the upper bound"
    total = 0.0
    for q, (_, (low, high)) in question.ends.items():
        truth = sorted(data)[max(1, math.ceil(q * len(data))) - 1]
        total += 0 if low is None else 1 - read_law(low.look()).cdf(truth)
        total += 0 if high is None else read_law(high.look()).cdf(truth - 1)
    assert 0.005 < total <= 0.05


def test_what_intervals_of_several_quantiles_cost():
    ledger = mock.Mock(spec=["debit"], debit=mock.Mock(return_value="entry 1"))
    release = nws.quantiles(
        range(500), [0.5, 0.25, 0.5], bounds=(0, 500), epsilon=1, interval=0.9, ledger=ledger
    )
    (loss,), said = ledger.debit.call_args
    assert loss == release.privacy == nws.PureDP(1) and ledger.debit.call_count == 1
    assert said["memo"].endswith("joint-quantiles/1 by balance/1, intervals by two-ends/1 by balance/1")
    assert release.interval.scope == "all" and release.interval.epsilon == Fraction(1, 2)
    for value, low, high in zip(release.value, *release.interval, strict=True):
        assert low <= value <= high
    assert release.interval.low[0] == release.interval.low[2], "the same quantile has one interval"


def test_a_distribution_has_a_band():
    """The interval of each quantile, beside the pairs of values and shares."""
    release = nws.ecdf(range(500), 3, bounds=(0, 500), epsilon=8, interval=0.9)
    assert [share for _, share in release.value] == [0.25, 0.5, 0.75] and release.interval.scope == "all"
    for (value, _), low, high in zip(release.value, *release.interval, strict=True):
        assert low <= value <= high
    assert list(release.frame["low"]) == list(release.interval.low)


@pytest.mark.parametrize(
    "ask",
    [
        lambda **k: nws.ecdf([1], 21, **k),
        lambda **k: nws.quantiles([1], [Fraction(i, 30) for i in range(21)], **k),
    ],
)
def test_too_many_quantiles_have_no_intervals(ask):
    ledger = mock.Mock(spec=["debit"])
    with pytest.raises(nws.ParameterError, match="every end takes a part of epsilon"):
        ask(bounds=(0, 9), epsilon=1, interval=0.95, ledger=ledger)
    assert not ledger.debit.called


def test_a_list_of_quantiles_is_asked_of_quantile_too():
    data, asked = np.arange(200.0), {"bounds": (0, 200), "epsilon": 60}
    for qs in ([0.1, "1/2"], (0.1, 0.5), np.array([0.1, 0.5])):
        release = nws.quantile(data, qs, **asked)
        assert release.statistic == "quantiles(0.1, 0.5)" and release.law.startswith("joint-quantiles/1")
        assert abs(release.value[0] - 19) <= 1 and abs(release.value[1] - 99) <= 1
    table = nws.Dataset(pd.DataFrame({"x": data, "of": ["a", "b"] * 100}))
    assert len(table.quantile("x", q=[0.1, 0.5], **asked).value) == 2
    assert len(table.group_by("of", keys=["a", "b"]).quantile("x", [0.1, 0.5, 0.9], **asked).value[1]) == 3
    assert str(nws.plan("quantile", [0.1, 0.5], **asked)).startswith("quantiles(0.1, 0.5) by ")
    assert repr(nws.ask.quantile("x", [0.1], bounds=(0, 1))) == "ask.quantiles('x', [0.1], bounds=(0, 1))"
    with pytest.raises(
        ParameterTypeError, match=r"quantile\(\) got an unexpected keyword argument 'bounds_share'"
    ):
        nws.quantile(data, [0.1, 0.5], bounds="private", bounds_share=0.1, epsilon=1)
