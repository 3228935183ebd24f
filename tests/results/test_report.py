"""The report has every answer and card, marks promises and blanks, and says whether the ledger is intact."""

import html
import json
import re

import polars as pl
import pytest

import noisewise as nws
from noisewise import ask
from noisewise.errors import ParameterError, ParameterTypeError
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
    assert releases[0].interval_sentence()[1:] in read.text and page.html.count("<svg") >= 5
    assert (
        "Ledger verified: 4 entries, none edited, removed or reordered. The answers are paid by entries 1, 2, 3, 4."
        in read.text
    )
    places = [page.html.find(f"<h3>{each}</h3>") for each in LAYERS]
    assert -1 not in places and places == sorted(places) and "Staff <2026>" in read.text
    headings = ["Summary", "The answers, one by one", "What is promised", "Budget", "For an evaluation"]
    order = [page.html.find(f">{each}</h2>") for each in (*headings, "Technical details")]
    assert -1 not in order and order == sorted(order)
    assert str(tmp_path) not in page.html, "no path of the machine is told"


def summary(page):
    """The rows of the summary: the texts of their cells."""
    found = page.html.split('<table class="summary">')[1].split("</table>")[0]
    rows = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in found.split("<tr>")[1:]]
    return [[html.unescape(cell) for cell in row] for row in rows]


def test_the_summary_names_every_group_with_its_value_interval_and_share(ledger):
    data = nws.Dataset(FRAME, unit="id", ledger=ledger)
    by_dept = data.group_by("dept", keys=["A", "<B>"])
    pay = by_dept.mean("x", bounds=(0, 99), epsilon=2, interval=0.9, with_count=True)
    bins = data.histogram("x", list(range(0, 101, 10)), epsilon=1, interval=0.9)
    many = data.group_by("id", keys=list(range(100))).count(epsilon=1)
    head, *rows = summary(nws.report({"Pay": pay, "Bands": bins, "Each": many}, ledger=ledger))
    assert head == ["name", "group", "value", "90% interval", "n", "share of budget"]
    frame, answer = pay.frame, pay.each["mean_x"]
    expected = [
        [
            "Pay" if index == 0 else "",
            key,
            answer.printed(value),
            f"{answer.printed(low, -1)} to {answer.printed(high, 1)}",
            f"{n:,}",
            "20%" if index == 0 else "",
        ]
        for index, (key, value, low, high, n) in enumerate(
            zip(frame["dept"], answer.value, *answer.interval, answer.count, strict=True)
        )
    ]
    assert rows[:2] == expected
    least, most = min(bins.value), max(bins.value)
    assert rows[2][:3] == ["Bands", "10 bins", f"{least} to {most}"] and rows[2][3].startswith("each ±")
    assert rows[2][5] == "10%" and rows[3][:2] == ["Each", "100 groups"]
    assert len(rows) == 4


def test_the_promise_is_said_once_with_what_a_guess_becomes(releases, ledger):
    text = parsed(nws.report(releases, ledger=ledger).html).text
    assert text.count("can make any guess about a person at most 54.6 times as likely") == 1
    # a guess of 50 in 100 becomes at most e^4 / (1 + e^4), rounded up
    assert "50 in 10098.3 in 100" in text and "1 in 10035.6 in 100" in text
    in_rho = nws.Dataset(FRAME).count(rho=0.5)
    assert "believed afterwards" not in parsed(nws.report(in_rho).html).text
    assert "believed afterwards" in parsed(nws.report(in_rho, delta=1e-6).html).text


def test_what_was_guaranteed_is_listed_once_and_blanks_are_marked(releases):
    page = nws.report(releases)
    assert page.html.count('class="blank"') == 5
    text = parsed(page.html).text
    for each in (
        "The bounds were chosen without looking at the data.",
        "The bins were chosen without looking at the data.",
        "The groups by dept were known without looking at the data.",
        "The column id names every person, by one name each.",
    ):
        assert text.count(each) == 1
    assert "No ledger was given." in text and "together: ε = 4, " in text
    without = nws.median([1, 2], bounds=(0, 5), epsilon=1, contributions=3)
    assert "Nobody has more than 3 records." in parsed(nws.report(without).html).text


def test_cards_do_as_well(ledger, releases):
    card = json.loads(json.dumps(releases[0].card()))
    page = nws.report([card], ledger=ledger)
    text = parsed(page.html).text
    assert "median of x" in text and card["statement"] in text
    assert "The answer is paid by entry 1." in text and str(card["value"]) in summary(page)[1]
    assert "The column id names every person" in text
    assert "Budget" in parsed(nws.report(ledger).html).text


def test_what_nobody_counted_or_drew_from_a_seed_is_said(ledger):
    unpaid = nws.median([1, 2], bounds=(0, 5), epsilon=1)
    seeded = nws.hazmat.replay(nws.Quantile("1/2"), [1, 2], seed=1, bounds=(0, 5), epsilon=1)
    text = parsed(nws.report([unpaid, seeded], ledger=ledger).html).text
    assert "This answer carries no receipt: the budget below does not count it." in text
    assert "NOT PRIVATE: drawn from a seed." in text


@pytest.mark.parametrize("name", ["x.pdf", "x", "x.docx"])
def test_other_files_than_html_are_refused(tmp_path, name, releases):
    with pytest.raises(ParameterError, match=r"path must end in \.html"):
        nws.report(releases, tmp_path / name)
    assert not (tmp_path / name).exists()


def test_two_hundred_answers_make_a_page_of_less_than_two_megabytes(releases):
    page = nws.report({f"answer {n}": releases[n % 4] for n in range(200)})
    assert len(page.html.encode()) < 2_000_000 and page.html.count("<svg") >= 200
    assert page.html.count("prefers-color-scheme:dark") == 2, "the style of pictures stands in it once"


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
    assert "Verification failed: " in text and "Ledger verified" not in text


@pytest.mark.parametrize("wrong", [3, "staff.ledger", {"what": "median"}, [3]])
def test_what_is_no_release_is_refused(wrong):
    with pytest.raises(ParameterTypeError, match="must be of a ledger, or of releases or their cards"):
        nws.report(wrong)
