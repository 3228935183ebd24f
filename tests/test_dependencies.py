"""The extra `test` names every library that tests import, so that `make test` installs it.

No test skips itself if a library is missing: that would hide that the extra does not name the library.
"""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.test_docs import EVERY_PAGE, blocks

ROOT = Path(__file__).resolve().parents[1]
OURS = {"noisewise", "tests", "scripts"} | {path.stem for path in (ROOT / "benchmarks").glob("*.py")}
NOT_TESTED = {  # run by `make docs` with its own extra, and by hand beside other libraries
    "scripts/mathml.py",
    "scripts/questions.py",
    "benchmarks/audit_peers.py",
}


@cache
def of_modules():
    """The distributions that have each module."""
    return packages_distributions()


def texts():
    """The name of each file that a test runs or imports, and its code."""
    for folder in ("src", "tests", "benchmarks", "scripts"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    for path in EVERY_PAGE:
        for code in blocks(path.read_text(encoding="utf-8")):
            yield path.relative_to(ROOT).as_posix(), code


def imported(code):
    """The names of the packages that are imported anywhere in the code."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def normal(name):
    """The normal form of a distribution's name, which pyproject.toml may spell differently."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(extra, project):
    """The distributions that pyproject.toml names for an extra and for the extras in it."""
    found = set()
    for line in project["optional-dependencies"][extra]:
        name, extras = re.match(r"([\w.-]+)(?:\[([\w,-]+)\])?", line).groups()
        if name == project["name"]:
            found |= {each for inner in extras.split(",") for each in declared(inner, project)}
        else:
            found.add(normal(name))
    return found


def undeclared(code, names):
    """The imports of the code that no given distribution provides, with the distribution to add."""
    for module in set(imported(code)) - OURS - sys.stdlib_module_names:
        holders = [normal(each) for each in of_modules().get(module, [module])]
        if names.isdisjoint(holders):
            yield f"{module}: add {holders[0]!r}, with its oldest version, to `test` in pyproject.toml"


@pytest.fixture(scope="module")
def named():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return declared("test", project) | {
        normal(re.match(r"[\w.-]+", each)[0]) for each in project["dependencies"]
    }


@pytest.mark.rest  # and run by make check
def test_every_import_is_of_a_library_that_the_extra_names(named):
    found = {
        (name, said) for name, code in texts() if name not in NOT_TESTED for said in undeclared(code, named)
    }
    assert sorted(found) == []


@pytest.mark.parametrize(
    ("code", "distribution"),
    [
        ("def f():\n    import grpc", "grpcio"),  # comes with pyspark[connect]
        ("from click.testing import CliRunner", "click"),  # comes with Typer
        ("import nowhere.at_all", "nowhere"),
        ("import yaml, numpy.linalg, tests.schedule, os.path\nfrom . import x", None),
    ],
)
def test_what_comes_along_with_another_library_does_not_count(code, distribution, named):
    found = [re.search("'(.+)'", said)[1] for said in undeclared(code, named)]
    assert found == ([distribution] if distribution else [])


def test_no_test_skips_itself_where_a_library_is_missing():
    skip = "import" + "orskip"
    assert [name for name, code in texts() if skip in code] == []
