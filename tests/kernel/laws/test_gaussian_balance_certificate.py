"""What Gaussian balance costs: certified in balls for all orders, and reached by a law that 1.03 would undercharge."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise

import pytest
from flint import arb, ctx

from noisewise.kernel.mechanisms.gaussian_balance import FARTHEST, PROVED
from tests.kernel.laws.gaussian_balance_certificate import (
    above,
    ball,
    chords,
    holds,
    path_integral,
    small_orders_hold,
    steepest,
    target,
)

K_ADDED, K_SWAPPED = PROVED["rises"], PROVED["bump"]
ADDED = "0 .1 .18 .29 .4 .53 .65 .8 .95 1.13 1.3 1.5 1.7 1.95 2.3 2.6 3.05 3.6 4"
SWAPPED = "0 .2 .45 .62 .84 1.1 1.4 1.7 1.95 2.2 2.42 2.65 2.85 3.04 3.2 3.35 3.47 3.58 3.68 3.77 3.85 3.93 4"


def slices(cuts: str) -> list[Fraction]:
    return [Fraction(cut) for cut in cuts.split()]


RELATIONS = pytest.mark.parametrize(
    ("relation", "k", "cuts"),
    [("add_remove", K_ADDED, ADDED), ("swap", K_SWAPPED, SWAPPED)],
    ids=["added", "swapped"],
)


@RELATIONS
def test_the_price_holds_for_the_largest_c(relation: str, k: Fraction, cuts: str) -> None:
    """The same as below, of a part that takes little time."""
    assert holds(k, slices(cuts)[-3:], relation)


@pytest.mark.rest
@RELATIONS
def test_the_price_holds_for_all_c_and_all_orders(relation: str, k: Fraction, cuts: str) -> None:
    assert holds(k, slices(cuts), relation)


@RELATIONS
def test_the_slices_cover_all_c(relation: str, k: Fraction, cuts: str) -> None:
    ends = slices(cuts)
    assert ends[0] == 0 and ends[-1] == FARTHEST and all(low < high for low, high in pairwise(ends))


WORST, LITTLE = ball(Fraction(9, 2)), ball(Fraction(1, 10))
"""The order (alpha - 1)*c and the c at which a steepest path costs most, or nearly so."""


@pytest.mark.parametrize(
    ("k", "certain"), [("1.035", False), ("1.036", False), ("1.037", True), ("1.04", True)]
)
def test_less_is_not_certified(k: str, certain: bool) -> None:
    """The certificate can fail, and is sharp: a path costs 1.036 or more."""
    price = ball(Fraction(k))
    assert (steepest(price, WORST, LITTLE, LITTLE) is not None) is certain
    reached = path_integral(
        WORST, LITTLE, LITTLE, arb(0), arb(12), arb(2) ** -30
    )  # what is left out is above 0
    assert bool(reached.lower().log() > target(price, WORST, LITTLE)) is not certain
    if not certain:
        assert not holds(Fraction(k), [Fraction(0), Fraction(1, 10)], "add_remove")


def test_a_chord_across_too_wide_a_gap_is_refused() -> None:
    """A bound that is on the target at every b is above it on each chord between two of them."""
    k, c = ball(K_ADDED), arb(1)
    assert not chords(k, c, (arb(1), target(k, arb(1), c)), lambda b: target(k, b, c), arb(2), 2.5)
    assert chords(k, c, (arb(1), arb("0.5")), lambda b: b * b / 2, arb(2), 2.5)


def test_small_orders_need_the_price() -> None:
    assert small_orders_hold(ball(K_ADDED), ball(Fraction(3, 10)))
    assert not small_orders_hold(ball(Fraction(1)), ball(Fraction(3, 10)))


# A law that reaches the price: weights and scores are those of the definition.


def law(down: Sequence[arb], up: Sequence[arb]) -> list[arb]:
    """P(answer = y) of Gaussian balance at tau = 1, from the terms of D and of U; no difference of large numbers."""
    sums = zip(accumulate(down), reversed(list(accumulate(reversed(up)))), strict=True)
    ends = [(d / u).log() for d, u in sums]
    inside = [above(g) - above(h) if g > 0 else above(-h) - above(-g) for g, h in pairwise(ends)]
    return [above(-ends[0]), *inside, above(ends[-1])]


def steep_law(c: arb) -> tuple[list[arb], list[arb]]:
    """Two neighbours: below the middle U falls and D stands still, above it D rises and U stands still.

    Their score rises from place to place. A record more says -1/2 below the middle and 1/2 above it; kappa is c.
    """
    step, none = ball(Fraction(1, 32)), arb(-45)
    fall = [(arb.exp(step * (i + 1)) - arb.exp(step * i)).log() for i in range(384)]
    down = [arb(0), *(none for _ in fall), *fall, arb(60)]
    up = [arb(60), *reversed(fall), *(none for _ in fall), arb(0)]
    scores = [(d - u) / 2 for d, u in zip(down, up, strict=True)]
    assert all(p <= q for p, q in pairwise(scores))
    moves = [side * c / 2 for side in (-1, 1) for _ in range(len(down) // 2)]
    return (
        law([d.exp() for d in down], [u.exp() for u in up]),
        law(
            [(d + m).exp() for d, m in zip(down, moves, strict=True)],
            [(u - m).exp() for u, m in zip(up, moves, strict=True)],
        ),
    )


def divergence(p: list[arb], q: list[arb], alpha: arb) -> arb:
    """D_alpha(P || Q)."""
    total = sum((b * (alpha * (a.log() - b.log())).exp() for a, b in zip(p, q, strict=True)), arb(0))
    return total.log() / (alpha - 1)


@pytest.mark.parametrize("c", ["0.1", "1"])
def test_a_law_of_balance_costs_more_than_103(c: str) -> None:
    with ctx.workprec(200):
        width = ball(Fraction(c))
        without, more = steep_law(width)
        alpha = 1 + WORST / width
        price = alpha * width**2 / 2
        assert divergence(without, more, alpha) > ball(Fraction("1.03")) * price
        assert divergence(without, more, alpha) <= ball(K_ADDED) * price
        assert divergence(more, without, alpha) <= price
        assert abs(sum(without, arb(0)) - 1) < 1e-40
