"""A picture as the text of an SVG file: axes, marks and text.

No library is needed. A picture is drawn for 480 pixels, on light and on dark backgrounds. Its lines differ by dashes as
well as by colours that colour-blind people can tell apart, and screen readers find a title and a description. A picture
holds no script and fetches nothing, and all text is escaped. Its numbers are kept beside the drawing for people who
would rather style a chart of Altair.
"""

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from noisewise.errors import ParameterError, install
from noisewise.results.pictures.altair import altair_chart
from noisewise.results.pictures.digits import decimals_for, to_three

WIDTH, LEFT, RIGHT = 480, 62, 14
COLORS = ("#0a5ea8", "#b8480a", "#616b76", "#691520", "#be785e", "#2d1a3e", "#a11afd")
"""The colours of lines on light paper: data, then what is compared with it."""
ON_DARK = ("#6cb4f5", "#ff9e5e", "#98a3af", "#c7f4b9", "#9b725a", "#6168d4", "#ebe21d")
"""The same on dark paper."""
DASHES = ("", "7 3", "2 3", "8 3 2 3", "1 2", "10 4", "12 2 2 2")


def _style(paper: str, ink: str, soft: str, rule: str, grid: str, colors: tuple[str, ...]) -> str:
    rules = (
        f".nws .paper{{fill:{paper}}}.nws text{{fill:{ink}}}.nws .q{{fill:{soft}}}.nws .axis{{stroke:{rule}}}"
        f".nws .grid{{stroke:{grid}}}.nws .whisker{{stroke:{ink};stroke-width:1.5;fill:none}}"
    )
    return rules + "".join(
        f".nws .s{index}{{stroke:{color};fill:none;stroke-width:2}}.nws .f{index}{{fill:{color}}}"
        for index, color in enumerate(colors)
    )


FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',Arial,sans-serif"
BASE = (
    "svg.nws{max-width:100%;height:auto}"
    f".nws text{{font:12px {FONT};font-variant-numeric:tabular-nums}}.nws .small{{font-size:11px}}"
    ".nws .title{font-size:14px;font-weight:bold}.nws .strong{font-weight:bold}.nws .bar{fill-opacity:.7}"
)
LIGHT = BASE + _style("#ffffff", "#1c2128", "#57606a", "#7f8893", "#e3e7eb", COLORS)
DARK = _style("#14181d", "#e9ecef", "#a9b3be", "#6b7580", "#2b323a", ON_DARK)
STYLE = f"<style>{LIGHT}@media screen and (prefers-color-scheme:dark){{{DARK}}}</style>"
LETTER, TITLE_LETTER = 7.0, 8.4
"""The width of a letter of text, and of a title, in a wide font such as DejaVu Sans."""
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
        """Write it to a file whose name ends in ``.svg``, or in ``.png``; the latter needs ``noisewise[pictures]``."""
        ending = check_ending(path)
        data = self.png() if ending == ".png" else self.svg.encode()
        with open(path, "wb") as file:
            file.write(data)

    def png(self, scale: float = 2) -> bytes:
        """The picture as the content of a PNG file, on light paper, ``scale`` times as wide as on a page."""
        try:
            converter = import_module("vl_convert")
        except ImportError:
            converter = None
        if converter is None:
            raise ParameterError(
                "a PNG",
                "must be drawn by vl-convert-python",
                extra=install("pictures"),
                fix="or save it as .svg",
            ) from None
        plain = self.svg.replace(STYLE, f"<style>{LIGHT}</style>")
        data: bytes = converter.svg_to_png(plain, scale=scale)
        return data


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

    def labels(self) -> list[tuple[float, str]]:
        """The ticks with their texts, which have enough digits to differ."""
        ticks = self.ticks()
        if self.log or len(ticks) < 2 or not all(map(math.isfinite, ticks)):
            return [(tick, number(tick)) for tick in ticks]
        step = min(high - low for low, high in pairwise(ticks))
        if max(map(abs, ticks)) >= 1e15 or step < 1e-9:
            return [(tick, number(tick)) for tick in ticks]
        return [(tick, f"{tick + 0.0:,.{decimals_for(step)}f}") for tick in ticks]

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


