"""The certificate of Gaussian balance: at tau = 1 it costs at most k*c^2/2 in zCDP.

Everything that decides is a ball, so the answer "holds" is a proof. Floats choose where to look: how wide a step is, or
how far out a sum goes. docs/proofs/gaussian_balance.md says why each function bounds what it says. As there, the order
alpha stands as b = (alpha - 1)*c, and J is the expectation of the power of the likelihood ratio. What must hold is

    ln J - b*c/2 <= (k*b^2 + (k - 1)*b*c)/2        for all b > 0

A slice is an interval [low, high] of c. It is certified at once, by the penalty of ``low`` and the slopes of ``high``.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from flint import acb, arb, fmpq

NORMAL = (2 * arb.pi()).sqrt()
FINEST = 1.015
"""Two values of b are never closer than this ratio: then a certificate is given up."""

Bound = Callable[[arb], arb | None]
"""An upper bound of ln J - b*c/2 for every c of a slice, or None where it is above the target."""


def ball(number: Fraction | int) -> arb:
    return arb(fmpq(*Fraction(number).as_integer_ratio()))


def above(x: arb) -> arb:
    """P(N > x) for a standard normal N."""
    return (x / arb(2).sqrt()).erfc() / 2


def target(k: arb, b: arb, c: arb) -> arb:
    """What ln J - b*c/2 may be at most."""
    return (k * b * b + (k - 1) * b * c) / 2


def holds(k: Fraction, slices: list[Fraction], relation: str) -> bool:
    """Whether k is certified for all c between neighbours of the list, and all orders."""
    certify = added if relation == "add_remove" else swapped
    return k > 1 and all(certify(ball(k), ball(low), ball(high)) for low, high in pairwise(slices))


def chords(k: arb, c: arb, start: tuple[arb, arb], bound: Bound, end: arb, widest: float) -> bool:
    """Whether the target holds from the first b, whose bound is given, to the end: ln J is convex in b (Lemma 4)."""
    (b, most), ratio = start, min(1.35, widest)
    while not b >= end:
        further = (b * arb(ratio)).upper()
        bounded = bound(further)
        if bounded is not None and below_target(k, c, (b, most), (further, bounded)):
            b, most, ratio = further, bounded, min(1 + (ratio - 1) * 1.2, widest)
        else:
            ratio = 1 + (ratio - 1) * 0.6
            if ratio < FINEST:
                return False
    return True


def below_target(k: arb, c: arb, near: tuple[arb, arb], far: tuple[arb, arb]) -> bool:
    """Whether the chord between two points (b, bound) is below the target, a parabola: at its ends and its vertex."""
    slope = (far[1] - near[1]) / (far[0] - near[0])

    def room(b: arb) -> arb:
        return target(k, b, c) - near[1] - slope * (b - near[0])

    vertex = (slope - (k - 1) * c / 2) / k
    outside = vertex <= near[0] or vertex >= far[0]
    return bool(room(near[0]) >= 0 and room(far[0]) >= 0 and (outside or room(vertex) >= 0))


# A record is added or removed: the steepest paths of Theorem 1.


def added(k: arb, low: arb, high: arb) -> bool:
    """Whether k holds on a slice: small orders by Lemma 1, large ones by Lemma 2, chords between them."""
    small, large = ball(Fraction(3, 10)), (2 * arb(2).log() / (k - 1)).sqrt()
    if not small_orders_hold(k, small):
        return False

    def bound(b: arb) -> arb | None:
        return steepest(k, b, low, high)

    b = small - high
    if b >= small / 4:
        first = bound(b)
        return first is not None and chords(k, low, (b, first), bound, large, 2.5)
    b = (k - 1) * low * ball(Fraction(3, 5))  # a chord from b = 0, where ln J = 0
    first = bound(b)
    return (
        first is not None
        and bool(first <= (k - 1) * b * low / 2)
        and chords(k, low, (b, first), bound, large, 2.5)
    )


def small_orders_hold(k: arb, x: arb) -> bool:
    """Lemma 1, for alpha*c up to x."""
    return bool(2 / NORMAL * x / (3 - 4 * x) * ((x**3 / (3 * (1 - x))).exp() - 1) <= (k - 1) * x * x / 2)


def path_integral(b: arb, low: arb, high: arb, t: arb, end: arb, error: arb) -> arb:
    """I(t) without |s| > ``end``: J*e^(-b*c/2) of the steepest path that crosses 0 at t. A ball that holds it."""
    part, penalty, steep = acb(-(-high).expm1()), acb(low / 2), acb(1 / high)

    def density(s: acb, analytic: bool) -> acb:
        w = -(1 - part * (-s).exp()).log(analytic=analytic) * steep
        u = 1 - w
        common, right, left = acb(b) * (-w - penalty * (1 - u * u)), s + acb(t), s - acb(t)
        return (right * (acb(b) * u - right / 2) + common).exp() + (
            left * (acb(b) * u - left / 2) + common
        ).exp()

    value = acb.integral(density, acb(0), acb(end), abs_tol=error, rel_tol=arb(2) ** -20, eval_limit=100_000)
    return value.real / NORMAL


def steepest(k: arb, b: arb, low: arb, high: arb) -> arb | None:
    """An upper bound of ln I(t) for all t >= 0; I is even. None where it is above the target at some t."""
    allowed, peak = target(k, b, low), (b * b / 2).exp()
    room = allowed - b * b / 2
    # Lemma 5: t so large that almost nothing is near the crossing
    where, tail = arb(1), arb(2)

    def beyond(where: arb, missed: arb) -> arb:
        w = -(1 + (-high).expm1() * (-where).exp()).log() / high
        return peak * (1 + b * w / NORMAL + missed)

    while not beyond(where, arb(0)) <= (b * b / 2 + room / 10).exp():
        where += arb("0.25")
        if where > 40:
            return None
    while not above(tail) <= room / 30:
        tail += arb("0.25")
    far, last = beyond(where, above(tail)), where + b + tail
    # between points of t at a distance h, by -I'' <= I, or by -I'' <= bend (Lemma 6)
    bend = None
    if b * high.expm1() / high < 1:
        turn = 2 * b / NORMAL
        bend = turn + (ball(Fraction(97, 100)) + turn) * (peak - 1).max(1 - (-b - b * low / 2).exp())
    width = min(
        0.35,
        max(
            (1.2 * float(room.mid())) ** 0.5, 0 if bend is None else (1.2 * float((room / bend).mid())) ** 0.5
        ),
    )
    count = int(float(last.mid()) / width) + 2
    h, end, largest = (last / count).upper(), last + b + 6, arb(0)
    for i in range(count + 1):
        t = h * i
        missed = peak * (above(end - t - b) + above(end + t - b))
        value = (path_integral(b, low, high, t, end, peak * room / 50) + missed).upper()
        if not value < allowed.exp():
            return None
        largest = largest.max(value)
    between = largest / (1 - h * h / 8)
    if bend is not None:
        between = between.min(largest + bend * h * h / 8)
    return between.max(far).log().upper()


# A record is swapped: any path, by Theorem 2.

CELLS, HEIGHT, SURE = 24, Fraction(1, 20), Fraction(1, 2)
"""Cells of each half of u, the length of a cell of z, and the z from which the largest u is the worst."""


def swapped(k: arb, low: arb, high: arb) -> bool:
    """Whether k holds on a slice: small orders by Lemma 7, large ones by Lemma 8, chords between them."""
    large = arb(1)
    while (
        not (large / 2 - large**2 / 2).exp() / 2 + (large / 2 - 3 * large**2 / 8).exp()
        <= (k - 1) * large**2 / 2
    ):
        large += ball(Fraction(1, 16))
    b = small_swaps(low, high)
    return b is not None and chords(k, low, (b, b * b / 2), lambda b: any_path(k, b, low, high), large, 1.3)


def small_swaps(low: arb, high: arb) -> arb | None:
    """A b up to which k = 1 holds on a slice, by Lemma 7: the order at which 1 - alpha*(1 - e^(-c/2)) is 1/d."""
    for d in (50, 30, 20, 14, 10, 8, 7, 6, 5, 4):
        share = 1 - ball(Fraction(1, d))
        order = 2 * share if low == 0 else share * low / -(-low / 2).expm1()  # alpha*c rises with c, b falls
        b = high * (share / -(-high / 2).expm1() - 1)
        if b > 0 and arb(d).log() - order / 2 <= 3 * order * b / 8:
            return b.lower()
    return None


def any_path(k: arb, b: arb, low: arb, high: arb) -> arb | None:
    """ln of e^(b^2/2) plus an upper sum of the gain of Theorem 2; None where u = 1 may not be the worst."""
    beta, start, step = b / high, ball(SURE), ball(HEIGHT)

    def line(x: arb) -> arb:  # m, which falls from b as x rises from 0
        return high / (x.cosh() - 1 + x.sinh() / (beta * x).tanh())

    def height(x: arb) -> arb:  # a
        return ((beta + arb("0.5")) * x).cosh() / (x / 2).cosh()

    cells = []  # from u = 1 down to 0: u, the logarithm of the penalty, a, and the two terms of the derivative in u
    for i in range(2 * CELLS):
        right, left = (1 - arb(j) / (2 * CELLS) for j in (i, i + 1))
        u, upper = right.union(left), i < CELLS
        near, far = (high * (1 - right), high * (1 - left)) if upper else (high / 2, high / 2)
        m, x = (b if i == 0 else line(near)).union(line(far)), near.union(far)
        fall = (
            high * ((beta + arb("0.5")) * ((beta + arb("0.5")) * x).tanh() - (x / 2).tanh() / 2)
            if upper
            else 0
        )
        cells.append((u, -b * low * (1 - u * u) / 2, height(x), b - m, b * u * (low + m) - fall))
    if not all(start * slope + rest >= 0 for *_, slope, rest in cells):
        return None
    peak, most, last = (b * b / 2).exp(), height(high / 2), arb(-3)
    room = target(k, b, low).exp() - peak
    while not most * above(-last) <= room / 20:
        last -= arb("0.25")
    count, gain = int(float(((start - last) / step).mid())) + 1, arb(0)
    for j in range(count):
        z = (start - step * j).union(start - step * (j + 1))
        total = worst = arb(0)
        for u, penalty, a, slope, rest in cells:
            change = -((z * u * b + penalty - z * z / 2).exp() * a * (z * slope + rest)) / (2 * CELLS)
            total = (total + change.upper()).upper()
            worst = worst.max(total)
        gain = (gain + worst.upper() * step).upper()
    return (peak + gain / NORMAL + most * above(step * count - start)).log().upper()
