"""Shows functions in the reference as `help` does: with every keyword, though the source declares them once.

A Griffe extension, named in mkdocs.yml. Everything else is read from the source without running it.
"""

import inspect
import re
from importlib import import_module
from typing import Any

from griffe import Extension, Function, Parameter, ParameterKind, Parameters


def short(annotation: Any) -> str:
    """A type as one would write it: names without their modules."""
    return re.sub(r"(\w+\.)+(?=\w)", "", inspect.formatannotation(annotation))


class Questions(Extension):
    """Signature and help of functions that are decorated to show all keywords, from the functions themselves."""

    def on_function(self, *, func: Function, **_: Any) -> None:
        decorators = [str(decorator.value) for decorator in func.decorators]
        if not any(each.startswith(("question", "with_full_signature")) for each in decorators):
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
        func.returns = short(inspect.signature(asked).return_annotation)
        func.docstring.value = inspect.getdoc(asked)
