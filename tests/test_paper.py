"""Related mechanisms keep their promises for every pair of neighbours of a small world."""

import math
from fractions import Fraction
from functools import cache
from itertools import accumulate, combinations, combinations_with_replacement, product

import numpy as np
import pytest

import noisewise as nws
from noisewise.errors import ParameterError
from noisewise.paper.above_threshold import first_above, rates, signed_distance
from noisewise.paper.family import FAMILY
from noisewise.paper.local_sensitivity import (
    Local,
    of_quantile,
    of_swapped_quantile,
    of_swapped_variance,
    passing,
    rank_of,
    student_mean_up_to,
    student_tail,
)
from noisewise.paper.shifted_inverse_table import balance_chances, removals
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.choice import FOR_COMPARISON, NAMES
from noisewise.questions.request import Request

TOP = 4
"""Records are 0 to TOP."""


def datasets(size):
    return list(combinations_with_replacement(range(TOP + 1), size))


def swapped(data):
    """All datasets with one record replaced."""
    for index, value in product(range(len(data)), range(TOP + 1)):
        yield tuple(sorted((*data[:index], value, *data[index + 1 :])))


def edited(data):
    """All datasets with one record more or less."""
    yield from added(data)
    for index in range(len(data)):
        yield data[:index] + data[index + 1 :]


def added(data):
    for value in range(TOP + 1):
        yield tuple(sorted((*data, value)))


def largest_loss(pairs, chances):
    """The largest log ratio of all neighbours, in both directions."""
    found = 0.0
    for one, other in pairs:
        found = max(found, float(np.max(np.abs(np.log(chances(one)) - np.log(chances(other))))))
    return found


def request(statistic, data, **keywords):
    asked = {"epsilon": 1, "mechanism": "piecewise_laplace", "bounds": (0, TOP), **keywords}
    return Request.of(statistic, data, **asked)


# What is not released


def test_none_is_released_but_shifted_maxima_and_each_says_why():
    assert set(FAMILY) - set(FOR_COMPARISON) == {"shifted_inverse"} == set(FAMILY) & set(NAMES)
    for name, why in FOR_COMPARISON.items():
        with pytest.raises(ParameterError, match=f"got '{name}'") as caught:
            nws.median([1, 2], bounds=(0, 3), epsilon=1, mechanism=name)
        assert why in str(caught.value)
    law = FAMILY["above_threshold"](request(nws.Quantile("1/2"), [1, 2, 3]))
    with pytest.raises(ParameterError, match="must not be drawn from"):
        law.draw(1)
    assert "withheld" in repr(law)


def test_all_are_compared_and_marked():
    data = [1, 2, 2, 3, 4, 4, 4]
    swap = nws.compare(
        "median", data, [1], ["balance", *FAMILY], bounds=(0, 4), granularity=1, neighbors="swap"
    )
    assert set(swap.left_out) == {"shifted_inverse"} and swap.answer == 3
    removed = nws.compare(
        "quantile", data, [1], ["smooth_sensitivity", "propose_test_release"], q=0.9, bounds=(0, 4)
    )
    assert [each.released for each in removed] == [False, False]
    spread = nws.compare("variance", data, [1], ["smooth_sensitivity"], bounds=(0, 4), neighbors="swap")
    assert [each.mechanism for each in spread] == ["smooth_sensitivity"]
    assert [each.released for each in swap] == [True, False, False, False, False, False]
    assert "δ = 1e-06" in str(swap) and "smooth_sensitivity *" in str(swap)
    added = nws.compare("sum", data, rhos=[0.1], mechanisms=["gaussian", "laplace", *FAMILY], bounds=(0, 4))
    shown = ["gaussian (auto)", "laplace", "asymmetric", "shifted_inverse"]
    assert [each.mechanism for each in added] == shown
    assert all(0.0999 < each.rho <= 0.1 for each in added)
    only = nws.compare("max", data, [1], bounds=(0, 4), granularity=1)
    assert only.answer == 4 and "shifted_inverse" in [each.mechanism for each in only if each.released]
    with pytest.raises(ParameterError, match="must be a count, or a sum"):
        nws.compare("median", data, [1], ["shifted_inverse"], bounds=(0, 4))


# Smooth sensitivity


