"""A test over many cases as one test, which names the case that failed.

As ids of their own hundreds of cases take long to collect, in every worker, and longer to report than to run.
"""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any


def over(**choices: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test for each value of one of its arguments; several of these run it for all combinations."""
    ((name, values),) = choices.items()

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def each(*args: Any, **keywords: Any) -> None:
            for value in values:
                try:
                    test(*args, **keywords, **{name: value})
                except BaseException as error:
                    error.add_note(f"where {name} is {value!r}")
                    raise

        signature = inspect.signature(test)
        others = [parameter for parameter in signature.parameters.values() if parameter.name != name]
        each.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return each

    return decorated
