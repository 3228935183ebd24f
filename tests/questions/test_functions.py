"""The questions as functions: one signature, and each the statistic it says it is."""

import inspect
from datetime import date, timedelta
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

import noisewise as nws
from noisewise.errors import NoisewiseError, ParameterError, ParameterTypeError
from noisewise.hazmat import SeededBits
from noisewise.questions.keywords import DEFAULTS
from noisewise.questions.question import KINDS
from noisewise.statistics.statistic import ScoreStatistic
from tests.every_question import CALLS, STATISTICS

DATA = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9]
STEP = Fraction(1, 4)
UNPRICED = "epsilon or rho must be given, exactly one of them, got neither"
BOUNDED = {name for name, kind in KINDS.items() if "bounds" in kind.signature.parameters}


def data_for(name):
    """As the statistic takes it: one column, or a tuple of them."""
    return DATA if STATISTICS[name].columns == 1 else (DATA, DATA[::-1])


def call(name, **asked):
    """Ask the function."""
    data = data_for(name) if STATISTICS[name].columns == 2 else (data_for(name),)
    return getattr(nws, name)(*data, *CALLS[name].arguments, **asked)


def how(name, **more):
    """What has to be said, and more."""
    return {**({"bounds": (0, 10)} if name in BOUNDED else {}), "epsilon": 1, **more}


@pytest.fixture
def seeded(monkeypatch):
    """The system's bits replaced by a seed, so that two equal questions have equal answers."""
    monkeypatch.setattr("noisewise.kernel.laws.law.SystemBits", lambda: SeededBits(7))
    monkeypatch.setattr("noisewise.kernel.laws.balance_law.SystemBits", lambda: SeededBits(7))
    monkeypatch.setattr("noisewise.kernel.laws.permute_and_flip_law.SystemBits", lambda: SeededBits(7))


def test_the_keywords_of_a_question():
    assert str(inspect.signature(nws.quantile).replace(return_annotation=inspect.Signature.empty)) == (
        "(data, q, *, bounds, epsilon=None, rho=None, granularity=None, neighbors='add_remove', contributions=1, "
        "mechanism='auto', smooth=0, per_person=None, ledger=None, bounds_share=None, interval=None, with_count=False)"
    )


