"""HTML for notebooks and reports: headings, paragraphs and tables. Every word is escaped; there are no scripts.

Functions take text and return `Markup`, which is a type of its own. So no text gets into a page without being escaped.
"""

from collections.abc import Iterable, Sequence
from typing import NewType

from noisewise.results.pictures.svg import Picture, quoted

Markup = NewType("Markup", str)
"""HTML made by a function of this module."""

MOST_ROWS = 50
"""The most rows of a table in a notebook."""


def fragment(parts: Iterable[Markup]) -> Markup:
    """Parts below each other, as a notebook shows them."""
    return Markup(f'<div class="noisewise">{"".join(parts)}</div>')


def heading(text: str, level: int, anchor: str = "") -> Markup:
    named = f' id="{quoted(anchor)}"' if anchor else ""
    return Markup(f"<h{level}{named}>{quoted(text)}</h{level}>")


def paragraph(text: str, kind: str = "") -> Markup:
    return Markup(f"<p{_class(kind)}>{quoted(text)}</p>")


def promise(text: str) -> Markup:
    """A guarantee of the caller that no program can check, marked as such."""
    return Markup(f'<p class="promise"><strong>Promise.</strong> {quoted(text)}</p>')


def blank(text: str) -> Markup:
    """Space to write what only a person can know."""
    return Markup(f'<p class="blank"><strong>To be filled in.</strong> {quoted(text)}</p>')


def drawing(picture: Picture) -> Markup:
    return Markup(f"<figure>{picture.svg}</figure>")


def section(parts: Iterable[Markup], kind: str = "") -> Markup:
    return Markup(f"<section{_class(kind)}>{''.join(parts)}</section>")


def bullets(texts: Iterable[str]) -> Markup:
    return Markup(f"<ul>{''.join(f'<li>{quoted(text)}</li>' for text in texts)}</ul>")


def folded(title: str, inside: Markup, *, opened: bool = True) -> Markup:
    """Markup that a reader can fold away. What starts unfolded is printed."""
    return Markup(f"<details{' open' * opened}><summary>{quoted(title)}</summary>{inside}</details>")


def facts_table(facts: Iterable[tuple[str, str]]) -> Markup:
    """A table with a row for each fact: its name and its text."""
    rows = "".join(
        f'<tr><th scope="row">{quoted(name)}</th><td>{quoted(fact)}</td></tr>' for name, fact in facts
    )
    return Markup(f'<table class="facts"><tbody>{rows}</tbody></table>')


def table(
    names: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[bool] = (), kind: str = ""
) -> Markup:
    """A table with a head; ``right`` says which columns hold numbers, and ``kind`` how a page lays it out."""
    aligned = [
        ' class="number"' if index < len(right) and right[index] else "" for index in range(len(names))
    ]
    head = "".join(
        f'<th scope="col"{side}>{quoted(name)}</th>' for name, side in zip(names, aligned, strict=True)
    )
    labels = [f' data-label="{quoted(name)}"' if kind else "" for name in names]
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{side}{label}>{quoted(cell)}</td>"
            for cell, side, label in zip(row, aligned, labels, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    return Markup(f"<table{_class(kind)}><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def _class(kind: str) -> str:
    return f' class="{quoted(kind)}"' if kind else ""