def check_ending(path: str | os.PathLike[str]) -> str:
    """Return the ending of a picture's file name. Refuse other endings."""
    if (ending := Path(path).suffix.lower()) not in (".svg", ".png"):
        raise ParameterError("path", "must end in .svg or .png", got=repr(os.fspath(path))) from None
    return ending


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
    title_lines = wrapped(title, WIDTH - 16, TITLE_LETTER)
    note_lines = wrapped(note, WIDTH - 16, LETTER) if note else []
    below_title = 17 * (len(title_lines) - 1)
    height = round(height) + below_title
    full = height + 16 * len(note_lines) + (8 if note_lines else 0)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="nws" viewBox="0 0 {WIDTH} {full}" role="img" '
        f'width="{WIDTH}" height="{full}" aria-label="{quoted(title)}">',
        f"<title>{quoted(title)}</title>",
        f"<desc>{quoted(description)}</desc>",
        STYLE,
        f'<rect class="paper" width="{WIDTH}" height="{full}"/>',
        *(
            f'<text class="title" x="8" y="{18 + 17 * index}">{quoted(line)}</text>'
            for index, line in enumerate(title_lines)
        ),
        *([f'<g transform="translate(0 {below_title})">'] if below_title else []),
        *parts,
        *(["</g>"] if below_title else []),
        *(
            f'<text class="q" x="8" y="{height + 10 + 16 * index}">{quoted(line)}</text>'
            for index, line in enumerate(note_lines)
        ),
        "</svg>",
    ]
    return Picture("\n".join(lines), title, note, chart)


def stacked(pictures: Sequence[Picture], *, title: str) -> Picture:
    """Pictures below each other, as one picture."""
    parts, top = [], 0
    for each in pictures:
        parts.append(each.svg.replace("<svg ", f'<svg y="{top}" ', 1))
        top += int(each.svg.partition('height="')[2].partition('"')[0])
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="nws" viewBox="0 0 {WIDTH} {top}" role="img" '
        f'width="{WIDTH}" height="{top}" aria-label="{quoted(title)}"><title>{quoted(title)}</title>'
    )
    return Picture("\n".join([head, *parts, "</svg>"]), title)


def quoted(text: str) -> str:
    """Text escaped for XML and HTML, also inside quotes, without characters that XML cannot hold."""
    legal = "".join(c if c.isprintable() or c == " " else "\N{REPLACEMENT CHARACTER}" for c in text)
    return escape(legal.encode("utf-8", "replace").decode()).replace("&#x27;", "&#39;")


def text_at(x: float, y: float, text: str, *, kind: str = "", anchor: str = "start", title: str = "") -> str:
    """Text at a place; ``anchor`` says which part of the text is at ``x``. Browsers show a ``title`` that differs."""
    named = f' class="{kind}"' if kind else ""
    inside = f"<title>{quoted(title)}</title>" if title and title != text else ""
    return f'<text{named} x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{quoted(text)}{inside}</text>'


def upright(x: float, y: float, text: str) -> str:
    """Text in the middle of a vertical axis, read from below."""
    turned = f'transform="translate({x:.1f} {y:.1f}) rotate(-90)"'
    return f'<text class="q" {turned} text-anchor="middle">{quoted(text)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def dot(x: float, y: float, radius: float, index: int, title: str = "", *, hollow: bool = False) -> str:
    """A circle in the colour with this index; browsers show its title when it is pointed at."""
    inside = f"<title>{quoted(title)}</title>" if title else ""
    kind = f"s{index}" if hollow else f"f{index}"
    return f'<circle class="{kind}" cx="{x:.2f}" cy="{y:.2f}" r="{radius}">{inside}</circle>'


def path(places: Iterable[tuple[float, float]], style: str) -> str:
    """A line through places."""
    through = " L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return f'<path d="M{through}" {style}/>'


def stroke(index: int) -> str:
    """The colour and dashes of the line with this index."""
    dash = f' stroke-dasharray="{DASHES[index]}"' if DASHES[index] else ""
    return f'class="s{index}"{dash}'


def horizontal(axis: Axis, floor: float, label: str, ticks: Sequence[float] = ()) -> list[str]:
    """A horizontal axis with a label and its numbers: at ``ticks``, or else at round numbers."""
    labels = [(tick, f"{tick:,.12g}") for tick in ticks] or axis.labels()
    parts = [line(axis.start, floor, axis.end, floor, "axis")]
    taken = -math.inf
    for tick, text in labels:
        x, half = axis.at(tick), len(text) * LETTER / 2
        if x - half < taken:
            parts += [line(x, floor, x, floor + 4, "axis")] * bool(ticks)
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
    for tick, text in axis.labels():
        y = axis.at(tick)
        parts.append(line(left, y, right, y, "grid"))
        parts.append(text_at(left - 6, y + 4, text, kind="q", anchor="end"))
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