def by_brute_force(answer, data, to, last):
    """The local sensitivity at distances 0 to ``last``, over all datasets that as many edits can reach."""
    reached, found = {data}, []
    for _ in range(last + 1):
        pairs = [(each, other) for each in reached for other in to(each)]
        found.append(max((abs(answer(each) - answer(other)) for each, other in pairs), default=0))
        reached |= {other for _, other in pairs}
    return found


def test_local_sensitivity_at_a_distance_is_exact():
    for rank, data in product((1, 2, 3), datasets(3)):
        found = of_swapped_quantile(np.array(data), rank, (0, TOP), 2)
        assert found.tolist() == by_brute_force(lambda x: x[rank - 1], data, swapped, 2)  # noqa: B023


@pytest.mark.parametrize(
    "q", [Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(2, 3), Fraction(1)], ids=str
)
def test_local_sensitivity_where_records_come_and_go_is_exact(q):
    def answer(data):
        return data[rank_of(q, len(data)) - 1] if data else 0

    for data in (*datasets(0), *datasets(1), *datasets(2), *datasets(3)[::3]):
        found = of_quantile(np.array(data, np.int64), q, (0, TOP), 2)
        assert found.tolist() == by_brute_force(answer, data, edited, 2), data


def test_local_sensitivity_of_the_variance_is_exact():
    @cache
    def variance(data):
        return sum(v * v for v in data) / len(data) - (sum(data) / len(data)) ** 2

    for data in (*datasets(1), *datasets(2), *datasets(4)[::5]):
        found = of_swapped_variance(np.array(data), (0, TOP), 2)
        assert found == pytest.approx(by_brute_force(variance, data, swapped, 2)), data


def test_local_sensitivity_of_triangles_is_exact():
    """Some graphs of 5 nodes are compared with all graphs that as many changed edges can reach."""
    pairs = list(combinations(range(5), 2))

    def edges_of(graph):
        return [pair for i, pair in enumerate(pairs) if graph >> i & 1]

    @cache
    def count(graph):
        edges = set(edges_of(graph))
        return sum(edges >= set(combinations(three, 2)) for three in combinations(range(5), 3))

    for graph in (0, 1, 0b1010101010, 0b1111, 0b1110001111, 1023):
        asked = Request.of(nws.Triangles(), (edges_of(graph), 5), epsilon=1, mechanism="piecewise_laplace")
        found = Local.of("smooth_sensitivity", asked).up_to(2)
        assert found.tolist() == by_brute_force(count, graph, lambda x: [x ^ 1 << i for i in range(10)], 2)


def local_of(data, neighbors):
    return Local.of("any", request(nws.Quantile("1/2"), list(data), neighbors=neighbors))


@pytest.mark.parametrize(("neighbors", "to"), [("swap", swapped), ("add_remove", edited)])
def test_student_noise_by_smooth_sensitivity_is_private(neighbors, to):
    """Compares the densities of neighbours at many places. Laplace noise of this scale would not be private."""
    epsilon, places = 1.5, np.linspace(-40, 40, 401)

    @cache
    def noise(data):
        local = local_of(data, neighbors)
        return local.centre, 4 * local.smoothed(epsilon / 6) / (math.sqrt(3) * epsilon)

    def student(data):
        centre, scale = noise(data)
        return (1 + ((places - centre) / scale) ** 2 / 3) ** -2 / scale

    def laplace(data):
        centre, scale = noise(data)
        return np.exp(-np.abs(places - centre) / scale) / scale

    pairs = [(data, other) for data in datasets(3) for other in to(data)]
    assert largest_loss(pairs, student) <= epsilon < largest_loss(pairs, laplace)


def test_far_datasets_count():
    """If all records are equal, only a dataset many edits away has a gap, and its distance matters."""
    data, decay = [2] * 401, 1e-3
    local = local_of(data, "swap")
    assert local.up_to(150).max() == 0 and local.unsafe_after(1) == 200
    assert local.smoothed(decay) == pytest.approx(math.exp(-200 * decay) * TOP, rel=0.5)
    assert local_of(data, "add_remove").unsafe_after(1) == pytest.approx(400, abs=2)


