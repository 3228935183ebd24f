"""A card describes the release and its cost, survives JSON, and never promises more than the loss."""

import json
import math
import re
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

import noisewise as nws
from noisewise.kernel.losses import ZCDP, ApproxDP, PureDP

RELEASE = nws.median([1, 2, 3], bounds=(0, 10), epsilon=1)
FRAME = pl.DataFrame({"person": [1, 1, 2], "g": ["a", "b", "a"], "x": [1, 2, 3]})


def test_a_card_says_what_was_released_when_from_what_and_at_what_cost():
    card = RELEASE.card()
    assert {
        "what": "median",
        "statistic": "median",
        "value": RELEASE.value,
        "bounds": ["0", "10"],
        "granularity": "1",
        "neighbors": "add_remove",
        "unit": "record",
        "owns": "record",
        "contributions": 1,
        "people": None,
        "mechanism": "balance",
        "law": "balance/1",
        "version": nws.__version__,
        "ledger": None,
        "private": True,
        "card": 2,
    }.items() <= card.items()
    assert datetime.fromisoformat(card["when"]).utcoffset().total_seconds() == 0
    assert card["losses"]["stated"] == RELEASE.privacy.to_dict()
    assert card["losses"]["pure"]["epsilon"] == "1"
    assert card["losses"]["zcdp"]["rho_float"] == pytest.approx(0.4621171573)


@pytest.mark.parametrize(
    "release",
    [
        lambda: RELEASE,
        lambda: nws.quantiles([1, 2, 3], [0.25, 0.75], bounds=(0, 10), epsilon=1),
        lambda: nws.ecdf([1, 2, 3], 2, bounds=(0, 10), epsilon=1),
        lambda: (
            nws.Dataset(FRAME).group_by("g", keys=["a", "b"]).quantiles("x", [0.5], bounds=(0, 9), epsilon=1)
        ),
        lambda: (
            nws.Dataset(FRAME)
            .group_by("g", keys=["a", "b"])
            .agg(n=nws.ask.count(epsilon=1), m=nws.ask.median("x", bounds=(0, 9), epsilon=1))
        ),
    ],
)
def test_a_card_survives_json(release):
    card = release().card()
    assert json.loads(json.dumps(card)) == card


def test_the_unit_of_a_card_is_what_people_are_known_by():
    card = nws.Dataset(FRAME, unit="person", contributions=2).median("x", bounds=(0, 9), epsilon=1).card()
    assert (card["unit"], card["owns"], card["people"], card["contributions"]) == (
        "person",
        "record",
        "person",
        2,
    )
    assert "of whom at most 2 records took part" in card["statement"]


def test_a_loss_without_a_reading_in_a_currency_has_none_there():
    losses = replace(RELEASE, privacy=ZCDP(0.5)).card()["losses"]
    assert losses["pure"] is None and losses["zcdp"]["rho"] == "0.5"
    losses = replace(RELEASE, privacy=ApproxDP(1, 1e-6)).card()["losses"]
    assert losses["pure"] is None and losses["zcdp"] is None and losses["stated"]["delta"] == "1e-06"


@pytest.mark.parametrize("epsilon", [1e-6, 0.1, 1, 3, 10, 64])
def test_the_odds_of_a_statement_are_never_below_those_of_the_loss(epsilon):
    statement = replace(RELEASE, privacy=PureDP(epsilon)).card()["statement"]
    odds = float(statement.split("about a person at most ")[1].split(" times")[0])
    assert math.exp(epsilon) <= odds <= math.exp(epsilon) * 1.011


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "whether any one person, who has at most one record, is in the data at all"),
        (
            {"contributions": 3},
            "This holds if nobody has more records than that. Whoever asked guarantees this.",
        ),
        ({"contributions": 3, "people": "id"}, "any one person, of whom at most 3 records took part"),
        ({"neighbors": "swap"}, "what any one record says (how many records there are is public)"),
        ({"unit": "edge"}, "who has at most one edge"),
        ({"privacy": ZCDP(Fraction(1, 3))}, "rho = 0.334"),
        ({"privacy": ApproxDP(1, 1e-6)}, "except with a probability of 1.00e-6 (delta)"),
        ({"private": False}, "It is not private"),
    ],
)
def test_a_statement_says_whom_it_protects_and_how_well(changes, words):
    assert words in replace(RELEASE, **changes).card()["statement"]


def test_where_people_are_named_or_swapped_nothing_rests_on_a_promise():
    for changes in ({"people": "id"}, {"neighbors": "swap"}):
        assert "promise" not in replace(RELEASE, **changes).card()["statement"]


@pytest.mark.parametrize("epsilon", [700, 701, 710, 4096, 10**6])
def test_odds_of_hundreds_of_digits_are_a_power_of_ten(epsilon):
    statement = replace(RELEASE, privacy=PureDP(epsilon)).card()["statement"]
    odds = statement.split("about a person at most ")[1].split(" times")[0]
    power = int(odds.removeprefix("10^")) if "^" in odds else math.log10(float(odds))
    assert epsilon / math.log(10) <= power <= epsilon / math.log(10) * 1.000001 + 1


def test_what_is_swapped_is_compared_with_other_data():
    assert "as it would be without that person's data" in RELEASE.card()["statement"]
    swapped = replace(RELEASE, neighbors="swap").card()["statement"]
    assert (
        "as it would be with other data in the place of that person's" in swapped and "without" not in swapped
    )


def test_no_registrys_schema_is_claimed():
    """The fields are the library's own. No text may promise that a registry accepts them."""
    root = Path(__file__).parents[2]
    texts = [
        (root / page).read_text(encoding="utf-8")
        for page in (
            "README.md",
            "ARCHITECTURE.md",
            "docs/tutorial/budgets.md",
            "src/noisewise/results/card.py",
        )
    ]
    texts += [nws.Release.card.__doc__ or "", nws.GroupedRelease.card.__doc__ or ""]
    for text in texts:
        words = " ".join(text.split())
        assert not re.search(r"\b(for|of) (a |public |private )*regist(er|ry|ries)", words)
        assert all(found == "no registry's schema" for found in re.findall(r"\w+ registry\S* \w+", words))
    assert "no registry's schema" in " ".join((nws.Release.card.__doc__ or "").split())


@pytest.mark.parametrize(("budget", "says"), [(nws.ApproxDP(4, 1e-5), True), (ZCDP(1), False)])
def test_a_rho_says_what_it_is_worth_where_the_budget_has_a_delta(tmp_path, budget, says):
    ledger = nws.Ledger.open(tmp_path / "a.ledger", budget)
    release = nws.count([1, 2, 3], rho=0.25, ledger=ledger)
    worth = release.privacy.as_approx(1e-5)
    card = release.card()
    assert card["losses"].get("approx") == (worth.to_dict() if says else None)
    assert ("In epsilon and delta: whatever else somebody" in card["statement"]) == says
    line = "ρ = 0.25, zero-concentrated differential privacy" + (": ε ≤ 3.18898 at δ = 1e-05" if says else "")
    assert dict(release.receipt_facts)["privacy"] == (line,)
