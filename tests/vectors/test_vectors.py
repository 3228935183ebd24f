"""Envelopes, draws, receipts and ledgers are to the last bit what they were when their vectors were written."""

import json
import os
from fractions import Fraction

import pytest

import noisewise as nws
from noisewise.questions.question import KINDS
from tests.vectors import brute, definitions, files, ours, write
from tests.vectors.draw_cases import BUDGETS, DRAWS, ledger, receipt
from tests.vectors.questions import QUESTIONS
from tests.vectors.statistic_cases import STATISTICS, VECTORS, redrawn, statistic

MOST = 40_000
"""So many bytes has a file at most: small enough to be read."""
SAID = "a change on purpose is a new law with a new name; see CONTRIBUTING.md, What lasts"


def held(folder, name, made):
    """Compared part by part, so that a failure shows where they part."""
    kept, now = files.read(folder, name), files.told(name, made)
    for key in kept:
        assert now.get(key) == kept[key], f"{folder}/{name}: {key} is not what it was; {SAID}"
    assert list(now) == list(kept)


@pytest.mark.parametrize("name", [*STATISTICS, *VECTORS])
def test_envelopes_are_what_they_were(name):
    held("statistics", name, statistic(name))


@pytest.mark.parametrize("name", DRAWS)
def test_a_seed_gives_what_it_gave(name):
    held("draws", name, DRAWS[name]())


@pytest.mark.parametrize("name", QUESTIONS)
def test_receipts_say_what_they_said(name):
    held("receipts", name, receipt(name))


@pytest.mark.parametrize("kind", BUDGETS)
def test_ledgers_write_what_they_wrote(kind):
    held("ledgers", kind, ledger(kind))


# Nothing is left out


def test_every_public_statistic_has_vectors():
    public = {
        name
        for name in nws.__all__
        if isinstance(kind := getattr(nws, name), type)
        and issubclass(kind, nws.Statistic)
        and kind is not nws.Statistic
    }
    assert public == set(STATISTICS)


def test_every_public_function_has_a_receipt():
    assert set(KINDS) <= {name.partition("-")[0] for name in QUESTIONS}


def test_every_mechanism_that_can_be_named_has_a_receipt():
    told = [files.read("receipts", name)["to_dict"]["mechanism"] for name in QUESTIONS]
    assert {kind.name for kind in ours.MECHANISMS.values()} <= set(told)


def test_every_vector_is_looked_at_and_they_stay_small():
    made = {files.path(folder, name) for folder, name, _ in write.vectors()}
    there = {file for folder in files.FOLDERS for file in (files.HERE / folder).glob("*")}
    assert there == made == set(files.HERE.glob("*/*.json"))
    assert max(file.stat().st_size for file in there) < MOST


def test_most_levels_are_those_of_brute_force():
    """What is frozen as it is now is also right: of the levels that can be enumerated, nearly all are exact."""
    exact = [
        level
        for name in STATISTICS
        for case in files.read("statistics", name)["cases"]
        for level in case.get("brute") or []  # scores have no levels
    ]
    assert len(exact) > 800 and sum(exact) > 0.9 * len(exact)


# The tools


def test_what_is_written_is_not_written_over(tmp_path, monkeypatch, capsys):
    said = {"a": 1}
    monkeypatch.setattr(files, "HERE", tmp_path)
    monkeypatch.setattr(write, "vectors", lambda: iter([("laws", "some-law/1", lambda: {"cases": [said]})]))
    assert write.main([]) == 0
    written = files.path("laws", "some-law/1").read_text(encoding="utf-8")
    assert json.loads(written) == {"of": "some-law/1", "cases": [{"a": 1}]}
    assert write.main([]) == 0
    said["a"] = 2
    assert write.main([]) == 1
    assert "kept as it is, though it would change: laws/some-law/1" in capsys.readouterr().err
    assert files.path("laws", "some-law/1").read_text(encoding="utf-8") == written
    assert write.main(["--replace", "laws/some-law/1"]) == 0
    assert files.read("laws", "some-law/1")["cases"] == [{"a": 2}]


def test_seeds_end_where_they_should():
    system = os.urandom
    with ours.seeded(4):
        first = nws.count([1, 2, 3], epsilon=1).value
        assert len(os.urandom(5)) == 5
    with ours.seeded(4):
        assert nws.count([1, 2, 3], epsilon=1).value == first
    assert os.urandom is system


def test_definitions_of_a_few_numbers():
    one = Fraction(1)
    assert definitions.gini((0, 1), one / 2) == 1
    assert definitions.triangles(((0, 1), (0, 2), (1, 2)), one) == 1
    assert definitions.spearman(((0, 0), (1, 5), (2, 9)), one / 4) == 4
    assert definitions.std((0, 2), one / 4) == 4
    assert len(redrawn(((0, 1),), 3)) == 3
    assert brute.neighbours((1, 2), (0, 2), "swap") == {(0, 2), (2, 2), (0, 1), (1, 2)}
