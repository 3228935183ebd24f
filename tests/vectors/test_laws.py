"""Every law is what its version name has always meant: exact costs, and probabilities as far as float64 reads them."""

import ast
import math
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import noisewise as nws
from tests.vectors import brute, files, naive, ours
from tests.vectors.law_cases import LAWS, TIED

CLOSE = 1e-11
"""How far a probability that is read in float64 may be off, in parts of itself."""
SOURCE = Path(nws.__file__).parent
NAME = re.compile(r"(?<![\w/-])[a-z][a-z0-9-]*/[0-9]+(?![\w/])")


def chances(case):
    return np.array([float(Decimal(p)) for p in case["probabilities"]])


def check(law, case):
    """The costs of a law to the last digit, and its probabilities."""
    if "costs" in case:
        assert [str(c) for c in law.cost(case["outcomes"])] == case["costs"]
    assert law.pmf(case["outcomes"]) == pytest.approx(chances(case), rel=CLOSE, abs=0)


# One dimension


@pytest.mark.parametrize("version", ["piecewise-laplace/1", "inverse-sensitivity/1", "permute-and-flip/1"])
def test_laws_of_envelopes(version):
    kind = ours.MECHANISMS[version]
    vectors = files.read("laws", version)
    for case in vectors["envelopes"]:
        smooth = {"smooth": Fraction(case["rho"])} if case["rho"] != "0" else {}
        law = ours.law_of_levels(case, kind(epsilon=Fraction(case["epsilon"]), **smooth))
        assert law.rate == Fraction(case["epsilon"]) / 2
        check(law, case)
    for case in vectors["medians"]:
        check(ours.law_of_median(case, kind.name), case)


def test_permute_and_flip_on_whole_costs():
    vectors = files.read("laws", "permute-and-flip/2")
    for case in vectors["rates"]:
        assert str(ours.rate_of_whole_costs(case)) == case["rate"], case
    for case in vectors["envelopes"]:
        law = ours.law_of_levels(case, ours.WHOLE(epsilon=Fraction(case["epsilon"])))
        assert str(law.rate) == case["rate"]
        check(law, case)
    for case in vectors["medians"]:
        check(ours.law_of_median(case, ours.WHOLE(epsilon=1)), case)


def test_shifted_piecewise_laplace():
    vectors = files.read("laws", "shifted-piecewise-laplace/1")
    for case in vectors["envelopes"]:
        check(ours.shifted_law_of_levels(case), case)
    for case in vectors["removals of maxima"]:
        assert ours.removals_of_maximum(case) == case["removals"]


def test_laplace_noise():
    kind = ours.MECHANISMS["discrete-laplace/1"]
    for case in files.read("laws", "discrete-laplace/1")["noise"]:
        plain = {"lower": [case["centre"]], "upper": [case["centre"]], "stride": case["sensitivity"]}
        mechanism = kind(epsilon=Fraction(case["epsilon"]), sensitivity=case["sensitivity"])
        law = ours.law_of_levels(plain | {"support": case["support"]}, mechanism)
        assert law.rate == Fraction(case["epsilon"])
        check(law, case)


def test_gaussian_noise():
    vectors = files.read("laws", "discrete-gaussian/1")
    for case in vectors["noise"]:
        law = ours.law_of_gaussian(case)
        assert str(law.variance) == case["variance"]
        check(law, case)
    for case in vectors["farthest"]:
        assert ours.gaussian_of(case).farthest(Fraction(case["miss"])) == case["farthest"], case


def test_the_most_common_category():
    for case in files.read("laws", "permute-and-flip/1")["most common"]:
        found, rate = ours.chances_of_categories(case)
        owned = 2 if case["neighbors"] == "swap" else case["contributions"]
        assert rate == Fraction(case["epsilon"]) / owned
        assert np.exp(found) == pytest.approx(chances(case), rel=CLOSE, abs=0)


@pytest.mark.parametrize("version", ["balance/1", "gaussian-balance/1", "shifted-inverse/1"])
def test_balance(version):
    vectors = files.read("laws", version)
    for case in [*vectors["quantiles"], *vectors.get("fractions", [])]:
        law = ours.law_of_balance(case, version[:-2].replace("-", "_"))
        at = [k * law.granularity for k in case["outcomes"]]
        assert law.pmf(at) == pytest.approx(chances(case), rel=CLOSE, abs=0), case
        ends = np.cumsum(chances(case))
        drawn = law.draw(40, bits=nws.hazmat.SeededBits(7)) / float(law.granularity)
        uniform = nws.hazmat.SeededBits(7).words(40) / 2**64
        assert np.array_equal(np.rint(drawn), np.minimum(np.searchsorted(ends, uniform), len(ends) - 1))


