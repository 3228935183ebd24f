"""GroupedRelease: an answer for every group, and one receipt for all of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from noisewise.calls import checked_class
from noisewise.ledger.composition import sum_with_delta
from noisewise.results.joint_release import SeveralAnswers
from noisewise.results.pictures.digits import Toward
from noisewise.results.release import Release
from noisewise.tables.groups.key_parts import Key
from noisewise.tables.groups.keys import Keys

if TYPE_CHECKING:
    from noisewise.results.pictures.svg import Picture

SIDES: tuple[tuple[str, Toward], ...] = (("low", -1), ("high", 1))
"""The ends of an interval: the lower one is rounded down and the upper one up."""

FEW = 10
"""The most groups that are printed."""


@checked_class("it is what questions in groups answer, such as Dataset(frame).group_by(...).count(epsilon=1)")
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class GroupedRelease(SeveralAnswers):
    """The private answers of all groups, in the order of their keys.

    ``len(release)`` is the number of groups, and ``print(release)`` prints the first of them with everything a reader
    must know.

    Attributes:
        frame: Keys and answers as a data frame of the user's own library, with the significant digits; ``value`` has
            all digits.
        keys: The keys in order. Public.
        about: All answers as one `Release`: the values, the law, whom it protects, what it cost.
        each: A `Release` for each question, by the question's name.
    """

    frame: Any
    keys: Keys
    about: Release
    each: dict[str, Release]

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def what(self) -> str:
        """Return the questions, their columns and the columns of the keys, in words."""
        questions = ", ".join(release.what for release in self.each.values())
        return f"{questions} by {', '.join(self.keys.names)}"

    @property
    def value(self) -> tuple[Any, ...]:
        """The answers in the order of the keys; for several questions, a tuple for each group."""
        values: tuple[Any, ...] = self.about.value
        return values

    @property
    def counts(self) -> dict[str, tuple[int, ...]]:
        """About how many records took part in each group, by names of columns: ``n``, or one for each of several
        questions. Empty if that was not asked for."""
        return {column.name: column.values for column in self._columns if column.toward is None}

    @property
    def ends(self) -> dict[str, tuple[Any, ...]]:
        """The ends of each group's interval, by names of columns: ``low`` and ``high``, or two for each of several
        questions. Empty if no interval was asked for."""
        return {column.name: column.values for column in self._columns if column.toward}

    @property
    def _columns(self) -> list["AnswerColumn"]:
        """Return the columns of `frame` that follow the columns of keys."""
        return answer_columns(self.keys.names, self.each)

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON can hold them; exact numbers as text."""
        keys = {
            name: [_text(part) for part in column]
            for name, column in zip(self.keys.names, self.keys.columns, strict=True)
        }
        several = (
            {name: release.to_dict() for name, release in self.each.items()} if len(self.each) > 1 else {}
        )
        return {**self.about.to_dict(), "keys": keys, **({"each": several} if several else {})}

    @property
    def tidy(self) -> Any:
        """Return a data frame with a row for each number.

        A row has the key and the value. It also has the question and the number's name if there are several, and the
        interval if there is one. The data frame is of the same library as `frame`. If `frame` is of an engine, the
        data frame is in memory.
        """
        from noisewise.results.tidy import frame_of

        return frame_of(self, like=self.frame)

    def plot(self, name: str | None = None) -> "Picture":
        """A picture with a row for each group. If there are several answers, ``name`` chooses one."""
        from noisewise.results.release_picture import picture_of_groups

        return picture_of_groups(self, name)

    def __repr__(self) -> str:
        columns = self._columns
        printed = [
            *([str(part) for part in column[:FEW]] for column in self.keys.columns),
            *(list(map(column.printed, column.values[:FEW])) for column in columns),
        ]
        names = (*self.keys.names, *(column.name for column in columns))
        rows = [names, *zip(*printed, strict=True)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.rjust, row, widths)) for row in rows]
        rest = [f"... ({len(self):,} groups in all)"] if len(self) > FEW else []
        return "\n".join([self.what, *(f"  {line}" for line in lines + rest), *self.about.receipt_lines])


def _text(part: Key) -> object:
    return part.isoformat() if isinstance(part, date) else part


