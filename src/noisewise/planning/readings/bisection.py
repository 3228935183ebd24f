"""Find the least number that is enough, by bisection."""

from collections.abc import Callable


def least_steps(enough: Callable[[int], bool]) -> int:
    """The least number of steps, from 0 to about 2^60, that is enough. ``enough`` must be monotone."""
    low, high = 0, 1
    while high < 2**60 and not enough(high):
        high *= 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low
