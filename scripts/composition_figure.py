"""The figure of the page on composition: what up to a hundred releases of epsilon 1 cost together, at delta 10^-6.

    python scripts/composition_figure.py > docs/composition.svg

The continuous Laplace mechanism, none of this library's, is composed here: its losses on a fine grid, rounded up.
"""

from collections.abc import Callable

import numpy as np

from noisewise.privacy import BoundedRange, PureDP
from noisewise.privacy.curves import epsilon_at

DELTA, COUNTS = 1e-6, (1, 2, 4, 7, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100)
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM, MOST = 860, 400, 50, 250, 46, 50, 100
INK, QUIET = "#334", "#889"


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


LINES: list[tuple[str, str, Callable[[int], float]]] = [
    ("#999", "pure: the sum", float),
    ("#c0603a", "pure, optimal", lambda k: float(epsilon_at([PureDP(1)] * k, DELTA, fixed="losses"))),
    ("#2e7d62", "bounded range, through zCDP", lambda k: float(epsilon_at([BoundedRange(1)] * k, DELTA))),
    (
        "#3949ab",
        "bounded range, fixed in advance",
        lambda k: float(epsilon_at([BoundedRange(1)] * k, DELTA, fixed="releases")),
    ),
    ("#8e5aa8", "Laplace of epsilon 1/2", laplace),
]


def place(count: float, epsilon: float) -> str:
    x = LEFT + (WIDTH - LEFT - RIGHT) * count / MOST
    return f"{x:.1f} {HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * epsilon / MOST:.1f}"


def text(spot: str, words: str, color: str = INK, anchor: str = "start") -> str:
    x, y = spot.split()
    return f'<text x="{x}" y="{y}" fill="{color}" text-anchor="{anchor}">{words}</text>'


def picture() -> str:
    """The whole drawing; every line is labelled at its end with what a hundred releases cost."""
    lines, heights = [], []
    for color, words, cost in LINES:
        points = [(0, 0.0), *((k, cost(k)) for k in COUNTS)]
        path = " L".join(place(k, e) for k, e in points)
        lines.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        heights.append((points[-1][1], color, words))
    labels, above = [], -10.0
    for epsilon, color, words in sorted(heights):
        above = max(above + 5, epsilon)  # so that no two overlap
        labels.append(text(place(MOST + 1.5, above - 1.2), f"{epsilon:.1f}  {words}", color))
    ticks = [text(place(k, -6), str(k), QUIET, "middle") for k in range(0, MOST + 1, 20)]
    ticks += [text(place(-1.5, e - 1.2), str(e), QUIET, "end") for e in range(20, MOST + 1, 20)]
    title = "What k releases of ε = 1 cost together, as ε at δ = 10⁻⁶"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
            f'font-size="13" role="img" aria-label="{title}">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
            text(f"{LEFT} 24", title),
            f'<path d="M{place(0, MOST)} L{place(0, 0)} L{place(MOST, 0)}" fill="none" stroke="{QUIET}"/>',
            *ticks,
            text(place(MOST / 2, -12), "k", QUIET, "middle"),
            *lines,
            *labels,
            "</svg>",
        ]
    )


if __name__ == "__main__":
    print(picture())
