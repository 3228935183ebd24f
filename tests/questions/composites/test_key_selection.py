"""Key selection: probabilities that are private and as large as can be, and coins that keep to them."""

import math
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import polars as pl
import pytest
from flint import arb, ctx

from noisewise import ApproxDP, Dataset, ParameterError, hazmat
from noisewise.questions.composites.key_selection import Chances, KeySelection
from noisewise.tables.groups.key_counts import KeyCounts
from noisewise.tables.groups.keys import Keys
from tests.kernel.sampling.goodness import LEVEL, First, ball, p_value

PAIRS = [
    ("1/2", "1/1000"),
    (1, "1/1000000"),
    ("1/10", "1/100"),
    (3, "1/10"),
    ("1/4", "1/2"),
    (64, "1/10000000000"),
    (1, "9/10"),
]


@pytest.mark.parametrize(("epsilon", "delta"), [(1, "1/1000000"), ("1/10", "1/1000000"), (3, "1/10000")])
def test_it_says_how_many_people_a_key_needs(epsilon: object, delta: object) -> None:
    none = KeyCounts(Keys(("k",), ((),)), np.zeros(0, np.int64))
    for groups in (1, 4):
        asked = KeySelection.of(
            ("k",),
            lambda: none,
            price=Fraction(epsilon),
            delta=Fraction(delta),
            groups=groups,
            contributions=groups,
        )
        table = asked.chances.balls(128)
        people = next(n for n, chance in enumerate(table) if float(chance.mid()) >= 1 / 2)
        note = asked.answer().notes[0]
        assert f"needs about {people:,} people" in note and note.endswith("max_groups") == (groups > 1)


def chances(epsilon: object, delta: object) -> tuple[Chances, list[arb]]:
    found = Chances(Fraction(epsilon), Fraction(delta))
    return found, found.balls(512)


@pytest.mark.parametrize(("epsilon", "delta"), PAIRS)
def test_one_person_more_or_less_is_private_at_every_count(epsilon: object, delta: object) -> None:
    """Both outcomes, both ways, for all n: P(S) <= e^eps * Q(S) + delta, in balls that cannot be above by more."""
    _, table = chances(epsilon, delta)
    with ctx.workprec(512):
        growth, slack, hair = ball(epsilon).exp(), ball(delta), arb(2) ** -400
        for p, q in zip(table, [*table[1:], arb(1)], strict=True):
            for one, other in ((p, q), (q, p), (1 - p, 1 - q), (1 - q, 1 - p)):
                assert one <= growth * other + slack + hair


@pytest.mark.parametrize(("epsilon", "delta"), PAIRS)
def test_no_private_rule_tells_more(epsilon: object, delta: object) -> None:
    """The next probability is 1, or one of the two conditions holds with equality: a hair more would break it."""
    _, table = chances(epsilon, delta)
    assert table[0] == 0 and table[-1] == 1
    with ctx.workprec(512):
        growth, slack, hair = ball(epsilon).exp(), ball(delta), arb(2) ** -400
        for p, q in pairwise(table[:-1]):
            more = q + hair
            assert more > growth * p + slack or 1 - p > growth * (1 - more) + slack


def test_the_first_probabilities_are_a_geometric_sum() -> None:
    _, table = chances("1/2", "1/1000000")
    with ctx.workprec(512):
        growth = ball(Fraction(1, 2)).exp()
        for n in range(20):
            closed = ball(Fraction(1, 10**6)) * (growth**n - 1) / (growth - 1)
            assert abs(table[n] - closed) < arb(2) ** -400


def laws(counts: tuple[int, ...], table: list[float]) -> dict[tuple[bool, ...], float]:
    """The probability of each set of keys that may be told."""
    p = [table[min(n, len(table) - 1)] for n in counts]
    return {
        told: math.prod(q if yes else 1 - q for q, yes in zip(p, told, strict=True))
        for told in product((False, True), repeat=len(counts))
    }


def excess(one: dict, other: dict, epsilon: float) -> float:
    """The smallest delta at which one law is (epsilon, delta)-close to the other."""
    return sum(max(0.0, one[told] - math.exp(epsilon) * other[told]) for told in one)


@pytest.mark.parametrize("groups", [1, 2, 3])
def test_a_person_of_several_keys_costs_what_is_stated(groups: int) -> None:
    """All counts of three keys, and a person who adds one to up to so many of them; one more key would be too much."""
    epsilon, delta = 1.0, 0.05
    asked = KeySelection.of(("k",), lambda: None, price=1, delta=0.05, groups=groups, contributions=groups)
    table = [float(chance.mid()) for chance in asked.chances.balls(128)]
    worst, beyond = 0.0, 0.0
    for counts in product(range(6), repeat=3):
        for own in product((0, 1), repeat=3):
            pair = laws(counts, table), laws(tuple(map(sum, zip(counts, own, strict=True))), table)
            gap = max(excess(*pair, epsilon), excess(*pair[::-1], epsilon))
            worst, beyond = (max(worst, gap), beyond) if sum(own) <= groups else (worst, max(beyond, gap))
    assert worst <= delta + 1e-12
    assert groups == 3 or beyond > delta