def test_errors_of_noise_are_those_of_its_law():
    assert student_tail(0) == pytest.approx(0.5) and student_tail(3.182446305) == pytest.approx(0.025)
    steps = np.linspace(0, 2, 20001)
    tails = [student_tail(each) for each in steps]
    assert student_mean_up_to(2.0) == pytest.approx(np.trapezoid(tails, steps), rel=1e-6)
    law = FAMILY["smooth_sensitivity"](request(nws.Quantile("1/2"), [1, 1, 2, 3, 4], neighbors="swap"))
    z = np.random.default_rng(5).standard_t(3, 200_000)
    away = np.clip(2 + law.scale * z, 0, TOP) - 2
    mean, most, bias = read_law(law).errors(0.5)
    assert mean == pytest.approx(np.abs(away).mean(), rel=0.01) and bias == pytest.approx(0, abs=1e-12)
    assert most == pytest.approx(np.quantile(np.abs(away), 0.5), rel=0.02)


# Propose, test, release


def test_propose_test_release_is_private():
    """The hockey-stick divergence of all neighbours, over answers on a fine grid and no answer, for three proposals."""
    epsilon, delta, step = 1.0, 0.05, 0.02
    places = np.arange(-60, 60, step)

    def law(data, proposal, shift=0.0):
        chance = passing(local_of(data, "swap").unsafe_after(proposal) + shift, epsilon, delta)
        scale = 2 * proposal / epsilon
        density = np.exp(-np.abs(places - data[1]) / scale) / (2 * scale)
        return np.append(chance * density * step, 1 - chance)

    def divergence(proposal, shift=0.0):
        pairs = [(data, other) for data in datasets(3) for other in swapped(data)]
        laws = {data: law(data, proposal, shift) for data in datasets(3)}
        return max(np.maximum(laws[one] - math.exp(epsilon) * laws[other], 0).sum() for one, other in pairs)

    for proposal in (1, 2, 3):
        assert divergence(proposal) <= delta * 1.001
    assert divergence(1, shift=3) > delta * 1.1  # a test that is passed three records too early


def test_what_a_test_costs_is_in_the_errors():
    """If the proposal fails, the answer is the middle of the bounds; else it has noise of the proposed scale."""
    asked = {"bounds": (0, 1000), "neighbors": "swap", "granularity": 1}
    law = FAMILY["propose_test_release"](request(nws.Quantile("1/2"), [0] * 50 + [1000] * 51, **asked))
    assert read_law(law).errors(0.95) == pytest.approx((500, 500, -500), rel=1e-3) and not law.pure
    steady = FAMILY["propose_test_release"](request(nws.Quantile("1/2"), [500] * 2001, **asked))
    z = np.random.default_rng(5).laplace(0, 20, 200_000)
    away = np.abs(np.clip(500 + z, 0, 1000) - 500)
    mean, most, bias = read_law(steady).errors(0.95)
    assert mean == pytest.approx(away.mean(), rel=0.01) and bias == pytest.approx(0, abs=1e-9)
    assert most == pytest.approx(np.quantile(away, 0.95), rel=0.01)


# Above threshold


@pytest.mark.parametrize(
    ("q", "neighbors"),
    [
        (Fraction(1, 2), "add_remove"),
        (Fraction(4, 5), "add_remove"),
        (Fraction(1, 2), "swap"),
        (Fraction(1), "swap"),
    ],
)
def test_quantiles_above_a_threshold_are_private(q, neighbors):
    places = np.arange(TOP + 1)

    @cache
    def chances(data):
        counts = np.searchsorted(np.array(data), places, side="right")
        return first_above(counts - float(q) * len(data), *rates(Fraction(1), q, neighbors))

    to = added if neighbors == "add_remove" else swapped
    pairs = [(data, other) for size in (0, 1, 2) for data in datasets(size) for other in to(data)]
    loss = largest_loss(pairs, chances)
    assert 0.7 < loss <= 1 + 1e-9


def test_the_chances_above_a_threshold_are_those_of_draws():
    scores, rng = np.array([-2.5, -0.5, 0.5, 1.5]), np.random.default_rng(7)
    noisy = scores + rng.exponential(1 / 0.7, (200_000, 4)) >= rng.exponential(1 / 0.4, (200_000, 1))
    noisy[:, -1] = True
    drawn = np.bincount(noisy.argmax(axis=1), minlength=4) / 200_000
    assert np.abs(first_above(scores, 0.4, 0.7) - drawn).max() < 0.006