# Many dimensions


@pytest.mark.parametrize("norm", ours.NORMS)
@pytest.mark.parametrize("mechanism", ["piecewise_laplace", "inverse_sensitivity", "laplace"])
def test_laws_of_balls(mechanism, norm):
    version = ours.version_of_vectors(mechanism, norm)
    if version == "discrete-laplace/1":
        return  # in the sum of absolute values noise is independent: the law of one dimension
    vectors = files.read("laws", version)
    rate = {"epsilon": 1, "epsilon/2": 2}[vectors["rate"]]
    for case in vectors["balls"]:
        law = ours.ball_law(case, Fraction(case["epsilon"]) / rate, mechanism != "inverse_sensitivity")
        check(law, case)


# Releases of several draws


def test_joint_quantiles():
    for case in files.read("laws", "joint-quantiles/1")["joint"]:
        name, nodes = ours.joint_laws(case)
        assert name.split()[0] == "joint-quantiles/1"
        assert len(nodes) == len(case["nodes"])
        for (split, law), node in zip(nodes, case["nodes"], strict=True):
            assert (str(split.q), str(split.target.q), str(split.step)) == (
                node["q"],
                node["share"],
                node["step"],
            )
            assert str(law.rate) == node["rate"]
            assert list(law.envelope.support) == node["support"]
            at = [k * law.granularity for k in node["outcomes"]]
            assert [str(c) for c in law.cost(at)] == node["costs"]
            if "probabilities" in node:
                assert law.pmf(at) == pytest.approx(chances(node), rel=CLOSE, abs=0)


def test_keys_that_are_told():
    for case in files.read("laws", "optimal-thresholding/1")["chances"]:
        found = ours.chances_of_keys(Fraction(case["epsilon"]), Fraction(case["delta"]))
        assert case["certain"] is None or len(found) == case["certain"] + 1
        for persons, chance in zip(case["persons"], case["probabilities"], strict=True):
            ball = found[min(persons, len(found) - 1)]
            assert Decimal(ball.mid().str(40, radius=False)) == pytest.approx(
                Decimal(chance), rel=Decimal("1e-28"), abs=Decimal(0)
            )


def test_bounds_that_are_searched_for():
    vectors = files.read("laws", "crowded-powers/1")
    for case in vectors["searches"]:
        found, law = ours.search(case, vectors["records"])
        assert found.version == "crowded-powers/1"
        assert (found.magnitudes.buckets, found.crowded, found.occupied, found.overlooked) == tuple(
            case[name] for name in ("buckets", "crowded", "peopled", "overlooked")
        )
        counts = [case["counts"].get(str(i), 0) for i in range(case["buckets"])]
        assert law.envelope.lower.tolist() == law.envelope.upper.tolist() == counts
        assert law.rate / law.envelope.stride == Fraction(case["rate"])
        assert law.clamp == (0, None)
        for read in case["reads"]:
            middle = case["buckets"] // 2
            noisy = [read["noisy"].get(str(i - middle), 0) for i in range(case["buckets"])]
            told = found.read(noisy)
            assert (None if told is None else [str(Fraction(end)) for end in told]) == read["bounds"]


def test_intervals():
    for case in files.read("laws", "quantile-interval/1")["intervals"]:
        shares, name = ours.shares_of_interval(case)
        assert name.split()[0] == "quantile-interval/1"
        assert [None if share is None else str(share) for share in shares] == case["shares"]


def test_ends_of_quantiles():
    for case in files.read("laws", "two-ends/1")["ends"]:
        ranks, name = ours.ranks_of_ends(case)
        assert "interval by two-ends/1 by balance/1" in name
        assert ranks == case["ranks"], case


def test_two_sums_of_means():
    for case in files.read("laws", "two-sums/1")["means"]:
        sums, name = ours.two_sums_of(case)
        law = sums.look()
        assert name == "two-sums/1" and law.rate == Fraction(case["epsilon"]) and law.clamp == (0, None)
        assert (sums.steps, law.envelope.stride) == (case["steps"], case["sensitivity"])
        assert law.envelope.lower.tolist() == law.envelope.upper.tolist() == case["sums"]
        for read in case["shares"]:
            pair = ours.noisy_sums(read["up"], read["down"])
            assert list(map(str, sums.shares(pair, Fraction(1, 20)))) == [read["low"], read["high"]]


