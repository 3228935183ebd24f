"""The errors that the kernel raises, and the parts of their texts. The public module is `noisewise.errors`.

Python and the command line each make a text from the fields of an error: ``<what> must <rule>, got <value>: <why>;
<fix>``. The fields hold parameters and declared types, never a record, a count or a position. So the text of an error
is the same whatever the data is.
"""

from collections.abc import Callable
from copy import copy
from typing import Self

Text = str | tuple[str, ...]
"""A text, or its parts in order. A part is a str: a `TextPiece` if the command line writes it in another way."""


class TextPiece(str):
    """A part of a text that the command line writes in another way. As a str it is the part as Python writes it."""

    made_of: tuple[str, ...]

    def __new__(cls, *made_of: str) -> Self:
        piece = super().__new__(cls, cls.in_python(*made_of))
        piece.made_of = made_of
        return piece

    def __getnewargs__(self) -> tuple[str, ...]:  # type: ignore[override]  # str returns one text
        return self.made_of

    @staticmethod
    def in_python(*made_of: str) -> str:
        """Return the part as Python writes it."""
        return str(made_of[0])


class Words(TextPiece):
    """One or several words that a parameter may be: ``"add_remove" or "swap"``."""

    @staticmethod
    def in_python(*made_of: str) -> str:
        return any_of([f'"{word}"' for word in made_of])


class Value(TextPiece):
    """A value as Python writes it, and as people type it: ``Fraction(1, 3)`` and ``1/3``."""


class Pair(TextPiece):
    """The two ends of a range: ``(0, 100)``."""

    @staticmethod
    def in_python(*made_of: str) -> str:
        low, high = made_of
        return f"({low}, {high})"


def any_of(choices: list[str]) -> str:
    """Return the choices joined by commas and "or", such as ``a, b or c``."""
    return " or ".join(filter(None, (", ".join(choices[:-1]), choices[-1])))


def text_parts(text: Text) -> tuple[str, ...]:
    """Return the parts of a text in order. A part is a str, and may be a `TextPiece`. A single str is the only part."""
    return (text,) if isinstance(text, str) else text


def python_text(text: Text) -> str:
    """Return a text as Python writes it: all its parts joined."""
    return "".join(text_parts(text))


class NoisewiseError(Exception):
    """Every error of this library.

    Attributes:
        what: The parameter or thing that is wrong. If no other field is given, it is the whole text.
        rule: What it must be, "must be above 0".
        got: A description of what was given instead, never the object itself, which could hold data.
        why: The reason for the refusal.
        fix: What to do.
        kind: A name for this kind of error. The command line, for example, uses it to suggest a fix of its own.
        extra: The command that installs what is missing.
    """

    def __init__(
        self,
        what: Text = "",
        rule: Text = "",
        *,
        got: Text = "",
        why: Text = "",
        fix: Text = "",
        kind: str = "",
        extra: str = "",
    ) -> None:
        self.what, self.rule, self.got, self.why, self.fix = what, rule, got, why, fix
        self.kind, self.extra = kind, extra
        super().__init__(self.text(lambda field: python_text(getattr(self, field))))

    def text(self, field: Callable[[str], str]) -> str:
        """Return the whole text of the error. The function ``field`` returns the text of a field, given its name."""
        text = " ".join(filter(None, (field("what"), field("rule"))))
        text += f", got {got}" if (got := field("got")) else ""
        text += f": {why}" if (why := field("why")) else ""
        text += f": {self.extra}" if self.extra else ""
        return f"{text}; {fix}" if (fix := field("fix")) else text

    def with_fields(self, **fields: Text) -> Self:
        """Return a copy of the error with other values of some fields."""
        other = copy(self)
        vars(other).update(fields)
        other.args = (other.text(lambda field: python_text(getattr(other, field))), *self.args[1:])
        return other


class ParameterError(NoisewiseError, ValueError):
    """A parameter has a wrong value."""


class ParameterTypeError(NoisewiseError, TypeError):
    """A parameter has a wrong type."""


class ReleaseFailed(NoisewiseError, RuntimeError):
    """Something failed after the debit. No value was released and nothing is refunded."""
