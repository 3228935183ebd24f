"""The width of the smooth variants: said with the question, in its unit, and shown on its receipt."""

from datetime import date

import numpy
import polars
import pytest

import noisewise as nws
from tests.cli.running import invoke

DATA = [3.0, 5.0, 5.0, 5.0, 8.0]
ASKED = {"bounds": (0, 10), "epsilon": 1, "neighbors": "swap"}


@pytest.mark.parametrize("name", ["plm", "piecewise_laplace", "inverse", "inverse_sensitivity"])
def test_a_width_is_said_beside_the_name(name):
    law = nws.hazmat.law(nws.Quantile("1/2"), DATA, mechanism=name, smooth=2, **ASKED)
    assert [*law.cost([3, 4, 5, 6, 7])] == [0] * 5
    assert law.graded == (name in ("plm", "piecewise_laplace"))


def test_short_names_stand_for_the_long_ones():
    for short, name in (("plm", "piecewise_laplace"), ("inverse", "inverse_sensitivity")):
        assert nws.median(DATA, mechanism=short, **ASKED).mechanism == name
    compared = nws.compare("median", DATA, [1], mechanisms=["plm", "piecewise_laplace"], bounds=(0, 10))
    assert [each.mechanism.split()[0] for each in compared] == ["piecewise_laplace"]


def test_the_receipt_says_it():
    released = nws.median(DATA, mechanism="plm", smooth=2.5, **ASKED)
    assert released.to_dict()["smooth"] == released.card()["smooth"] == "2.5"
    assert "drawn by     piecewise-laplace/1, smooth = 2.5 (noisewise" in str(released)
    assert "smooth" not in nws.median(DATA, mechanism="plm", **ASKED).to_dict()
    several = nws.quantiles(DATA, [0.25, 0.75], mechanism="inverse", smooth=2, **ASKED)
    assert several.to_dict()["smooth"] == "2"


def test_the_same_width_by_an_object():
    made = nws.PiecewiseLaplace(epsilon=1, smooth=2)
    assert nws.median(DATA, mechanism=made, **ASKED).smooth == 2
    with pytest.raises(nws.ParameterError, match="epsilon must agree with the mechanism's own 1, got 2"):
        nws.median(DATA, mechanism=made, **{**ASKED, "epsilon": 2})
    with pytest.raises(nws.ParameterError, match="smooth must be left out unless mechanism is the name"):
        nws.median(DATA, mechanism=made, smooth=2, **ASKED)


@pytest.mark.parametrize("mechanism", ["auto", "balance", "laplace", "permute_and_flip"])
def test_only_the_two_mechanisms_have_a_width(mechanism):
    with pytest.raises(
        nws.ParameterError,
        match='unless mechanism is the name "piecewise_laplace" or "inverse_sensitivity", got 1',
    ):
        nws.median(DATA, mechanism=mechanism, smooth=1, **ASKED)


@pytest.mark.parametrize(
    "question", [nws.median, nws.iqr, lambda data, **own: nws.quantiles(data, [0.5], **own)]
)
def test_a_width_below_one_step_is_refused_before_the_debit(question, tmp_path):
    ledger = nws.Ledger.open(tmp_path / "l.ledger", budget=nws.PureDP(1), neighbors="swap")
    with pytest.raises(
        nws.ParameterError, match=r"smooth must be 0 or at least 2, a step of the answers, got 1$"
    ):
        question(DATA, mechanism="plm", smooth=1, granularity=2, ledger=ledger, **ASKED)
    assert ledger.spent == nws.PureDP(0)


def test_plans_say_it():
    plan = str(nws.plan("median", bounds=(0, 10), epsilon=1, mechanism="plm", smooth=2))
    assert "distances up to 2 count as none, as it is smooth; with probability 95% at most 11 people" in plan


def test_the_command_and_studies_take_a_width(tmp_path):
    (tmp_path / "d.csv").write_text("x\n1\n5\n9\n", encoding="utf-8")
    asked = ["median", str(tmp_path / "d.csv"), "--column", "x", "--bounds", "0", "10", "--epsilon", "1"]
    done = invoke(*asked, "--mechanism", "plm", "--smooth", "2")
    assert done.exit_code == 0 and "piecewise-laplace/1, smooth = 2" in done.output
    refused = invoke(*asked, "--mechanism", "plm", "--smooth", "0.5")
    assert refused.exit_code != 0 and "--smooth must be 0 or at least 1" in refused.output
    question = (
        'name = "mid"\nquestion = "median"\ncolumn = "x"\nbounds = [0, 10]\nepsilon = 1\nmechanism = "plm"\n'
    )
    (tmp_path / "s.toml").write_text(
        f'[data]\nfile = "d.csv"\n[budget]\nepsilon = 1\n[[ask]]\n{question}smooth = 2\n', encoding="utf-8"
    )
    study = nws.Study.read(tmp_path / "s.toml")
    study.check()
    assert "smooth = 2" in study.to_toml() and "smooth=2" in study.to_python()


def test_a_width_in_groups_and_intervals():
    frame = polars.DataFrame({"g": ["a", "b"] * 3, "x": [1, 2, 3, 4, 5, 6], "day": [date(2024, 1, 1)] * 6})
    grouped = nws.Dataset(frame).group_by("g", keys=["a", "b"])
    released = grouped.median("x", bounds=(0, 10), epsilon=1, mechanism="plm", smooth=2)
    assert released.to_dict()["smooth"] == "2"
    between = nws.median(frame["x"], bounds=(0, 10), epsilon=1, mechanism="plm", smooth=2, interval=0.95)
    assert between.smooth == 2 and between.interval is not None
    with pytest.raises(nws.ParameterError, match="smooth must be 0 for an interval"):
        nws.median_interval(frame["x"], bounds=(0, 10), epsilon=1, mechanism="plm", smooth=2)
    with pytest.raises(nws.ParameterError, match="smooth must be 0 between dates, times or durations, got 2"):
        nws.Dataset(frame).median(
            "day", bounds=(date(2024, 1, 1), date(2024, 2, 1)), epsilon=1, mechanism="plm", smooth=2
        )
    with pytest.raises(nws.ParameterError, match="smooth must be 0 where intercept_bounds are given"):
        nws.theil_sen(
            [1, 2], [1, 2], bounds=(0, 1), intercept_bounds=(0, 1), epsilon=1, mechanism="plm", smooth=1
        )
    with pytest.raises(nws.ParameterError, match="smooth must be 0 for vector mean"):
        nws.vector_mean(numpy.ones((2, 2)), bounds=(0, 10), epsilon=1, mechanism="plm", smooth=1)