@pytest.mark.parametrize("groups", [2, 3])
@pytest.mark.parametrize(("more_epsilon", "more_delta"), [(0, 0), ("1/100", 0), (0, "1/100")])
def test_no_key_could_have_more_of_the_price(groups: int, more_epsilon: object, more_delta: object) -> None:
    """A person who has a key more of equal counts: a hundredth more of epsilon or of delta for each is too much."""
    epsilon, delta = Fraction(1), Fraction(1, 1000)
    asked = KeySelection.of(("k",), lambda: None, price=epsilon, delta=delta, groups=groups, contributions=9)
    each = asked.chances
    found = Chances(each.epsilon * (1 + Fraction(more_epsilon)), each.delta * (1 + Fraction(more_delta)))
    table, worst = [float(chance.mid()) for chance in found.balls(128)], 0.0
    for count in range(len(table) - 1):
        pair = laws((count,) * groups, table), laws((count + 1,) * groups, table)
        worst = max(worst, excess(*pair, 1), excess(*pair[::-1], 1))
    if more_epsilon or more_delta:
        assert worst > 1.009 * delta
    else:
        assert 0.999 * delta < worst <= delta


def throws(table: Chances, persons: int, size: int) -> np.ndarray:
    return table.throw(np.full(size, persons), hazmat.SeededBits(7))


def test_coins_fall_as_often_as_they_should_and_not_as_a_law_off_by_a_tenth() -> None:
    table, balls = chances("1/2", "1/50")
    size = 40_000
    for persons in (1, 3, 5, 7, 9):
        p = float(balls[persons].mid())
        told = np.count_nonzero(throws(table, persons, size))
        assert p_value([told, size - told], [p, 1 - p]) > LEVEL
    told = [np.count_nonzero(throws(table, persons, size)) for persons in range(1, 9)]
    off = [min(1.1 * float(balls[persons].mid()), 1.0) for persons in range(1, 9)]
    assert min(p_value([t, size - t], [p, 1 - p]) for t, p in zip(told, off, strict=True) if p < 1) < LEVEL


def test_a_key_of_nobody_is_never_told_and_one_of_many_always() -> None:
    table, balls = chances(1, "1/1000000")
    words = np.array([0, 2**64 - 1], np.uint64)
    assert table.throw(np.array([0, 0]), First(words, hazmat.SeededBits(1))).tolist() == [False, False]
    certain = np.array([len(balls) - 1, 10**9])
    assert table.throw(certain, First(words[::-1], hazmat.SeededBits(1))).tolist() == [True, True]


@pytest.mark.parametrize("persons", [1, 2, 9, 14])
def test_bits_beside_the_boundary_fall_on_their_side(persons: int) -> None:
    """The first 64 bits of the probability itself decide nothing: the bits after them do."""
    table, balls = chances("1/2", "1/1000")
    with ctx.workprec(512):
        scaled = balls[persons] * 2**64
        word = int(scaled.floor().unique_fmpz())
        rest = int(((scaled - word) * 2**64).floor().unique_fmpz())
    for following, told in ((max(rest - 1, 0), True), (min(rest + 1, 2**64 - 1), False)):
        bits = First(
            np.array([word], np.uint64), First(np.array([following], np.uint64), hazmat.SeededBits(1))
        )
        assert table.throw(np.array([persons]), bits).tolist() == [told]
    for beside, told in ((word - 1, True), (word + 1, False)):
        bits = First(np.array([beside], np.uint64), hazmat.SeededBits(1))
        assert table.throw(np.array([persons]), bits).tolist() == [told]


def found(**persons: int) -> KeyCounts:
    return KeyCounts(Keys(("k",), (tuple(persons),)), np.array(list(persons.values())))


def test_the_release_is_the_keys_in_order_and_states_its_loss() -> None:
    asked = KeySelection.of(
        ("k",), lambda: found(z=1000, b=0, a=1000), price=1, delta=1e-6, groups=2, contributions=4
    )
    told = asked.answer("paid")
    assert told.value.listed() == ["a", "z"]
    assert told.privacy == asked.loss == ApproxDP(1, 1e-6)
    assert (told.mechanism, told.law) == ("optimal_thresholding", "optimal-thresholding/1")
    assert (told.neighbors, told.contributions, told.receipt, told.private) == ("add_remove", 4, "paid", True)
    assert asked.memo == "keys of k by optimal-thresholding/1"
    assert (asked.chances.epsilon, asked.chances.delta) == (Fraction(1, 2), Fraction(1, 2 * 10**6))
    assert not asked.answer(bits=hazmat.SeededBits(1)).private
    assert repr(asked) == "<KeySelection: withheld>"


@pytest.mark.parametrize(
    ("epsilon", "delta", "says"),
    [
        (1, 0, "delta must be above 0 and below 1, got 0"),
        (1, 1, "delta must be above 0 and below 1, got 1"),
        (0, 0.1, "epsilon"),
        (1e-5, 1e-9, "epsilon must be larger, or delta, or the groups of a person fewer"),
        (1, Fraction(1, 10**400), "epsilon must be larger"),
    ],
)
def test_parameters_are_judged_before_anything_is_read(epsilon: object, delta: object, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        KeySelection.of(("k",), lambda: 1 / 0, price=epsilon, delta=delta, groups=1, contributions=1)


def test_the_table_is_as_long_as_was_judged() -> None:
    for epsilon, delta in (("1/100", "1e-9"), (5, "1e-12"), ("1/1000", "1/10"), (64, "1e-300")):
        _, table = chances(epsilon, delta)
        assert len(table) < 2**16


def test_keys_are_chosen_with_a_dataset() -> None:
    frame = pl.DataFrame({"p": [*range(500), *range(500), 7], "k": ["a"] * 500 + ["b"] * 500 + ["rare"]})
    by = Dataset(frame, unit="p", contributions=2).group_by("k", epsilon=1, delta=1e-6)
    assert by.selection.value == ("a", "b")
    assert by.selection.people == "p"
    assert "at most 2 keys" in by.selection.notes[0]
