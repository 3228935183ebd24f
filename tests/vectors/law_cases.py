"""What each version of a law is asked, and what the second implementation answers. Nothing here imports noisewise."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

from tests.vectors import brute, naive
from tests.vectors.naive import Balls, Levels, Split

Case = dict[str, Any]

HALF = Fraction(1, 2)
TIED = Levels((5, 5, 3, 3, 0), (5, 6, 6, 6, 9), 0, 12)
WIDE = Levels((4, 1, -40), (7, 30, 31), -50, 50)
FLAT = Levels((2,), (2,), 0, 6)
COUNTED = Levels((3, 2, 1, 0), (3, 4, 5, 6), 0, None, 1)
OPEN = Levels((-1, -2, -5), (1, 4, 5), None, None, 4)
ENVELOPES = [TIED, WIDE, FLAT, COUNTED, OPEN]
EPSILONS = [Fraction(1, 10), Fraction(1), Fraction(7, 2)]


def shown(levels: Levels) -> Case:
    return {
        "lower": list(levels.lower),
        "upper": list(levels.upper),
        "support": [levels.low, levels.high],
        "stride": levels.stride,
    }


def outcomes(levels: Levels) -> list[int]:
    """Every point of a small support, some of a large one, and some far out where there is no end."""
    low = levels.lower[-1] - 3 * levels.stride - 1 if levels.low is None else levels.low
    high = levels.upper[-1] + 3 * levels.stride + 1 if levels.high is None else levels.high
    edges = {k + j for k in (*levels.lower, *levels.upper, low, high) for j in (-1, 0, 1)}
    return [k for k in range(low, high + 1) if high - low < 24 or k in edges]


def answered(asked: list[int], cost: Callable[[int], Fraction] | None, chances: dict[int, Decimal]) -> Case:
    told: Case = {"outcomes": asked}
    if cost is not None:
        told["costs"] = [str(cost(y)) for y in asked]
    return told | {"probabilities": [naive.text(chances[y]) for y in asked]}


def scored(graded: bool) -> list[Case]:
    """Literal envelopes; widened by rho; of people with several records; of medians by brute force; cut short."""
    cases = []
    for levels, epsilon in [*product(ENVELOPES, EPSILONS[1:]), (COUNTED, EPSILONS[0])]:
        chances = naive.exponential(levels, epsilon / 2, graded)
        asked = answered(outcomes(levels), lambda y, e=levels: e.cost(y, graded), chances)
        cases.append({"epsilon": str(epsilon), "rho": "0", "contributions": 1, **shown(levels), **asked})
    for levels, rho, owned in ((TIED, 2, 1), (TIED, 0, 2), (OPEN, 1, 3), (WIDE, 0, 2), (COUNTED, 0, 2)):
        moved = levels.of_people(owned).wider(rho)
        chances = naive.exponential(moved, HALF, graded)
        asked = answered(outcomes(moved), lambda y, e=moved: e.cost(y, graded), chances)
        cases.append({"epsilon": "1", "rho": str(rho), "contributions": owned, **shown(levels), **asked})
    return cases


def median(x: tuple[int, ...]) -> int:
    return sorted(x)[(len(x) + 1) // 2 - 1] if x else 0


WORLDS = [
    (x, relation, owned)
    for x in ((), (3,), (0, 3, 3), (1, 2, 5, 6))
    for relation, owned in (("add_remove", 1), ("add_remove", 2), ("swap", 1))
    if x or relation == "add_remove"
]


def medians(law: Callable[[Levels, Fraction], dict[int, Decimal]], graded: bool) -> list[Case]:
    """Medians of 0..6 by brute force over every dataset in reach, all levels and only the first one."""
    cases, domain = [], tuple(range(7))
    for (x, relation, owned), cut in product(WORLDS, (None, 1)):
        people = len(x) // owned + 2 if cut is None else cut
        lower, upper = brute.force(
            median, x, lambda near, r=relation: brute.neighbours(near, domain, r), people * owned
        )
        levels = Levels(tuple(lower[::owned]), tuple(upper[::owned]), 0, 6)
        asked = answered(list(domain), lambda y, e=levels: e.cost(y, graded), law(levels, HALF))
        unit = {"neighbors": relation, "contributions": owned, "levels": cut}
        cases.append({"data": list(x), "bounds": [0, 6], "epsilon": "1", **unit, **asked})
    return cases


def piecewise_laplace() -> Case:
    return {
        "rate": "epsilon/2",
        "envelopes": scored(True),
        "medians": medians(lambda e, rate: naive.exponential(e, rate, True), True),
    }


def inverse_sensitivity() -> Case:
    return {
        "rate": "epsilon/2",
        "envelopes": scored(False),
        "medians": medians(lambda e, rate: naive.exponential(e, rate, False), False),
    }


def shifted_piecewise_laplace() -> Case:
    """Literal envelopes, and how many removals there are: points * e^-(rate*removals) is at most e^-3."""
    cases: list[Case] = []
    for levels, epsilon, edits, side in product(
        (TIED, FLAT, COUNTED, OPEN), EPSILONS[1:], (0, 1, 3), ("lower", "upper")
    ):
        moved = levels.shifted(edits, side)
        chances = naive.exponential(moved, epsilon / 2, True)
        asked = answered(outcomes(levels), lambda y, e=moved: e.cost(y, True), chances)
        cases.append({"epsilon": str(epsilon), "removals": edits, "side": side, **shown(levels), **asked})
    counted = [
        {
            "low": 0,
            "high": high,
            "epsilon": str(epsilon),
            "removals": naive.level_rule(high + 1, epsilon / 2, 3),
        }
        for high, epsilon in product((9, 10**6), EPSILONS)
    ]
    return {"rate": "epsilon/2", "envelopes": cases, "removals of maxima": counted}


def permute_and_flip() -> Case:
    cases = []
    for levels, epsilon in product([TIED, FLAT, Levels((4, 1), (7, 9), -2, 20)], EPSILONS[:2]):
        asked = answered(
            outcomes(levels), lambda y, e=levels: e.cost(y, True), naive.flips(levels, epsilon / 2)
        )
        cases.append({"epsilon": str(epsilon), "rho": "0", "contributions": 1, **shown(levels), **asked})
    counts = []
    for each, (relation, owned), epsilon in product(
        ([5, 5, 3, 0], [0, 0], [20, 3, 19, 18, 7]),
        (("add_remove", 1), ("add_remove", 3), ("swap", 1)),
        EPSILONS,
    ):
        found = naive.leads(each, epsilon / (2 if relation == "swap" else owned))
        unit = {"neighbors": relation, "contributions": owned, "epsilon": str(epsilon)}
        counts.append({"counts": each, **unit, "probabilities": [naive.text(p) for p in found.values()]})
    return {
        "rate": "epsilon/2",
        "envelopes": cases,
        "medians": medians(naive.flips, True),
        "most common": counts,
    }


def permute_and_flip_on_whole_costs() -> Case:
    cases = []
    plateaus = [TIED, FLAT, Levels((4, 1), (7, 9), -2, 20), Levels((3,), (3,), 0, 4)]
    for levels, epsilon in product(plateaus, (*EPSILONS, Fraction(6))):
        points = outcomes(levels)
        rate = naive.true_rate(epsilon, levels.high - levels.low + 1)
        told = answered(points, None, naive.whole_flips(levels, rate))
        cases.append({"epsilon": str(epsilon), "rate": str(rate), **shown(levels), **told})
    rates = [
        {"epsilon": str(epsilon), "points": points, "rate": str(naive.true_rate(epsilon, points))}
        for epsilon, points in product(
            (*EPSILONS, Fraction(4), Fraction(6), Fraction(64)), (2, 3, 5, 10, 100)
        )
    ]
    rate = naive.true_rate(Fraction(1), 7)
    return {
        "rates": rates,
        "envelopes": cases,
        "medians": medians(lambda e, _: naive.whole_flips(e, rate), False),
    }


def discrete_laplace() -> Case:
    cases = []
    ends = [(None, None), (0, None), (0, 9), (5, 9), (3, 3)]
    for (low, high), sensitivity, epsilon in product(ends, (1, 4), EPSILONS[:2]):
        centre = 3 if low != 5 else 6
        chances = naive.laplace(centre, sensitivity, epsilon, low, high)
        asked = list(range(-6 if low is None else low, (16 if high is None else high) + 1))
        free = Levels((centre,), (centre,), None, None, sensitivity)
        told = answered(asked, lambda y, e=free: e.cost(y, True), chances)
        public = {"support": [low, high], "sensitivity": sensitivity, "epsilon": str(epsilon)}
        cases.append({"centre": centre, **public, **told})
    return {"rate": "epsilon", "noise": cases}


def discrete_gaussian() -> Case:
    """Noise around an answer, and how far it is at most with a probability."""
    cases = []
    ends = [(None, None), (0, None), (0, 9), (5, 9), (3, 3)]
    for (low, high), squared, rho in product(ends, (1, 12), (Fraction(1, 10), Fraction(3, 2))):
        centre, variance = 3 if low != 5 else 6, squared / (2 * rho)
        chances = naive.gaussian(centre, variance, low, high)
        asked = list(range(-6 if low is None else low, (16 if high is None else high) + 1))
        public = {"support": [low, high], "squared_sensitivity": squared, "rho": str(rho)}
        told = {"variance": str(variance), **answered(asked, None, chances)}
        cases.append({"centre": centre, **public, **told})
    farthest = [
        {
            "squared_sensitivity": squared,
            "rho": str(rho),
            "miss": str(miss),
            "farthest": naive.gaussian_beyond(squared / (2 * rho), miss),
        }
        for squared, rho, miss in product(
            (1, 50), (Fraction(1, 10), Fraction(7, 2)), (Fraction(1, 3), Fraction(1, 40), Fraction(1, 10**9))
        )
    ]
    return {"variance": "squared_sensitivity/(2*rho)", "noise": cases, "farthest": farthest}


# Balance

BALANCED = [((), [("add_remove", 1)]), ((3,), None), ((0, 3, 3, 5), None)]
BALANCED_UNITS = [("add_remove", 1), ("add_remove", 2), ("swap", 1)]
PARTS = Fraction(1, 2)
ROWS: list[list[tuple[int, int]]] = [[], [(1, 1)], [(1, 1), (1, 0), (0, 0), (0, 1), (1, 1)]]


def balance() -> Case:
    """Quantiles under both relations on either side of epsilon 1 per record; means and F1."""
    quantiles, fractions = [], []
    for (x, units), q in product(BALANCED, ("0", "1/4", "1/2", "9/10", "1")):
        for relation, owned in units or BALANCED_UNITS:
            for epsilon in (Fraction(2),) if owned > 1 else (Fraction(1, 2), Fraction(3)):
                found = naive.balanced_quantile(list(x), Fraction(q), 0, 6, relation, owned, epsilon)
                unit = {"neighbors": relation, "contributions": owned, "epsilon": str(epsilon)}
                quantiles.append(
                    {"q": q, "data": list(x), "bounds": [0, 6], **unit, **answered(list(found), None, found)}
                )
    for x, owned, epsilon in product(((), (1,), (0, 4, 4, 3)), (1, 2), (Fraction(1, 2), Fraction(3))):
        found = naive.balanced_fraction(
            Fraction(sum(x), 4),
            Fraction(sum(4 - v for v in x), 4),
            lambda y: y / (4 - y),
            PARTS,
            0,
            8,
            owned,
            epsilon,
        )
        unit = {"contributions": owned, "epsilon": str(epsilon), "granularity": str(PARTS)}
        fractions.append(
            {"of": "mean", "data": list(x), "bounds": [0, 4], **unit, **answered(list(found), None, found)}
        )
    for rows, epsilon in product(ROWS, (Fraction(1, 2), Fraction(3))):
        hits, misses = sum(y == p == 1 for y, p in rows), sum(y != p for y, p in rows)
        step = Fraction(1, 5)
        found = naive.balanced_fraction(
            Fraction(hits), Fraction(misses), lambda y: y / (2 - 2 * y), step, 0, 5, 1, epsilon
        )
        unit = {"contributions": 1, "epsilon": str(epsilon), "granularity": str(step)}
        data = [[y for y, _ in rows], [p for _, p in rows]]
        fractions.append(
            {"of": "f1", "data": data, "bounds": None, **unit, **answered(list(found), None, found)}
        )
    return {"kappa": "epsilon/(2*pull)", "quantiles": quantiles, "fractions": fractions}


def gaussian_balance() -> Case:
    """The same laws with normal noise, at prices in rho up to the largest c that is proved."""
    quantiles, fractions = [], []
    for (x, units), q in product(BALANCED, ("0", "1/4", "1/2", "9/10", "1")):
        for relation, owned in units or BALANCED_UNITS:
            for rho in (Fraction(1),) if owned > 1 else (Fraction(1, 100), Fraction(8)):
                reach = naive.reach_of(rho, relation)
                found = naive.balanced_quantile(
                    list(x), Fraction(q), 0, 6, relation, owned, reach, noise=naive.normally_balanced
                )
                unit = {"neighbors": relation, "contributions": owned, "rho": str(rho)}
                told = {"q": q, "data": list(x), "bounds": [0, 6], **unit, "reach": str(reach)}
                quantiles.append(told | answered(list(found), None, found))
    for x, owned, rho in product(((), (1,), (0, 4, 4, 3)), (1, 2), (Fraction(1, 20), Fraction(2))):
        reach = naive.reach_of(rho, "add_remove")
        ups, downs = Fraction(sum(x), 4), Fraction(sum(4 - v for v in x), 4)
        found = naive.balanced_fraction(
            ups, downs, lambda y: y / (4 - y), PARTS, 0, 8, owned, reach, naive.normally_balanced
        )
        unit = {"contributions": owned, "rho": str(rho), "granularity": str(PARTS), "reach": str(reach)}
        told = {"of": "mean", "data": list(x), "bounds": [0, 4], **unit}
        fractions.append(told | answered(list(found), None, found))
    return {"kappa": "reach/(2*pull)", "quantiles": quantiles, "fractions": fractions}


def shifted_inverse() -> Case:
    """Maxima and minima around the answer after the removals that leave a chance of 1/20 beyond the true one."""
    cases = []
    for x, q, (relation, owned) in product(((3,), (0, 1, 1, 3, 3, 3, 4, 5)), ("0", "1"), BALANCED_UNITS):
        for epsilon in (Fraction(2),) if owned > 1 else (Fraction(1), Fraction(3)):
            ranks = naive.ranks_astray(Fraction(q), Fraction(1, 20), epsilon / owned, 7, relation)
            up_by = ranks if q == "0" else -ranks
            found = naive.balanced_quantile(list(x), Fraction(q), 0, 6, relation, owned, epsilon, up_by)
            unit = {"neighbors": relation, "contributions": owned, "epsilon": str(epsilon)}
            told = {"q": q, "data": list(x), "bounds": [0, 6], **unit, "ranks": str(up_by)}
            cases.append(told | answered(list(found), None, found))
    return {"kappa": "epsilon/(2*pull)", "quantiles": cases}


# Balls

RADII = [((), 3), ((1, 1, 2, 5), 6), ((0, 2, 2), 4)]


def points(dimensions: int) -> list[tuple[int, ...]]:
    """Along an axis, along the diagonal, and some beside them."""
    axis = [(r, *[0] * (dimensions - 1)) for r in (0, 1, 2, 4, 7, 30)]
    diagonal = [(-r,) * dimensions for r in (1, 3)]
    return [*axis, *diagonal, tuple((-1) ** i * i for i in range(dimensions))]


def balls(norm: str, graded: bool, full: bool = False) -> Case:
    cases = []
    for (radii, stride), dimensions, epsilon in product(
        RADII[:1] if full else RADII, (1, 2, 5), EPSILONS[1:]
    ):
        ball, asked = Balls(radii, stride, norm, dimensions), points(dimensions)
        rate = epsilon if full else epsilon / 2
        chances = naive.in_a_ball(ball, rate, graded, asked)
        cases.append(
            {
                "radii": list(radii),
                "stride": stride,
                "norm": norm,
                "dimensions": dimensions,
                "epsilon": str(epsilon),
                "outcomes": [list(y) for y in asked],
                "costs": [str(ball.cost(ball.distance(y), graded)) for y in asked],
                "probabilities": [naive.text(p) for p in chances],
            }
        )
    return {"rate": "epsilon" if full else "epsilon/2", "balls": cases}


# Joint quantiles

QUARTILES = ["1/4", "1/2", "3/4"]
JOINT: list[Case] = [
    {"qs": ["1/2"], "data": [1, 2, 2, 7], "u": [], "cuts": {}},
    {
        "qs": ["1/4", "3/4"],
        "data": [1, 2, 2, 7, 9],
        "u": [9, 60000, 3, 77, 512],
        "cuts": {"3/4": 5 * 65536 + 99},
    },
    {
        "qs": QUARTILES,
        "data": [4, 4, 4, 4, 0, 8],
        "u": [100, 30000, 50000, 65535, 0, 1],
        "cuts": {"1/2": 4 * 65536 + 40000},
    },
    {
        "qs": ["1/10", "1/3", "1/2", "3/5", "9/10"],
        "data": [0, 1, 1, 3, 5, 5, 8, 10],
        "u": [1, 2, 3, 40000, 50000, 60000, 7, 8],
        "cuts": {"1/2": 3 * 65536 + 40000, "1/3": 65536 + 2, "9/10": 10 * 65536 + 9},
    },
    {"qs": QUARTILES, "data": [], "u": [], "cuts": {"1/2": 0}},
]
UNITS = [("add_remove", 1), ("add_remove", 2), ("swap", 1)]
TIE_BITS = 16


def joint_quantiles() -> Case:
    cases = []
    kinds = [*((relation, owned, True) for relation, owned in UNITS), ("add_remove", 1, False)]
    for (relation, owned, graded), case in product(kinds, JOINT):
        epsilon = Fraction(3, 2)
        root = naive.tree(sorted(map(Fraction, case["qs"])), Fraction(0), Fraction(1), epsilon)
        if case["data"] or relation == "add_remove":
            nodes = list(walk(root, case, relation, owned, graded))
            unit = {"neighbors": relation, "contributions": owned, "graded": graded}
            cases.append({**case, "bounds": [0, 10], "epsilon": str(epsilon), **unit, "nodes": nodes})
    return {"rate": "half of what an edit costs", "joint": cases}


def walk(root: Split | None, case: Case, relation: str, owned: int, graded: bool) -> Any:
    """Each node and its law, from the middle out, where earlier draws fell on the cuts of the case."""
    assert root is not None
    edits = owned if relation == "add_remove" else 2
    pairs = (
        [(k << TIE_BITS) + u for k, u in zip(case["data"], case["u"], strict=True)]
        if root.cuts
        else case["data"]
    )
    last = (11 << TIE_BITS) - 1 if root.cuts else 10

    def node(split: Split | None, part: list[int], low: int, high: int) -> Any:
        if split is None:
            return
        whole = split is root
        fine = root.cuts
        if not split.cuts and fine:
            part_, low_, high_ = [k >> TIE_BITS for k in part], low >> TIE_BITS, high >> TIE_BITS
        else:
            part_, low_, high_ = part, low, high
        rate = (split.step if whole else split.step / edits) / 2
        people = owned if whole else 1
        levels = naive.quantile_levels(
            part_,
            split.share,
            low_,
            high_,
            relation if whole else "add_remove",
            naive.level_rule(high_ - low_ + 1, rate) * people,
        ).of_people(people)
        asked = outcomes(levels)
        told = {"outcomes": asked, "costs": [str(levels.cost(y, graded)) for y in asked]}
        if not split.cuts:
            chances = naive.exponential(levels, rate, graded)
            told["probabilities"] = [naive.text(chances[y]) for y in asked]
        yield {
            "q": str(split.q),
            "share": str(split.share),
            "step": str(split.step),
            "rate": str(rate),
            "support": [low_, high_],
            **told,
        }
        if split.cuts:
            at = case["cuts"][str(split.q)]
            yield from node(split.below, [k for k in part if k <= at], low, at)
            yield from node(split.above, [k for k in part if k > at], at, high)

    yield from node(root, pairs, 0, last)


# Keys, bounds, intervals


def optimal_thresholding() -> Case:
    cases = []
    for epsilon, delta in product(EPSILONS, (Fraction(1, 10**6), Fraction(1, 100), Fraction(3, 4))):
        chances = naive.chances_of_keys(epsilon, delta, 400)
        certain = next((n for n, p in enumerate(chances) if p == 1), None)
        shown = [n for n in (0, 1, 2, 3, 5, 8, 13, 21, 34, 100, 400) if certain is None or n <= certain]
        cases.append(
            {
                "epsilon": str(epsilon),
                "delta": str(delta),
                "certain": certain,
                "persons": shown,
                "probabilities": [naive.text(chances[n]) for n in shown],
            }
        )
    return {"chances": cases}


MAGNITUDES = [
    (2, Fraction(1, 4), Fraction(16)),
    (10, Fraction(1), Fraction(1000)),
    (2, Fraction(1, 2**32), Fraction(2**64)),
]
RECORDS = [0.0, 1.0, 1.5, 2.0, 4.0, 4.5, 100.0, 1e9, -0.3, -2.0, -17.0, 0.25, 1e-30]
NOISY: list[dict[int, int]] = [
    {},
    {0: 500},
    {1: 500},
    {1: 500, 2: 5, 3: 500},
    {-2: 500, 0: 3, 3: 90},
    {3: 500, 4: 40, 2: 39},
    {-1: 500, -2: 41},
]


def crowded_powers() -> Case:
    cases = []
    for (base, smallest, largest), (relation, owned), epsilon in product(
        MAGNITUDES, UNITS, (Fraction(1, 4), Fraction(2))
    ):
        steps = naive.rungs(base, smallest, largest)
        reach, beta = (2 if relation == "swap" else owned), Fraction(1, 1000)
        buckets = 2 * len(steps) + 1
        crowded = naive.beyond(epsilon, reach, beta / (2 * buckets))
        peopled = min(naive.beyond(epsilon, reach, Fraction(1, 100)), crowded)
        reads = []
        for noisy in NOISY:
            whole = {i: noisy.get(i, 0) for i in range(-len(steps), len(steps) + 1)}
            found = naive.read_bounds(whole, steps, crowded, peopled)
            reads.append(
                {
                    "noisy": {str(i): n for i, n in noisy.items()},
                    "bounds": None if found is None else [str(end) for end in found],
                }
            )
        unit = {"neighbors": relation, "contributions": owned, "epsilon": str(epsilon), "beta": str(beta)}
        counts = [0] * buckets
        for x in RECORDS:
            counts[naive.bucket(Fraction(x), steps) + len(steps)] += 1
        cases.append(
            {
                "base": base,
                "smallest": str(smallest),
                "largest": str(largest),
                **unit,
                "buckets": buckets,
                "rate": str(epsilon / reach),
                "crowded": crowded,
                "peopled": peopled,
                "overlooked": crowded + naive.beyond(epsilon, reach, beta / 4) - 1,
                "counts": {str(i): n for i, n in enumerate(counts) if n},
                "reads": reads,
            }
        )
    return {"records": RECORDS, "searches": cases}


def quantile_interval() -> Case:
    cases = []
    for q, (relation, owned), epsilon, known in product(
        ("1/10", "1/2", "3/4"), UNITS, (Fraction(1), Fraction(8)), (0, 30, 400)
    ):
        shares = naive.interval_shares(Fraction(q), Fraction(95, 100), epsilon, 101, owned, relation, known)
        cases.append(
            {
                "q": q,
                "confidence": "19/20",
                "epsilon": str(epsilon),
                "bounds": [0, 100],
                "neighbors": relation,
                "contributions": owned,
                "known": known,
                "shares": [None if share is None else str(share) for share in shares],
            }
        )
    return {"intervals": cases}


def two_ends() -> Case:
    cases = []
    for q, (relation, owned), epsilon in product(
        ("0", "1/10", "1/2", "3/4", "1"), UNITS, (Fraction(1, 3), Fraction(1), Fraction(8))
    ):
        ranks = naive.ranks_of_ends(Fraction(q), Fraction(5, 100), epsilon, 101, owned, relation)
        cases.append(
            {
                "q": q,
                "interval": "19/20",
                "epsilon": str(epsilon),
                "bounds": [0, 100],
                "neighbors": relation,
                "contributions": owned,
                "ranks": [None if each is None else str(each) for each in ranks],
            }
        )
    return {"ends": cases}


def sums_of_means() -> Case:
    cases = []
    records = {"mean": ["0", "1", "1.3", "4", "7"], "proportion": [0, 1, 1]}
    for statistic, epsilon, owned in product(records, (Fraction(1, 3), Fraction(2)), (1, 3)):
        width = 2**32 if statistic == "mean" else 1
        high = 4 if statistic == "mean" else 1
        indices = [round(min(Fraction(v), high) * width / high) for v in records[statistic]]
        cases.append(
            {
                "statistic": statistic,
                "records": records[statistic],
                "epsilon": str(epsilon),
                "contributions": owned,
                "interval": "19/20",
                **naive.two_sums(indices, width, epsilon, owned, Fraction(1, 20)),
            }
        )
    return {"means": cases}


def sums_of_others() -> Case:
    """Rows (x, y) between 0 and 4, whose numbers are quarters of it; f1 reads them as 0 or 1."""
    rows, cases = [(0, 1), (1, 4), (2, 0), (4, 4), (0, 0)], []
    added = {
        "variance": (1, False, lambda a, b: [(1 - a) ** 2, 2 * a * (1 - a), a**2]),
        "weighted_mean": (1, True, lambda a, b: [b * a, b * (1 - a)]),
        "ratio": (2, True, lambda a, b: [a, b]),
        "rmse": (1, True, lambda a, b: [(a - b) ** 2, 1 - (a - b) ** 2]),
        "r2": (2, False, lambda a, b: [(a - b) ** 2, (1 - a) ** 2, 2 * a * (1 - a), a**2]),
    }
    for statistic, epsilon, (relation, owned) in product(added, (Fraction(1, 3), Fraction(2)), UNITS):
        together, of_share, summands = added[statistic]
        shares = [summands(Fraction(x, 4), Fraction(y, 4)) for x, y in rows]
        cases.append(
            {
                "statistic": statistic,
                "rows": rows,
                "epsilon": str(epsilon),
                "neighbors": relation,
                "contributions": owned,
                "interval": "19/20",
                **naive.several_sums(shares, together, of_share, epsilon, owned, relation == "swap"),
            }
        )
    return {"answers": cases}


def level_ends() -> Case:
    cases = []
    for epsilon, (relation, owned), points in product(
        (Fraction(1, 3), Fraction(1), Fraction(8)), UNITS, (9, 2**20 + 1)
    ):
        cases.append(
            {
                "epsilon": str(epsilon),
                "points": points,
                "neighbors": relation,
                "contributions": owned,
                "interval": "19/20",
                "edits": naive.edits_of_ends(points, Fraction(1, 20), epsilon, owned),
            }
        )
    return {"ends": cases}


def score_ends() -> Case:
    cases = []
    for epsilon, (relation, owned), points, tau in product(
        (Fraction(1, 3), Fraction(8)), UNITS, (9, 2**20 + 1), (None, Fraction(1, 7))
    ):
        cells = Fraction(points + 1) if tau is None else 2 * (points + 1) * (1 - tau) / tau
        pull = 2 if relation == "swap" else owned
        cases.append(
            {
                "epsilon": str(epsilon),
                "points": points,
                "tau": None if tau is None else str(tau),
                "neighbors": relation,
                "contributions": owned,
                "interval": "19/20",
                "pulls": naive.pulls_of_ends(cells, Fraction(1, 20), epsilon, pull),
            }
        )
    return {"ends": cases}


def population_interval() -> Case:
    parts, shares, counts = 256, [], []
    for statistic, lowest in (("mean", naive.lowest_mean), ("proportion", naive.lowest_proportion)):
        for above, below, miss in product(
            ("0", "1/3", "17/2", "40"), ("0", "5/2", "60"), (Fraction(1, 50), Fraction(2, 5))
        ):
            low = lowest(Fraction(above), Fraction(below), miss, parts)
            told = {"statistic": statistic, "above": above, "below": below, "miss": str(miss)}
            shares.append({**told, "parts": parts, "low": low})
    for least, more, miss in product((0, 1, 12, 80), (0, 9), (Fraction(1, 50), Fraction(2, 5))):
        low, high = naive.expected_counts(least, least + more, miss)
        counts.append({"least": least, "most": least + more, "miss": str(miss), "low": low, "high": high})
    return {"shares": shares, "counts": counts}


LAWS: dict[str, Callable[[], Case]] = {
    "piecewise-laplace/1": piecewise_laplace,
    "inverse-sensitivity/1": inverse_sensitivity,
    "shifted-piecewise-laplace/1": shifted_piecewise_laplace,
    "permute-and-flip/1": permute_and_flip,
    "permute-and-flip/2": permute_and_flip_on_whole_costs,
    "discrete-laplace/1": discrete_laplace,
    "discrete-gaussian/1": discrete_gaussian,
    "balance/1": balance,
    "gaussian-balance/1": gaussian_balance,
    "shifted-inverse/1": shifted_inverse,
    "piecewise-laplace-l1/1": lambda: balls("l1", True),
    "piecewise-laplace-linf/1": lambda: balls("linf", True),
    "inverse-sensitivity-l1/1": lambda: balls("l1", False),
    "inverse-sensitivity-linf/1": lambda: balls("linf", False),
    "discrete-laplace-linf/1": lambda: balls("linf", True, full=True),
    "joint-quantiles/1": joint_quantiles,
    "optimal-thresholding/1": optimal_thresholding,
    "crowded-powers/1": crowded_powers,
    "quantile-interval/1": quantile_interval,
    "two-ends/1": two_ends,
    "two-sums/1": sums_of_means,
    "several-sums/1": sums_of_others,
    "level-ends/1": level_ends,
    "score-ends/1": score_ends,
    "population-interval/1": population_interval,
}
"""Every version that a receipt may name, and its vectors."""
