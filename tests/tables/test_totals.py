"""One record for each person: exact, the same in every order of rows, and of nobody else's rows."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.people import Choice, NamedPeople
from noisewise.tables.totals import RULES, Grid, Total
from tests.tables.test_local import moves

HOSTILE = [0.0, -0.0, 0.1, 0.25, -0.5, 1.5, 5e-324, 1e300, -1e300, math.inf, -math.inf, 2.0**63, 2.0**53 + 2]
LATTICES = [
    Lattice.between((0, 100)),
    Lattice.between((-7, 12), Fraction(1, 3)),
    Lattice.between((0, 1), Fraction(1, 100)),
    Lattice.between((10, 30), 4),
    Lattice.between((-8e307, 8e307)),
    Lattice.between((0, 1e-300)),
    Lattice.between((0, 2**50), 1),
    Lattice.fine((0, 3)),
    Lattice.fine((-5, 1_000_000)),
]


def index_of(lattice, number):
    return int(lattice.index(np.array([number], np.float64))[0])


def naive(rule, rows, lattice):
    """The total of one person's rows by the definition, in whole numbers and Fractions."""
    if rule in ("max", "min"):
        return (max if rule == "max" else min)(index_of(lattice, row) for row in rows)
    if rule == "count":
        return index_of(lattice, len(rows))
    grid = Grid.under(lattice)
    total = Fraction(sum(index_of(grid.rows, row) for row in rows))
    if rule == "mean":
        total = Fraction(math.floor(total / len(rows)))
    half = Fraction(1, 2) if grid.bits else 0
    return min(max(math.floor(total / 2**grid.bits + half), lattice.low), lattice.high)


def of(rule, people, lattice):
    """The totals of lists of rows."""
    numbers = np.array([row for rows in people for row in rows], np.float64)
    owners = np.repeat(np.arange(len(people)), list(map(len, people)))
    return Total(rule).of_rows(numbers, owners, len(people), lattice).tolist()


@pytest.mark.parametrize("lattice", LATTICES, ids=lambda each: f"{each.low}..{each.high}")
@pytest.mark.parametrize("rule", RULES)
def test_a_total_is_the_documented_one(rule, lattice):
    rng = np.random.default_rng(5)
    ends = [float(end * lattice.granularity) for end in (lattice.low, lattice.high)]
    some = [*HOSTILE, *ends, *(ends[1] * rng.normal(size=20) / 3)]
    people = [rng.choice(some, size).tolist() for size in rng.integers(1, 40, 60)]
    people += [list(each) for each in product(HOSTILE, repeat=2)] + [[row] for row in some]
    assert of(rule, people, lattice) == [naive(rule, rows, lattice) for rows in people]


@pytest.mark.parametrize("rule", RULES)
def test_nobody_has_no_total_and_the_order_of_rows_changes_nothing(rule):
    lattice = LATTICES[0]
    assert of(rule, [], lattice) == []
    for rows in combinations_with_replacement([0.1, 0.2, 0.7, 1e300, -1e300, math.inf], 4):
        assert len({of(rule, [order], lattice)[0] for order in permutations(rows)}) == 1


def test_a_sum_is_close_to_the_sum_and_large_rows_may_cancel():
    lattice = Lattice.between((0, 1000))
    assert of("sum", [[3.3, 4.4, 0.79], [5000.0, -4950.0], [0.1] * 10, [-5.0]], lattice) == [8, 50, 1, 0]
    assert of("mean", [[3.3, 4.4, 0.79], [5000.0, -4950.0], [2.5], [2.4] * 7], lattice) == [3, 25, 3, 2]
    many = [[0.01] * 5000, [999.0] * 5000, [0.001] * 100_000]
    assert of("sum", many, lattice) == [50, 1000, 100]
    assert of("mean", many, lattice) == [0, 999, 0]


def test_a_single_row_is_its_own_total():
    """Where the question's lattice leaves a bit, a person with one row has the record that the row would be."""
    for lattice in LATTICES:
        values = [float(k * lattice.granularity) for k in (lattice.low, 0, lattice.high)]
        for rule in ("sum", "mean", "max", "min"):
            assert of(rule, [[value] for value in values], lattice) == [
                min(max(k, lattice.low), lattice.high) for k in (lattice.low, 0, lattice.high)
            ]


ROWS = [
    ("a", 0, 1.0),
    ("a", 0, 3.0),
    ("a", 1, 1.0),
    ("b", 0, 3.0),
    ("b", 1, 0.5),
    (None, 0, 2.0),
    ("a", 0, math.nan),
]


def totals(rows, choice, lattice=LATTICES[1]):
    """The totals that take part, as pairs of a group and an index."""
    owners = NamedPeople.of([row[0] for row in rows])
    groups = np.array([row[1] for row in rows], np.int64)
    numbers = np.array([row[2] for row in rows], np.float64)
    found = owners.totals(~np.isnan(numbers), groups, numbers, lattice, choice)
    return Counter(zip(*(each.tolist() for each in found), strict=True))


@pytest.mark.parametrize("rule", RULES)
def test_a_person_is_one_record_and_in_groups_one_in_each_of_so_many(rule):
    """All tables with up to three rows of seven kinds: what one person adds, and that nobody else's records change."""
    for size in range(4):
        for rows in combinations_with_replacement(ROWS, size):
            for most in (1, 2):
                choice = Choice("id", most, None, "salt", total=Total(rule))
                whole = totals(rows, choice)
                parts = Counter()
                for person in ("a", "b", None):
                    own = totals([row for row in rows if row[0] == person], choice)
                    present = {row[1] for row in rows if row[0] == person and row[2] == row[2]}
                    assert own.total() == (min(most, len(present)) if person else 0)
                    assert len({group for group, _ in own}) == own.total()
                    parts += own
                assert whole == parts


TABLES = [
    (own, others)
    for own in ([], [None], [0], [3], [0, 3], [3, 3, 3], [9, -9, None], [1e300])
    for others in ([], [("b", 1)], [("b", 3), ("b", 3), ("c", None)], [(None, 3), ("c", 0)])
]


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        pytest.param(name, rule, marks=() if (name, rule) == ("median", "sum") else pytest.mark.rest)
        for name in ("median", "sum", "mean", "max")
        for rule in RULES
    ],
)
def test_one_person_moves_the_law_by_at_most_one_step(name, rule):
    """The exact laws with and without a person, whose rows are many or large, through the whole question."""

    def law(rows):
        columns = {"id": [who for who, _ in rows], "x": [row for _, row in rows]}
        frame = pl.DataFrame(columns, schema={"id": pl.String, "x": pl.Float64})
        granularity = Fraction(1, 4) if name == "mean" else 1
        asked = {"bounds": (0, 3), "epsilon": 1, "granularity": granularity, "mechanism": "piecewise_laplace"}
        question = getattr(nws.ask, name)("x", per_person=rule, **asked)
        return nws.Dataset(frame, unit="id", contributions=3)._bind(question).inner.look()

    for own, others in TABLES:
        cost, spread = moves(law([("a", row) for row in own] + others), law(others))
        assert cost <= 1 and spread <= 1 + 1e-9
