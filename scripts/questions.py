"""Shows functions in the reference as `help` does: with every keyword and its type, which the source declares once.

A Griffe extension, named in mkdocs.yml. Everything else is read from the source without running it.
"""

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from griffe import Extension, Function, Parameter, ParameterKind, Parameters

KEYWORDS = Path(__file__).resolve().parents[1] / "src" / "noisewise" / "questions" / "keywords.py"
OF_DATA = {
    "column": "ArrayLike",
    "label": "ArrayLike",
    "matrix": "Matrix",
    "cells": "Matrix",
    "edges": "Graph",
}
"""What a question takes for data, in the words that the reference explains at its beginning."""


def short(annotation: Any) -> str:
    """A type as one would write it: names without their modules."""
    return re.sub(r"(\w+\.)+(?=\w)", "", inspect.formatannotation(annotation))


def keyword_types() -> dict[str, dict[str, str]]:
    """The types of the keywords that each class of keywords.py declares or inherits, as they are written there."""
    types: dict[str, dict[str, str]] = {}
    for node in ast.parse(KEYWORDS.read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.ClassDef):
            continue
        inherited = [types.get(ast.unparse(base), {}) for base in node.bases]
        own = {
            ast.unparse(each.target): re.sub(
                r"^Required\[(.*)\]$",
                r"\1",
                ast.unparse(each.annotation).replace("int | np.integer[Any]", "int"),
            )
            for each in node.body
            if isinstance(each, ast.AnnAssign)
        }
        types[node.name] = {name: text for one in reversed(inherited) for name, text in one.items()} | own
    return types


class Questions(Extension):
    """Signature and help of functions that are decorated to show all keywords, from the functions themselves."""

    def __init__(self) -> None:
        super().__init__()
        self._keywords = keyword_types()

    def on_function(self, *, func: Function, **_: Any) -> None:
        decorators = [str(decorator.value) for decorator in func.decorators]
        if not any(each.startswith(("question", "with_full_signature")) for each in decorators):
            return
        asked = getattr(import_module(func.module.path), func.name)
        types = self._types(func, asked)
        func.parameters = Parameters(
            *(
                Parameter(
                    name,
                    annotation=types.get(name),
                    kind=ParameterKind[each.kind.name.lower()],
                    default=None if each.default is inspect.Parameter.empty else repr(each.default),
                )
                for name, each in inspect.signature(asked).parameters.items()
            )
        )
        func.returns = short(inspect.signature(asked).return_annotation)
        func.docstring.value = inspect.getdoc(asked)

    def _types(self, func: Function, asked: Any) -> dict[str, str]:
        """Of data by what the question takes, of the other parameters as the source declares them."""
        from noisewise.questions.question import KINDS

        declared = {
            each.name: str(each.annotation) for each in func.parameters if each.annotation is not None
        }
        unpacked = re.fullmatch(r"Unpack\[(\w+)\]", declared.pop("keywords", ""))
        types = {**self._keywords[unpacked[1]], **declared} if unpacked else declared
        kind = KINDS.get(func.name)
        if kind is None or kind.function is not asked:
            return types
        can = kind.capabilities
        return types | {name: OF_DATA[each] for name, each in zip(can.data, can.columns, strict=True)}
