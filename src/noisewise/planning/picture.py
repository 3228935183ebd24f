"""A picture of lines on logarithmic axes, as the text of an SVG file.

No library is needed. It is readable at 420 pixels, in light and in dark surroundings, and lines differ by their dashes
and marks as well as by their colours, which people who do not see all colours can tell apart.
"""

import math
from dataclasses import dataclass
from xml.sax.saxutils import escape

from noisewise.numbers.digits import to_three

WIDTH, PLOT, LEFT, RIGHT, TOP, BOTTOM = 420, 200, 62, 14, 30, 54
LEGEND, NARROW = 14, 24
"""The height of a line of the legend, and the longest names of which two fit side by side."""

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 2", "10 4")
STYLE = (
    "<style>text{font:12px sans-serif;fill:#223}.q{fill:#556}.axis,.grid{stroke:#889}.grid{stroke-opacity:.35}"
    "@media(prefers-color-scheme:dark){.paper{fill:#16181d}text{fill:#e8e8ee}.q{fill:#b4b8c4}}</style>"
)
MOST_LINES = len(COLORS)


@dataclass(frozen=True, slots=True)
class Line:
    """A named line through points, from left to right."""

    name: str
    points: tuple[tuple[float, float], ...]


def picture(lines: list[Line], *, title: str, note: str) -> str:
    """The lines with their axes; points that are not above 0 are left out, as a logarithm has no place for them."""
    shown = [
        Line(line.name, tuple((x, y) for x, y in line.points if x > 0 and y > 0))
        for line in lines[:MOST_LINES]
    ]
    points = [point for line in shown for point in line.points] or [(1.0, 1.0)]
    columns = 2 if all(len(line.name) <= NARROW for line in shown) else 1
    top = TOP + (-(-len(shown) // columns) * LEGEND if len(shown) > 1 else 0)
    floor = top + PLOT
    height = floor + BOTTOM
    across = _Axis(min(x for x, _ in points), max(x for x, _ in points), LEFT, WIDTH - RIGHT)
    up = _Axis(min(y for _, y in points), max(y for _, y in points), floor, top)
    quoted = escape(title, {'"': "&quot;"})
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{quoted}">',
        STYLE,
        f'<rect class="paper" width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="8" y="17" font-weight="bold">{escape(title)}</text>',
        f'<text class="q" x="8" y="{height - 6}" style="font-size:10px">{escape(_short(note))}</text>',
        *_grid(across, up),
    ]
    for index, line in enumerate(shown):
        parts += _line(index, line, across, up)
        if len(shown) > 1:
            parts += _legend(index, line.name, columns)
    return "\n".join([*parts, "</svg>"])


@dataclass(frozen=True, slots=True)
class _Axis:
    """A logarithmic axis between two places of the picture."""

    least: float
    most: float
    start: float
    end: float

    def at(self, value: float) -> float:
        if self.most == self.least:
            return (self.start + self.end) / 2
        share = (math.log(value) - math.log(self.least)) / (math.log(self.most) - math.log(self.least))
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        """1, 2 and 5 times powers of ten; powers alone where there would be many; both ends where there are few."""
        powers = range(math.floor(math.log10(self.least)), math.ceil(math.log10(self.most)) + 1)
        steps = (1, 2, 5) if len(powers) <= 3 else (1,)
        inside = [step * 10.0**power for power in powers for step in steps]
        found = [tick for tick in inside if self.least * (1 - 1e-9) <= tick <= self.most * (1 + 1e-9)]
        return found if len(found) > 1 else sorted({self.least, self.most})


def _grid(across: _Axis, up: _Axis) -> list[str]:
    floor = int(up.start)
    parts = [f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{floor}" y2="{floor}"/>']
    for tick in across.ticks():
        parts.append(
            f'<text class="q" x="{across.at(tick):.1f}" y="{floor + 16}" text-anchor="middle">{to_three(tick)}</text>'
        )
    for tick in up.ticks():
        y = up.at(tick)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(
            f'<text class="q" x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{to_three(tick)}</text>'
        )
    middle = (LEFT + WIDTH - RIGHT) // 2
    return [*parts, f'<text class="q" x="{middle}" y="{floor + 32}" text-anchor="middle">epsilon</text>']


def _line(index: int, line: Line, across: _Axis, up: _Axis) -> list[str]:
    places = [(across.at(x), up.at(y)) for x, y in line.points]
    path = " L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    drawn = [f'<path d="M{path}" fill="none" {_stroke(index)}/>'] if places else []
    return drawn + [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLORS[index]}"/>' for x, y in places]


def _legend(index: int, name: str, columns: int) -> list[str]:
    x, y = 8 + index % columns * WIDTH // 2, TOP + index // columns * LEGEND
    return [
        f'<path d="M{x} {y - 4} h22" {_stroke(index)}/>',
        f'<text x="{x + 27}" y="{y}" style="font-size:11px">{escape(name)}</text>',
    ]


def _stroke(index: int) -> str:
    dash = f' stroke-dasharray="{DASHES[index]}"' if DASHES[index] else ""
    return f'stroke="{COLORS[index]}" stroke-width="2"{dash}'


def _short(note: str) -> str:
    return note if len(note) <= 78 else f"{note[:75]}..."
