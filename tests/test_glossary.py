"""The glossary explains every word that receipts and help texts use, and both lead to it."""

import json
import re
from pathlib import Path

import polars as pl
import pytest

import noisewise as nws
from noisewise.version import GLOSSARY
from tests.cli.running import invoke

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
RECEIPTS = [
    line
    for file in sorted((ROOT / "tests" / "vectors" / "receipts").glob("*.json"))
    for line in json.loads(file.read_text(encoding="utf-8"))["str"]
]
"""The lines of the printed receipts of all questions."""
ANCHORS = re.findall(r"\{#([\w-]+)\}", PAGE)
TERMS = {
    r"ε|epsilon": "epsilon",
    r"δ|delta": "delta",
    r"ρ|rho|zCDP": "rho",
    r"\bpure\b": "pure",
    r"approximate differential privacy": "approximate",
    r"differential privacy": "differential-privacy",
    r"added or removed|replaced by|add_remove|--neighbors": "neighbors",
    r"you guarantee": "promise",
    r"\brecords?\b": "record",
    r"\b(edge|node)s?\b": "edge",
    r"\bbounds?\b": "bounds",
    r"\bsteps? of\b|granularity": "granularity",
    r"\bbins?\b|\bcells\b": "bin",
    r"\bcategor(y|ies)\b": "category",
    r"\bgroups?\b|\bkeys?\b": "group",
    r"\bnoise\b": "noise",
    r"\binterval": "interval",
    r"\bledger\b": "ledger",
    r"\bmechanism\b": "mechanism",
    r"\bcontributions\b": "contributions",
    r"\bunit\b": "unit",
    r"\bauto\b": "auto",
}
"""Words that a reader may not know, with the entry that explains them."""


def test_every_law_of_a_receipt_has_an_entry():
    laws = {law for line in RECEIPTS for law in re.findall(r"[a-z][a-z0-9-]*(?=/\d)", line)}
    bare = {re.sub(r"-(l1|linf)$", "", law) for law in laws}
    assert len(bare) > 10 and bare - set(ANCHORS) == set()


def test_every_line_of_a_receipt_is_explained():
    labels = {label[1] for line in RECEIPTS if (label := re.match(r"  ([a-z]+(?: [a-z]+)?) {2,}\S", line))}
    labels -= {"team", "team   n"}
    explained = set(re.findall(r"^\| ([\w ]+?) \|", PAGE, re.M))
    assert {"privacy", "drawn by"} <= labels and {
        each for each in labels if len(each) > 1
    } - explained == set()


def test_every_term_of_receipts_and_help_has_an_entry():
    text = "\n".join([*RECEIPTS, invoke("--help").output, invoke("mean", "--help").output])
    used = {entry for term, entry in TERMS.items() if re.search(term, text)}
    assert used == set(TERMS.values()), "a term that nobody uses any more"
    of_the_theory = {"bounded-range", "lattice", "envelope", "law", "budget", "receipt", "release"}
    assert (used | of_the_theory) - set(ANCHORS) == set() and len(ANCHORS) == len(set(ANCHORS))


def test_receipts_help_and_reports_lead_to_it():
    assert (ROOT / GLOSSARY.partition(" in ")[0]).read_text(encoding="utf-8") == PAGE
    release = nws.median([1, 2], bounds=(0, 5), epsilon=1)
    several = nws.Dataset(pl.DataFrame({"x": [1, 2]})).agg(n=nws.ask.count(epsilon=1))
    for each in (release, several):
        assert str(each) == f"{each!r}\n  words        {GLOSSARY}"
    assert GLOSSARY in release._repr_html_() and GLOSSARY in nws.report(release).html
    for asked in ([], ["median"]):
        assert "docs/glossary.md" in re.sub(r"\s", "", invoke(*asked, "--help").output)
    assert GLOSSARY in (nws.Release.__doc__ or "")


@pytest.mark.parametrize("anchor", re.findall(r"\]\(#([\w-]+)\)", PAGE))
def test_its_own_links_lead_to_entries(anchor):
    assert anchor in ANCHORS
