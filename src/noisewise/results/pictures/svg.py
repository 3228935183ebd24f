"""A picture as the text of an SVG file: axes, marks and text.

No library is needed. A picture is readable at 420 pixels, on light and on dark backgrounds. Marks differ by dashes as
well as by colours that colour-blind people can tell apart (Okabe and Ito, 2008), and screen readers find a title and a
description. A picture holds no script and fetches nothing, and all text is escaped. Its numbers are kept beside the
drawing for people who would rather style a chart of Altair.
"""

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, Literal

from noisewise.results.pictures.altair import altair_chart
from noisewise.results.pictures.digits import to_three

WIDTH, LEFT, RIGHT = 420, 62, 14
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#7848d8", "#808080")
"""Colours with enough contrast on light and on dark paper, and to each other for colour-blind people."""
DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 2", "10 4")
STYLE = (
    "<style>.nws text{font:12px sans-serif;fill:#223}.nws .q{fill:#556}.nws .small{font-size:10px}"
    ".nws .title{font-weight:bold}"
    ".nws .paper{fill:#fff}.nws .axis,.nws .grid{stroke:#889}.nws .grid{stroke-opacity:.35}"
    ".nws .whisker{stroke:#223;stroke-width:1.5;fill:none}"
    "@media(prefers-color-scheme:dark){.nws .paper{fill:#16181d}.nws text{fill:#e8e8ee}.nws .q{fill:#b4b8c4}"
    ".nws .whisker{stroke:#e8e8ee}}"
    "@media print{.nws .paper{fill:#fff}.nws text{fill:#223}.nws .q{fill:#556}.nws .whisker{stroke:#223}}</style>"
)
LETTER = 6.4
"""The approximate width of a letter."""
MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class Chart:
    """The numbers of a picture, a row for each mark: ``name``, ``value`` and ``text``, or ``x`` and ``y``; ``low`` and
    ``high`` too if the number has an interval."""

    mark: Literal["line", "step", "bar", "point"]
    rows: tuple[Mapping[str, object], ...]
    across: str = ""
    up: str = ""
    log: bool = False
    scaled: bool = True
    """Whether the axis has numbers."""
    limit: float | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """A drawing, shown by a notebook.

    Attributes:
        svg: The text of an SVG file.
        title: What is drawn, in words.
        note: What stands below it.
        chart: The numbers that are drawn.
    """

    svg: str
    title: str
    note: str = ""
    chart: Chart | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"<Picture: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.svg

    def altair(self) -> Any:
        """The picture as a chart of Altair, to style as you like; needs ``noisewise[altair]``.

        Examples:
            >>> release.plot().altair().properties(width=600).save("answers.html")
        """
        return altair_chart(self.chart or Chart("line", ()), title=self.title, note=self.note, colors=COLORS)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to an SVG file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


@dataclass(frozen=True, slots=True)
class Axis:
    """Numbers between two places of the picture, at even distances or at even ratios."""

    least: float
    most: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        """The place of a number."""
        if self.most == self.least:
            return (self.start + self.end) / 2
        low, high, here = (self._scaled(each) for each in (self.least, self.most, value))
        return self.start + (here - low) / (high - low) * (self.end - self.start)

    def _scaled(self, value: float) -> float:
        return math.log(value) if self.log else value

    def ticks(self) -> list[float]:
        """Round numbers between both ends; the ends themselves if there are fewer than two."""
        inside = self._powers() if self.log else self._multiples()
        return inside if len(inside) > 1 else sorted({self.least, self.most})

    def _powers(self) -> list[float]:
        """1, 2 and 5 times powers of ten; powers of ten alone if there would be many."""
        powers = range(math.floor(math.log10(self.least)), math.ceil(math.log10(self.most)) + 1)
        steps = (1, 2, 5) if len(powers) <= 3 else (1,)
        ticks = [step * 10.0**power for power in powers for step in steps]
        return [tick for tick in ticks if self.least * (1 - 1e-9) <= tick <= self.most * (1 + 1e-9)]

    def _multiples(self) -> list[float]:
        """Multiples of 1, 2 or 5 times a power of ten."""
        width = self.most - self.least
        if not 0 < width < math.inf:
            return []
        power = 10.0 ** math.floor(math.log10(width / MOST_TICKS))
        step = next((f * power for f in (1, 2, 5) if width / (f * power) <= MOST_TICKS), 10 * power)
        first = math.ceil(self.least / step - 1e-9)
        last = math.floor(self.most / step + 1e-9)
        return [index * step for index in range(first, last + 1)] if last - first < 100 else []


