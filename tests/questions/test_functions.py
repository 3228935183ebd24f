"""The questions as functions: one signature, and each the statistic it says it is."""

import inspect
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.hazmat import SeededBits
from noisewise.questions import functions

KEYWORDS = {
    "bounds": inspect.Parameter.empty,
    "epsilon": inspect.Parameter.empty,
    "granularity": None,
    "neighbors": "add_remove",
    "contributions": 1,
    "mechanism": "auto",
    "ledger": None,
    "bounds_share": None,
    "interval": None,
    "with_count": False,
}
DATA = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9]


@dataclass(frozen=True)
class Question:
    """What a function takes beside the common keywords, and a way to call it."""

    statistic: Any
    extra: tuple[str, ...] = ()
    values: tuple[Any, ...] = ()
    bounds: Any = (0, 10)
    step: Any = 3
    columns: tuple[str, ...] = ("data",)
    own: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    mechanism: str = "inverse_sensitivity"

    @property
    def keywords(self):
        alone = self.bounds is not None and len(self.columns) == 1
        hidden = {"bounds": self.bounds is None, "bounds_share": not alone}
        return {k: v for k, v in KEYWORDS.items() if not hidden.get(k)}

    @property
    def data(self):
        """As a statistic takes it: one column, or a tuple of them."""
        return DATA if len(self.columns) == 1 else (DATA, DATA[::-1])

    @property
    def arguments(self):
        """As the function takes it."""
        return (self.data, *self.values) if len(self.columns) == 1 else (*self.data, *self.values)

    def asked(self, **more):
        return {**({} if self.bounds is None else {"bounds": self.bounds}), "epsilon": 1, **more}


SHARE = Fraction(1, 4)
MODEL, SCORE, XY = ("y_true", "y_pred"), ("y_true", "y_score"), ("x", "y")
FUNCTIONS = {
    "median": Question(nws.Quantile("1/2")),
    "min": Question(nws.Quantile(0)),
    "max": Question(nws.Quantile(1)),
    "quantile": Question(nws.Quantile("1/3"), ("q",), ("1/3",)),
    "count": Question(nws.Count(), bounds=None, optional=("category",)),
    "sum": Question(nws.Sum()),
    "mean": Question(nws.Mean()),
    "proportion": Question(nws.Proportion(), bounds=None, step=SHARE, optional=("category",)),
    "variance": Question(nws.Variance()),
    "std": Question(nws.Std(), step=1),
    "trimmed_mean": Question(nws.TrimmedMean("0.1"), ("alpha",), (0.1,)),
    "winsorized_mean": Question(nws.WinsorizedMean("0.1"), ("alpha",), (0.1,)),
    "weighted_mean": Question(nws.WeightedMean(), columns=("data", "weights"), mechanism="balance"),
    "expectile": Question(nws.Expectile("0.1"), ("tau",), (0.1,), mechanism="balance"),
    "huber_mean": Question(nws.HuberMean(2), ("c",), (2,), mechanism="balance"),
    "ratio": Question(
        nws.Ratio(), columns=("numerator", "denominator"), own=("ceiling",), mechanism="balance"
    ),
    "rate": Question(nws.Rate(), columns=("events", "exposure"), own=("per", "ceiling"), mechanism="balance"),
    "gini": Question(nws.Gini(), step=SHARE),
    "iqr": Question(nws.IQR()),
    "range": Question(nws.Range()),
    "spread": Question(nws.Spread("0.1", "0.9"), ("low", "high"), (0.1, 0.9)),
    "mad": Question(nws.MAD()),
    "theil_sen": Question(nws.TheilSen(), columns=XY, own=("intercept_bounds", "parts")),
    "pearson": Question(nws.Pearson(), columns=XY, step=SHARE),
    "spearman": Question(nws.Spearman(), bounds=None, columns=XY, step=SHARE),
    "accuracy": Question(nws.Accuracy(), bounds=None, step=SHARE, columns=MODEL),
    "mae": Question(nws.MAE(), columns=MODEL),
    "mse": Question(nws.MSE(), columns=MODEL),
    "rmse": Question(nws.RMSE(), columns=MODEL),
    "log_loss": Question(nws.LogLoss(), columns=MODEL),
    "r2": Question(nws.R2(), columns=MODEL, step=SHARE, own=("floor",)),
    "f1": Question(nws.F1(), bounds=None, step=SHARE, columns=MODEL),
    "auc": Question(nws.AUC(), bounds=None, step=SHARE, columns=SCORE),
}
"""Every function that is one statistic, of a column or of rows."""

RELEASES = {
    "count_distinct",
    "count_interval",
    "covariance",
    "crosstab",
    "degree_quantile",
    "ecdf",
    "five_number_summary",
    "histogram",
    "k_stars",
    "linear_regression",
    "mean_interval",
    "median_interval",
    "most_common",
    "principal_component",
    "private_bounds",
    "proportion_interval",
    "quantile_interval",
    "quantiles",
    "spanning_tree_cost",
    "transitivity",
    "triangles",
    "vector_mean",
}
"""Functions that are a release of their own, or ask a graph or a table: tested in tests/releases, tests/functions."""


