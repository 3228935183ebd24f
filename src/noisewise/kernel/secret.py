"""Secret: objects that must not be printed by accident, such as records, envelopes and laws.

Everything that depends on the data before the draw is a `Secret`. A traceback, a log or a notebook shows only its type.
"""


class Secret:
    """An object that prints as its type alone, such as ``<Law: withheld>``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: withheld>"
