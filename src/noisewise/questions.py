"""Questions, written down before they are asked: for `agg`, which asks several at once."""

from collections.abc import Callable
from functools import partial
from typing import Any

from noisewise import functions
from noisewise.grouped import Grouped
from noisewise.methods import Inquiry


class Ask:
    """``ask.median("salary", bounds=(0, 500_000), epsilon=0.4)`` is the question, not the answer.

    Every question that can be asked of groups is a method, with the same arguments.
    """

    def __getattr__(self, name: str) -> Callable[..., Inquiry]:
        if name not in dir(self):
            raise AttributeError(f"ask has no question {name!r}")
        return partial(getattr(Grouped, name), self)

    def __dir__(self) -> list[str]:
        return [name for name in dir(functions) if callable(getattr(Grouped, name, None)) and name[0] != "_"]

    def __repr__(self) -> str:
        return "<ask: questions for agg>"

    def _ask(self, inquiry: Inquiry) -> Any:
        return inquiry


ask = Ask()
