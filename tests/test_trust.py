"""Every mechanism has a page, and the files, proofs, vectors and mutants that it names exist."""

import re
from pathlib import Path

import pytest

from tests.mutants.gathered import MUTANTS

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs" / "mechanisms").glob("*.md"))
NOT_ONE = {"__init__", "choice", "mechanism", "scored"}
IDEAS = {(mutant.idea, mutant.file) for mutant in MUTANTS}


def test_every_mechanism_has_a_page():
    modules = {
        path.stem for path in (ROOT / "src" / "noisewise" / "kernel" / "mechanisms").glob("*.py")
    } - NOT_ONE
    assert modules <= {path.stem for path in PAGES}


def test_every_frozen_law_is_named_by_a_page():
    named = "".join(path.read_text(encoding="utf-8") for path in PAGES)
    laws = [path.name for path in (ROOT / "tests" / "vectors" / "laws").glob("*.json")]
    assert [law for law in laws if f"/laws/{law})" not in named] == []


def links(text):
    return [target.partition("#")[0] for target in re.findall(r"\]\(([^)#]+[^)]*)\)", text)]


TRUST = sorted((ROOT / "docs" / "trust").glob("*.md"))


@pytest.mark.parametrize(
    "path", [*PAGES, *TRUST, ROOT / "docs" / "concepts" / "soak.md"], ids=lambda path: path.stem
)
def test_links_lead_to_files(path):
    ours = [path.parent / each for each in links(path.read_text(encoding="utf-8")) if "://" not in each]
    assert ours and [each for each in ours if not each.exists()] == []


@pytest.mark.parametrize("path", [path for path in PAGES if path.stem != "index"], ids=lambda path: path.stem)
def test_a_page_has_each_kind_of_evidence_and_its_mutants_exist(path):
    text = path.read_text(encoding="utf-8")
    for row in ("| proof | [", "| code | [", "| tests | [", "| vectors | ["):
        assert row in text
    named = re.findall(r"^- \*(.+)\* \(`(.+)`\)$", text, re.M)
    assert named and set(named) <= IDEAS
