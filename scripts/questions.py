"""Shows questions in the reference as `help` does: with every keyword, though the source declares them once.

A Griffe extension, named in mkdocs.yml. Everything else is read from the source without running it.
"""

import inspect
from importlib import import_module
from typing import Any

from griffe import Extension, Function, Parameter, ParameterKind, Parameters


class Questions(Extension):
    """Signature and help text of the functions that ``@question(...)`` decorates, from the functions themselves."""

    def on_function(self, *, func: Function, **_: Any) -> None:
        if not any(str(decorator.value).startswith("question") for decorator in func.decorators):
            return
        asked = getattr(import_module(func.module.path), func.name)
        func.parameters = Parameters(
            *(
                Parameter(
                    name,
                    kind=ParameterKind[each.kind.name.lower()],
                    default=None if each.default is inspect.Parameter.empty else repr(each.default),
                )
                for name, each in inspect.signature(asked).parameters.items()
            )
        )
        func.returns = "Release"
        func.docstring.value = inspect.getdoc(asked)
