"""A ledger in pictures: every entry a step towards the budget."""

import re
from fractions import Fraction

import pytest

import noisewise as nws
from noisewise.ledger.amounts import Amount
from noisewise.ledger.ledger_html import budget_picture
from tests.results.pictures.pages import parsed


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
