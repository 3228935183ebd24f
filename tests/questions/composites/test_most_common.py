"""The most common category: every small world by enumeration, its draws, and its receipt."""

import inspect
import json
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from noisewise import ParameterError, PureDP, ReleaseFailed, SchemaError
from noisewise.audit.worlds import World
from noisewise.hazmat import SeededBits
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites.most_common import Lead, MostCommon
from noisewise.questions.functions.categories import most_common
from tests.kernel.laws.moves import FLOAT
from tests.kernel.sampling.goodness import LEVEL, p_value, tilted

MISSING, OTHER = "", "z"
"""A missing record and one that is no declared category, in an enumerated dataset, which must sort."""
UNITS = [("add_remove", 1), ("add_remove", 2), ("add_remove", 3), ("swap", 1)]


def request(x, neighbors="add_remove", contributions=1, epsilon=1, categories=("a", "b", "c")):
    records = [None if record == MISSING else record for record in x]
    return MostCommon.of(
        records, categories, epsilon=epsilon, neighbors=neighbors, contributions=contributions
    )


def worst_ratio(leads, world):
    logs = {x: read_law(lead).logpmf() for x, lead in leads.items()}
    return max(float(np.max(np.abs(logs[x] - logs[y]))) for x, y in world.pairs())


@pytest.mark.parametrize(("neighbors", "contributions"), UNITS)
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(4)])
@pytest.mark.parametrize("categories", [("a", "b"), ("a", "b", "c"), ("a", "b", "c", "d", "e")])
def test_the_loss_is_kept_in_every_world(neighbors, contributions, epsilon, categories):
    """Over datasets with missing and undeclared records; and a rate a tenth higher would break it."""
    world = World((MISSING, "a", "b", "c", OTHER), 5, neighbors, contributions)
    leads = {x: request(x, neighbors, contributions, epsilon, categories).look() for x in world.datasets()}
    assert worst_ratio(leads, world) <= float(epsilon) + FLOAT
    sharper = {x: replace(lead, rate=lead.rate * Fraction(11, 10)) for x, lead in leads.items()}
    reached = worst_ratio(sharper, world) / float(epsilon)
    assert reached > (1.0 if neighbors == "add_remove" or epsilon > 1 else 0.5)


def test_the_whole_epsilon_would_not_do_under_swap():
    world = World((MISSING, "a", "b", "c", OTHER), 5, "swap")
    for epsilon in (Fraction(1, 10), Fraction(1), Fraction(4)):
        leads = {x: request(x, "swap", epsilon=epsilon).look() for x in world.datasets()}
        full = {x: replace(lead, rate=epsilon) for x, lead in leads.items()}
        assert worst_ratio(full, world) > 1.3 * float(epsilon)


@pytest.mark.parametrize(
    ("neighbors", "contributions", "rate"),
    [
        ("add_remove", 1, 3),
        ("add_remove", 2, Fraction(3, 2)),
        ("add_remove", 3, 1),
        ("swap", 1, Fraction(3, 2)),
    ],
)
def test_the_rate_is_epsilon_over_how_far_a_lead_can_move(neighbors, contributions, rate):
    assert request(("a",), neighbors, contributions, 3).look().rate == rate


def test_what_is_missing_or_undeclared_counts_for_nothing():
    alone = request(("a", "a", "b")).look().behind.tolist()
    assert alone == [0, 1, 2]
    assert request((MISSING, "a", "a", "b", OTHER, OTHER, OTHER)).look().behind.tolist() == alone
    assert request((MISSING, "a", "a", "b", OTHER), "swap").look().behind.tolist() == alone
    assert request(()).look().behind.tolist() == [0, 0, 0]


def exact_chances(behind, rate):
    """Every outcome of the coins, one by one."""
    accepted = [math.exp(-float(rate) * b) for b in behind]
    found = np.zeros(len(behind))
    for outcome in range(1, 2 ** len(behind)):
        taken = [bool(outcome >> i & 1) for i in range(len(behind))]
        chance = math.prod(p if t else 1 - p for p, t in zip(accepted, taken, strict=True))
        found += chance * np.array(taken) / sum(taken)
    return found


@pytest.mark.parametrize("rate", [Fraction(1, 10), Fraction(1, 2), Fraction(2)])
def test_draws_have_the_law_and_no_other(rate):
    lead = Lead(np.array([0, 1, 3, 0, 2]), rate)
    right = exact_chances([0, 1, 3, 0, 2], rate)
    assert np.allclose(np.exp(read_law(lead).logpmf()), right, rtol=1e-12)
    counts = np.bincount(lead.draw(60_000, bits=SeededBits(1)), minlength=5)
    assert p_value(counts, right) > LEVEL
    assert p_value(counts, tilted(right)) < LEVEL
    if rate == Fraction(1, 2):
        assert p_value(counts, exact_chances([0, 1, 3, 0, 2], rate * Fraction(11, 10))) < LEVEL


