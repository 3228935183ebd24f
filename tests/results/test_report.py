"""The report has every answer and card, marks promises and blanks, and says whether the ledger is intact."""

import json

import polars as pl
import pytest

import noisewise as nws
from noisewise import ask
from noisewise.errors import ParameterTypeError
from tests.ledger.books.tampering import tamper
from tests.results.pictures.pages import parsed

FRAME = pl.DataFrame({"id": range(100), "dept": ["A", "<B>"] * 50, "x": range(100)})
LAYERS = [
    "Privacy parameters (ε, δ) and budget",
    "Unit of privacy",
    "Algorithms and correctness",
    "Utility",
    "Bias",
    "Access control",
    "Trust models",
    "Side channels",
    "Data collection exposure",
]
"""The blocks of the pyramid of NIST SP 800-226, from the top down."""


@pytest.fixture
def ledger(tmp_path):
    return nws.Ledger.open(tmp_path / "<l>.ledger", budget=nws.PureDP(10), unit="id")


@pytest.fixture
def releases(ledger):
    data = nws.Dataset(FRAME, unit="id", ledger=ledger)
    return [
        data.median("x", bounds=(0, 99), epsilon=1, interval=0.9),
        data.histogram("x", [0, 50, 100], epsilon=1, interval=0.9),
        data.group_by("dept", keys=["A", "<B>"]).mean("x", bounds=(0, 99), epsilon=1),
        data.agg(epsilon=1, n=ask.count(), q=ask.quantiles("x", [0.25, 0.75], bounds=(0, 99))),
    ]


def words(card):
    """All texts in a card, however deep."""
    if isinstance(card, dict):
        return [word for value in card.values() for word in words(value)]
    if isinstance(card, list):
        return [word for value in card for word in words(value)]
    return [] if card is None else [str(card)]


def test_every_answer_and_card_is_in_it(ledger, releases, tmp_path):
    page = nws.report(releases, tmp_path / "r.html", ledger=ledger, title="Staff <2026>")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == page.html
    read = parsed(page.html)
    assert not read.tags & {"script", "link", "img", "iframe", "object", "a"}
    assert not any("http" in (value or "") for value in read.values if "w3.org/2000/svg" not in (value or ""))
    for release in releases:
        assert release.card()["statement"] in read.text
        assert [word for word in words(release.card()) if word not in read.text] == []
    assert releases[0].interval_sentence()[1:] in read.text and page.html.count("<svg") >= 4
    assert (
        "Verified: 4 entries, none edited, removed or reordered; 4 receipts of this page are among them"
        in read.text
    )
    places = [page.html.find(f"<h3>{each}</h3>") for each in LAYERS]
    assert -1 not in places and places == sorted(places) and "Staff <2026>" in read.text
    assert read.text.index("budget") < read.text.index("Answer 1: median of x") < read.text.index("Card 1")


def test_promises_and_blanks_are_marked(releases):
    page = nws.report(releases)
    assert page.html.count('class="promise"') == 5 and page.html.count('class="blank"') == 5
    text = parsed(page.html).text
    assert "Promise. The bounds were chosen without looking at the data." in text
    assert "no ledger was given that counts them" in text and "4 releases: ε = 4, " in text
    without = nws.median([1, 2], bounds=(0, 5), epsilon=1, contributions=3)
    assert "Promise. Nobody has more than 3 records." in parsed(nws.report(without).html).text


def test_cards_do_as_well(ledger, releases):
    card = json.loads(json.dumps(releases[0].card()))
    text = parsed(nws.report([card], ledger=ledger).html).text
    assert (
        "Answer 1: median of x" in text and card["statement"] in text and "1 receipt of this page is" in text
    )
    assert "Promise. The column id names every person" in text
    assert "what was released" in parsed(nws.report(ledger).html).text


def test_what_nobody_counted_or_drew_from_a_seed_is_said(ledger):
    unpaid = nws.median([1, 2], bounds=(0, 5), epsilon=1)
    seeded = nws.hazmat.replay(nws.Quantile("1/2"), [1, 2], seed=1, bounds=(0, 5), epsilon=1)
    text = parsed(nws.report([unpaid, seeded], ledger=ledger).html).text
    assert "This answer carries no receipt: the budget above does not count it." in text
    assert "NOT PRIVATE: drawn from a seed." in text


def test_a_ledger_that_was_edited_is_not_believed(ledger, releases, tmp_path):
    ledger.close()
    tamper(
        tmp_path / "<l>.ledger", "UPDATE rows SET body = replace(body, 'median', 'count') WHERE number = 1"
    )
    text = parsed(nws.report(ledger).html).text
    assert "Verification failed: " in text and "histogram" not in text


def test_a_receipt_of_another_ledger_is_not_believed(releases, tmp_path):
    other = nws.Ledger.open(tmp_path / "other.ledger", budget=nws.PureDP(10), unit="id")
    text = parsed(nws.report(releases[0], ledger=other).html).text
    assert "Verification failed: " in text and "Verified: " not in text


@pytest.mark.parametrize("wrong", [3, "staff.ledger", {"what": "median"}, [3]])
def test_what_is_no_release_is_refused(wrong):
    with pytest.raises(ParameterTypeError, match="must be of a ledger, or of releases or their cards"):
        nws.report(wrong)