@pytest.fixture
def seeded(monkeypatch):
    """The system's bits replaced by a seed, so that two equal questions have equal answers."""
    monkeypatch.setattr("noisewise.laws.law.SystemBits", lambda: SeededBits(7))
    monkeypatch.setattr("noisewise.laws.balance_law.SystemBits", lambda: SeededBits(7))
    monkeypatch.setattr("noisewise.laws.permute_and_flip.SystemBits", lambda: SeededBits(7))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_keywords_are_the_same_everywhere_and_in_order(name):
    parameters, question = inspect.signature(getattr(nws, name)).parameters, FUNCTIONS[name]
    assert list(parameters) == [
        *question.columns,
        *question.extra,
        *question.optional,
        *question.keywords,
        *question.own,
    ]
    for keyword, default in question.keywords.items():
        assert parameters[keyword].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters[keyword].default == default
    for positional in (*question.columns, *question.extra):
        assert parameters[positional].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        assert parameters[positional].default is inspect.Parameter.empty


def test_every_public_function_is_listed_here():
    assert set(functions.__all__) == set(FUNCTIONS) | RELEASES


@pytest.mark.parametrize("name", sorted(RELEASES))
def test_releases_take_the_keywords_in_the_same_order(name):
    parameters = list(inspect.signature(getattr(nws, name)).parameters)
    common = [k for k in KEYWORDS if k in parameters]
    assert [k for k in parameters if k in common] == common
    assert {"epsilon", "neighbors", "contributions", "ledger"} <= set(parameters)
    assert f"nws.{name}(" in inspect.getdoc(getattr(nws, name))


BESIDES = [
    (nws.release, (nws.Mean(), [1.0])),
    (nws.plan, (nws.Mean(),)),
    (nws.simulate, (nws.Mean(), [1.0])),
    (nws.hazmat.law, (nws.Mean(), [1.0])),
]


@pytest.mark.parametrize("function, given", BESIDES, ids=["release", "plan", "simulate", "law"])
def test_functions_about_any_statistic_show_the_same_keywords(function, given):
    """Their source says ``**keywords``: the signature, the help and a wrong call must name every one."""
    parameters = list(inspect.signature(function).parameters)
    common = ["bounds", "epsilon", "granularity", "neighbors", "contributions", "mechanism"]
    assert [k for k in parameters if k in common] == common
    assert [k for k in parameters if f"    {k}: " not in inspect.getdoc(function)] == []
    name = function.__name__
    with pytest.raises(ParameterTypeError, match=rf"^{name}\(\) got an .* 'bound'; did you mean 'bounds'\?$"):
        function(*given, bound=(0, 1), epsilon=1)
    with pytest.raises(ParameterTypeError, match=rf"^{name}\(\) missing a required argument: 'epsilon'$"):
        function(*given, bounds=(0, 1))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_is_there(name):
    text = inspect.getdoc(getattr(nws, name))
    question = FUNCTIONS[name]
    assert text.startswith("A private ")
    assert [
        k
        for k in (*question.extra, *question.keywords, *question.columns, *question.own)
        if f"    {k}: " not in text
    ] == []
    assert f">>> nws.{name}(" in text


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_its_statistic_released(name, neighbors):
    question = FUNCTIONS[name]
    asked = question.asked(neighbors=neighbors)
    released = getattr(nws, name)(*question.arguments, **asked)
    assert released.value == nws.hazmat.replay(question.statistic, question.data, seed=7, **asked).value
    assert released.statistic == str(question.statistic)
    assert released == nws.release(question.statistic, question.data, **asked)
    assert "asked" in str(released)


def test_names_of_builtins_exist_but_are_not_exported():
    namespace = {}
    exec("from noisewise import *", namespace)
    assert "min" not in namespace and "max" not in namespace
    assert namespace["median"] is nws.median
    assert nws.min is functions.min and nws.max is functions.max
    assert min(3, 4) == 3


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize(
    "asked",
    [
        {"bounds": (0, 10), "epsilon": 1},
        {"bounds": (0.0, 10.0), "epsilon": 0.5, "neighbors": "swap"},
        {"bounds": (0, 10), "epsilon": 2, "granularity": 0.5, "contributions": 2, "mechanism": "laplace"},
    ],
)
@pytest.mark.parametrize(("name", "q"), [("median", "1/2"), ("min", 0), ("max", 1)])
def test_a_named_quantile_is_that_quantile(name, q, asked):
    named, spelled = getattr(nws, name)(DATA, **asked), nws.quantile(DATA, q, **asked)
    assert named == spelled
    assert named.statistic == name
    assert named != nws.quantile(DATA, "1/3", **asked)


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize("q", [0.25, "1/4", "0.25", ".25", " 1/4 ", Fraction(1, 4)])
def test_q_is_a_number_or_text(q):
    released = nws.quantile(DATA, q, bounds=(0, 10), epsilon=1)
    assert released.statistic == "quantile(0.25)"
    assert released == nws.quantile(data=DATA, q=Fraction(1, 4), bounds=(0, 10), epsilon=1)


