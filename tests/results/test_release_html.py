"""A notebook shows releases with their receipts, plans, ledgers, and only the schema of a Dataset."""

import polars as pl
import pytest

import noisewise as nws
from noisewise import ask
from noisewise.results.release_html import promises_of
from tests.results.pictures.pages import parsed

SECRET = 987654321
FRAME = pl.DataFrame({"<k>": ["a", "b"] * 50, "x": [SECRET] * 100})


def shown(thing):
    page = parsed(thing._repr_html_())
    assert "script" not in page.tags
    return page


def test_a_release_is_shown_with_its_receipt_and_its_promises():
    release = nws.mean([1, 2, 3] * 50, bounds=(0, 5), epsilon=1, interval=0.9)
    page = shown(release)
    assert (
        f"mean = {release.printed(release.value)}" in page.text and "pure differential privacy" in page.text
    )
    assert "Promise." in page.text and "Nobody has more than 1 record." in page.text
    assert all(line[15:] in page.text for line in repr(release).splitlines()[1:])


def test_several_numbers_are_a_picture_and_a_table():
    release = nws.histogram([1, 2, 3] * 50, [0, 2, 5], epsilon=1)
    page = shown(release)
    assert {"svg", "table"} <= page.tags and all(f"{count:,}" in page.text for count in release.value)


def test_groups_and_several_answers():
    data = nws.Dataset(FRAME)
    by = data.group_by("<k>", keys=["a", "<b>"])
    page = shown(by.agg(n=ask.count(epsilon=1), q=ask.quantiles("x", [0.5], bounds=(0, 9), epsilon=1)))
    assert "<b>" in page.text and "svg" in page.tags
    page = shown(data.agg(epsilon=1, n=ask.count(), q=ask.quantiles("x", [0.5], bounds=(0, 9))))
    assert "n: count" in page.text and "together: ε = 1" in page.text


def test_long_answers_are_cut():
    page = shown(nws.histogram([1], list(range(0, 204, 2)), epsilon=1))
    assert "51 more rows" in page.text


def test_of_a_dataset_only_what_is_declared_is_shown(tmp_path):
    page = shown(nws.Dataset(FRAME, unit="<k>", contributions=2, name="staff"))
    assert "<k>, x" in page.text and "staff" in page.text and "add_remove" in page.text
    assert str(SECRET) not in page.text and "100" not in page.text


def test_plans_have_tables_and_pictures():
    plan = nws.plan("median", bounds=(0, 1000), epsilon=1)
    assert "svg" in shown(plan).tags and str(plan) in shown(plan).text
    assert "table" in shown(nws.plan({"n": ask.count(epsilon=1)})).tags
    assert "no questions" in shown(nws.plan({})).text
    assert "table" in shown(nws.sweep("count", epsilons=[1, 2])).tags


@pytest.mark.parametrize(
    ("keywords", "promise"),
    [
        ({"neighbors": "swap"}, "How many records there are may be public."),
        ({"contributions": 3}, "Nobody has more than 3 records."),
    ],
)
def test_promises_are_those_of_the_caller(keywords, promise):
    release = nws.median([1, 2, 3], bounds=(0, 5), epsilon=1, **keywords)
    assert promises_of(release) == [promise, "The bounds were chosen without looking at the data."]


def test_promises_of_tables():
    data = nws.Dataset(FRAME, unit="<k>")
    grouped = data.group_by("<k>", keys=["a"]).count(epsilon=1)
    people = "The column <k> names every person, by one name each."
    bins = "The bins were chosen without looking at the data."
    assert promises_of(data.histogram("x", [0, 5], epsilon=1)) == [people, bins]
    assert promises_of(grouped) == [people, "The groups by <k> were known without looking at the data."]