def whole_picture(
    parts: Iterable[str],
    height: float,
    *,
    title: str,
    description: str,
    note: str = "",
    chart: Chart | None = None,
) -> Picture:
    """Parts between a title and a note. Screen readers read out the description."""
    note_lines = wrapped(note, WIDTH - 16, 4.7) if note else []
    full = round(height) + 13 * len(note_lines) + (6 if note_lines else 0)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="nws" viewBox="0 0 {WIDTH} {full}" role="img" '
        f'width="100%" style="max-width:{WIDTH * 3 // 2}px" aria-label="{quoted(title)}">',
        f"<title>{quoted(title)}</title>",
        f"<desc>{quoted(description)}</desc>",
        STYLE,
        f'<rect class="paper" width="{WIDTH}" height="{full}"/>',
        f'<text class="title" x="8" y="17">{quoted(short(title, WIDTH - 16, 7.0))}</text>',
        *parts,
        *(
            f'<text class="q small" x="8" y="{round(height) + 8 + 13 * index}">{quoted(line)}</text>'
            for index, line in enumerate(note_lines)
        ),
        "</svg>",
    ]
    return Picture("\n".join(lines), title, note, chart)


def quoted(text: str) -> str:
    """Text escaped for XML and HTML, also inside quotes, without characters that XML cannot hold."""
    legal = "".join(c if c.isprintable() or c == " " else "\N{REPLACEMENT CHARACTER}" for c in text)
    return escape(legal.encode("utf-8", "replace").decode()).replace("&#x27;", "&#39;")


def text_at(x: float, y: float, text: str, *, kind: str = "", anchor: str = "start") -> str:
    """Text at a place; ``anchor`` says which part of the text is at ``x``."""
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{quoted(text)}</text>'


def upright(x: float, y: float, text: str) -> str:
    """Text in the middle of a vertical axis, read from below."""
    turned = f'transform="translate({x:.1f} {y:.1f}) rotate(-90)"'
    return f'<text class="q" {turned} text-anchor="middle">{quoted(text)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def dot(x: float, y: float, radius: float, color: str, title: str = "") -> str:
    """A filled circle; browsers show its title when it is pointed at."""
    inside = f"<title>{quoted(title)}</title>" if title else ""
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{radius}" fill="{color}">{inside}</circle>'


def path(places: Iterable[tuple[float, float]], style: str) -> str:
    """A line through places."""
    through = " L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return f'<path d="M{through}" {style}/>'


def stroke(index: int) -> str:
    """The colour and dashes of the line with this index."""
    dash = f' stroke-dasharray="{DASHES[index]}"' if DASHES[index] else ""
    return f'fill="none" stroke="{COLORS[index]}" stroke-width="2"{dash}'


def horizontal(axis: Axis, floor: float, label: str) -> list[str]:
    """A horizontal axis with its numbers and a label."""
    parts = [line(axis.start, floor, axis.end, floor, "axis")]
    taken = -math.inf
    for tick in axis.ticks():
        text = number(tick)
        x, half = axis.at(tick), len(text) * LETTER / 2
        if x - half < taken:
            continue
        taken = x + half + 4
        place = min(max(x, half + 2), WIDTH - half - 2)
        parts.append(text_at(place, floor + 16, text, kind="q", anchor="middle"))
        parts.append(line(x, floor, x, floor + 4, "axis"))
    named = (
        [text_at((axis.start + axis.end) / 2, floor + 32, label, kind="q", anchor="middle")] if label else []
    )
    return parts + named


def vertical(axis: Axis, left: float, right: float) -> list[str]:
    """A vertical axis with its numbers and faint horizontal lines."""
    parts = []
    for tick in axis.ticks():
        y = axis.at(tick)
        parts.append(line(left, y, right, y, "grid"))
        parts.append(text_at(left - 6, y + 4, number(tick), kind="q", anchor="end"))
    return parts


def number(value: float) -> str:
    """A number in three digits."""
    return "0" if value == 0 else to_three(value)


def short(text: str, width: float, letter: float = LETTER) -> str:
    """The beginning of a text, cut off where it becomes wider than ``width``."""
    most = max(2, int(width / letter))
    return text if len(text) <= most else f"{text[: most - 1]}…"


def wrapped(text: str, width: float, letter: float) -> list[str]:
    """A text in lines that are at most ``width`` wide."""
    lines, most = [""], max(2, int(width / letter))
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > most:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}" if lines[-1] else short(word, width, letter)
    return lines
