"""Releases as HTML, for a notebook or a report: the answer, its picture, its cost, and whom it protects."""

from itertools import islice
from typing import Any

from noisewise.errors import ParameterError
from noisewise.results.grouped_release import GroupedRelease
from noisewise.results.joint_release import JointRelease
from noisewise.results.pictures.html import (
    MOST_ROWS,
    Markup,
    drawing,
    facts_table,
    fragment,
    heading,
    paragraph,
    promise,
    table,
)
from noisewise.results.pictures.svg import Picture
from noisewise.results.release import Release, privacy_and_worth
from noisewise.results.tidy import AnyRelease, Columns, Row, columns_of
from noisewise.version import GLOSSARY


def release_html(release: AnyRelease) -> str:
    """Return a release as HTML for a notebook."""
    if isinstance(release, JointRelease):
        each = (
            (heading(f"{name}: {one.what}", 5), *answer_parts(one), facts(one))
            for name, one in release.items()
        )
        parts = [part for answer in each for part in answer]
        parts.append(paragraph(f"together: {privacy_and_worth(release.privacy, release.receipt)}"))
    else:
        about = release if isinstance(release, Release) else release.about
        parts = [*answer_parts(release), facts(about)]
    return fragment([heading(release.what, 4), *parts])


def answer_parts(release: Release | GroupedRelease, most: int = MOST_ROWS) -> list[Markup]:
    """Return the answer as HTML: one number, or pictures and a table of at most ``most`` rows."""
    if isinstance(release, Release) and not isinstance(release.value, tuple):
        text = "no answer" if release.value is None else release.printed(release.value)
        return [paragraph(f"{release.what} = {text}", "answer")]
    return [*map(drawing, pictures_of(release)), table_of(columns_of(release, Row.printed), most)]


def pictures_of(release: Release | GroupedRelease) -> list[Picture]:
    """Return the pictures of all answers that can be drawn."""
    pictures = []
    for name in [None] if isinstance(release, Release) else list(release.each):
        try:
            pictures.append(release.plot() if isinstance(release, Release) else release.plot(name))
        except ParameterError:  # this answer has no picture
            continue
    return pictures


def table_of(columns: Columns, most: int = MOST_ROWS) -> Markup:
    """Return the first rows of a table as HTML, and a line that says how many rows were left out."""
    count = max(map(len, columns.values()), default=0)
    right = [name.rstrip("_") in ("value", "low", "high", "n", "share") for name in columns]
    rows = [[cell_text(cell) for cell in row] for row in islice(zip(*columns.values(), strict=True), most)]
    rest = [paragraph(f"{count - most:,} more rows: see .frame", "quiet")] if count > most else []
    return Markup("".join([table(list(columns), rows, right), *rest]))


def facts(release: Release) -> Markup:
    """Return the receipt as HTML, line by line, and the promises of the caller."""
    lines = [(name, "; ".join(text)) for name, text in release.receipt_facts]
    parts = [facts_table(lines), *map(promise, promises_of(release))]
    return Markup("".join([*parts, paragraph(f"What these words mean: {GLOSSARY}", "quiet")]))


def promises_of_fields(
    neighbors: str, contributions: int, unit: str, people: str | None, bounds: object
) -> list[str]:
    """Return the promises that the caller makes by the choice of neighbors, contributions, people and bounds."""
    if neighbors == "swap":
        first = f"How many {unit}s there are may be public."
    elif people is None:
        first = f"Nobody has more than {contributions:,} {unit}{'s' if contributions > 1 else ''}."
    else:
        first = f"The column {people} names every person, by one name each."
    return [first, *(["The bounds were chosen without looking at the data."] if bounds is not None else [])]


def promises_of(release: AnyRelease) -> list[str]:
    """Return what the caller guarantees. Privacy depends on it, and no program can check it."""
    answers = [release] if isinstance(release, Release) else list(release.each.values())
    promises = []
    for each in answers:
        promises += promises_of_fields(
            each.neighbors, each.contributions, each.unit, each.people, each.bounds
        )
        if each.form == "counts":
            promises.append("The bins were chosen without looking at the data.")
    if isinstance(release, GroupedRelease) and not any("groups were found" in n for n in release.about.notes):
        promises.append(
            f"The groups by {', '.join(release.keys.names)} were known without looking at the data."
        )
    return list(dict.fromkeys(promises))


def cell_text(value: Any) -> str:
    """Return the text of a cell of a table."""
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