@pytest.mark.parametrize("q", [1.5, -0.1, "2", "half", "1/0", float("nan")])
def test_q_is_between_zero_and_one(q):
    with pytest.raises(ParameterError, match=r"^q must be "):
        nws.quantile(DATA, q, bounds=(0, 10), epsilon=1)


@pytest.mark.parametrize("q", [None, True, [0.5], 1j])
def test_q_is_a_real_number(q):
    with pytest.raises(ParameterTypeError, match=r"^q must be a real number, got "):
        nws.quantile(DATA, q, bounds=(0, 10), epsilon=1)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("missing", ["bounds", "epsilon"])
def test_bounds_and_epsilon_have_no_default(name, missing):
    question = FUNCTIONS[name]
    asked = question.asked()
    if asked.pop(missing, None) is not None:
        with pytest.raises(TypeError, match=rf"^{name}\(\) missing a required argument: '{missing}'"):
            getattr(nws, name)(*question.arguments, **asked)


def test_a_common_keyword_that_says_nothing_is_taken_everywhere():
    said = {"bounds": None, "granularity": None, "mechanism": "auto", "bounds_share": None}
    assert nws.histogram([1, 2], [0, 2, 4], epsilon=1, **said).value
    assert nws.count([1, 2], epsilon=1, bounds=None, bounds_share=None).value >= 0
    with pytest.raises(TypeError, match=r"histogram\(\) got an unexpected keyword argument 'granularity'"):
        nws.histogram([1, 2], [0, 2, 4], epsilon=1, granularity=2)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_unknown_keyword_is_named(name):
    question = FUNCTIONS[name]
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'eps'"):
        getattr(nws, name)(*question.arguments, **question.asked(eps=1))


MEANT = {
    "eps": "'epsilon'",
    "budget": "'epsilon'",
    "lower": r"bounds=\(lowest, highest\)",
    "max": r"bounds=\(lowest, highest\)",
    "clip": "'bounds'",
    "by": r'Dataset\(frame\).group_by\("dept", keys=\["A", "B"\]\)',
    "noise": "'mechanism'",
    "max_contributions": "'contributions'",
    "neighbours": "'neighbors'",
    "confidence": "'interval'",
}


@pytest.mark.parametrize("name", MEANT)
def test_a_keyword_of_another_library_leads_to_ours(name):
    asked = {"bounds": (0, 9), "epsilon": 1, name: 1}
    message = rf"^median\(\) got an unexpected keyword argument '{name}'; did you mean {MEANT[name]}\?$"
    frame = pl.DataFrame({"x": [1]})
    of_columns = (nws.ask.median, nws.Dataset(frame).median)
    held = name in ("max_contributions", "neighbours")  # said when a Dataset is made
    for ask in (nws.median, *(() if held else of_columns)):
        with pytest.raises(TypeError, match=message):
            ask("x" if ask is not nws.median else [1], **asked)
    with pytest.raises(TypeError, match=r"argument 'zzz'; it takes data, bounds, epsilon, "):
        nws.median([1], zzz=1, bounds=(0, 9), epsilon=1)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_keyword_reaches_the_release(name):
    class Ledger:
        def debit(self, loss, *, neighbors, contributions, memo):
            return f"{loss.epsilon} {neighbors} {contributions} {memo}"

    question, function = FUNCTIONS[name], getattr(nws, name)
    step = question.step
    asked = question.asked(epsilon=0.5, granularity=step, contributions=2, mechanism=question.mechanism)
    released = function(*question.arguments, ledger=Ledger(), **asked)
    version = f"{question.mechanism.replace('_', '-')}/1"
    assert released.receipt == f"1/2 add_remove 2 {released.statistic} by {version}"
    assert (released.granularity, released.bounds) == (step, question.bounds)
    assert function(*question.arguments, **question.asked(neighbors="swap")).neighbors == "swap"


@pytest.mark.parametrize(
    "bound", [date(2001, 1, 1), timedelta(1), np.datetime64("2001-01-01"), pd.Timestamp(0)]
)
def test_bounds_of_time_are_sent_to_a_dataset(bound):
    with pytest.raises(
        ParameterTypeError, match=r"must be a real number, got .*; dates and times are asked through a D"
    ):
        nws.median([1], bounds=(bound, bound), epsilon=1)


def test_a_keyword_is_suggested_only_where_it_is_nearly_the_same():
    with pytest.raises(ParameterTypeError, match="did you mean 'epsilon'"):
        nws.median([1], bounds=(0, 1), epsilom=1)
    with pytest.raises(ParameterTypeError, match=r"argument 'date'; it takes data, bounds, epsilon, "):
        nws.median([1], bounds=(0, 1), epsilon=1, date=1)
