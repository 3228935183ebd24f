"""A new statistic is four files: itself, its proof, its tests and its registration. All else follows from them.

They are written into a copy of the project. `scripts/registered.py` and `tests.vectors.write` write the lists and the
vectors there, and the tests that look at every statistic pass.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.rest

ROOT = Path(__file__).resolve().parents[2]

STATISTIC = '''"""Quintiles: some fifths of the records are at or below them. Proof: docs/proofs/quintile.md."""

from fractions import Fraction

from noisewise.statistics.quantile import Quantile


class Quintile(Quantile):
    """The quantile of rank ``fifths`` / 5.

    Examples:
        >>> nws.Quintile(1)
    """

    def __init__(self, fifths: int) -> None:
        Quantile.__init__(self, Fraction(fifths, 5))

    def __str__(self) -> str:
        return f"quintile({float(self.q * 5):g})"
'''

PROOF = """# Quintile

**Claim.** A quintile has the envelope and the score of the [quantile](quantile.md) that it is.

**Tests** enumerate every small dataset and every pair of neighbours: `tests/statistics/test_quintile.py`.
"""

TESTS = '''"""The quintile against its definition, on every small dataset."""

import math

from noisewise import Quintile
from tests.kernel.laws.statistic_laws import StatisticLaws


class TestQuintile(StatisticLaws):
    statistic = Quintile(1)
    answer = staticmethod(lambda x: sorted(x)[max(1, math.ceil(len(x) / 5)) - 1] if x else 0)
'''

REGISTRATION = '''

from noisewise.statistics.quintile import Quintile  # noqa: E402


@question(Capabilities(time=SAME))
def quintile(fifths: int, **keywords: Unpack[BoundedOrPrivate]) -> Binding:
    """A private quintile of a column of numbers: so many fifths of the records are at or below it.

    Args:
        fifths: Which quintile, 1 to 4.

    Examples:
        >>> nws.quintile(incomes, 2, bounds=(0, 1_000_000), epsilon=1.0)
    """
    return of_statistic(Quintile(fifths), **keywords)
'''

USED = """
import inspect, io, contextlib
import pandas as pd
import noisewise as nws
from noisewise.dataset.grouped import Grouped

asked = {"bounds": (0, 30), "epsilon": 60, "granularity": 1}
rows = pd.DataFrame({"x": [float(i) for i in range(30)] * 4, "k": ["a", "b"] * 60})
data = nws.Dataset(rows)
by = data.group_by("k", keys=["a", "b"])
assert nws.quintile(rows["x"], 1, **asked).value == 5
assert "quintile" in dir(nws) and "quintile" in nws.__all__ and "Quintile" in nws.__all__
assert "fifths: Which quintile" in inspect.getdoc(nws.quintile)
assert data.quintile("x", 1, **asked).value == 5 and "column:" in inspect.getdoc(nws.Dataset.quintile)
assert by.quintile("x", 1, **asked).value == (4, 5) and callable(Grouped.quintile)
question = nws.ask.quintile("x", 1, **asked)
assert repr(question).startswith("ask.quintile('x', 1")
assert data.agg(low=question)["low"].value == 5 and by.agg(low=question).value == (4, 5)
assert nws.plan("quintile", 1, bounds=(0, 30), epsilon=1).statistic == "quintile(1)"
assert nws.plan(nws.Quintile(1), bounds=(0, 30), epsilon=1).statistic == "quintile(1)"
assert nws.release(nws.Quintile(1), rows["x"], **asked).value == 5
rows.to_csv("rows.csv")
"""

CHECKS = [
    "tests/statistics/test_quintile.py::TestQuintile::test_envelope_holds_brute_force",
    "tests/test_every_question.py::test_every_question_has_a_call",
    "tests/test_every_question.py::test_every_call_is_answered[quintile]",
    "tests/questions/test_registered.py::test_every_list_is_that_of_the_registered_questions",
    "tests/questions/test_functions.py::test_help_is_there[quintile]",
    "tests/questions/test_functions.py::test_every_keyword_reaches_the_release[quintile]",
    "tests/dataset/test_methods.py::test_every_function_is_a_method_with_its_keywords[quintile]",
    "tests/vectors/test_vectors.py::test_every_public_statistic_has_vectors",
    "tests/vectors/test_vectors.py::test_every_public_function_has_a_receipt",
    "tests/vectors/test_vectors.py::test_envelopes_are_what_they_were[Quintile]",
    "tests/vectors/test_vectors.py::test_receipts_say_what_they_said[quintile]",
    "tests/test_docs.py::test_the_reference_has_every_public_name_with_its_meaning_and_an_example",
    "tests/test_rules.py::test_no_law_without_a_proof",
    "tests/test_rules.py::test_every_law_has_tests",
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with a statistic more."""
    place = tmp_path_factory.mktemp("project")
    for name in ("src", "scripts", "docs", "tests"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__", "gallery"))
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "CITATION.cff", "tach.toml"):
        shutil.copy(ROOT / name, place / name)
    source = place / "src" / "noisewise"
    (source / "statistics" / "quintile.py").write_text(STATISTIC)
    (place / "docs" / "proofs" / "quintile.md").write_text(PROOF)
    (place / "tests" / "statistics" / "test_quintile.py").write_text(TESTS)
    with (source / "questions" / "functions" / "order.py").open("a") as file:
        file.write(REGISTRATION)
    run(place, "scripts/registered.py")
    run(place, "-m", "tests.vectors.write")
    return place


def run(place: Path, *arguments: str) -> str:
    environment = os.environ | {"PYTHONPATH": f"{place / 'src'}{os.pathsep}{place}"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_registered_statistic_can_be_asked_everywhere(copy: Path) -> None:
    run(copy, "-c", USED)


def test_a_registered_statistic_is_a_command_with_help(copy: Path) -> None:
    run(copy, "-c", USED)
    asked = ("--column", "x", "--fifths", "1", "--bounds", "0", "30", "--epsilon", "60", "--granularity", "1")
    assert run(copy, "-m", "noisewise", "quintile", "rows.csv", *asked).startswith("quintile(1) of x = 5")
    assert "Which quintile" in run(copy, "-m", "noisewise", "quintile", "--help")
    assert "Quintile of a column" in run(copy, "-m", "noisewise", "--help")


def test_a_registered_statistic_is_in_the_reference_and_known_to_type_checkers(copy: Path) -> None:
    page = (copy / "docs" / "reference.md").read_text()
    assert "::: noisewise.questions.functions.order.quintile\n" in page and "::: noisewise.Quintile\n" in page
    source = copy / "src" / "noisewise"
    assert "import quintile as quintile\n" in (source / "__init__.pyi").read_text()
    assert "quintile = of_column(_order.quintile)\n" in (source / "dataset" / "method_types.pyi").read_text()


def test_what_looks_at_every_statistic_passes(copy: Path) -> None:
    run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", *CHECKS)
