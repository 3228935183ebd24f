"""Every mutant names a text that stands exactly once in its file, and tests that exist: checked without running one."""

import pytest

from tests.mutants.gathered import MUTANTS, ROOT, slug
from tests.mutants.mutant import Mutant


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
    named = [word.partition("::")[0] for word in mutant.tests.split() if word.startswith("tests/")]
    missing = [name for name in named if not (ROOT / name).exists()]
    assert named and missing == []
