"""Names for the numbers of an answer, which become columns of a table or lines of a receipt."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from noisewise.questions.functions.value_names import typed
from noisewise.questions.question import Question
from noisewise.results.grouped_release import GroupedRelease, answer_columns


class AnswerColumns(NamedTuple):
    """The names of the numbers of an answer. If ``pairs``, each part of the answer is a pair, and only the first
    number of the pair has a name.
    """

    names: tuple[str, ...]
    pairs: bool = False

    @classmethod
    def of(cls, question: Question) -> "AnswerColumns | None":
        """The names of a question's numbers; None if its answer is a single number or word. The question is valid."""
        names = question.value_names
        return None if names is None else cls(tuple(map(str, names)), question.can.time.pairs)

    def cells(self, value: Iterable[Any] | None) -> list[Any]:
        """One cell for each name. A matrix is read row by row. If ``value`` is None, all cells are None."""
        if value is None:
            return [None] * len(self.names)
        if self.pairs:
            return [first for first, _ in value]
        return _flat(value)


def _flat(value: Iterable[Any]) -> list[Any]:
    """A list of all numbers in tuples that may contain tuples."""
    return [each for part in value for each in (_flat(part) if isinstance(part, tuple) else (part,))]


def table_of(
    answer: GroupedRelease, columns: Mapping[str, AnswerColumns | None]
) -> tuple[list[str], list[list[Any]]]:
    """The answers as a table: the names of its columns, and one row for each group.

    A row has the key of the group, the answers, the ends of their intervals, and the counts. Numbers have only their
    significant digits. ``columns`` names the numbers of each question whose answer has several.
    """
    names, cells = list(answer.keys.names), [list(map(typed, part)) for part in answer.keys.columns]

    def add(name: str, values: Iterable[Any], numbers: AnswerColumns | None) -> None:
        if numbers is None:
            names.append(name)
            cells.append(list(values))
            return
        names.extend(f"{name}_{each}" for each in numbers.names)
        split = [numbers.cells(value) for value in values]
        cells.extend([row[index] for row in split] for index in range(len(numbers.names)))

    for column in answer_columns(answer.keys.names, answer.each):
        add(column.name, column.readable(), None if column.toward is None else columns[column.question])
    return names, [list(row) for row in zip(*cells, strict=True)]
