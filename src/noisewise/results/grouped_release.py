"""GroupedRelease: an answer for every group, and one receipt for all of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from noisewise.calls import judged_class
from noisewise.kernel.losses import Loss
from noisewise.ledger.composition import compose
from noisewise.results.card import card_of
from noisewise.results.pictures.digits import Toward
from noisewise.results.release import WORDS, Release
from noisewise.tables.groups.key_parts import Key
from noisewise.tables.groups.keys import Keys

if TYPE_CHECKING:
    from noisewise.results.pictures.svg import Picture

BOTH_SIDES: tuple[Toward, Toward] = (-1, 1)
"""The ends of an interval are printed a little lower, and a little higher, where they are rounded."""

FEW = 10
"""How many groups are printed."""


@judged_class("it is what questions in groups answer, such as Dataset(frame).group_by(...).count(epsilon=1)")
@dataclass(frozen=True, slots=True, repr=False, eq=False)
class GroupedRelease:
    """The private answers of all groups, in the order of their keys.

    ``len(release)`` is the number of groups, and ``print(release)`` prints the first of them with all that a reader
    must know.

    Attributes:
        frame: Keys and answers as a data frame of the user's own library, with the digits that mean something;
            ``value`` has all of them.
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
    def value(self) -> tuple[Any, ...]:
        """The answers in the order of the keys; where several were asked for, a tuple for each group."""
        values: tuple[Any, ...] = self.about.value
        return values

    @property
    def privacy(self) -> Loss:
        """What all answers, and their keys if these were selected from the data, may tell about anybody, as a loss."""
        return self.about.privacy

    @property
    def receipt(self) -> Any:
        """The ledger's entry; None where there is no ledger."""
        return self.about.receipt

    @property
    def counts(self) -> dict[str, tuple[int, ...]]:
        """About how many records took part in each group, by the names of columns: ``n``, or one for each of several
        questions. Empty where that was not asked for."""
        return counts_of(self.keys.names, self.each)

    @property
    def ends(self) -> dict[str, tuple[Any, ...]]:
        """Between which numbers the true answer of each group lies, by the names of columns: ``low`` and ``high``, or
        two for each of several questions. Empty where no interval was asked for."""
        return ends_of(self.keys.names, self.each)

    @property
    def readable_ends(self) -> dict[str, tuple[Any, ...]]:
        """The same with the digits that mean something, the lower end rounded down and the upper one up."""
        return ends_of(self.keys.names, self.each, readable=True)

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON can hold it; exact numbers as text."""
        keys = {
            name: [_text(part) for part in column]
            for name, column in zip(self.keys.names, self.keys.columns, strict=True)
        }
        several = (
            {name: release.to_dict() for name, release in self.each.items()} if len(self.each) > 1 else {}
        )
        return {**self.about.to_dict(), "keys": keys, **({"each": several} if several else {})}

    def card(self) -> dict[str, Any]:
        """A record to file or publish, as that of `Release`, with the keys."""
        return card_of(self.to_dict(), self.privacy)

    @property
    def tidy(self) -> Any:
        """A data frame with a row for each number: the key, the question and the number's name where there are several,
        its value, and its interval if it has one. Of the library that `frame` is of, or, for an engine, one in memory.
        """
        from noisewise.results.tidy import columns_of_groups, frame_of_columns

        return frame_of_columns(columns_of_groups(self), like=self.frame)

    def plot(self, name: str | None = None) -> "Picture":
        """A picture with a row for each group; ``name`` says of which answer, where there are several."""
        from noisewise.results.release_picture import picture_of_groups

        return picture_of_groups(self, name)

    def _repr_html_(self) -> str:
        from noisewise.results.release_html import groups_html

        return groups_html(self)

    def __str__(self) -> str:
        return f"{self!r}\n{WORDS}"

    def __repr__(self) -> str:
        _, *receipt = repr(self.about).splitlines()
        counts, ends = self.counts, [one for one in self.each.values() if one.noise_interval]
        printed = [
            *([str(part) for part in column[:FEW]] for column in self.keys.columns),
            *([one.printed(value) for value in one.value[:FEW]] for one in self.each.values()),
            *(
                [one.printed(end, toward) for end in side[:FEW]]
                for one in ends
                for side, toward in zip(one.noise_interval or (), BOTH_SIDES, strict=True)
            ),
            *([f"{count:,}" for count in column[:FEW]] for column in counts.values()),
        ]
        rows = list(zip(*printed, strict=True))
        shown = [(*self.keys.names, *self.each, *self.ends, *counts), *rows]
        widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
        lines = [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in shown
        ]
        rest = [f"... ({len(self):,} groups in all)"] if len(self) > FEW else []
        return "\n".join(
            [
                f"{', '.join(one.what for one in self.each.values())} by {', '.join(self.keys.names)}",
                *(f"  {line}" for line in lines + rest),
                *receipt,
            ]
        )


def _text(part: Key) -> object:
    return part.isoformat() if isinstance(part, date) else part


def frame_of(like: Callable[[dict[str, Any]], Any], columns: dict[str, list[Any]]) -> Any:
    """A frame of the user's own library; as text where it cannot hold a column, since the answers are paid for."""
    try:
        return like(columns)
    except Exception:
        pass
    return like({name: [_shown(value) for value in column] for name, column in columns.items()})


def _shown(value: object) -> str:
    return str(value).encode("utf-8", "backslashreplace").decode("utf-8")


def counts_of(keys: tuple[str, ...], each: dict[str, Release]) -> dict[str, tuple[int, ...]]:
    """The counts beside answers in groups, by names that no column of keys or answers has."""
    counts = dict[str, tuple[int, ...]]()
    for answer, release in each.items():
        if release.count is not None:
            name = "n" if len(each) == 1 else f"n_{answer}"
            while name in (*keys, *each, *counts):
                name += "_"
            counts[name] = release.count
    return counts


def ends_of(
    keys: tuple[str, ...], each: dict[str, Release], *, readable: bool = False
) -> dict[str, tuple[Any, ...]]:
    """The ends of intervals of answers in groups, by names that no column of keys, answers or counts has.

    ``readable`` ones have the digits that mean something.
    """
    ends, taken = dict[str, tuple[Any, ...]](), {*keys, *each, *counts_of(keys, each)}
    for answer, release in each.items():
        if (interval := release.noise_interval) is not None:
            for side, toward, values in zip(("low", "high"), BOTH_SIDES, interval, strict=True):
                name = side if len(each) == 1 else f"{answer}_{side}"
                while name in taken or name in ends:
                    name += "_"
                ends[name] = release.readable(values, toward) if readable else values
    return ends


def column_of(values: tuple[Any, ...]) -> list[Any]:
    """Answers as a column of one type: floats where a number is no int64, text where some answers are text."""
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
    """All numbers that lie in tuples, however deep."""
    if isinstance(value, tuple):
        for each in value:
            yield from _numbers(each)
    elif isinstance(value, (int, float)):
        yield value


def with_keys(answers: Release, selection: Release | None) -> Release:
    """Answers that state the loss of their keys too, where these were selected from the data and paid for before."""
    if selection is None:
        return answers
    delta = compose(selection.privacy).delta
    together = compose(selection.privacy, answers.privacy).as_approx(delta)
    note = (
        f"of this, the groups were found for {selection.privacy}, and the answers drawn for {answers.privacy}"
    )
    return replace(answers, privacy=together, notes=(*answers.notes, note))
