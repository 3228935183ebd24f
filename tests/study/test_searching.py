"""Groups of a study that are searched for: one debit for the search and the answers, and nothing fails after it."""

import json
from fractions import Fraction

import pytest

import noisewise as nws
from noisewise.dataset.document import StudyError
from noisewise.errors import ParameterError, SchemaError
from noisewise.kernel.losses import ApproxDP
from noisewise.questions.composites.key_selection import KeySelection
from noisewise.study.searching import SearchedGroups
from noisewise.study.study import Study
from tests.study.worlds import SEARCHED, STUDY, made


def test_a_search_is_paid_with_its_question_by_one_debit(tmp_path):
    study = Study.read(made(tmp_path, SEARCHED))
    price = study.price()
    assert price.losses["pay"] == ApproxDP(9, 0.01) and price.total == ApproxDP(9.5, 0.01)
    assert "delta" in str(price)
    release = study.run()
    (entry,) = nws.Ledger.open(tmp_path / "staff.ledger").entries()
    assert (entry.loss, entry.unit) == (price.total, "person") and "keys of dept by" in entry.memo
    assert "in these groups" in entry.memo and "1 groups" not in entry.memo
    table = json.loads((tmp_path / "staff.release/release.json").read_text())["answers"][0]["table"]
    assert table["columns"] == ["dept", "pay", "low", "high", "n"]
    assert [row[0] for row in table["rows"]] == ["A", "B"], (
        "sixty rows of thirty people: certain at this price"
    )
    assert release["pay"]["losses"]["stated"] == ApproxDP(9, 0.01).to_dict()
    assert "the groups were found for" in str(release["pay"])


def test_the_number_of_groups_that_are_found_refuses_nothing_after_the_debit(tmp_path, monkeypatch):
    def check(question, groups, work, *, batched):
        if groups > 1:
            raise ParameterError("keys", "must be fewer")

    monkeypatch.setattr("noisewise.dataset.grouped.check_many", check)
    assert len(Study.read(made(tmp_path, SEARCHED)).run()["pay"]["value"]) == 2


def test_the_debit_comes_before_the_search(tmp_path, monkeypatch):
    study, steps = Study.read(made(tmp_path, SEARCHED)), []
    answer, debit = KeySelection.answer, nws.Ledger.debit
    monkeypatch.setattr(KeySelection, "answer", lambda *a, **k: steps.append("search") or answer(*a, **k))
    monkeypatch.setattr(nws.Ledger, "debit", lambda *a, **k: steps.append("debit") or debit(*a, **k))
    study.run()
    assert steps == ["debit", "search"]


def test_where_no_group_is_found_the_table_has_no_rows(tmp_path):
    file = made(tmp_path, SEARCHED)
    (tmp_path / "staff.csv").write_text("person,dept,salary\n")
    release = Study.read(file).run()
    assert (tmp_path / "staff.release/pay.csv").read_text() == "dept,pay,low,high,n\n"
    assert release["pay"]["value"] in ([], ())


