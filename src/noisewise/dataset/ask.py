"""Questions, written down before they are asked: for `agg`, which asks several at once."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from noisewise.dataset.grouped import Grouped
from noisewise.dataset.methods import Inquiry
from noisewise.questions import functions


class Ask:
    """``ask.median("salary", bounds=(0, 500_000), epsilon=0.4)`` is the question, not the answer.

    Every question that can be asked of groups is a method, with the same arguments.
    """

    def __getattr__(self, name: str) -> Callable[..., Inquiry]:
        if name not in dir(self):
            raise AttributeError(f"ask has no question {name!r}")
        method = getattr(Grouped, name)

        @wraps(method)
        def written(*arguments: Any, **asked: Any) -> Inquiry:
            inquiry: Inquiry = method(self, *arguments, **asked)
            return inquiry

        signature = inspect.signature(method)
        _, *own = signature.parameters.values()
        written.__signature__ = signature.replace(parameters=own, return_annotation=Inquiry)  # type: ignore[attr-defined]
        return written

    def __dir__(self) -> list[str]:
        return [name for name in dir(functions) if callable(getattr(Grouped, name, None)) and name[0] != "_"]

    def __repr__(self) -> str:
        return "<ask: questions for agg>"

    def _ask(self, inquiry: Inquiry) -> Any:
        inquiry.judge()
        return inquiry


ask = Ask()
