"""The tree of errors is as its docstring draws it, and all errors follow the same rules."""

import ast
import copy
import inspect
import pickle
import tomllib
from functools import cache
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
WITHOUT_DATA = {"density.py"}  # analysis on paper: no record comes near it


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


def statements(node):
    """Every statement in a node. Expressions are skipped: they hold no statements."""
    for parts in (getattr(node, field, ()) for field in ("body", "orelse", "finalbody", "handlers", "cases")):
        for part in parts:
            yield part
            yield from statements(part)


@cache
def raises():
    """Every ``raise`` of our own errors in the source, by file and line."""
    names, found = {error.__name__ for error in TREE}, {}
    for path in sorted(p for p in SOURCE.rglob("*.py") if p.name not in WITHOUT_DATA):
        for node in statements(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                called = node.exc.func
                if isinstance(called, ast.Name) and called.id in names:
                    found[f"{path.relative_to(SOURCE).as_posix()}:{node.lineno}"] = node
    return found


def test_every_error_is_raised_from_none():
    assert len(raises()) > 500
    assert [
        place
        for place, node in raises().items()
        if not isinstance(node.cause, ast.Constant) or node.cause.value is not None
    ] == []


# An error is made of fields


def fields_of(node):
    return {each.arg: each.value for each in node.keywords}


def kinds():
    """Every kind of error in the source, given as an argument or among the fields that a function returns."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {e.__name__ for e in TREE}:
                found |= _texts(fields_of(node).get("kind"))
            elif isinstance(node, ast.Dict):
                pairs = zip(node.keys, node.values, strict=True)
                found |= {
                    text
                    for key, value in pairs
                    if isinstance(key, ast.Constant) and key.value == "kind"
                    for text in _texts(value)
                }
    return found


def _texts(node):
    told = ast.walk(node) if isinstance(node, (ast.Constant, ast.IfExp)) else ()
    if isinstance(node, ast.IfExp):
        told = (node.body, node.orelse)
    return {each.value for each in told if isinstance(each, ast.Constant) and each.value}


@pytest.mark.parametrize("kind", TREE)
def test_every_error_makes_its_text_of_its_fields(kind):
    error = kind(
        "bounds", rule="must rise", got=errors.Pair(2, 1), why="they fall", fix=("or ", errors.Words("a"))
    )
    assert str(error) == error.args[0] == 'bounds must rise, got (2, 1): they fall; or "a"'
    assert (error.what, error.rule, error.got, error.why) == ("bounds", "must rise", "(2, 1)", "they fall")
    assert str(kind("a plain sentence")) == "a plain sentence"
    assert (
        str(kind("x", rule="needs y", extra=errors.install("opendp")))
        == 'x needs y: pip install "opendp>=0.16"'
    )
    assert type(error.args[0]) is str


def test_what_an_error_says_to_install_is_what_the_extras_need():
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    for extra, packages in errors.PACKAGES.items():
        listed = [each for each in extras[extra] if not each.startswith("noisewise[")]
        needed = {
            "cli": ("duckdb", "pictures", "sql"),
            "explore": ("polars",),
            "postgres-tables": ("postgres",),
        }
        others = [package for each in needed.get(extra, ()) for package in extras[each]]
        assert list(packages) == list(dict.fromkeys([*listed, *others]))
    assert errors.install("duckdb") == 'pip install "duckdb>=1.5.6" "pyarrow>=16.0.0"'


@pytest.mark.parametrize("kind", TREE)
def test_every_error_survives_pickling_and_copying(kind):
    parts = (
        "or ",
        errors.Keyword("mechanism", "laplace"),
        errors.Value("None", "none"),
        errors.ColumnName("a"),
    )
    error = kind(
        "unit", rule=("must be ", errors.Call("Dataset(...)", "unit", "p")), fix=parts, kind="no delta"
    )
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is kind and vars(again) == vars(error) and again.args == error.args
        assert [type(part) for part in again.fix] == [type(part) for part in parts]
        assert [getattr(part, "made_of", None) for part in again.fix] == [
            None,
            *(p.made_of for p in parts[1:]),
        ]


def test_an_error_is_said_otherwise_without_losing_what_it_carries():
    error = errors.BudgetExceeded("loss", 1, 2, 3, rule="must fit")
    other = error.with_fields(what="the cost", fix="pay less")
    assert str(other) == "the cost must fit; pay less" and str(error) == "loss must fit"
    assert (other.asked, other.remaining, other.fits) == other.args[1:] == (1, 2, 3)


@pytest.mark.parametrize("words", [("a",), ("a", "b"), ("a", "b", "c")])
def test_words_are_listed_as_choices(words):
    assert errors.Words(*words) == {1: '"a"', 2: '"a" or "b"', 3: '"a", "b" or "c"'}[len(words)]


def test_a_rule_is_a_field_and_not_a_part_of_a_sentence():
    """The command line can spell a parameter in its own way only if the error has it as a field."""
    sentences = {
        place: ast.unparse(node.exc.args[0])
        for place, node in raises().items()
        if len(node.exc.args) == 1 and not node.exc.keywords
    }
    assert sentences
    assert [place for place, sentence in sentences.items() if " must " in sentence] == []
