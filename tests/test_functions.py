"""The questions as functions: one signature, and each the statistic it says it is."""

import inspect
from fractions import Fraction

import pytest

import noisewise as nws
from noisewise import functions
from noisewise.errors import ParameterError, ParameterTypeError
from noisewise.hazmat import SeededBits

KEYWORDS = {
    "bounds": inspect.Parameter.empty,
    "epsilon": inspect.Parameter.empty,
    "granularity": None,
    "neighbors": "add_remove",
    "contributions": 1,
    "mechanism": "auto",
    "ledger": None,
}
DATA = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9]
FUNCTIONS = {"median": (), "min": (), "max": (), "quantile": ("q",)}


@pytest.fixture
def seeded(monkeypatch):
    """The system's bits replaced by a seed, so that two equal questions have equal answers."""
    monkeypatch.setattr("noisewise.law.SystemBits", lambda: SeededBits(7))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_keywords_are_the_same_everywhere_and_in_order(name):
    parameters = inspect.signature(getattr(nws, name)).parameters
    assert list(parameters) == ["data", *FUNCTIONS[name], *KEYWORDS]
    for keyword, default in KEYWORDS.items():
        assert parameters[keyword].kind is inspect.Parameter.KEYWORD_ONLY
        assert parameters[keyword].default == default
    for positional in ("data", *FUNCTIONS[name]):
        assert parameters[positional].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
        assert parameters[positional].default is inspect.Parameter.empty


def test_every_public_function_is_listed_here():
    public = {
        n for n, f in vars(functions).items() if inspect.isfunction(f) and f.__module__ == functions.__name__
    }
    assert public == set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_is_there(name):
    text = inspect.getdoc(getattr(nws, name))
    assert text.startswith("A private ")
    described = inspect.getdoc(nws.quantile) if "Keywords as in `quantile`" in text else text
    assert [k for k in (*FUNCTIONS[name], *KEYWORDS, "data") if f"{k}: " not in described] == []


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
def test_a_function_is_its_statistic_released():
    replayed = nws.hazmat.replay(nws.Quantile("1/2"), DATA, seed=7, bounds=(0, 10), epsilon=1)
    assert nws.median(DATA, bounds=(0, 10), epsilon=1).value == replayed.value


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
    asked = {"bounds": (0, 10), "epsilon": 1, **({"q": 0.5} if name == "quantile" else {})}
    asked.pop(missing)
    with pytest.raises(TypeError, match=missing):
        getattr(nws, name)(DATA, **asked)


def test_every_keyword_reaches_the_release():
    class Ledger:
        def debit(self, loss, *, neighbors, contributions, memo):
            return f"{loss.epsilon} {neighbors} {contributions} {memo}"

    for name in FUNCTIONS:
        extra = {"q": 0.5} if name == "quantile" else {}
        released = getattr(nws, name)(
            DATA,
            bounds=(0, 12),
            epsilon=0.5,
            granularity=3,
            contributions=2,
            mechanism="inverse_sensitivity",
            ledger=Ledger(),
            **extra,
        )
        assert released.receipt == f"1/2 add_remove 2 {released.statistic} by inverse-sensitivity/1"
        assert (released.granularity, released.bounds) == (3, (0, 12))
        assert (
            getattr(nws, name)(DATA, bounds=(0, 12), epsilon=1, neighbors="swap", **extra).neighbors == "swap"
        )