def make_frame(make: Callable[[dict[str, Any]], Any], columns: dict[str, list[Any]]) -> Any:
    """Make a data frame by the function ``make``, which belongs to the user's library.

    The answers are paid for, so this must not fail. If the library cannot hold the columns, they become text.
    """
    try:
        return make(columns)
    except Exception:
        pass
    return make({name: [_any_text(value) for value in column] for name, column in columns.items()})


def _any_text(value: object) -> str:
    return str(value).encode("utf-8", "backslashreplace").decode("utf-8")


class AnswerColumn(NamedTuple):
    """A column beside the keys of groups: answers, lower or upper ends of intervals, or counts.

    ``toward`` is -1 for lower ends, 1 for upper ends, 0 for answers, and None for counts.
    """

    name: str
    question: str
    answer: Release
    toward: Toward | None
    values: tuple[Any, ...]

    def readable(self) -> tuple[Any, ...]:
        """Return the values with significant digits only. Lower ends are rounded down, and upper ends up."""
        values: tuple[Any, ...] = (
            self.values if self.toward is None else self.answer.readable(self.values, self.toward)
        )
        return values

    def printed(self, value: Any) -> str:
        """Return a value of this column as text."""
        return f"{value:,}" if self.toward is None else self.answer.printed(value, self.toward)


def answer_columns(keys: tuple[str, ...], each: dict[str, Release]) -> list[AnswerColumn]:
    """Return answers, ends of intervals and counts as columns. All names differ, also from the names of keys."""
    taken, alone = {*keys, *each}, len(each) == 1

    def free(name: str) -> str:
        while name in taken:
            name += "_"
        taken.add(name)
        return name

    counts = [
        AnswerColumn(free("n" if alone else f"n_{question}"), question, answer, None, answer.count)
        for question, answer in each.items()
        if answer.count is not None
    ]
    ends = [
        AnswerColumn(free(side if alone else f"{question}_{side}"), question, answer, toward, values)
        for question, answer in each.items()
        for (side, toward), values in zip(SIDES, answer.noise_interval or (), strict=False)
    ]
    answers = [AnswerColumn(question, question, answer, 0, answer.value) for question, answer in each.items()]
    return [*answers, *ends, *counts]


def column_of(values: tuple[Any, ...]) -> list[Any]:
    """Return answers as a column of one type: floats if some number does not fit int64, text if some answers are
    text."""
    kinds = set(map(type, values)) - {type(None)}
    if tuple not in kinds and len(kinds) > 1:
        one = float if kinds <= {bool, int, float} else str
        return [None if value is None else one(value) for value in values]
    if tuple not in kinds:
        return list(values)
    kind = (
        int
        if all(isinstance(number, int) and -(2**63) <= number < 2**63 for number in _numbers(values))
        else float
    )

    def listed(value: object) -> object:
        if isinstance(value, tuple):
            return [listed(each) for each in value]
        return kind(value) if isinstance(value, (int, float)) else value

    return [listed(value) for value in values]


def _numbers(value: object) -> Iterator[int | float]:
    """Yield all numbers in a value, which may be a tuple of tuples."""
    if isinstance(value, tuple):
        for each in value:
            yield from _numbers(each)
    elif isinstance(value, (int, float)):
        yield value


def with_notes_of_each(about: Release, each: dict[str, Release]) -> Release:
    """One receipt for several answers, with the bounds and the notes of each. What all say is said once."""
    if len(each) == 1:
        return about
    said = {
        name: (*([release.possible_answers()] if release.bounds is not None else []), *release.notes)
        for name, release in each.items()
    }
    first, *others = said.values()
    common = [note for note in first if all(note in notes for notes in others)]
    own = [f"{name}: {note}" for name, notes in said.items() for note in notes if note not in common]
    return replace(about, notes=(*about.notes, *common, *own))


def with_keys(answers: Release, selection: Release | None) -> Release:
    """Return answers that also state the loss of finding their keys, if ``selection`` has found and paid for them."""
    if selection is None:
        return answers
    together = sum_with_delta(selection.privacy, answers.privacy)
    note = (
        f"of this, the groups were found for {selection.privacy}, and the answers drawn for {answers.privacy}"
    )
    return replace(answers, privacy=together, notes=(*answers.notes, note))