def test_an_answer_without_a_search_is_refused(tmp_path):
    study = Study.read(made(tmp_path, SEARCHED))
    data = study.dataset()
    grouped = data.group_by("dept", keys=["A"])
    selection = grouped.selection_of(data, ("dept",), 1, 0.1)
    with pytest.raises(AssertionError, match="found first"):
        SearchedGroups(selection, selection).answer()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("key_delta = 0.01\n", "", "pay needs key_delta too"),
        ("key_epsilon = 8\n", "", "pay needs key_epsilon or key_rho too"),
        (
            "key_epsilon = 8\n",
            "key_epsilon = 8\nkey_rho = 1\n",
            "key_rho must be left out where key_epsilon is",
        ),
        ("key_epsilon = 8\n", "key_rho = 65\n", "key_rho must be above 0 and at most 64"),
        (
            "key_epsilon = 8\nkey_delta = 0.01",
            "key_rho = 1e-9\nkey_delta = 1e-30",
            "key_rho must be larger, or",
        ),
        (
            "key_epsilon = 8\nkey_delta = 0.01\n",
            "",
            "pay needs keys, the groups you know without the data, here or in",
        ),
        ('group_by = "dept"\n', "", "pay needs group_by"),
        (
            "key_delta = 0.01",
            'key_delta = 0.01\nkeys = ["A"]',
            "key_epsilon must be left out where keys are given",
        ),
        ("delta = 0.1\n\n", "delta = 0.1\nspend = 1\n\n", "key_epsilon must be left out where"),
        ("key_delta = 0.01", "key_delta = 2", "delta must be above 0 and below 1"),
        (
            "key_epsilon = 8\nkey_delta = 0.01",
            "key_epsilon = 0.001\nkey_delta = 1e-30",
            "epsilon must be larger, or",
        ),
        ('unit = "person"\n', "", "must be given to find groups where a person may"),
        ("bounds = [0, 100]", "bounds = [9, 1]", "bounds must have lowest < highest"),
        ("epsilon = 20", "epsilon = 3", "must cost no more than the budget"),
        ('column = "salary"\n', "", "median needs column"),
        (
            'question = "median"\ncolumn = "salary"\nbounds = [0, 100]\nepsilon = 1\n'
            "interval = 0.9\nwith_count = true\n",
            'question = "count"\nepsilon = 0.0001\nmechanism = "piecewise_laplace"\n',
            "must be .*laplace.* for count in groups that are searched for",
        ),
    ],
)
def test_what_is_wrong_is_refused_before_anything_is_paid(tmp_path, old, new, said):
    assert old in SEARCHED
    with pytest.raises((ParameterError, SchemaError, StudyError, nws.NoisewiseError), match=said):
        Study.read(made(tmp_path, SEARCHED.replace(old, new, 1))).run()
    assert not list(tmp_path.glob("*.ledger*"))


def test_a_pure_budget_cannot_pay_a_delta(tmp_path):
    text = SEARCHED.replace("epsilon = 20\ndelta = 0.1", "epsilon = 20")
    with pytest.raises(nws.NoisewiseError):
        Study.read(made(tmp_path, text)).run()
    assert not list(tmp_path.glob("*.ledger*"))


def test_a_search_of_typed_columns_is_bound_without_looking(tmp_path):
    typed = SEARCHED.replace('file = "staff.csv"', 'file = "staff.csv"\ntypes = {salary = "number"}')
    by_two = typed.replace('group_by = "dept"', 'group_by = ["dept", "salary"]').replace(
        'column = "salary"', 'column = "person"'
    )
    for text in (typed, by_two):
        Study.parse(text).check()
    study = Study.read(made(tmp_path, by_two))
    assert study.run().names == ("pay", "all")


def test_a_search_is_written_down_and_read_back(tmp_path):
    study = Study.read(made(tmp_path, SEARCHED))
    assert Study.parse(study.to_toml()) == study != Study.parse(STUDY)
    assert "group_by('dept', epsilon=8, delta=0.01).median(" in study.to_python()
    data = study.dataset()
    back = Study.of(data, study.asked(data), file="staff.csv")
    assert (
        back.questions[0].search == (8, nws.kernel.numbers.exact.exact("delta", 0.01))
        or "key_delta = 0.01" in back.to_toml()
    )
    assert "keys =" not in back.to_toml() and back.price().losses == study.price().losses


def test_groups_are_found_and_answered_in_rho(tmp_path):
    text = SEARCHED.replace("key_epsilon = 8", "key_rho = 4").replace("\nepsilon = 1\n", "\nrho = 0.01\n", 1)
    study = Study.read(made(tmp_path, text))
    price = study.price()
    assert price.losses["pay"].delta == Fraction(2, 100)
    study.run()
    entry = next(iter(nws.Ledger.open(tmp_path / "staff.ledger").entries()))
    assert entry.loss == price.total
    assert "group_by('dept', rho=4, delta=0.01)" in study.to_python()
    assert Study.parse(study.to_toml()).questions[0].search == {"rho": 4, "delta": Fraction(1, 100)}
