"""The laws a second time, as slowly and as plainly as they are defined. Nothing here imports noisewise.

Costs are Fractions by their definition; probabilities are sums of exponentials of 60 digits, term by term, where the
library has closed forms. What is written here is what the vectors beside it hold for ever: docs/proofs says the same.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal, localcontext
from fractions import Fraction
from itertools import count, permutations
from typing import Any

DIGITS = 60
"""Of every decimal number on the way; 30 of them are written down."""
FAR_DIGITS = 250
"""Of normal probabilities, which may differ from 1 in the hundredth digit."""
NOTHING = Decimal("1e-48")
"""A sum without end stops where its terms are so small and fall."""

End = int | None


def decimal(number: Fraction | int) -> Decimal:
    exact = Fraction(number)
    return Decimal(exact.numerator) / Decimal(exact.denominator)


def weight(rate: Fraction, cost: Fraction | int) -> Decimal:
    return (-decimal(rate * cost)).exp()


def text(number: Decimal) -> str:
    """Thirty digits."""
    return f"{number:.29e}"


def precisely(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same, with so many digits."""

    def inner(*arguments: Any, **named: Any) -> Any:
        with localcontext() as context:
            context.prec = DIGITS
            return function(*arguments, **named)

    return inner


# One dimension


@dataclass(frozen=True)
class Levels:
    """lower[l] and upper[l] of one dataset, and what lies beyond the last: the public end, or strides for ever."""

    lower: tuple[int, ...]
    upper: tuple[int, ...]
    low: End
    high: End
    stride: int = 0

    def at(self, l: int) -> tuple[int, int]:
        last = len(self.lower) - 1
        if l <= last:
            return self.lower[l], self.upper[l]
        beyond = (l - last) * self.stride
        return (
            self.lower[last] - beyond if self.low is None else self.low,
            self.upper[last] + beyond if self.high is None else self.high,
        )

    def wider(self, steps: int) -> "Levels":
        """Every edge moved outwards, but not beyond a public end."""
        lower = tuple(k - steps if self.low is None else max(k - steps, self.low) for k in self.lower)
        upper = tuple(k + steps if self.high is None else min(k + steps, self.high) for k in self.upper)
        return Levels(lower, upper, self.low, self.high, self.stride)

    def of_people(self, records: int) -> "Levels":
        """A person owns up to so many records: their level l is the record level records*l."""
        people = range(-(-(len(self.lower) - 1) // records) + 1)
        pairs = [self.at(records * l) for l in people]
        lower, upper = zip(*pairs, strict=True)
        return Levels(lower, upper, self.low, self.high, self.stride * records)

    def shifted(self, edits: int, side: str) -> "Levels":
        """Around one side after so many edits: more of them outwards, fewer of them back, then the end."""
        which = 0 if side == "lower" else 1
        sign = 1 if side == "lower" else -1
        end = self.high if side == "lower" else self.low
        many = max(len(self.lower), 2 * edits) + 2
        away = [self.at(edits + k)[which] for k in range(many)]
        back = []
        for k in range(many):
            straight = self.at(max(edits - k, 0))[which]
            beyond = sign * self.stride * (k - edits)
            back.append(straight if k <= edits else straight + beyond if end is None else end)
        lower, upper = (away, back) if side == "lower" else (back, away)
        return Levels(tuple(lower), tuple(upper), self.low, self.high, self.stride)

    def cost(self, y: int, graded: bool) -> Fraction:
        """inf { s : L(s) <= y <= U(s) }: the first level that holds y, and how much of the way to it is needed."""
        least, most = -1, 0
        while not self.at(most)[0] <= y <= self.at(most)[1]:
            least, most = most, 2 * most + 1
        while most - least > 1:  # levels only widen
            middle = (least + most) // 2
            inside = self.at(middle)[0] <= y <= self.at(middle)[1]
            least, most = (least, middle) if inside else (middle, most)
        if most == 0 or not graded:
            return Fraction(most)
        (lower, upper), (low, high) = self.at(least), self.at(most)
        return least + (Fraction(y - upper, high - upper) if y > upper else Fraction(lower - y, lower - low))


def outwards(levels: Levels, sign: int) -> Iterator[int]:
    """The points above the plateau, or below it, from the nearest on."""
    start, end = (levels.upper[0], levels.high) if sign > 0 else (levels.lower[0], levels.low)
    return (start + sign * j for j in (count(1) if end is None else range(1, sign * (end - start) + 1)))


def side(levels: Levels, sign: int, rate: Fraction, graded: bool) -> dict[int, Decimal]:
    """The weight of every point of one side; of an open one, as far as it matters."""
    found = {}
    for y in outwards(levels, sign):
        found[y] = weight(rate, levels.cost(y, graded))
        if found[y] < NOTHING:
            break
    return found


def weights(levels: Levels, rate: Fraction, graded: bool) -> dict[int, Decimal]:
    plateau = {y: Decimal(1) for y in range(levels.lower[0], levels.upper[0] + 1)}
    return plateau | side(levels, 1, rate, graded) | side(levels, -1, rate, graded)


@precisely
def exponential(levels: Levels, rate: Fraction, graded: bool) -> dict[int, Decimal]:
    """P(y) proportional to exp(-rate * cost(y)): piecewise Laplace where graded, inverse sensitivity where not."""
    found = weights(levels, rate, graded)
    total = sum(found.values())
    return {y: w / total for y, w in found.items()}


@precisely
def laplace(centre: int, sensitivity: int, epsilon: Fraction, low: End, high: End) -> dict[int, Decimal]:
    """P(y) proportional to exp(-epsilon * |y - centre| / sensitivity) on all integers, then clamped to the ends."""
    free = exponential(Levels((centre,), (centre,), None, None, sensitivity), epsilon, True)
    found: dict[int, Decimal] = {}
    for y, chance in free.items():
        inside = y if low is None else max(y, low)
        inside = inside if high is None else min(inside, high)
        found[inside] = found.get(inside, Decimal(0)) + chance
    return found


@precisely
def gaussian(centre: int, variance: Fraction, low: End, high: End) -> dict[int, Decimal]:
    """P(y) proportional to exp(-(y - centre)^2 / (2*variance)) on all integers, then clamped to the ends."""
    free = {centre: Decimal(1)}
    for z in count(1):
        free[centre + z] = free[centre - z] = weight(1 / (2 * variance), z * z)
        if free[centre + z] < NOTHING and z > 20:  # some outcomes are asked for that are hardly ever drawn
            break
    total = sum(free.values())
    found: dict[int, Decimal] = {}
    for y, chance in free.items():
        inside = y if low is None else max(y, low)
        inside = inside if high is None else min(inside, high)
        found[inside] = found.get(inside, Decimal(0)) + chance / total
    return found


@precisely
def gaussian_beyond(variance: Fraction, miss: Fraction) -> int:
    """The least t such that noise is above t with a chance of at most ``miss``."""
    chances, t = gaussian(0, variance, None, None), 0
    above = sum(chance for z, chance in chances.items() if z > t)
    while above > decimal(miss):
        t += 1
        above -= chances[t]
    return t


@precisely
def first_accepted(accept: dict[Any, Decimal]) -> dict[Any, Decimal]:
    """Permute-and-flip: coins are thrown for all points, and the answer is a uniform one of those accepted."""
    found = {}
    for y, chance in accept.items():
        others = [Decimal(1)]  # the chance that 0, 1, ... of the other points are accepted
        for z, p in accept.items():
            if z != y:
                others = [
                    (others[k] * (1 - p) if k < len(others) else 0) + (others[k - 1] * p if k else 0)
                    for k in range(len(others) + 1)
                ]
        found[y] = chance * sum(share / (k + 1) for k, share in enumerate(others))
    return found


@precisely
def first_accepted_in_any_order(accept: dict[Any, Decimal]) -> dict[Any, Decimal]:
    """The same as it is told: points are visited in random order until a coin accepts one. For a few points only."""
    found = dict.fromkeys(accept, Decimal(0))
    orders = list(permutations(accept))
    for order in orders:
        still = Decimal(1)
        for y in order:
            found[y] += still * accept[y] / len(orders)
            still *= 1 - accept[y]
    return found


@precisely
def flips(levels: Levels, rate: Fraction) -> dict[int, Decimal]:
    return first_accepted(weights(levels, rate, True))


@precisely
def whole_flips(levels: Levels, rate: Fraction) -> dict[int, Decimal]:
    """Costs are whole levels. The middle of level 0 costs nothing, and every other point costs one at least."""
    assert levels.low is not None and levels.high is not None
    middle = (levels.lower[0] + levels.upper[0]) // 2
    return first_accepted(
        {
            y: weight(rate, max(levels.cost(y, False), 1) if y != middle else 0)
            for y in range(levels.low, levels.high + 1)
        }
    )


def true_rate(epsilon: Fraction, points: int) -> Fraction:
    """The greatest multiple of epsilon/2^32 at which whole costs, of which one is 0, lose at most epsilon."""
    with localcontext() as context:
        context.prec = 300
        parts = 2**31
        for step in (2**k for k in range(30, -1, -1)):
            accepted = (-decimal(epsilon * (parts + step) / 2**32)).exp()
            whole, part = Decimal(0), Decimal(0)
            for k in range(points - 1):  # (1 - v) * (1 - accepted*v)^(points - 2), power by power
                term = math.comb(points - 2, k) * (-accepted) ** k
                whole += term * (Decimal(1) / (k + 1) - Decimal(1) / (k + 2))
                part += term * (accepted ** (k + 1) / (k + 1) - accepted ** (k + 2) / (k + 2))
            if part / whole / accepted**2 <= decimal(epsilon).exp():
                parts += step
        return epsilon * parts / 2**32


@precisely
def leads(counts: list[int], rate: Fraction) -> dict[int, Decimal]:
    """The most common category: permute-and-flip on how far each is behind the first."""
    return first_accepted({c: weight(rate, max(counts) - n) for c, n in enumerate(counts)})


# Balance

Odds = Callable[[Fraction], Fraction | None]
"""r(y), which rises; None where it is infinite."""
Noise = Callable[[int, int, dict[int, Decimal], dict[int, Decimal]], dict[int, Decimal]]
"""The chances of all answers, from D and U."""


def quantile_target(q: Fraction, n: int, relation: str, epsilon: Fraction) -> tuple[Fraction, Fraction]:
    """What the number of records up to the answer is compared with, and the most that a record moves the two apart.

    ``epsilon`` is what one record may cost (docs/proofs/balance.md).
    """
    if relation == "add_remove" and q > 0 and (q == Fraction(1, 2) or epsilon <= 1):
        return q * n - Fraction(1, 2 * q.denominator), max(q, 1 - q)
    return (max(1, math.ceil(q * n)) if n else 0) - Fraction(1, 2), Fraction(1)


@precisely
def balanced(low: int, high: int, down: dict[int, Decimal], up: dict[int, Decimal]) -> dict[int, Decimal]:
    """P(y) where P(<= y) = D/(2U) up to a half, then 1 - U/(2D), for every y below the highest answer."""
    found, before = {}, Decimal(0)
    for y in range(low, high + 1):
        below = Decimal(1)
        if y < high:
            below = down[y] / (2 * up[y]) if down[y] <= up[y] else 1 - up[y] / (2 * down[y])
        found[y], before = below - before, below
    return found


def normally_balanced(
    low: int, high: int, down: dict[int, Decimal], up: dict[int, Decimal]
) -> dict[int, Decimal]:
    """P(y) where P(<= y) = F(ln D - ln U), with the normal distribution F, for every y below the highest answer."""
    found, before = {}, Decimal(0)
    with localcontext() as context:
        context.prec = FAR_DIGITS
        for y in range(low, high + 1):
            below = normal((down[y] / up[y]).ln()) if y < high else Decimal(1)
            found[y], before = below - before, below
    return found


def normal(g: Decimal) -> Decimal:
    """F(g) = 1/2 + f(g)*(g + g^3/3 + g^5/(3*5) + ...), with the density f. The terms are added until they vanish."""
    n, term, total = 1, g, g
    while abs(term) > Decimal(10) ** -FAR_DIGITS:
        n += 2
        term = term * g * g / n
        total += term
    turn = 8 * (4 * arctangent(5) - arctangent(239))  # 2*pi, by Machin's formula
    return Decimal(1) / 2 + total * (-g * g / 2).exp() / turn.sqrt()


def arctangent(bottom: int) -> Decimal:
    """The arctangent of 1/bottom."""
    terms = (Decimal((-1) ** n) / ((2 * n + 1) * bottom ** (2 * n + 1)) for n in range(FAR_DIGITS))
    return sum(terms, Decimal(0))


def reach_of(rho: Fraction, relation: str) -> Fraction:
    """The root of 2*rho/k with nine digits, rounded down. k is 1.04 for a record more or less, 1.01 for a swap."""
    constant = Fraction(101, 100) if relation == "swap" else Fraction(104, 100)
    root = decimal(2 * rho / constant).sqrt()
    return Fraction(Context(prec=9, rounding=ROUND_FLOOR).plus(root))


@precisely
def balanced_quantile(
    records: list[int],
    q: Fraction,
    low: int,
    high: int,
    relation: str,
    owned: int,
    epsilon: Fraction,
    up_by: Fraction = Fraction(0),
    noise: Noise = balanced,
) -> dict[int, Decimal]:
    """D and U are sums over places, of e^(kappa*phi) up to the answer and of e^(-kappa*phi) from the answer on.

    ``up_by`` moves the target by so many ranks.
    """
    target, pull = quantile_target(q, len(records), relation, epsilon / owned)
    kappa = epsilon / (2 * pull * owned)
    phi = {y: sum(v <= y for v in records) - target - up_by for y in range(low, high)}
    down = {y: sum(weight(-kappa, phi[z]) for z in range(low, y + 1)) for y in phi}
    up = {y: sum(weight(kappa, phi[z]) for z in range(y, high)) for y in phi}
    return noise(low, high, down, up)


@precisely
def balanced_fraction(
    up: Fraction,
    down: Fraction,
    odds: Odds,
    step: Fraction,
    low: int,
    high: int,
    owned: int,
    epsilon: Fraction,
    noise: Noise = balanced,
) -> dict[int, Decimal]:
    """Of records that pull so far up and down: D and U are integrals over z, r up to 1 and 2 - 1/r from there on.

    phi goes through -up, down - up and down at z = 0, 1 and 2, in straight lines, and answers are rounded.
    """
    kappa = epsilon / (2 * owned)

    def z(y: int) -> Fraction:
        r = odds((y + Fraction(1, 2)) * step)
        return Fraction(2) if r is None else r if r <= 1 else 2 - 1 / r

    def integral(start: Fraction, end: Fraction, sign: int) -> Decimal:
        total = Decimal(0)
        for left, first, slope in ((Fraction(0), -up, down), (Fraction(1), down - up, up)):
            a, b = max(start, left), min(end, left + 1)
            if a < b and slope:
                ends = [weight(-sign * kappa, first + slope * (each - left)) for each in (a, b)]
                total += (ends[1] - ends[0]) / decimal(sign * kappa * slope)
            elif a < b:
                total += decimal(b - a) * weight(-sign * kappa, first)
        return total

    below = {y: integral(Fraction(0), z(y), 1) for y in range(low, high)}
    above = {y: integral(z(y), Fraction(2), -1) for y in range(low, high)}
    return noise(low, high, below, above)


# Many dimensions


@dataclass(frozen=True)
class Balls:
    """Radii R_1, R_2, ... around a centre, the stride for ever beyond them, in a norm of so many dimensions."""

    radii: tuple[int, ...]
    stride: int
    norm: str
    dimensions: int

    def cost(self, r: int, graded: bool) -> Fraction:
        """How many radii sum to a distance of r, a part of the last one or all of it."""
        reached = 0
        for l in count(1):
            radius = self.radii[l - 1] if l <= len(self.radii) else self.stride
            if r <= reached + radius:
                part = Fraction(r - reached, radius) if r > reached else Fraction(0)
                return Fraction(0) if r == 0 else l - 1 + (part if graded else math.ceil(part))
            reached += radius
        raise AssertionError

    def points(self, farthest: int) -> list[int]:
        """How many points of Z^d are at the distance 0, 1, ..., farthest: coordinate by coordinate."""
        if self.norm == "linf":
            inside = [(2 * r + 1) ** self.dimensions for r in range(farthest + 1)]
            return [inside[0], *(inside[r] - inside[r - 1] for r in range(1, farthest + 1))]
        found = [1] + [0] * farthest
        for _ in range(self.dimensions):
            found = [found[r] + 2 * sum(found[:r]) for r in range(farthest + 1)]
        return found

    def distance(self, point: tuple[int, ...]) -> int:
        sizes = [abs(part) for part in point]
        return sum(sizes) if self.norm == "l1" else max(sizes)


@precisely
def in_a_ball(balls: Balls, rate: Fraction, graded: bool, asked: list[tuple[int, ...]]) -> list[Decimal]:
    """P(y) proportional to exp(-rate * cost(|y - centre|)) on all of Z^d, of the points asked for."""
    farthest, total = 64, None
    while total is None:
        shells = [
            points * weight(rate, balls.cost(r, graded)) for r, points in enumerate(balls.points(farthest))
        ]
        if max(shells[-balls.stride - 1 :]) < NOTHING * max(shells):
            total = sum(shells)
        farthest *= 2
    return [weight(rate, balls.cost(balls.distance(y), graded)) / total for y in asked]


# Ranks, keys, bounds, intervals


def quantile_levels(
    records: list[int], q: Fraction, low: int, high: int, relation: str, levels: int
) -> Levels:
    """The envelope of the q-quantile, 0 < q <= 1, by the ranks that l edits can reach (docs/proofs/quantile.md)."""
    ordered, n = sorted(records), len(records)
    s = max(q, 1 - q)

    def at(rank: int) -> int:
        return low if rank < 1 else high if rank > n else ordered[rank - 1]

    edits = range(min(levels, n) + 1)
    if relation == "swap":
        rank = max(1, math.ceil(q * n)) if n else 0
        pairs = [(at(rank - l), at(rank + l)) for l in edits]
    else:
        pairs = [(at(math.ceil(q * n - l * s)), at(math.ceil(q * n + l * s))) for l in edits]
    lower, upper = zip(*pairs, strict=True)
    return Levels(lower, upper, low, high)


@precisely
def level_rule(points: int, rate: Fraction, exponent: int = 30) -> int:
    """K: the mass of what lies beyond is below e^-exponent."""
    return math.ceil((decimal(points).ln() + exponent) / decimal(rate))


@dataclass(frozen=True)
class Split:
    """A quantile of a joint release: its share of its part, what it costs a person, and the trees beside it."""

    q: Fraction
    share: Fraction
    step: Fraction
    below: "Split | None"
    above: "Split | None"

    @property
    def cuts(self) -> bool:
        return bool(self.below or self.above)


def tree(qs: list[Fraction], low: Fraction, high: Fraction, left: Fraction) -> Split | None:
    """The middle first; each takes an equal part of what is left for the longest way down from it."""
    if not qs:
        return None
    middle, height = len(qs) // 2, 0
    while 2**height <= len(qs):
        height += 1
    q, step = qs[middle], left / height
    return Split(
        q,
        (q - low) / (high - low),
        step,
        tree(qs[:middle], low, q, left - step),
        tree(qs[middle + 1 :], q, high, left - step),
    )


@precisely
def chances_of_keys(epsilon: Fraction, delta: Fraction, most: int) -> list[Decimal]:
    """p(0), p(1), ...: the largest chances to tell a key of n persons that are (epsilon, delta)-private."""
    growth, one, d = decimal(epsilon).exp(), Decimal(1), decimal(delta)
    found = [Decimal(0)]
    for _ in range(most):
        p = found[-1]
        found.append(min(growth * p + d, one - (one - p - d) / growth, one))
    return found


@precisely
def beyond(epsilon: Fraction, reach: int, chance: Fraction) -> int:
    """The least k >= 1 with P(Z >= k) = r^k / (1 + r) at most a chance, r = exp(-epsilon/reach)."""
    r = weight(epsilon / reach, 1)
    return next(k for k in count(1) if r**k / (1 + r) <= decimal(chance))


def rungs(base: int, smallest: Fraction, largest: Fraction) -> list[Fraction]:
    """Powers of the base, from the last that is not above the smallest to the first not below the largest."""
    low = next(e for e in count(400, -1) if Fraction(base) ** e <= smallest)
    high = next(e for e in count(low) if Fraction(base) ** e >= largest)
    return [Fraction(base) ** e for e in range(low, high + 1)]


def bucket(x: Fraction, steps: list[Fraction]) -> int:
    """0 for zero, i for (b_{i-1}, b_i], -i below zero; what is farther out is in the last one."""
    place = next((i for i, rung in enumerate([Fraction(0), *steps]) if abs(x) <= rung), len(steps))
    return -place if x < 0 else place


def read_bounds(
    noisy: dict[int, int], steps: list[Fraction], crowded: int, peopled: int
) -> tuple[Fraction, Fraction] | None:
    """The run from the lowest crowded bucket to the highest, and on as long as the next one is peopled."""
    full = [i for i, n in noisy.items() if n >= crowded]
    if not [i for i in full if i != 0]:
        return None
    first, last = min(full), max(full)
    while first - 1 in noisy and noisy[first - 1] >= peopled:
        first -= 1
    while last + 1 in noisy and noisy[last + 1] >= peopled:
        last += 1
    edges = [Fraction(0), *steps]

    def top(i: int) -> Fraction:
        return edges[i] if i >= 0 else -edges[-i - 1]

    def bottom(i: int) -> Fraction:
        return -top(-i)

    low, high = bottom(first), top(last)
    if first != last:
        low, high = min(low, Fraction(0)), max(high, Fraction(0))
    return low, high


def lower_rank(n: int, q: Fraction, miss: Fraction) -> int:
    """The largest L <= n with P(Bin(n, q) < L) <= miss, in Fractions."""
    below, found = Fraction(0), 0
    for k in range(max(n, 0)):
        below += math.comb(n, k) * q**k * (1 - q) ** (n - k)
        if below > miss:
            break
        found = k + 1
    return found


@precisely
def ranks_of_ends(
    q: Fraction, miss: Fraction, epsilon: Fraction, points: int, owned: int, relation: str
) -> tuple[Fraction | None, Fraction | None]:
    """By how many ranks the targets of both ends are moved (docs/proofs/answer_interval.md); None for a bound."""
    draws = 1 if q in (0, 1) else 2
    ranks = ranks_astray(q, miss / draws, epsilon / 2 / draws / owned, points, relation)
    return None if q == 0 else -ranks, None if q == 1 else ranks


@precisely
def ranks_astray(q: Fraction, chance: Fraction, each: Fraction, points: int, relation: str) -> Fraction:
    """How many ranks a draw is off at most, but for this chance, a multiple of 1/2; ``each`` pays for one record."""
    between = relation == "add_remove" and q > 0 and (q == Fraction(1, 2) or each <= 1)
    pull, apart = (max(q, 1 - q), Fraction(1, 2 * q.denominator)) if between else (1, Fraction(1, 2))
    halves = 0
    while decimal((halves / Fraction(2) + apart) * each / pull) < (decimal((points - 1) / (2 * chance))).ln():
        halves += 1
    return Fraction(halves, 2)


@precisely
def two_sums(indices: list[int], width: int, epsilon: Fraction, owned: int, miss: Fraction) -> dict[str, Any]:
    """Both sums in steps, and the shares that some noisy sums say (docs/proofs/answer_interval.md)."""
    steps = 2**28 if width > 2**28 else width * -(-(2**16) // width)
    rounded = steps < width
    reach = owned * (steps + rounded)
    rate = decimal(epsilon) / reach
    p = (-rate).exp()
    t = 1 + max(0, math.ceil((-decimal(miss / 2).ln() - (1 + p).ln()) / rate) - 1)
    kept = 1 - Fraction(rounded, steps)
    shares = []
    for up, down in ((0, 0), (0, 5 * reach), (7 * reach, 2 * reach), (10**6 * reach, 3 * 10**6 * reach + 1)):
        both = up + down
        low = Fraction(max(0, up - t), both) * kept if both else Fraction(0)
        high = 1 - Fraction(max(0, down - t), both) * kept if both else Fraction(1)
        shares.append({"up": up, "down": down, "low": str(low), "high": str(high)})
    return {
        "steps": steps,
        "sensitivity": reach,
        "sums": [sum(indices) * steps // width, sum(width - k for k in indices) * steps // width],
        "shares": shares,
    }


@precisely
def several_sums(
    shares: list[list[Fraction]], together: int, of_share: bool, epsilon: Fraction, owned: int, swap: bool
) -> dict[str, Any]:
    """Sums in steps, of what each record adds, and boxes of some noisy sums (docs/proofs/answer_interval.md)."""
    steps, count = 2**28, len(shares[0])
    moved = (min(2 * together, count) if swap else owned * together) * steps + count - 1
    rate = decimal(epsilon) / moved
    miss = Fraction(1, 20) / (2 if of_share else 2 * count)
    reach = max(0, math.ceil((-decimal(miss).ln() - (1 + (-rate).exp()).ln()) / rate) - 1) + of_share
    boxes = []
    for noisy in (
        [0] * count,
        [k * moved for k in range(count)],
        [(9 + k) * moved + k for k in range(count)],
    ):
        boxes.append({"sums": noisy, "box": [[max(0, s - reach), s + reach + 1] for s in noisy]})
    return {
        "sensitivity": moved,
        "sums": [math.floor(steps * sum(column)) for column in zip(*shares, strict=True)],
        "boxes": boxes,
    }


@precisely
def edits_of_ends(points: int, miss: Fraction, epsilon: Fraction, owned: int) -> int:
    """How many edits an end by levels is away, for a quarter of epsilon and half of the miss."""
    kappa = decimal(epsilon) / 4 / (4 * owned)
    return max(
        0, math.ceil(decimal(Fraction(points - 1) / miss).ln() / (2 * kappa) - decimal(Fraction(1, 2)))
    )


@precisely
def pulls_of_ends(cells: Fraction, miss: Fraction, epsilon: Fraction, pull: int) -> int:
    """How many pulls an end by a score is away, for a quarter of epsilon and half of the miss."""
    kappa = decimal(epsilon) / 4 / (2 * pull)
    return max(0, math.ceil(decimal(cells / miss).ln() / (2 * kappa)))


@precisely
def lowest_mean(above: Fraction, below: Fraction, miss: Fraction, parts: int) -> int:
    """The largest k for which a mean of k/parts is too unlikely: n KL(above/n, mean) >= ln(1/miss); else 0."""
    n, found = above + below, 0
    for k in range(1, parts + 1):
        mean = Fraction(k, parts)
        if mean * n >= above:
            break
        far = decimal(above) * decimal(above / (n * mean)).ln()
        far += decimal(below) * decimal(below / (n * (1 - mean))).ln() if below else 0
        found = k if far >= -decimal(miss).ln() else found
    return found


@precisely
def lowest_proportion(above: Fraction, below: Fraction, miss: Fraction, parts: int) -> int:
    """The largest k for which k/parts makes so many ones too unlikely, by the binomial law; 0 if there is none."""
    ones, zeros, found = math.ceil(above), math.floor(below), 0
    n = ones + zeros
    for k in range(1, parts + 1):
        p = Fraction(k, parts)
        if p * n >= ones:
            break
        tail = sum(math.comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(ones, n + 1))
        found = k if tail <= miss else found
    return found


@precisely
def expected_counts(least: int, most: int, miss: Fraction) -> tuple[int, int]:
    """The whole numbers nearest to the counts that are too many and too few for the Poisson law."""

    def up_to(k: int, mean: int) -> Decimal:
        return (
            sum((decimal(Fraction(mean**j, math.factorial(j))) for j in range(k + 1)), Decimal(0))
            * Decimal(-mean).exp()
        )

    low = max(k for k in range(least + 1) if k == 0 or 1 - up_to(least - 1, k) <= decimal(miss))
    high = next(k for k in count(most) if up_to(most, k) <= decimal(miss))
    return low, high


@precisely
def interval_shares(
    q: Fraction,
    confidence: Fraction,
    epsilon: Fraction,
    points: int,
    owned: int,
    relation: str,
    known: int,
) -> tuple[Fraction | None, Fraction | None]:
    """At which shares the two ends of an interval are drawn, once a count is known (docs/proofs/interval.md)."""
    miss = 1 - confidence
    noise, draw = 0, epsilon / 2
    if relation == "add_remove":
        draw = epsilon * Fraction(9, 20)
        noise = math.ceil((2 / decimal(miss / 20)).ln() / decimal(epsilon / 10 / owned))
    least, most = known - noise, known + noise
    stray = math.ceil((points / decimal(miss * Fraction(15, 200))).ln() / decimal(draw / 2)) * owned

    def share(rank: Fraction) -> Fraction | None:
        if relation == "swap":
            found = (rank - stray) / max(least, 1)
        else:
            found = (rank - stray) / max(most - stray, 1)
            if found > Fraction(1, 2):
                found = max(Fraction(1, 2), rank / (most + stray))
        return found if found > 0 else None

    luck = miss * Fraction(40, 100)
    below = share(Fraction(lower_rank(least, q, luck)))
    above = share(lower_rank(least, 1 - q, luck) - Fraction(1, 2))
    return below, None if above is None else 1 - above
