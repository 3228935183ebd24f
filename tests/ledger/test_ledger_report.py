"""The report reads like a page and holds the same numbers for machines."""

import json
import pickle
import re
from fractions import Fraction

import pytest

import noisewise as nws
from noisewise.kernel.losses import ZCDP, ApproxDP, BoundedRange, PureDP
from noisewise.ledger.amounts import Amount
from noisewise.ledger.ledger import Ledger
from noisewise.ledger.ledger_report import budget_picture
from tests.results.pictures.pages import parsed

ASKED = {"neighbors": "add_remove", "contributions": 1}


@pytest.fixture
def ledger(tmp_path):
    ledger = Ledger.open(tmp_path / "staff.ledger", ZCDP(0.5), name="staff")
    ledger.debit(BoundedRange(1), memo="median by piecewise-laplace/1", **ASKED)
    ledger.debit(ZCDP(0.125), memo="something wider", **ASKED)
    return ledger


def test_a_report_prints_spent_remaining_and_history(ledger, tmp_path):
    lines = str(ledger.report()).splitlines()
    opened = ledger.report().to_dict()["opened"]
    times = [entry.time for entry in ledger.entries()]
    assert lines == [
        f"ledger     {tmp_path / 'staff.ledger'}, opened {opened}",
        "name       staff",
        "budget     ρ = 0.5, zero-concentrated differential privacy",
        "protects   one record, added or removed",
        "spent      ρ ≤ 0.2484",
        "remaining  ρ 0.2516 of 0.5",
        "entries    2",
        "",
        "entry  time                  ε       ρ  δ  memo",
        f"    1  {times[0]}  1  0.1234  0  median by piecewise-laplace/1",
        f"    2  {times[1]}      0.125  0  something wider",
    ]


def test_a_report_is_a_text_wherever_it_is_shown(ledger):
    report = ledger.report()
    assert repr(report) == str(report) == f"{report}" == "" + report
    assert isinstance(report, str)
    again = pickle.loads(pickle.dumps(report))
    assert (again, again.to_dict()) == (report, report.to_dict())


def test_a_report_is_ready_for_json(ledger):
    record = json.loads(json.dumps(ledger.report().to_dict()))
    entries = list(ledger.entries())
    assert record["spent"] == ledger.spent.to_dict()
    assert record["remaining"] == ledger.remaining.to_dict()
    assert (record["name"], record["neighbors"], record["unit"], record["contributions"]) == (
        "staff",
        "add_remove",
        None,
        1,
    )
    assert [each["hash"] for each in record["entries"]] == [entry.hash for entry in entries]
    assert record["entries"][1]["cost"] == {"epsilon": None, "rho": "1/8", "delta": "0"}
    assert record["ledger"] == entries[0].ledger


@pytest.mark.parametrize(
    ("terms", "protects"),
    [
        ({}, "one record, added or removed"),
        ({"neighbors": "swap"}, "one record, replaced by any other"),
        ({"contributions": 3}, "one person, added or removed, who has at most 3 records"),
        ({"unit": "person_id"}, "one person_id with all its records, added or removed"),
        ({"unit": "id", "contributions": 3}, "one id with all its records, added or removed"),
        ({"unit": "a\nb"}, r"one a\nb with all its records, added or removed"),
        ({"unit": "edge", "contributions": 2}, "one person, added or removed, who has at most 2 edges"),
    ],
)
def test_a_report_says_whom_it_protects(tmp_path, terms, protects):
    report = Ledger.open(tmp_path / "x.ledger", PureDP(1), **terms).report()
    assert f"protects   {protects}\n" in report
    assert "name  " not in report and "kept aside" not in report
    assert report.endswith("\nspent      ε = 0\nremaining  ε 1 of 1\nentries    0")  # and no empty table
    assert report.to_dict()["conversion_delta"] is None


def test_what_remains_of_an_approximate_budget_is_the_largest_release_that_fits(tmp_path):
    ledger = Ledger.open(tmp_path / "x.ledger", ApproxDP(1, 1e-6))
    ledger.debit(BoundedRange(0.25), memo="median", **ASKED)
    assert "\nremaining  ε 0.75 of 1, δ 5e-07 of 1e-06\n" in ledger.report()
    assert "\nspent      ε = 0.25, δ = 0, as counted; the promise is the budget\n" in ledger.report()


