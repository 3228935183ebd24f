"""Pictures of releases hold what was released, and nothing else."""

import re
from dataclasses import replace
from datetime import date
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import ParameterError

RECORDS = [1, 2, 2, 3, 5, 8, 9] * 40


def drawn(picture):
    """The titles of the marks of a picture."""
    marks = [
        each for each in ElementTree.fromstring(picture.svg).iter() if each.tag.endswith(("rect", "circle"))
    ]
    return [each[0].text for each in marks if len(each)]


def test_counts_are_bars_with_their_noise():
    release = nws.histogram(RECORDS, [0, 2, 6, 10], epsilon=1, interval=0.9)
    names = ("[0, 2)", "[2, 6)", "[6, 10]")
    assert release.names == names and release.form == "counts"
    assert drawn(release.plot()) == [
        f"{name}: {value:,} ({low:,} to {high:,})"
        for name, value, low, high in zip(names, release.value, *release.interval, strict=True)
    ]
    words = " ".join(re.sub("<[^>]*>", " ", release.plot().svg).split())
    assert "With probability 90% all true numbers lie at once in their intervals." in words
    places = re.findall(r'class="bar f0" x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)"', release.plot().svg)
    widths = [float(wide) for _, wide in places]
    assert widths[1] == pytest.approx(2 * widths[0], abs=1.1), "bins of numbers stand on a true scale"


def test_a_crosstab_is_a_heat_map_and_a_single_answer_has_its_interval():
    table = nws.Dataset(pl.DataFrame({"a": ["x", "y"] * 20, "b": ["p"] * 40}))
    svg = table.crosstab(["a", "b"], {"a": ["x", "y"], "b": ["p", "q"]}, epsilon=1).plot().svg
    assert svg.count('class="cell f0"') == 4
    one = nws.median(RECORDS, bounds=(0, 10), epsilon=1, interval=0.9).plot().svg
    assert one.count('class="whisker"') == 1 and one.count("<circle") == 1


def test_a_distribution_and_quantiles():
    ecdf = nws.ecdf(RECORDS, 3, bounds=(0, 10), epsilon=1)
    assert drawn(ecdf.plot()) == [f"{value}: {share}" for value, share in ecdf.value]
    five = nws.five_number_summary(RECORDS, bounds=(0, 10), epsilon=1)
    names = ("min", "lower quartile", "median", "upper quartile", "max")
    assert drawn(five.plot()) == [f"{name}: {value}" for name, value in zip(names, five.value, strict=True)]
    quantiles = nws.quantiles(RECORDS, [0.5, "2/3"], bounds=(0, 10), epsilon=1)
    assert quantiles.names == ("0.5", "2/3") and "ε = 1, pure" in quantiles.plot().svg


def test_dates_are_drawn_without_an_axis_of_numbers():
    data = nws.Dataset(pl.DataFrame({"day": [date(2024, 1, day) for day in range(1, 29)]}))
    release = data.quantiles("day", [0.25, 0.75], bounds=(date(2024, 1, 1), date(2024, 2, 1)), epsilon=9)
    said = drawn(release.plot())
    assert said == [f"{q}: {value}" for q, value in zip(("0.25", "0.75"), release.value, strict=True)]
    assert not re.search(r">7\d\d,\d\d\d<", release.plot().svg)


def test_groups_are_rows():
    frame = pl.DataFrame({"k": ["a", "b"] * 50, "x": range(100)})
    by = nws.Dataset(frame).group_by("k", keys=["a", "b", "<c>"])
    mean = by.mean("x", bounds=(0, 100), epsilon=9, interval=0.9)
    assert [each.partition(":")[0] for each in drawn(mean.plot())] == ["a", "b", "<c>"]
    several = by.agg(n=nws.ask.count(epsilon=1), h=nws.ask.histogram("x", [0, 50, 100], epsilon=1))
    assert len(drawn(several.plot("h"))) == 6 and len(drawn(several.plot("n"))) == 3
    for name in (None, "x"):
        with pytest.raises(ParameterError, match="must be that of one answer"):
            several.plot(name)


def test_a_single_number_and_a_matrix_have_no_picture():
    with pytest.raises(
        ParameterError, match="must be asked of several numbers, for median, got a single answer"
    ):
        nws.median(RECORDS, bounds=(0, 10), epsilon=1).plot()
    with pytest.raises(ParameterError, match="a matrix"):
        nws.covariance(np.array([[0, 1]] * 9), bounds=(0, 2), epsilon=1).plot()


def test_what_is_not_private_says_so():
    release = nws.hazmat.replay(nws.Quantile("1/2"), RECORDS, seed=1, bounds=(0, 10), epsilon=1)
    assert "NOT PRIVATE" in replace(release, value=(1, 2)).plot().svg


def test_axes_show_the_label_and_the_unit_of_measure():
    facts = {"pay": nws.Column(bounds=(0, 100), label="Yearly pay", measure="dollars")}
    data = nws.Dataset(pl.DataFrame({"pay": [10, 20, 30] * 20, "k": ["a", "b", "a"] * 20}), columns=facts)
    grouped = data.group_by("k", keys=["a", "b"]).mean("pay", epsilon=1, interval=0.9)
    for release in (
        data.histogram("pay", [0, 50, 100], epsilon=1),
        data.median("pay", epsilon=1, interval=0.9),
        data.quantiles("pay", [0.25, 0.75], epsilon=1),
        grouped,
    ):
        assert re.search(r'text-anchor="middle">Yearly pay \(dollars\)</text>', release.plot().svg), (
            release.what
        )