def test_sums_of_other_answers():
    for case in files.read("laws", "several-sums/1")["answers"]:
        sums, centres, name = ours.several_sums_of(case)
        assert name.split()[-1] == "several-sums/1" and centres == case["sums"]
        assert sums.noise.sensitivity == case["sensitivity"]
        for read in case["boxes"]:
            assert [list(ends) for ends in sums.box(read["sums"], Fraction(1, 20))] == read["box"], case


def test_ends_by_levels():
    for case in files.read("laws", "level-ends/1")["ends"]:
        edits, name = ours.edits_of_ends(case)
        assert name.endswith("interval by level-ends/1 by balance/1")
        assert edits == [-case["edits"], case["edits"]], case


def test_ends_by_a_score():
    for case in files.read("laws", "score-ends/1")["ends"]:
        pulls, name = ours.pulls_of_ends(case)
        assert name.endswith("interval by score-ends/1 by balance/1")
        assert pulls == [-case["pulls"], case["pulls"]], case


def test_intervals_of_populations():
    vectors = files.read("laws", "population-interval/1")
    for case in vectors["shares"]:
        low, name = ours.lowest_share(case)
        assert name.split()[0] == "population-interval/1"
        fine = 2**32 // case["parts"] if case["statistic"] == "proportion" else 1
        assert low // fine == case["low"], case
    for case in vectors["counts"]:
        found = ours.EXPECTED_COUNTS(case["least"], case["most"], Fraction(case["miss"]))
        assert found == (case["low"], case["high"]), case


# The names


def named_in_the_source():
    """Every name of a law that stands in the text of the library, wherever its modules are."""
    found = set()
    for file in SOURCE.rglob("*.py"):
        parsed = ast.parse(file.read_text(encoding="utf-8"))
        prose = {
            id(node.body[0].value)
            for node in ast.walk(parsed)
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node)
        }
        for node in ast.walk(parsed):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
                found.update(NAME.findall(node.value))
    return found


NO_LAWS = {"choice/2", "blocks/1", "removals/1"}
"""Which records take part, and how the values of a wrapped function are found. Balance draws a median of these."""


def test_every_law_has_vectors_and_all_vectors_have_a_law():
    vectors = {
        ours.version_of_vectors(mechanism, norm)
        for mechanism in ("piecewise_laplace", "inverse_sensitivity", "laplace")
        for norm in ours.NORMS
    }
    laws = named_in_the_source() - NO_LAWS
    assert laws | vectors | set(ours.MECHANISMS) == set(files.names("laws")) == set(LAWS)
    assert all(files.path("laws", name).exists() for name in LAWS)


def test_names_on_receipts_are_names_of_vectors():
    receipts = [files.read("receipts", name) for name in files.names("receipts")]
    found = {name for told in receipts for name in NAME.findall(told["to_dict"]["law"])}
    assert found - NO_LAWS == set(files.names("laws"))


# The second implementation


@pytest.mark.parametrize("version", LAWS)
def test_the_second_implementation_still_says_what_is_written(version):
    assert files.told(version, LAWS[version]()) == files.read("laws", version)


def test_coins_in_any_order_are_all_coins_at_once():
    accept = {y: naive.weight(Fraction(1, 2), TIED.cost(y, True)) for y in (3, 4, 5, 6, 7, 12)}
    one, other = naive.first_accepted(accept), naive.first_accepted_in_any_order(accept)
    assert all(abs(one[y] - other[y]) < Decimal("1e-50") for y in accept)


@pytest.mark.parametrize("relation", ["add_remove", "swap"])
@pytest.mark.parametrize("q", [Fraction(1, 3), Fraction(1, 2), Fraction(9, 10), Fraction(1)])
def test_ranks_are_those_of_brute_force(relation, q):
    domain = tuple(range(5))

    def answer(x):
        return sorted(x)[max(1, math.ceil(q * len(x))) - 1] if x else 0

    for x in ((1,), (0, 3), (1, 1, 4)):
        lower, upper = brute.force(answer, x, lambda y: brute.neighbours(y, domain, relation), len(x))
        levels = naive.quantile_levels(list(x), q, 0, 4, relation, len(x))
        assert (list(levels.lower), list(levels.upper)) == (lower, upper)


def test_points_of_balls_are_counted_one_by_one():
    for norm in ours.NORMS:
        ball = naive.Balls((), 1, norm, 3)
        counted = [0] * 5
        for y in np.ndindex(9, 9, 9):
            if (r := ball.distance(tuple(k - 4 for k in y))) < 5:
                counted[r] += 1
        assert ball.points(4) == counted
