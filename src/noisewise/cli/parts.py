"""Answers of several numbers on the command line: a column of a table, or a line of a receipt, for each."""

from typing import Any, NamedTuple

from noisewise.questions.question import Question


class Parts(NamedTuple):
    """What the numbers of an answer are called, and whether each is the first of a pair."""

    names: tuple[str, ...]
    pairs: bool = False

    @classmethod
    def of(cls, question: Question) -> "Parts | None":
        """None where the answer is a single number or word. Made once a question is answered, so known to be fine."""
        names = question.value_names
        return None if names is None else cls(tuple(map(str, names)), question.can.time.pairs)

    def cells(self, value: Any) -> list[Any]:
        """A number for each name, or nothing for each where there is no answer."""
        if value is None:
            return [None] * len(self.names)
        return [each for each, _ in value] if self.pairs else _flat(value)


def _flat(value: Any) -> list[Any]:
    """All numbers, a matrix row by row."""
    return [each for part in value for each in (part if isinstance(part, tuple) else (part,))]
