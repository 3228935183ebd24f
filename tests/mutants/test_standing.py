"""Every mutant names a text that stands exactly once in its file, and tests that exist: checked without running one."""

import re
from functools import cache

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


def test_every_mutant_breaks_a_line_that_stands_once() -> None:
    wrong = {slug(mutant): mistake for mutant in MUTANTS if (mistake := _mistake(mutant))}
    assert wrong == {}


def _mistake(mutant: Mutant) -> str:
    """What is wrong with a mutant; empty where it can be run."""
    if not (ROOT / "src" / "noisewise" / mutant.file).exists():
        return f"{mutant.file} is gone"
    if (count := _source(mutant.file).count(mutant.old)) != 1:
        return f"the line stands {count} times in {mutant.file}"
    if mutant.new == mutant.old:
        return "it breaks nothing"
    named = mutant.tests.partition(" -k ")[0].split()
    missing = [name for name in named if not _stands(name)]
    return f"these tests are missing: {missing}" if missing else "" if named else "it names no test"


@cache
def _source(file: str) -> str:
    return (ROOT / "src" / "noisewise" / file).read_text(encoding="utf-8")


def _stands(name: str) -> bool:
    """Whether a node id is of a file or a folder that is there, and of a class and a test that some file writes."""
    file, *inside = name.partition("[")[0].split("::")
    return (ROOT / file).exists() and WRITTEN.issuperset(inside)
