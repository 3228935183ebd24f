"""The figure of the page on composition: what up to a hundred releases of epsilon 1 cost together, at delta 10^-6.

    python scripts/composition_figure.py > docs/composition.svg

The continuous Laplace mechanism, none of this library's, is composed here: its losses on a fine grid, rounded up.
"""

from collections.abc import Callable

import numpy as np

from noisewise.kernel.losses import BoundedRange, PureDP
from noisewise.ledger.curves import epsilon_at
from noisewise.results.pictures.charts import Line, line_chart

DELTA, COUNTS = 1e-6, (1, 2, 4, 7, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100)


def laplace(count: int, epsilon: float = 0.5, h: float = 1e-3) -> float:
    """The epsilon of so many Laplace mechanisms: P(Z <= z) = e^((z - epsilon)/2)/2 up to an atom at z = epsilon."""
    half = round(epsilon / h)
    law = np.diff(np.exp((np.arange(-half, half + 1) * h - epsilon) / 2) / 2, prepend=0.0)
    law[-1] += 0.5
    size = 2 * half * count + 1
    mass = np.fft.irfft(np.fft.rfft(law, 2 * size) ** count, 2 * size)[:size].clip(0)
    z = (np.arange(size) - half * count) * h
    grid = np.arange(0, epsilon * count + 0.005, 0.005)
    low, high = 0, len(grid) - 1
    while low < high:
        middle = (low + high) // 2
        delta = (mass * -np.expm1(np.minimum(grid[middle] - z, 0))).sum()
        low, high = (low, middle) if delta <= DELTA else (middle + 1, high)
    return float(grid[high])


LINES: list[tuple[str, Callable[[int], float]]] = [
    ("Laplace of epsilon 1/2", laplace),
    (
        "bounded range, fixed in advance",
        lambda k: float(epsilon_at([BoundedRange(1)] * k, DELTA, fixed="releases")),
    ),
    ("bounded range, through zCDP", lambda k: float(epsilon_at([BoundedRange(1)] * k, DELTA))),
    ("pure, optimal", lambda k: float(epsilon_at([PureDP(1)] * k, DELTA, fixed="losses"))),
    ("pure: the sum", float),
]


def picture() -> str:
    """The whole drawing; every line is named with what a hundred releases cost."""
    lines = []
    for name, cost in LINES:
        points = ((0.0, 0.0), *((float(k), cost(k)) for k in COUNTS))
        lines.append(Line(f"{points[-1][1]:.1f}  {name}", points))
    return line_chart(
        lines,
        title="What k releases of ε = 1 cost together",
        note="As ε at δ = 10⁻⁶; before each name what a hundred releases cost.",
        across="k",
    ).svg


if __name__ == "__main__":
    print(picture())
