"""Wrong calls of public names raise our own errors, which name the keyword that was probably meant."""

import inspect
from typing import Any

import pytest

import noisewise as nws
from noisewise.calls import _is_right, check_call, checked_class
from noisewise.errors import NoisewiseError, ParameterTypeError
from tests.each_value import each_value

OTHERS = {"Payer", "Statistic"}
"""A protocol and an abstract class, which Python itself refuses to call."""

BY_NAME = {name: getattr(nws, name) for name in [*nws.__all__, "min", "max", "sum", "range"]}
CALLABLES = {
    name: each
    for name, each in BY_NAME.items()
    if callable(each)
    and name not in OTHERS
    and not (isinstance(each, type) and issubclass(each, NoisewiseError))
}
CALLABLES |= {
    "Ledger.open": nws.Ledger.open,
    "scan": nws.Dataset.scan,
    "Study.read": nws.Study.read,
    "Study.parse": nws.Study.parse,
    "Study.of": nws.Study.of,
}
OF_QUESTIONS = ("plan", "simulate", "compare", "epsilon_for", "rho_for", "sweep", "release")
"""Functions of a question: they take the keywords of their question."""

OPENED = "Ledger must be opened: use Ledger.open(path, budget=...)"


def refused(call: Any, *args: object, **keywords: object) -> str:
    with pytest.raises(ParameterTypeError) as caught:
        call(*args, **keywords)
    assert caught.value.__cause__ is None and caught.value.__context__ is None
    return str(caught.value)


def parameters(name: str) -> list[inspect.Parameter]:
    given = inspect.signature(CALLABLES[name]).parameters.values()
    return [each for each in given if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)]


@each_value(name=CALLABLES)
def test_a_keyword_that_there_is_not_is_refused(name: str) -> None:
    said = refused(CALLABLES[name], nonsense=1)
    if name == "Ledger":
        assert said == OPENED
        return
    assert said.startswith(f"{name}() ")
    if name not in (*OF_QUESTIONS, "scan", "wrap"):  # these take many
        assert (
            f"got an unexpected keyword argument 'nonsense'; it {'is what' if name == 'Release' else 'takes'} "
            in said
        )


@each_value(name=CALLABLES)
def test_what_is_missing_is_named(name: str) -> None:
    needed = [each.name for each in parameters(name) if each.default is each.empty]
    if not needed:
        return
    said = refused(CALLABLES[name])
    assert said == OPENED if name == "Ledger" else any(f"'{each}'" in said for each in needed)


@each_value(name=[name for name in CALLABLES if name not in (*OF_QUESTIONS, "Ledger")])
def test_a_keyword_cut_short_is_recognised(name: str) -> None:
    for each in parameters(name):
        if len(each.name) > 4 and each.kind is not each.POSITIONAL_ONLY:
            assert f"did you mean '{each.name}'?" in refused(CALLABLES[name], **{each.name[:-1]: 1}), (
                each.name
            )


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: nws.PureDP(eps=1), "PureDP() got an unexpected keyword argument 'eps'; did you mean 'epsilon'?"),
        (lambda: nws.ZCDP(epsilon=1), "ZCDP() got an unexpected keyword argument 'epsilon'; it takes rho"),
        (lambda: nws.Quantile(), "Quantile() missing a required argument: 'q'"),
        (lambda: nws.Quantile(p=0.5), "Quantile() got an unexpected keyword argument 'p'; did you mean 'q'?"),
        (lambda: nws.Gini(1), "Gini() too many positional arguments; it takes none"),
        (lambda: nws.WinsorizedMean(), "WinsorizedMean() missing a required argument: 'alpha'"),
        (lambda: nws.Laplace(epsilon=1, sens=1),
         "Laplace() got an unexpected keyword argument 'sens'; did you mean 'sensitivity'?"),
        (lambda: nws.PiecewiseLaplace(eps=1),
         "PiecewiseLaplace() got an unexpected keyword argument 'eps'; did you mean 'epsilon'?"),
        (lambda: nws.Ledger.open("x.ledger", epsilon=1),
         "Ledger.open() got an unexpected keyword argument 'epsilon'; did you mean budget=PureDP(1)?"),
        (lambda: nws.Ledger("x.ledger"), OPENED),
        (lambda: nws.Study("study.toml"),
         "Study() missing a required argument: 'title'; it is made by Study.read(path), Study.parse(text) or "
         "Study.of(dataset, questions)"),
    ],
)  # fmt: skip
def test_what_was_meant_is_said(call: Any, said: str) -> None:
    assert refused(call) == said


def test_a_statistic_of_ones_own_is_judged_too() -> None:
    class Own(nws.Statistic):
        def __init__(self, share: float) -> None:
            self.share = 1 / share if share else "none" / 2  # type: ignore[operator]

        def envelope(self, *_: object) -> Any: ...

    assert refused(Own, shar=1) == "Own() got an unexpected keyword argument 'shar'; did you mean 'share'?"
    assert Own(2).share == 0.5
    with pytest.raises(TypeError, match="unsupported operand"):  # an error of its own stays what it is
        Own(0)


def test_a_right_call_is_left_alone() -> None:
    @checked_class("never said")
    class Pair:
        def __init__(self, first: int, second: int = 2) -> None:
            self.both = (first, second)

    assert Pair(1).both == (1, 2) == Pair(second=2, first=1).both
    assert str(inspect.signature(Pair)) == "(first: int, second: int = 2) -> None"


def shapes(first: Any, second: Any = 0, *, key: Any, other: Any = 0) -> None: ...
def only_by_place(first: Any, /, second: Any = 0) -> None: ...
def whatever(first: Any, *rest: Any, **others: Any) -> None: ...


@pytest.mark.parametrize("function", [shapes, only_by_place, whatever, nws.median, nws.quantile])
def test_a_call_that_is_plainly_right_is_one_that_python_takes(function: Any) -> None:
    signature = inspect.signature(function)
    names = [*list(signature.parameters)[:4], "epsilon", "nonsense"]
    plain = all(
        each.kind in (each.KEYWORD_ONLY, each.POSITIONAL_OR_KEYWORD) for each in signature.parameters.values()
    )
    for places in range(5):
        for some in range(2 ** len(names)):
            keywords = {name: 0 for place, name in enumerate(names) if some >> place & 1}
            try:
                signature.bind(*range(places), **keywords)
                takes = True
            except TypeError:
                takes = False
            assert _is_right(signature, (0,) * places, keywords) == (takes and plain)
    with pytest.raises(ParameterTypeError, match="missing a required argument"):
        check_call("it", signature, (), {})