def test_the_deltas_of_a_report_add_up(tmp_path):
    ledger = Ledger.open(tmp_path / "x.ledger", ApproxDP(1, 1e-5), conversion_delta=4e-6)
    ledger.debit(ApproxDP(0.01, 1e-6), memo="keys", **ASKED)
    report = ledger.report()
    assert report.to_dict()["conversion_delta"] == "4e-06"
    assert "\nspent      ε = 0.01, δ = 1e-06, as counted; the promise is the budget\n" in report
    assert " of 1, δ 5e-06 of 1e-05\nkept aside δ = 4e-06, for adding up in zCDP\n" in report
    ledger.debit(ZCDP(0.001), memo="something wider", **ASKED)
    report = ledger.report()
    assert ", δ = 5e-06, as counted; the promise is the budget\nremaining" in report
    assert (
        " of 1, δ 5e-06 of 1e-05\nkept aside δ = 4e-06, for adding up in zCDP, counted as spent\n" in report
    )


def test_a_memo_is_one_line_whatever_it_holds(tmp_path):
    ledger = Ledger.open(tmp_path / "x.ledger", PureDP(1))
    memo = "a\ud800\n\x1b[31mFAKE\n    9  2026 ε"
    ledger.debit(PureDP(1), memo=memo, **ASKED)
    report = ledger.report()
    assert report.splitlines()[-1].endswith(r"  a\ud800\n\x1b[31mFAKE\n    9  2026 ε")
    assert report.encode() and report.to_dict()["entries"][0]["memo"] == memo


@pytest.mark.parametrize("budget", [nws.PureDP(4), nws.ZCDP(4), nws.ApproxDP(4, 1e-6)])
def test_the_picture_grows_with_what_is_spent(tmp_path, budget):
    with nws.Ledger.open(tmp_path / "l", budget=budget) as ledger:
        empty = ledger.plot()
        for _ in range(12):
            nws.median([1, 2], bounds=(0, 3), epsilon=0.1, ledger=ledger)
        heights = [float(y) for y in re.findall(r'cy="([0-9.]+)"', ledger.plot().svg)]
        assert heights == sorted(heights, reverse=True) and heights[0] > heights[-1] and len(heights) == 13
        assert empty.svg.count("<circle") == 1 and "12 entries" in ledger.plot().svg
        page = parsed(ledger._repr_html_())
        assert "svg" in page.tags and "the last 10 of 12 entries" in page.text and "median" in page.text


def test_many_entries_are_thinned_out_and_clocks_may_fall_back():
    spent = [
        (
            f"2026-01-{1 + i // 1000:02}T00:00:{(7 * i) % 60:02}Z",
            Amount(Fraction(i), Fraction(0), Fraction(0)),
        )
        for i in range(1, 2001)
    ]
    terms = nws.ledger.budget.Terms.of(nws.PureDP(4000))
    svg = budget_picture(terms, "2026-01-01T00:00:00Z", spent).svg
    xs = [float(x) for x in re.findall(r'cx="([0-9.]+)"', svg)]
    assert xs == sorted(xs) and len(xs) < 320 and "2,000 of 4,000" in svg


def test_a_budget_in_rho_says_what_it_is_worth_at_a_delta(ledger):
    report = ledger.report(delta=1e-6)
    budget, spent = ZCDP(0.5).as_approx(1e-6), ledger.spent.as_approx(1e-6)
    assert dict(report.facts)["worth"] == "ε ≤ 5.22154 at δ = 1e-06; spent ε ≤ 3.52893 at δ = 1e-06"
    assert report.to_dict()["worth"] == {"budget": budget.to_dict(), "spent": spent.to_dict()}
    assert "The budget is worth" in ledger.registry(delta=1e-6) and "worth" not in ledger.registry()
    assert "5.22154" in nws.report(ledger, delta=1e-6).html


@pytest.mark.parametrize(
    ("budget", "delta"), [(PureDP(1), 1e-6), (ApproxDP(1, 1e-6), 1e-6), (ZCDP(1), 0), (ZCDP(1), 1)]
)
def test_the_worth_is_asked_of_a_budget_in_rho_at_a_chance(tmp_path, budget, delta):
    with pytest.raises(nws.errors.ParameterError, match=r"^delta must"):
        Ledger.open(tmp_path / "a.ledger", budget).report(delta=delta)
