"""Today's code opens, verifies, resumes and reports files that earlier code wrote.

The files in ``kept/`` were written by version 0.2.0.dev0 and never change: ledgers of every budget with receipts,
cards, reports and records for a registry, and a study that was killed after two of three answers. Some of their
questions (expectile, k_stars, transitivity, spanning_tree_cost) may not be asked any more.
"""

import json
import pickle
import shutil
import sqlite3
from pathlib import Path

import polars as pl
import pytest
import yaml

import noisewise as nws

KEPT = Path(__file__).parent / "kept"
RELEASES = json.loads((KEPT / "releases.json").read_text(encoding="utf-8"))


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return shutil.copytree(KEPT, tmp_path / "kept")


@pytest.mark.parametrize("name", RELEASES)
def test_a_ledger_opens_and_verifies_its_receipts(kept: Path, name: str) -> None:
    ledger = nws.Ledger.open(kept / f"{name}.ledger")
    written = RELEASES[name]
    assert str(ledger.spent) == written["spent"] and len(list(ledger.entries())) == written["entries"]
    receipts = [receipt["receipt"] for receipt in written["receipts"]]
    assert ledger.verify(*receipts) == written["entries"]
    forged = {**receipts[0], "hash": receipts[1]["hash"]}
    with pytest.raises(nws.LedgerError):
        ledger.verify(forged)


@pytest.mark.parametrize("name", RELEASES)
def test_a_ledger_goes_on_to_pay(kept: Path, name: str) -> None:
    unit = "edge" if name == "graph" else None
    ledger = nws.Ledger.open(kept / f"{name}.ledger")
    before = len(list(ledger.entries()))
    if unit:
        nws.triangles([(0, 1), (1, 2), (0, 2)], nodes=5, epsilon=0.01, ledger=ledger)
    else:
        nws.count([1.0, 2.0], epsilon=0.01, ledger=ledger)
    assert ledger.verify() == before + 1
    assert _formats(kept / f"{name}.ledger") == {1}


def _formats(path: Path) -> set[int]:
    raw = sqlite3.connect(path)
    bodies = [json.loads(body) for (body,) in raw.execute("SELECT body FROM rows")]
    raw.close()
    return {body["format"] for body in bodies}


def test_a_new_ledger_has_the_new_format_and_says_how_many_records_of_a_person_a_group_has(
    tmp_path: Path,
) -> None:
    ledger = nws.Ledger.open(tmp_path / "new.ledger", nws.ZCDP(1), unit="id")
    rows = {"id": [1, 1, 1, 2], "g": ["a", "a", "b", "b"], "x": [1, 2, 3, 4]}
    people = nws.Dataset(pl.DataFrame(rows), unit="id", contributions=3, per_group=2, ledger=ledger)
    counted = people.group_by("g", keys=["a", "b"]).count(rho=0.1)
    alone = people.count(rho=0.1)
    assert [entry.per_group for entry in ledger.entries()] == [2, None]
    assert counted.receipt.to_dict()["per_group"] == 2 and "per_group" not in alone.receipt.to_dict()
    assert ledger.verify(counted, alone, counted.card()) == 2
    assert _formats(tmp_path / "new.ledger") == {2}
    with pytest.raises(nws.LedgerError):
        ledger.verify({**counted.receipt.to_dict(), "per_group": 1})


@pytest.mark.parametrize("name", RELEASES)
def test_a_ledger_says_the_same_numbers_in_reports_and_registry(kept: Path, name: str) -> None:
    ledger = nws.Ledger.open(kept / f"{name}.ledger")
    record, before = (
        yaml.safe_load(text)["deployment"]
        for text in (ledger.registry(), (KEPT / f"{name}-registry.yaml").read_text(encoding="utf-8"))
    )
    assert record["privacy_loss"]["privacy_parameters"] == before["privacy_loss"]["privacy_parameters"]
    assert record["basic"]["name"] == before["basic"]["name"] and set(record) == set(before)
    for entry in ledger.entries():
        assert entry.memo in str(ledger.report())


def test_cards_are_reported_beside_their_ledger(kept: Path) -> None:
    ledger = nws.Ledger.open(kept / "pure.ledger")
    page = nws.report(RELEASES["pure"]["cards"], ledger=ledger).html
    for card in RELEASES["pure"]["cards"]:
        assert card["law"] in page


def test_a_study_that_was_killed_goes_on_and_pays_nothing_again(kept: Path) -> None:
    folder = kept / "study"
    lines = (folder / "staff.release" / "release.partial.jsonl").read_text().splitlines()
    answers = {answer["name"]: answer["card"] for answer in map(json.loads, lines[1:])}
    release = nws.Study.read(folder / "staff.toml").run()
    assert (list(answers), release.kept) == (["pay", "heads"], 2)
    assert {name: release[name] for name in answers} == answers
    assert list(release.names) == ["pay", "heads", "parts"]
    assert nws.Ledger.open(folder / "staff.ledger").verify() == 1


def test_a_pickled_ledger_is_opened_again(kept: Path) -> None:
    """A pickle names the function that opens a ledger, the file, and the hash of its first entry."""
    path, receipt = kept / "pure.ledger", RELEASES["pure"]["receipts"][0]["receipt"]
    written = f"cnoisewise.privacy.ledger\n_reopen\n(V{path}\nNV{receipt['ledger']}\ntR.".encode()
    ledger = pickle.loads(written)
    assert ledger.name == "staff-pure" and ledger.verify() == RELEASES["pure"]["entries"]
