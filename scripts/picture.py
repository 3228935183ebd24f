"""The picture of the README: three laws of one median, drawn from their exact probabilities.

    python scripts/picture.py > docs/picture.svg

The people are the first hundred of the bundled synthetic table with an income, so their secret laws may be shown.
"""

from itertools import pairwise
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

import noisewise as nws
from noisewise.demo import table
from noisewise.planning.readings.read_law import read_law

ROWS, OTHER_ROWS, EPSILON, BOUNDS = 101, 200, 1, (0, 100_000)
LOW, HIGH, BIN, UNIT = 35_000, 42_000, 50, 100
SURE = 0.95
LEFT, RIGHT, FLOOR, TOP, MOST = 166, 692, 327, 72, 0.235
STYLE = (
    ".nws{--paper:#fff;--ink:#1c2128;--soft:#57606a;--rule:#7f8893;--grid:#e3e7eb;--hero:#0a5ea8;--warm:#b8480a;"
    "--grey:#616b76}@media(prefers-color-scheme:dark){.nws{--paper:#14181d;--ink:#e9ecef;--soft:#a9b3be;--rule:#6b7580;"
    "--grid:#2b323a;--hero:#6cb4f5;--warm:#ff9e5e;--grey:#98a3af}}@media print{.nws{--paper:#fff;--ink:#1c2128;"
    "--soft:#57606a;--rule:#7f8893;--grid:#e3e7eb;--hero:#0a5ea8;--warm:#b8480a;--grey:#616b76}}.nws text{font:12px "
    'system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",Arial,sans-serif;fill:var(--ink);'
    "font-variant-numeric:tabular-nums}.nws .t{font-size:16px;font-weight:650}.nws .s{fill:var(--soft)}.nws .b{"
    "font-weight:650}.nws .grid{stroke:var(--grid)}.nws .axis{stroke:var(--rule)}.nws .mark{stroke:var(--ink);"
    "stroke-width:1.5}.nws .hero{fill:var(--hero)}.nws .warm{fill:var(--warm)}.nws .grey{fill:var(--grey)}.nws .halo{"
    "paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round}.nws path,.nws polyline{fill:none}"
    ".nws .lh{stroke:var(--hero);stroke-width:2.25}.nws .lw{stroke:var(--warm);stroke-width:2;stroke-dasharray:7 3}"
    ".nws .lg{stroke:var(--grey);stroke-width:2;stroke-dasharray:2 3}.nws .ref{stroke:var(--soft);stroke-dasharray:3 3}"
)


class Seen(NamedTuple):
    """One law: its chances, where most of its answers lie, and how far they are off."""

    shares: tuple[float, ...]
    low: float
    high: float
    within: int


def seen(mechanism: str, incomes: list[float], median: float) -> Seen:
    """What the picture shows of the law of a mechanism."""
    asked = {"bounds": BOUNDS, "epsilon": EPSILON, "mechanism": mechanism}
    law = read_law(nws.hazmat.law(nws.Quantile("1/2"), incomes, **asked))
    below = law.cdf(range(LOW, HIGH + BIN, BIN))
    shares = tuple(float(b - a) * UNIT / BIN for a, b in pairwise(below))
    low, high = law.quantile([(1 - SURE) / 2, (1 + SURE) / 2])
    far = np.arange(BOUNDS[1] + 1)
    held = law.cdf(np.minimum(median + far, BOUNDS[1])) - law.cdf(np.maximum(median - far - 1, -1))
    return Seen(shares, float(low), float(high), int(np.searchsorted(held, SURE)))


def known(rows: int) -> list[float]:
    """The incomes of the first rows of the table, in order."""
    return sorted(v for v in table()["income"][:rows] if v is not None)


