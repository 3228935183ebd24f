"""The paper's formulas written out once more, slowly and exactly. Nothing of the library is imported here."""

import math
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise


def distance_one(x, universe, relation):
    """Sec. 2: all datasets with one record replaced, or with one more or less."""
    less = [x[:i] + x[i + 1 :] for i in range(len(x))]
    if relation == "swap":
        return {tuple(sorted((*rest, v))) for rest in less for v in universe}
    return set(less) | {tuple(sorted((*x, v))) for v in universe}


def within(x, l, universe, relation):
    """All x' with d(x, x') <= l."""
    near = {x}
    for _ in range(l):
        near |= {z for y in near for z in distance_one(y, universe, relation)}
    return near


def levels(f, x, most, universe, relation):
    """Sec. 3.1: the infimum and the supremum of f over all x' with d(x, x') <= l, for l = 0 to most."""
    values = [[f(z) for z in within(x, l, universe, relation)] for l in range(most + 1)]
    return [min(each) for each in values], [max(each) for each in values]


def ell(y, lower, upper):
    """Sec. 3.1: inf { l : lower(l) <= y <= upper(l) }."""
    for l in range(len(lower)):
        if lower[l] <= y <= upper[l]:
            return l
    return math.inf


def minus_q(y, lower, upper):
    """Definition 3.1, with lower(0) = upper(0) = f(x)."""
    l, answer = ell(y, lower, upper), lower[0]
    if l == math.inf:
        return math.inf
    if y > answer:
        return l + Fraction(y - upper[l - 1]) / (upper[l] - upper[l - 1])
    if y < answer:
        return l + Fraction(lower[l - 1] - y) / (lower[l - 1] - lower[l])
    return Fraction(1)


def minus_q_smooth(y, lower, upper, rho):
    """Sec. 4.2: the score of Definition 3.1, moved outwards by rho on both sides, and constant in between."""
    if y > upper[0] + rho:
        return minus_q(y - rho, lower, upper)
    return minus_q(y + rho, lower, upper) if y < lower[0] - rho else Fraction(1)


def ell_smooth(y, lower, upper, rho):
    """Sec. 4.2: inf { l(y') : |y' - y| <= rho }."""
    nearest = max(y - rho, upper[0]) if y > upper[0] else min(y + rho, lower[0])
    return ell(nearest, lower, upper)


def integral(function, lower, upper, nodes=400):
    """The integral over the whole support, by the midpoint rule inside each interval."""
    edges, total = sorted({*lower, *upper}), 0.0
    for a, b in pairwise(edges):
        step = Fraction(b - a) / nodes
        total += sum(function(a + step * (i + Fraction(1, 2))) for i in range(nodes)) * float(step)
    return total


def pi_plm(y, lower, upper, epsilon):
    """(M.1)."""
    score = lambda z: math.exp(-float(minus_q(z, lower, upper)) * epsilon / 2)  # noqa: E731
    return score(y) / integral(score, lower, upper)


def pi_inv(y, lower, upper, epsilon):
    """(M.2), for a sample-monotone function."""
    score = lambda z: math.exp(-ell(z, lower, upper) * epsilon / 2)  # noqa: E731
    return score(y) / integral(score, lower, upper, nodes=1)


def step_weights(lower, upper, epsilon):
    """Algorithm 1, line 1: the probability of each signed interval."""
    marginal = {l: upper[l] - upper[l - 1] for l in range(1, len(upper))}
    marginal |= {-l: lower[l - 1] - lower[l] for l in range(1, len(lower))}
    weights = {l: math.exp(-abs(l) * epsilon / 2) * width for l, width in marginal.items()}
    return {l: weight / sum(weights.values()) for l, weight in weights.items()}


def truncated_exponential_cdf(z, width, rate):
    """Sec. 3.2: the integral of the density of Expo^T(width, rate) from 0 to z."""
    return (1 - math.exp(-z * rate / width)) / (1 - math.exp(-rate))


def within_alpha(alpha, lower, upper, epsilon, mechanism):
    """Pr[|M(x) - f(x)| <= alpha], interval by interval, by Algorithm 1 or with uniform draws in its second step."""
    chance = 0.0
    for l, weight in step_weights(lower, upper, epsilon).items():
        inner = upper[l - 1] - upper[0] if l > 0 else lower[0] - lower[-l - 1]
        width = upper[l] - upper[l - 1] if l > 0 else lower[-l - 1] - lower[-l]
        z = min(max(alpha - inner, 0), width)
        if width:
            part = truncated_exponential_cdf(z, width, epsilon / 2) if mechanism == "plm" else z / width
            chance += weight * part
    return chance


def median(x):
    """The middle record."""
    return sorted(x)[(len(x) - 1) // 2]


def datasets(universe, size, relation):
    """All datasets of this size, or of up to this size."""
    sizes = range(1, size + 1) if relation == "add_remove" else [size]
    return [x for n in sizes for x in combinations_with_replacement(universe, n)]


def triangles(edges, nodes):
    """How many triples of nodes have all three edges."""
    return sum(
        {(i, j), (i, k), (j, k)} <= edges
        for i in range(nodes)
        for j in range(i + 1, nodes)
        for k in range(j + 1, nodes)
    )
