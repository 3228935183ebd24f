"""A module broken in place: its functions get the code that another source gives them."""

import ast
import gc
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

Place = tuple[str, int]
"""A function's qualified name and first line."""


class Functions:
    """The living functions of a module, as they were when this was made."""

    def __init__(self, module: ModuleType) -> None:
        self.file = module.__file__ or ""
        self.source = Path(self.file).read_text(encoding="utf-8")
        self.living: dict[Place, list[FunctionType]] = {}
        for thing in gc.get_objects():
            if type(thing) is FunctionType and thing.__code__.co_filename == self.file:
                self.living.setdefault(_place(thing.__code__), []).append(thing)

    def become(self, source: str) -> list[str]:
        """Give every function the code of ``source``; return the names of those that changed.

        Raise LookupError where that would not be what importing ``source`` is: more than bodies of functions changed,
        or a function that was made by one that changed is living already.
        """
        if _outlines(self.source) != _outlines(source):
            raise LookupError("more than bodies of functions changed")
        pairs = zip(self._functions(self.source), self._functions(source), strict=True)
        changed = [(old, new) for old, new in pairs if _essence(old) != _essence(new)]
        for old, new in changed:
            inner = [place for place in self.living if place[0].startswith(f"{old.co_qualname}.<locals>.")]
            if inner or _place(old) not in self.living:
                raise LookupError(f"{old.co_qualname} was called, or is not there")
            for function in self.living[_place(old)]:
                if function.__code__.co_freevars != new.co_freevars:
                    raise LookupError(f"{old.co_qualname} closes over other names")
                function.__code__ = new
        if not changed:
            raise LookupError("no function changed")
        return [old.co_qualname for old, _ in changed]

    def _functions(self, source: str) -> list[CodeType]:
        return list(_outer(compile(source, self.file, "exec", dont_inherit=True)))


def _place(code: CodeType) -> Place:
    return code.co_qualname, code.co_firstlineno


def _outer(code: CodeType) -> Iterator[CodeType]:
    """The functions of a module and of the classes in it, in the order of the text."""
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            if inner.co_flags & 0x2:  # CO_NEWLOCALS, which classes do not have
                yield inner
            else:
                yield from _outer(inner)


def _outlines(source: str) -> str:
    """All but the bodies of functions."""

    class Hollow(ast.NodeTransformer):
        def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
            node.body = []
            return node

    return ast.dump(Hollow().visit(ast.parse(source)))


def _essence(code: CodeType) -> tuple[object, ...]:
    """What a function does, wherever its lines are."""
    constants = [
        _essence(value) if isinstance(value, CodeType) else (type(value), repr(value))
        for value in code.co_consts
    ]
    named = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_argcount
    return code.co_code, code.co_flags, code.co_exceptiontable, named, tuple(constants)