@pytest.mark.parametrize("epsilon", [0.1, 10])
def test_the_integral_is_right_on_long_grids(epsilon):
    """Of thousands of answers most are far too low. All chances add up to 1, and the first agree with an exact sum."""
    answers = np.arange(20_000)
    scores = np.floor(answers / 100) - 150.0
    chances = first_above(scores, epsilon, epsilon / 2)
    assert chances.sum() == pytest.approx(1, abs=1e-12)
    # of the first answer: the mean of e^(-b(z + 150)) over z of rate a
    assert chances[0] == pytest.approx(math.exp(-150 * epsilon / 2) * 2 / 3, rel=1e-9)
    # of the second: that it stops and the first does not
    both = math.exp(-150 * epsilon) / 2
    assert chances[1] == pytest.approx(chances[0] - both, rel=1e-9)


def test_answers_without_an_end_are_tried_on_a_grid_that_grows():
    """A sum of many small numbers. Laplace noise must allow for a record of a million, and this mechanism need not."""
    errors = {}
    for high in (100, 1_000_000):
        compared = nws.compare(
            "sum", [50] * 400, [1], ["asymmetric", "laplace"], bounds=(0, high), granularity=1
        )
        errors[high] = [each.mean_error for each in compared]
    assert errors[100][0] == pytest.approx(errors[1_000_000][0], rel=0.3) and errors[100][0] < 5000
    assert errors[1_000_000][1] > 100 * errors[1_000_000][0]


def test_signed_distances_move_by_at_most_one():
    """So the asymmetric mechanism costs a + 2b. Without the half, distances would move by two."""
    places, moved, whole = np.arange(TOP + 1), 0.0, 0.0
    for data in datasets(3):
        for other in swapped(data):
            pair = []
            for each in (data, other):
                envelope = request(nws.Quantile("1/2"), list(each), neighbors="swap").look().envelope
                pair.append(signed_distance(envelope.lower, envelope.upper, places))
            moved = max(moved, np.abs(pair[0] - pair[1]).max())
            raised = [each + np.sign(each) / 2 for each in pair]
            whole = max(whole, np.abs(raised[0] - raised[1]).max())
    assert moved == 1 < whole


# Shifted inverse


def exact_law(scores, base):
    """The law of balance with e^kappa = base, in Fractions."""
    down = list(accumulate(base**score for score in scores))
    up = list(accumulate(base**-score for score in reversed(scores)))[::-1]
    reached = [d / u / 2 if d <= u else 1 - u / d / 2 for d, u in zip(down[:-1], up[:-1], strict=True)] + [
        Fraction(1)
    ]
    return [after - before for before, after in zip([0, *reached[:-1]], reached, strict=True)]


def removed(statistic, data):
    """The answers after 0, 1, ... removals, the largest first."""
    rest = [data[: len(data) - gone] for gone in range(len(data) + 1)]
    return np.array([statistic(each) for each in rest])


@pytest.mark.parametrize(
    ("statistic", "power"),
    [(sum, 3), (len, 2), (lambda data: max(data, default=0), 2)],
    ids=["sum", "count", "max"],
)
def test_shifted_inverse_is_private_in_exact_arithmetic(statistic, power):
    """For up to 4 records and every added record, with e^kappa = 3/2, no ratio is above e^(power * kappa)."""
    base, places, worst = Fraction(3, 2), range(4 * TOP + 1), Fraction(0)

    def law(data):
        lower = removed(statistic, data)
        scores = [2 - int(each) for each in removals(lower, np.array(places, float))]
        exact = exact_law(scores, base)
        floats = balance_chances(math.log(1.5) * np.array(scores, float))
        assert np.allclose(floats, [float(each) for each in exact], rtol=1e-9)
        return exact

    laws = {data: law(data) for size in range(5) for data in datasets(size)}
    for data in (data for data in laws if len(data) < 4):
        for other in added(data):
            for p, q in zip(laws[data], laws[other], strict=True):
                worst = max(worst, p / q, q / p)
    assert base ** (power - 1) < worst <= base**power


def test_an_exponential_mechanism_at_this_rate_is_not_private():
    """On |removals - shift| both signs move: at the rate of balance for maxima it loses more than epsilon."""
    base, worst = Fraction(9, 4), Fraction(0)  # e^epsilon, of which balance takes kappa = epsilon/2

    def law(data):
        gone = removals(removed(lambda each: max(each, default=0), data), np.arange(9.0))
        weights = [base ** -abs(int(each) - 1) for each in gone]
        return [weight / sum(weights) for weight in weights]

    for data in datasets(2):
        for other in added(data):
            worst = max(worst, *(max(p / q, q / p) for p, q in zip(law(data), law(other), strict=True)))
    assert worst > base
