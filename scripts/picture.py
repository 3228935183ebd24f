"""The picture of the README: three laws for the same forty people, drawn from their exact probabilities.

    python scripts/picture.py > docs/picture.svg

The people are the first forty of the bundled synthetic table, so their secret law may be looked at.
"""

from itertools import pairwise

import noisewise as nws
from noisewise.demo import table

PEOPLE, EPSILON, BOUNDS = 40, 1, (0, 100_000)
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 330, 40, 20, 58, 62
LOW, HIGH, BIN = 20_000, 62_000, 50
INK, BALANCE, PIECEWISE, LAPLACE, QUIET = "#334", "#00796b", "#3949ab", "#c0603a", "#889"


def shares(mechanism: str, incomes: list[float]) -> list[tuple[int, float]]:
    """The probability of each bin of BIN dollars, at its middle."""
    asked = {"bounds": BOUNDS, "epsilon": EPSILON, "mechanism": mechanism}
    below = nws.hazmat.law(nws.Quantile("1/2"), incomes, **asked).cdf(range(LOW, HIGH + BIN, BIN))
    return [(LOW + BIN * i + BIN // 2, float(b - a)) for i, (a, b) in enumerate(pairwise(below))]


def across(income: float) -> str:
    return f"{LEFT + (WIDTH - LEFT - RIGHT) * (income - LOW) / (HIGH - LOW):.1f}"


def curve(points: list[tuple[int, float]], top: float, color: str) -> str:
    floor = HEIGHT - BOTTOM
    path = " L".join(f"{across(x)} {floor - (floor - TOP) * p / top:.1f}" for x, p in points)
    return f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2"/>'


def text(x: str, y: int, words: str, color: str = INK, anchor: str = "start") -> str:
    return f'<text x="{x}" y="{y}" fill="{color}" text-anchor="{anchor}">{words}</text>'


def picture() -> str:
    """The whole drawing."""
    incomes = sorted(v for v in table()["income"][:PEOPLE] if v is not None)
    names = ("balance", "piecewise_laplace", "laplace")
    balance, law, plain = (shares(name, incomes) for name in names)
    top, floor = max(p for _, p in balance), HEIGHT - BOTTOM
    ticks = [text(across(x), HEIGHT - 22, f"{x:,}", QUIET, "middle") for x in range(LOW, HIGH + 1, 10_000)]
    rug = [
        f'<line x1="{across(v)}" x2="{across(v)}" y1="{floor + 6}" y2="{floor + 18}" stroke="{INK}"/>'
        for v in incomes
        if LOW <= v <= HIGH
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
            'font-size="13" role="img" aria-label="Balance is narrower than piecewise Laplace around a median">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
            text(
                str(LEFT),
                22,
                f"Where a private median of {len(incomes)} made-up incomes falls, ε = {EPSILON}",
            ),
            text(str(LEFT), 42, "balance: the whole of ε", BALANCE),
            text(str(WIDTH // 2 - 140), 42, "piecewise Laplace: steep where records are dense", PIECEWISE),
            text(str(WIDTH - RIGHT), 42, "Laplace with the global sensitivity", LAPLACE, "end"),
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{floor}" y2="{floor}" stroke="{QUIET}"/>',
            *rug,
            *ticks,
            curve(plain, top, LAPLACE),
            curve(law, top, PIECEWISE),
            curve(balance, top, BALANCE),
            text(str(WIDTH // 2), HEIGHT - 6, "the ticks under the axis are the records", QUIET, "middle"),
            "</svg>",
        ]
    )


if __name__ == "__main__":
    print(picture())
