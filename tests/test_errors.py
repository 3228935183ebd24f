"""The error tree, as its docstring draws it, and what no error may do."""

import ast
import inspect
from pathlib import Path

import pytest

import noisewise
from noisewise import errors

TREE = {
    errors.ParameterError: ValueError,
    errors.ParameterTypeError: TypeError,
    errors.SchemaError: TypeError,
    errors.BudgetExceeded: ValueError,
    errors.LedgerError: RuntimeError,
    errors.ReleaseFailed: RuntimeError,
}
SOURCE = Path(noisewise.__file__).parent
WITHOUT_DATA = {"continuum.py"}  # analysis on paper: no record comes near it


@pytest.mark.parametrize("error", TREE)
def test_an_error_is_ours_and_also_what_python_calls_it(error):
    assert error.__bases__ == (errors.NoisewiseError, TREE[error])
    assert getattr(noisewise, error.__name__) is error


def test_the_docstring_draws_the_whole_tree():
    defined = {
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, Exception)
    }
    assert defined == {error.__name__ for error in TREE} | {"NoisewiseError"}
    for error, base in TREE.items():
        assert f"{error.__name__} ({base.__name__})" in errors.__doc__


def test_the_root_is_no_builtin_error_but_an_exception():
    assert errors.NoisewiseError.__bases__ == (Exception,)


def raises():
    """Every ``raise`` of an error of ours in the source, with its place."""
    names = {error.__name__ for error in TREE}
    for path in sorted(p for p in SOURCE.rglob("*.py") if p.name not in WITHOUT_DATA):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                called = node.exc.func
                if isinstance(called, ast.Name) and called.id in names:
                    yield pytest.param(node, id=f"{path.relative_to(SOURCE).as_posix()}:{node.lineno}")


@pytest.mark.parametrize("node", list(raises()))
def test_every_error_is_raised_from_none(node):
    assert isinstance(node.cause, ast.Constant)
    assert node.cause.value is None
