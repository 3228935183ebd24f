"""A grouped release has answers by key, one cost and nothing secret."""

import json
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

import polars as pl
import pytest

from noisewise import ApproxDP, Dataset
from noisewise.dataset.grouped import column_name
from noisewise.dataset.methods import ask
from noisewise.kernel.losses import PureDP
from noisewise.results.grouped_release import GroupedRelease, column_of, with_keys

FRAME = pl.DataFrame({"k": [1, 2] * 200, "v": [5, 7] * 200})


def release(keys: list[int] | None = None) -> GroupedRelease:
    return Dataset(FRAME).group_by("k", keys=keys or [2, 1]).median("v", bounds=(0, 2000), epsilon=60)


def test_it_has_answers_by_key_and_one_cost() -> None:
    told = release()
    assert (told.value, len(told), told.privacy, told.receipt) == ((7, 5), 2, PureDP(60), None)
    assert told.keys.listed() == [2, 1]
    assert told.each["median_v"].value == told.about.value == (7, 5)


def test_it_prints_the_first_groups_and_the_cost() -> None:
    lines = repr(release()).splitlines()
    assert lines[:4] == [
        f"{release().each['median_v'].what} by k",
        "  k  median_v",
        "  2         7",
        "  1         5",
    ]
    assert "  privacy      ε = 60, pure differential privacy" in lines
    assert "  note         the price of all groups together: one person has at most 1 record in them" in lines
    assert not any("groups in all" in line for line in lines)
    many = repr(release(list(range(1, 5001)))).splitlines()
    assert many[12] == "  ... (5,000 groups in all)" and many[11].split()[0] == "10"


def test_it_is_json_with_its_keys() -> None:
    told = release().to_dict()
    assert json.loads(json.dumps(told))["keys"] == {"k": [2, 1]}
    assert (told["value"], told["statistic"], told["neighbors"]) == ((7, 5), "median", "add_remove")
    assert "each" not in told
    days = pl.DataFrame({"d": [date(2024, 1, 1)]})
    dated = Dataset(days).group_by("d", keys=[date(2024, 1, 1)]).count(epsilon=1)
    assert json.loads(json.dumps(dated.to_dict()))["keys"] == {"d": ["2024-01-01"]}


def test_it_has_a_card_in_step_with_that_of_a_release() -> None:
    card, single = release().card(), Dataset(FRAME).median("v", bounds=(0, 2000), epsilon=60).card()
    assert set(card) == set(single) | {"keys"}
    assert card["what"] == "median" and card["losses"]["stated"]["epsilon"] == "60"
    json.dumps(card)


def test_several_answers_lie_side_by_side() -> None:
    by = Dataset(FRAME).group_by("k", keys=[2, 1])
    told = by.agg(n=ask.count(epsilon=60), middle=ask.median("v", bounds=(0, 9), epsilon=60))
    assert told.value == ((200, 7), (200, 5))
    assert told.to_dict()["each"]["n"]["value"] == (200, 200)
    assert repr(told).splitlines()[:3] == [
        f"count, {told.each['middle'].what} by k",
        "  k    n  middle",
        "  2  200       7",
    ]
    json.dumps(told.card())


def test_it_names_the_columns_of_every_question() -> None:
    told = release()
    named = replace(told, each={"middle": replace(told.about, columns=("v",)), "other": told.about})
    first, *_ = repr(named).splitlines()
    assert first == f"median of v, {told.about.what} by k"


def test_whole_numbers_in_tuples_stay_whole() -> None:
    assert column_of(((1, 2), (3, None))) == [[1, 2], [3, None]]
    assert {type(each) for row in column_of(((1, 2), (3, 4))) for each in row} == {int}
    for mixed in (((1, 2), (3, 0.5)), ((1, 2**63), (3, 4)), ((1, (2, 0.5)), (3, (4, 1)))):
        first = column_of(mixed)[0][0]
        assert (first, type(first)) == (1.0, float)
    asked = {"bounds": (0, 9), "epsilon": 60}
    told = Dataset(FRAME).group_by("k", keys=[1, 2]).quantiles("v", [0.2, 0.8], **asked)
    assert told.frame.schema["quantiles_v"] == pl.List(pl.Int64)


def test_groups_that_were_found_say_what_that_cost() -> None:
    """Answers are published with their keys, so the stated loss is that of both. A note has the parts."""
    selection = Dataset(FRAME).group_by("k", epsilon=1, delta=1e-6).selection
    about = release().about
    told = with_keys(about, selection)
    assert told.privacy == ApproxDP(1 + about.privacy.as_pure().epsilon, Fraction(1, 10**6))
    assert told.notes[-1] == (
        "of this, the groups were found for ε = 1, δ = 1e-06, approximate differential privacy, and the answers drawn "
        f"for {about.privacy}"
    )
    assert with_keys(about, None) is about


def test_a_release_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        release().about = None  # type: ignore[misc]


@pytest.mark.parametrize(
    ("asked", "column"),
    [
        (ask.median("v", bounds=(0, 9), epsilon=1), "median_v"),
        (ask.quantile("v", 0.9, bounds=(0, 9), epsilon=1), "quantile_0.9_v"),
        (ask.quantile("v", q="1/3", bounds=(0, 9), epsilon=1), "quantile_1/3_v"),
        (ask.spread("v", low=0.1, high="0.9", bounds=(0, 9), epsilon=1), "spread_0.1_0.9_v"),
        (ask.trimmed_mean("v", 0.05, bounds=(0, 9), epsilon=1), "trimmed_mean_0.05_v"),
        (ask.count(epsilon=1), "count"),
    ],
)
def test_a_column_of_answers_is_named_by_the_question(asked: Any, column: str) -> None:
    assert column_name(asked, ("k",)) == column
    assert column_name(asked, (column,)) == f"{column}_answer"
    assert column_name(asked, (column, f"{column}_answer")) == f"{column}_answer_answer"


def test_the_frame_has_that_column() -> None:
    told = Dataset(FRAME).group_by("k", keys=[1, 2]).quantile("v", 0.25, bounds=(0, 9), epsilon=60)
    assert told.frame.columns == ["k", "quantile_0.25_v"]
