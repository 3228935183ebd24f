"""Run one test for many values of an argument, and name the value that failed.

Pytest takes longer to collect and report hundreds of parametrised tests, in every worker, than to run them.
"""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any


def each_value(**choices: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
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
