"""Every mutant names a text that stands exactly once in its file, and tests that exist: checked without running one."""

import re

import pytest

from tests.mutants.gathered import MUTANTS, ROOT, slug
from tests.mutants.mutant import Mutant

WRITTEN = {
    name
    for file in (ROOT / "tests").rglob("*.py")
    for name in re.findall(r"^ *(?:class|def) (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE)
}
"""Names of all classes and functions of the tests: a class may inherit what it is asked for."""


def test_no_two_mutants_have_one_name() -> None:
    names = [slug(mutant) for mutant in MUTANTS]
    assert len(names) > 600
    assert sorted({name for name in names if names.count(name) > 1}) == []


@pytest.mark.parametrize("mutant", MUTANTS, ids=slug)
def test_a_mutant_breaks_a_line_that_stands_once(mutant: Mutant) -> None:
    source = ROOT / "src" / "noisewise" / mutant.file
    assert source.exists(), f"{mutant.file} is gone"
    assert source.read_text(encoding="utf-8").count(mutant.old) == 1
    assert mutant.new != mutant.old
    named = mutant.tests.partition(" -k ")[0].split()
    assert named and [name for name in named if not _stands(name)] == []


def _stands(name: str) -> bool:
    """Whether a node id is of a file or a folder that is there, and of a class and a test that some file writes."""
    file, *inside = name.partition("[")[0].split("::")
    return (ROOT / file).exists() and WRITTEN.issuperset(inside)