def picture() -> str:
    """The whole drawing."""
    incomes, others = known(ROWS), known(OTHER_ROWS)
    median, other = (each[(len(each) - 1) // 2] for each in (incomes, others))
    laplace, paper, balance = (
        seen(name, incomes, median) for name in ("laplace", "piecewise_laplace", "balance")
    )
    elsewhere = [seen(name, others, other).within for name in ("piecewise_laplace", "balance")]
    parts = [
        text(16, 31, "Same people, same ε: noise for the worst data, or for yours", "t"),
        text(
            16,
            51,
            f"Where a private median of {len(incomes)} incomes lands at ε = {EPSILON}, by three mechanisms. "
            f"Bounds: $0 to ${BOUNDS[1]:,}.",
            "s",
        ),
        text(128, 81, f"chance of each ${UNIT}", "s"),
        *axes(),
        *curves(laplace, paper, balance),
        *(
            f'<line class="mark" x1="{x(v):.1f}" y1="{FLOOR + 1}" x2="{x(v):.1f}" y2="{FLOOR + 9}"/>'
            for v in incomes
            if LOW < v < HIGH
        ),
        text(160, FLOOR + 15, "incomes", "s", "end"),
        f'<line class="ref" x1="{x(median):.1f}" y1="93" x2="{x(median):.1f}" y2="505"/>',
        text(x(median) - 6, 101, "true median", "s halo", "end"),
        *labels(1 - sum(laplace.shares) * BIN / UNIT),
        *rows(laplace, paper, balance),
        *caption(len(others), elsewhere),
    ]
    description = (
        f"Three laws of a private median of {len(incomes)} incomes at epsilon {EPSILON}, on one axis of dollars. "
        f"1, Laplace noise is flat: its peak is {max(laplace.shares):.2%} for each {UNIT} dollars, and 95% of its "
        f"answers are within {laplace.within:,} dollars of the true median, {median:,.0f}. 2, piecewise Laplace, the "
        f"law of Durfee 2025, is a peak of {max(paper.shares):.0%} in pieces that end at people's incomes: within "
        f"{paper.within:,}. 3, balance, the default of noisewise, is a peak of {max(balance.shares):.0%}: within "
        f"{balance.within:,}."
    )
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" class="nws" viewBox="0 0 792 605" width="792" role="img" '
        'style="max-width:100%;height:auto" aria-labelledby="nws-t nws-d">'
        '<title id="nws-t">Same people, same ε: noise for the worst data, or for yours</title>'
        f'<desc id="nws-d">{escape(description)}</desc><style>{STYLE}</style>'
        '<rect width="792" height="605" style="fill:var(--paper)"/>'
    )
    return head + "\n".join(parts) + "</svg>"


def x(dollars: float) -> float:
    """Where so many dollars are."""
    return LEFT + (dollars - LOW) * (RIGHT - LEFT) / (HIGH - LOW)


def y(share: float) -> float:
    """Where a chance is."""
    return FLOOR - share / MOST * (FLOOR - TOP)


def text(at: float, down: float, words: str, kind: str = "", anchor: str = "") -> str:
    """Words, with the place where they begin, or end."""
    end = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text x="{at:.1f}" y="{down:.1f}" class="{kind}"{end}>{escape(words)}</text>'


def axes() -> list[str]:
    """Chances from 0 up, and dollars."""
    parts = [f'<line class="axis" x1="{LEFT}" y1="{FLOOR}" x2="{RIGHT}" y2="{FLOOR}"/>']
    for percent in range(0, 25, 5):
        if percent:
            parts.append(
                f'<line class="grid" x1="{LEFT}" y1="{y(percent / 100):.1f}" x2="{RIGHT}" y2="{y(percent / 100):.1f}"/>'
            )
        parts.append(text(LEFT - 6, y(percent / 100) + 4, f"{percent}%", "s", "end"))
    for dollars in range(LOW, HIGH + 1, 1000):
        parts.append(
            f'<line class="grid" x1="{x(dollars):.1f}" y1="{FLOOR + 12}" x2="{x(dollars):.1f}" y2="505"/>'
        )
        parts.append(text(x(dollars), FLOOR + 28, f"{dollars:,}", "s", "middle"))
    return [*parts, text(RIGHT, FLOOR + 44, "released median, dollars", "s", "end")]


def curves(laplace: Seen, paper: Seen, balance: Seen) -> list[str]:
    """The three laws; the paper's is filled."""
    parts = []
    for kind, law in (("lg", laplace), ("lw", balance), ("lh", paper)):
        middles = (LOW + BIN * (index + 0.5) for index in range(len(law.shares)))
        points = " ".join(f"{x(v):.1f},{y(share):.1f}" for v, share in zip(middles, law.shares, strict=True))
        if kind == "lh":
            parts.insert(
                0,
                f'<polygon class="hero" fill-opacity=".2" points="{LEFT},{FLOOR} {points} {RIGHT},{FLOOR}"/>',
            )
        parts.append(f'<polyline class="{kind}" points="{points}"/>')
    return parts


def labels(outside: float) -> list[str]:
    """What each curve is, in the order of the story."""
    return [
        f'<path class="axis" d="M188 {FLOOR - 66}V{FLOOR - 4}"/>',
        text(173, 205, "1 Laplace:", "grey b halo"),
        text(173, 221, "flat, since it must serve the", "s halo"),
        text(173, 237, "worst data there could be;", "s halo"),
        text(173, 253, f"{outside:.0%} lands outside this picture", "s halo"),
        text(472, 214, "2 Piecewise Laplace, the paper’s law:", "hero b halo"),
        text(472, 230, "a new piece begins at every income, so", "s halo"),
        text(472, 246, "the noise is as wide as these people", "s halo"),
        text(472, 262, "are apart, and no wider", "s halo"),
        text(436, 128, "3 Balance, the default of noisewise:", "warm b halo"),
        text(436, 144, "uses all of ε where law 2 uses half of it", "s halo"),
    ]


def rows(laplace: Seen, paper: Seen, balance: Seen) -> list[str]:
    """Where 95% of answers lie, one row for each law."""
    parts = [
        text(16, FLOOR + 44, "95% of answers", "s"),
        text(776, FLOOR + 44, "95% within", "s", "end"),
        '<rect class="hero" x="10" y="421" width="768" height="36" fill-opacity=".08" rx="4"/>',
        f'<line x1="173" y1="399" x2="{RIGHT - 7}" y2="399" style="stroke:var(--grey);stroke-width:3.5"/>',
        f'<polygon class="grey" points="{LEFT - 1},399 174,393.5 174,404.5"/>',
        f'<polygon class="grey" points="{RIGHT + 1},399 {RIGHT - 8},393.5 {RIGHT - 8},404.5"/>',
        text(359, 392, f"from $0 to ${BOUNDS[1]:,}, the whole range", "s halo", "middle"),
    ]
    for down, name, kind, law in (
        (403, "1 Laplace", "grey", laplace),
        (443, "2 Piecewise Laplace", "hero", paper),
        (483, "3 Balance", "warm", balance),
    ):
        parts += [text(16, down, name, f"{kind} b"), text(776, down, f"±${law.within:,}", "b", "end")]
        if law is not laplace:
            parts.append(
                f'<line x1="{x(law.low):.1f}" y1="{down - 4}" x2="{x(law.high):.1f}" y2="{down - 4}" '
                f'style="stroke:var(--{kind});stroke-width:4;stroke-linecap:round"/>'
            )
    return parts


def caption(people: int, elsewhere: list[int]) -> list[str]:
    """What could mislead, and where the law is from."""
    lines = (
        "Exact probabilities, no simulation; the incomes are made up. “95% within”: how far an answer is from the true",
        f"median, at most, 95 times in 100. How much each step gains depends on the data: with {people} incomes of",
        f"the same table laws 2 and 3 reach ±${elsewhere[0]:,} and ±${elsewhere[1]:,}. Law 2 is by D. Durfee,",
        "Unifying Laplace Mechanism with Instance Optimality in Differential Privacy (2025).",
    )
    return [text(16, 535 + 16 * index, line, "s") for index, line in enumerate(lines)]


if __name__ == "__main__":
    print(picture())
