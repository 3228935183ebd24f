"""Releases as HTML: the answer, its picture, what it cost and whom it protects, for a notebook or a report."""

from collections.abc import Iterable
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
from noisewise.results.release import Release
from noisewise.results.tidy import Columns, columns_of, columns_of_groups, printed_parts
from noisewise.version import GLOSSARY

AnyRelease = Release | GroupedRelease | JointRelease


def release_html(release: Release) -> str:
    """One release, as a notebook shows it."""
    return fragment([heading(release.what, 4), *answer_parts(release), facts(release)])


def groups_html(release: GroupedRelease) -> str:
    return fragment([heading(title_of(release), 4), *answer_parts(release), facts(release.about)])


def joint_html(release: JointRelease) -> str:
    each = (
        part
        for name, one in release.items()
        for part in (heading(f"{name}: {one.what}", 5), *answer_parts(one), facts(one))
    )
    return fragment([heading(title_of(release), 4), *each, paragraph(f"together: {release.privacy}")])


def title_of(release: AnyRelease) -> str:
    """What was asked, in words."""
    if isinstance(release, Release):
        return release.what
    what = ", ".join(one.what for one in release.each.values())
    return f"{what} by {', '.join(release.keys.names)}" if isinstance(release, GroupedRelease) else what


def answer_parts(release: Release | GroupedRelease, most: int = MOST_ROWS) -> list[Markup]:
    """The answer itself: a number, or a picture and a table."""
    if isinstance(release, Release) and not isinstance(release.value, tuple):
        return [paragraph(f"{release.what} = {said(release)}", "answer")]
    if isinstance(release, Release):
        columns = columns_of(release, printed_parts)
    else:
        columns = columns_of_groups(release, printed_parts)
    return [*map(drawing, pictures_of(release)), table_of(columns, most)]


def pictures_of(release: Release | GroupedRelease) -> list[Picture]:
    """A picture for each answer that has one."""
    pictures = []
    for name in [None] if isinstance(release, Release) else list(release.each):
        try:
            pictures.append(release.plot() if isinstance(release, Release) else release.plot(name))
        except ParameterError:  # no answer of several numbers
            continue
    return pictures


def table_of(columns: Columns, most: int = MOST_ROWS) -> Markup:
    """The first rows of a long table."""
    count = max(map(len, columns.values()), default=0)
    right = [name.rstrip("_") in ("value", "low", "high", "n", "share") for name in columns]
    rows = [[shown(cell) for cell in row] for row in islice(zip(*columns.values(), strict=True), most)]
    rest = [paragraph(f"{count - most:,} more rows: see .frame", "quiet")] if count > most else []
    return Markup("".join([table(list(columns), rows, right), *rest]))


def facts(release: Release) -> Markup:
    """What a receipt says under the answer, line by line."""
    said = [facts_table(receipt_lines(release)), *map(promise, promises(release))]
    return Markup("".join([*said, paragraph(f"What these words mean: {GLOSSARY}", "quiet")]))


def receipt_lines(release: Release) -> list[tuple[str, str]]:
    """The lines of a receipt, each as its name and what it says."""
    lines: list[tuple[str, str]] = []
    for text in repr(release).splitlines()[1:]:
        name, says = text[2:15].strip(), text[15:]
        if name or not lines:
            lines.append((name, says))
        else:
            lines[-1] = (lines[-1][0], f"{lines[-1][1]}; {says}")
    return lines


def promises(release: Release) -> list[str]:
    """What the caller guarantees: no program can check it, and what is stated of privacy rests on it."""
    said = promises_of_fields(
        release.neighbors, release.contributions, release.unit, release.people, release.bounds
    )
    bins = ["The bins were chosen without looking at the data."] if release.form == "counts" else []
    return said + bins


def promises_of_fields(
    neighbors: str, contributions: int, unit: str, people: str | None, bounds: object
) -> list[str]:
    """The promises that follow from whom a release protects and what it was asked with."""
    if neighbors == "swap":
        first = f"How many {unit}s there are may be public."
    elif people is None:
        first = f"Nobody has more than {contributions:,} {unit}{'s' if contributions > 1 else ''}."
    else:
        first = f"The column {people} names every person, by one name each."
    return [first, *(["The bounds were chosen without looking at the data."] if bounds is not None else [])]


def promises_of(releases: Iterable[AnyRelease]) -> list[str]:
    """The promises of several releases, each once."""
    said = []
    for release in releases:
        parts = [release] if isinstance(release, Release) else list(release.each.values())
        said += [each for part in parts for each in promises(part)]
        if isinstance(release, GroupedRelease) and not any(
            "groups were found" in n for n in release.about.notes
        ):
            said.append(
                f"The groups by {', '.join(release.keys.names)} were known without looking at the data."
            )
    return list(dict.fromkeys(said))


def said(release: Release) -> str:
    """The answer as a receipt prints it."""
    return "no answer" if release.value is None else release.printed(release.value)


def shown(value: Any) -> str:
    """A cell of a table."""
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