def test_it_is_the_winner_of_exponential_noise():
    """Counts with independent exponential noise of the same rate, and the highest wins: the same law."""
    behind, rng = np.array([0, 1, 3, 0, 2]), np.random.default_rng(0)
    noisy = rng.exponential(2.0, (200_000, 5)) - behind
    counts = np.bincount(np.argmax(noisy, axis=1), minlength=5)
    assert p_value(counts, np.exp(read_law(Lead(behind, Fraction(1, 2))).logpmf())) > LEVEL


@pytest.mark.parametrize("rate", [Fraction(1, 10), Fraction(1), Fraction(3)])
def test_it_is_never_worse_than_the_exponential_mechanism(rate):
    rng = np.random.default_rng(1)
    for size in (2, 5, 40):
        behind = rng.integers(0, 30, size)
        behind -= behind.min()
        weights = np.exp(-float(rate) * behind)
        ours = float(np.exp(read_law(Lead(behind, rate)).logpmf()) @ behind)
        assert ours <= float(weights @ behind / weights.sum()) + 1e-12


class Ledger:
    def __init__(self):
        self.debits = []

    def debit(self, loss, **about):
        self.debits.append((loss, about))
        return "page 3"


def test_a_release_is_a_category_and_a_receipt():
    ledger = Ledger()
    released = most_common(
        ["tea"] * 90 + ["coffee"] * 5, ["coffee", "tea", "water"], epsilon=2.0, contributions=2, ledger=ledger
    )
    assert released.value == "tea"
    assert released.privacy == PureDP(2)
    assert (released.mechanism, released.law) == ("permute_and_flip", "permute-and-flip/1")
    assert ledger.debits == [
        (
            PureDP(2),
            {
                "neighbors": "add_remove",
                "contributions": 2,
                "memo": "most common by permute-and-flip/1",
            },
        )
    ]
    lines = str(released).splitlines()
    assert lines[0] == "most common = tea"
    assert "  note         one of 3 declared categories; other records are ignored" in lines
    assert "  paid         page 3" in lines
    assert not any("in steps of" in line for line in lines)
    assert json.loads(json.dumps(released.to_dict()))["value"] == "tea"
    assert released.to_dict()["granularity"] is None


@pytest.mark.parametrize(
    ("categories", "line"), [([2024, 2025], "most common = 2024"), ([True, False], "most common = True")]
)
def test_numbers_that_are_names_are_printed_as_names(categories, line):
    released = most_common(categories[:1] * 500, categories, epsilon=1)
    assert released.value is categories[0]
    assert str(released).splitlines()[0] == line


def test_a_replayed_draw_is_stamped():
    released = request(("a", "b")).answer(bits=SeededBits(1))
    assert not released.private
    assert "NOT PRIVATE" in str(released)


@pytest.mark.parametrize(
    ("asked", "error", "rule"),
    [
        ({"categories": ["a", "a"]}, ParameterError, "categories must differ"),
        ({"epsilon": 0}, ParameterError, "epsilon must"),
        ({"neighbors": "both"}, ParameterError, "neighbors must"),
        ({"neighbors": "swap", "contributions": 2}, ParameterError, "contributions must be 1"),
        ({"data": np.zeros((2, 2))}, SchemaError, "one-dimensional"),
        ({"bounds": (0, 1)}, TypeError, r"most_common\(\) got an unexpected keyword"),
        ({"mechanism": "laplace"}, TypeError, r"most_common\(\) got an unexpected keyword"),
    ],
)
def test_what_is_wrong_is_refused_before_the_debit(asked, error, rule):
    ledger = Ledger()
    with pytest.raises(error, match=rule):
        most_common(**{"data": ["a"], "categories": ["a", "b"], "epsilon": 1, "ledger": ledger} | asked)
    assert ledger.debits == []


def test_a_failure_after_the_debit_speaks_of_no_record(monkeypatch):
    def broken(self, labels):
        raise MemoryError("secret")

    monkeypatch.setattr("noisewise.tables.columns.labels.DeclaredLabels.counts", broken)
    with pytest.raises(ReleaseFailed) as error:
        most_common(["secret"], ["a", "b"], epsilon=1)
    assert "secret" not in str(error.value)
    assert error.value.__cause__ is None and error.value.__suppress_context__


def test_the_keywords_stand_in_the_common_order():
    parameters = inspect.signature(most_common).parameters
    assert list(parameters) == [
        "data",
        "categories",
        "epsilon",
        "rho",
        "neighbors",
        "contributions",
        "ledger",
        "interval",
        "with_count",
    ]
    assert all(f"\n    {name}: " in (most_common.__doc__ or "") for name in parameters)


def test_secrets_are_withheld():
    asked = request(("a", "b"))
    assert repr(asked) == "<MostCommon: withheld>"
    assert repr(asked.look()) == "<Lead: withheld>"
