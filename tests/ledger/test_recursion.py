"""The recursion against analysts who try every place of the window after every answer, and against exact sums."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from noisewise.kernel.losses import BoundedRange, PureDP
from noisewise.ledger.optimal import bounded_range_delta, pure_delta
from noisewise.ledger.recursion import Recursion, _grid


def analyst(
    losses: Sequence[PureDP | BoundedRange], at: float, ratio: np.ndarray, places: int = 41
) -> np.ndarray:
    """The worst delta if the window may be put in one of so many places after every answer: a lower bound."""
    if not losses:
        return np.maximum(ratio - math.exp(at), 0)
    epsilon, best = float(losses[0].epsilon), np.zeros(len(ratio))
    if isinstance(losses[0], PureDP):
        moves = [(epsilon, -epsilon, 1 / (1 + math.exp(epsilon)))]
    else:
        moves = [
            (t, t - epsilon, (math.exp(-t) - math.exp(-epsilon)) / (1 - math.exp(-epsilon)))
            for t in np.linspace(0, epsilon, places)
        ]
    for up, down, chance in moves:
        later = [analyst(losses[1:], at, ratio * math.exp(move), places) for move in (up, down)]
        best = np.maximum(best, chance * later[0] + (1 - chance) * later[1])
    return best


CASES = [
    [BoundedRange(1)],
    [BoundedRange(1), BoundedRange(1)],
    [BoundedRange(2), PureDP(0.5), BoundedRange(2)],
    [PureDP(1), BoundedRange(2)],
    [BoundedRange(2), PureDP(1)],
    [BoundedRange(0.5), BoundedRange(1.5), PureDP(0.25)],
    [BoundedRange(0.3331), BoundedRange(1.2717)],
]


@pytest.mark.parametrize("losses", CASES, ids=str)
def test_no_analyst_does_worse_and_one_comes_close(losses: list[PureDP | BoundedRange]) -> None:
    recursion, total = Recursion(losses), float(sum(loss.epsilon for loss in losses))
    for share in (0, 0.2, 0.45, 0.7):
        found = float(recursion.delta(Fraction(share * total)))
        lower = float(analyst(losses, share * total, np.ones(1))[0])
        assert lower <= found <= lower * 1.04 + 1e-5


@pytest.mark.parametrize(("epsilon", "count"), [("1", 100), ("0.5", 7), ("3", 20)])
def test_equal_pure_losses_are_composed_exactly(epsilon: str, count: int) -> None:
    size = Fraction(epsilon)
    recursion = Recursion([PureDP(size)] * count)
    for share in ("0.01", "0.3", "0.8", "0.95"):
        at = math.floor(Fraction(share) * count) * size  # on the grid, there is no chord to lose by
        exact = pure_delta(size, count, at)
        assert exact <= recursion.delta(at) <= exact * (1 + Fraction(1, 10**6))


def test_seeing_the_answers_helps_the_analyst() -> None:
    """The cost of adaptivity, against releases that are fixed in advance: between the two lies what the grid loses."""
    recursion, delta = Recursion([BoundedRange(1)] * 100), Fraction(1, 10**6)
    for at in (0, 1, 10, 35, 60):
        assert recursion.delta(Fraction(at)) >= bounded_range_delta(Fraction(1), 100, Fraction(at))
    assert recursion.delta(Fraction("34.84")) > delta > recursion.delta(Fraction("34.89"))
    two = [BoundedRange(2)] * 2
    adaptive = float(analyst(two, 0.5, np.ones(1), places=161)[0])
    assert (
        adaptive > float(bounded_range_delta(Fraction(2), 2, Fraction(1, 2))) * 1.001
    )  # a proved gap, not the grid's


def test_the_order_matters() -> None:
    """An analyst who sees a pure answer first can use it to place the window."""
    first, last = Recursion([PureDP(1), BoundedRange(2)]), Recursion([BoundedRange(2), PureDP(1)])
    assert first.delta(Fraction(0)) != last.delta(Fraction(0))


def test_a_grid_is_never_smaller_than_its_losses() -> None:
    for sizes in (["1"], ["0.1", "0.25"], ["0.3331", "1.2717"], ["1/3", "0.123456789"], ["0.001"] * 50):
        for kind in (PureDP, BoundedRange):
            losses = [kind(Fraction(size)) for size in sizes]
            step, moves = _grid(losses)
            for loss, move in zip(losses, moves, strict=True):
                assert loss.epsilon <= Fraction(step) * move <= loss.epsilon + Fraction(step)


def test_a_finer_grid_is_closer_and_never_below(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for steps in (4, 8, 16, 32, 64):
        monkeypatch.setattr("noisewise.ledger.recursion.STEPS", steps)
        found.append(Recursion([BoundedRange(1)] * 10).delta(Fraction(5)))
    assert found == sorted(found, reverse=True)
    assert found[-1] >= bounded_range_delta(Fraction(1), 10, Fraction(5)) and found[-2] < found[
        -1
    ] * Fraction(101, 100)


@pytest.mark.parametrize(
    "losses", [[], [PureDP(400)], [PureDP(0.01)] * 10_001, [BoundedRange(0.02)] * 10_000, [BoundedRange(0)]]
)
def test_what_takes_too_long_or_no_float_holds_is_left_to_others(losses: list[PureDP | BoundedRange]) -> None:
    assert not Recursion.is_for(losses)


def test_what_is_left_of_the_window_ends_it() -> None:
    recursion = Recursion([PureDP(1), BoundedRange(0.5)])
    assert recursion.delta(Fraction("1.49")) > 0 == recursion.delta(Fraction("1.51"))
    assert pure_delta(Fraction(1), 1, Fraction(0)) < recursion.delta(Fraction(0)) < 1


def test_what_float64_cannot_hold_is_never_taken_for_nothing() -> None:
    losses = [PureDP(Fraction(1, 50))] * 3000 + [PureDP(Fraction(1, 25))]
    at = sum(loss.epsilon for loss in losses) - 20
    least = pure_delta(Fraction(1, 50), 3000, at)  # of fewer releases
    assert 0 < least <= Recursion(losses).delta(at) < Fraction(1, 10**180)
