"""HTML for notebooks and reports: headings, paragraphs and tables. Every word is escaped; there are no scripts.

What a function here takes is text, and what it returns is markup, which has a type of its own: text can never be put
into a page without being escaped.
"""

from collections.abc import Iterable, Sequence
from typing import NewType

from noisewise.results.pictures.svg import Picture, quoted

Markup = NewType("Markup", str)
"""HTML that was made here."""

MOST_ROWS = 50
"""How many rows of a table are shown in a notebook."""


def fragment(parts: Iterable[Markup]) -> Markup:
    """Parts under each other, as a notebook shows them."""
    return Markup(f'<div class="noisewise">{"".join(parts)}</div>')


def heading(text: str, level: int, anchor: str = "") -> Markup:
    named = f' id="{quoted(anchor)}"' if anchor else ""
    return Markup(f"<h{level}{named}>{quoted(text)}</h{level}>")


def paragraph(text: str, kind: str = "") -> Markup:
    return Markup(f"<p{_class(kind)}>{quoted(text)}</p>")


def promise(text: str) -> Markup:
    """What the caller guarantees and no program can check, marked as such."""
    return Markup(f'<p class="promise"><strong>Promise.</strong> {quoted(text)}</p>')


def blank(text: str) -> Markup:
    """What only a person can know, as room to write."""
    return Markup(f'<p class="blank"><strong>To be filled in.</strong> {quoted(text)}</p>')


def drawing(picture: Picture) -> Markup:
    return Markup(f"<figure>{picture.svg}</figure>")


def section(parts: Iterable[Markup], kind: str = "") -> Markup:
    return Markup(f"<section{_class(kind)}>{''.join(parts)}</section>")


def folded(title: str, inside: Markup) -> Markup:
    """Parts that a reader can fold away; they begin unfolded, so that they are printed."""
    return Markup(f"<details open><summary>{quoted(title)}</summary>{inside}</details>")


def facts_table(facts: Iterable[tuple[str, str]]) -> Markup:
    """What is known, a line each: its name and what it is."""
    rows = "".join(
        f'<tr><th scope="row">{quoted(name)}</th><td>{quoted(fact)}</td></tr>' for name, fact in facts
    )
    return Markup(f'<table class="facts"><tbody>{rows}</tbody></table>')


def table(names: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[bool] = ()) -> Markup:
    """A table with a head; ``right`` says which columns hold numbers."""
    aligned = [
        ' class="number"' if index < len(right) and right[index] else "" for index in range(len(names))
    ]
    head = "".join(
        f'<th scope="col"{kind}>{quoted(name)}</th>' for name, kind in zip(names, aligned, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(f"<td{kind}>{quoted(cell)}</td>" for cell, kind in zip(row, aligned, strict=True))
        + "</tr>"
        for row in rows
    )
    return Markup(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def _class(kind: str) -> str:
    return f' class="{quoted(kind)}"' if kind else ""