@pytest.mark.parametrize("name", KINDS)
def test_the_keywords_are_the_same_everywhere_and_in_order(name):
    parameters, data = inspect.signature(getattr(nws, name)).parameters, KINDS[name].capabilities.data
    common = [each for each in DEFAULTS if each in parameters]
    own = [each for each in list(parameters)[len(data) :] if each not in common]
    placed = [each for each in own if parameters[each].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    assert list(parameters) == [*data, *placed, *common, *own[len(placed) :]]
    assert {"epsilon", "rho", "neighbors", "contributions", "ledger"} <= set(common)
    for each in data:
        assert parameters[each].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        assert parameters[each].default is inspect.Parameter.empty
    for keyword in common:
        assert parameters[keyword].kind is inspect.Parameter.KEYWORD_ONLY
        needed = keyword == "bounds" and name != "histogram"
        assert parameters[keyword].default == (inspect.Parameter.empty if needed else DEFAULTS[keyword])


@pytest.mark.parametrize("name", STATISTICS)
def test_a_statistic_takes_every_keyword_that_makes_sense(name):
    """Bounds where it has no frame without; and they are searched for where there is one pair of them.

    Only a count or a sum may be below 0.
    """
    statistic, without = STATISTICS[name], set() if name in ("count", "sum") else {"signed"}
    try:
        statistic.frame(None, None)
    except NoisewiseError:
        pass
    else:
        without |= {"bounds", "bounds_share"}
    if statistic.columns > 1:
        without.add("bounds_share")
    if statistic.columns > 1 or "bounds" in without:
        without.add("per_person")
    assert set(DEFAULTS) - set(inspect.signature(getattr(nws, name)).parameters) == without


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
    common = ["bounds", "epsilon", "rho", "granularity", "neighbors", "contributions", "mechanism"]
    assert [k for k in parameters if k in common] == common
    assert [k for k in parameters if f"    {k}: " not in inspect.getdoc(function)] == []
    name = function.__name__
    with pytest.raises(ParameterTypeError, match=rf"^{name}\(\) got an .* 'bound'; did you mean 'bounds'\?$"):
        function(*given, bound=(0, 1), epsilon=1)
    with pytest.raises(ParameterError, match=rf"^{UNPRICED}"):
        function(*given, bounds=(0, 1))


@pytest.mark.parametrize("name", KINDS)
def test_help_is_there(name):
    text = inspect.getdoc(getattr(nws, name))
    assert text.startswith("A private ")
    assert [
        each for each in inspect.signature(getattr(nws, name)).parameters if f"    {each}: " not in text
    ] == []
    shown = f").{name}(" if CALLS[name].dataset_keywords else f"nws.{name}("
    assert shown in text.partition("Examples:")[2]


@pytest.mark.usefixtures("seeded")
@pytest.mark.parametrize("neighbors", ["add_remove", "swap"])
@pytest.mark.parametrize("name", STATISTICS)
def test_a_function_is_its_statistic_released(name, neighbors):
    statistic, asked = STATISTICS[name], how(name, neighbors=neighbors)
    released = call(name, **asked)
    assert released.value == nws.hazmat.replay(statistic, data_for(name), seed=7, **asked).value
    assert released.statistic == str(statistic)
    assert released == nws.release(statistic, data_for(name), **asked)
    assert "asked" in str(released)


def test_names_of_builtins_exist_but_are_not_exported():
    namespace = {}
    exec("from noisewise import *", namespace)
    assert "min" not in namespace and "max" not in namespace
    assert namespace["median"] is nws.median
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


@pytest.mark.parametrize("q", [None, True, 1j])
def test_q_is_a_real_number(q):
    with pytest.raises(ParameterTypeError, match=r"^q must be a real number, got "):
        nws.quantile(DATA, q, bounds=(0, 10), epsilon=1)


@pytest.mark.parametrize(
    ("missing", "name"),
    [("epsilon", name) for name in STATISTICS] + [("bounds", name) for name in STATISTICS if name in BOUNDED],
)
def test_bounds_and_epsilon_have_no_default(name, missing):
    asked = how(name)
    del asked[missing]
    error, says = (
        (ParameterError, UNPRICED)
        if missing == "epsilon"
        else (TypeError, rf"{name}\(\) missing a required argument: '{missing}'")
    )
    with pytest.raises(error, match=f"^{says}"):
        call(name, **asked)


def test_a_common_keyword_that_says_nothing_is_taken_everywhere():
    said = {"bounds": None, "granularity": None, "mechanism": "auto", "smooth": 0, "bounds_share": None}
    assert nws.histogram([1, 2], [0, 2, 4], epsilon=1, **said).value
    assert nws.count([1, 2], epsilon=1, bounds=None, bounds_share=None).value >= 0
    with pytest.raises(TypeError, match=r"histogram\(\) got an unexpected keyword argument 'granularity'"):
        nws.histogram([1, 2], [0, 2, 4], epsilon=1, granularity=2)


@pytest.mark.parametrize("name", STATISTICS)
def test_an_unknown_keyword_is_named(name):
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'eps'"):
        call(name, **how(name, eps=1))


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


@pytest.mark.parametrize("name", STATISTICS)
def test_every_keyword_reaches_the_release(name):
    class Ledger:
        def debit(self, loss, *, neighbors, contributions, memo):
            return f"{loss.epsilon} {neighbors} {contributions} {memo}"

    step = 3 if name == "count" else STEP
    mechanism = "balance" if isinstance(STATISTICS[name], ScoreStatistic) else "inverse_sensitivity"
    asked = how(name, epsilon=0.5, granularity=step, contributions=2, mechanism=mechanism)
    released = call(name, ledger=Ledger(), **asked)
    version = f"{mechanism.replace('_', '-')}/1"
    assert released.receipt == f"1/2 add_remove 2 {released.statistic} by {version}"
    assert (released.granularity, released.bounds) == (step, asked.get("bounds"))
    assert call(name, **how(name, neighbors="swap")).neighbors == "swap"


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
