"""One question, however it is said."""

import numpy as np
import pytest

import noisewise as nws
from noisewise import ParameterError, ParameterTypeError
from noisewise.planning.asked import Asked

ASKED = {"bounds": (0, 1000), "epsilon": 1}
MEDIANS = {
    "name": "median",
    "function": nws.median,
    "statistic": nws.Quantile("1/2"),
    "question": nws.ask.median("salary", **ASKED),
}


@pytest.mark.parametrize("way", MEDIANS)
def test_every_way_to_say_it_is_the_same_plan(way):
    keywords = {} if way == "question" else ASKED
    assert nws.plan(MEDIANS[way], **keywords) == nws.plan(nws.Quantile("1/2"), **ASKED)
    x = np.arange(100)
    assert nws.simulate(MEDIANS[way], x, **keywords) == nws.simulate(nws.Quantile("1/2"), x, **ASKED)
    unpriced = {} if way == "question" else {"bounds": (0, 1000)}
    assert nws.epsilon_for(MEDIANS[way], people=20, **unpriced) == nws.epsilon_for(
        nws.Quantile("1/2"), people=20, bounds=(0, 1000)
    )


def test_own_arguments_are_given_by_place_or_by_name():
    tenth = nws.plan(nws.Quantile(0.1), **ASKED)
    assert nws.plan("quantile", 0.1, **ASKED) == nws.plan(nws.quantile, q=0.1, **ASKED) == tenth
    assert nws.plan(nws.Quantile, 0.1, **ASKED) == tenth
    assert nws.plan(nws.Mean, **ASKED) == nws.plan("mean", **ASKED)
    assert nws.simulate("quantile", [1, 2], 0.1, **ASKED) == nws.simulate(nws.Quantile(0.1), [1, 2], **ASKED)
    assert nws.plan("five-number-summary", **ASKED).statistic == "five-number summary"
    assert nws.plan(nws.Quantiles([0.5, 0.9]), **ASKED) == nws.plan("quantiles", [0.5, 0.9], **ASKED)


def test_a_cross_tabulation_is_planned_by_its_categories():
    cells = [["a", "b"], ["x", "y", "z"]]
    alone = nws.plan("crosstab", cells, epsilon=1)
    assert alone.numbers == 6 and str(alone).startswith("crosstab by laplace at epsilon 1")
    assert nws.plan("crosstab", dict(zip("pq", cells, strict=True)), epsilon=1) == alone
    assert nws.plan(nws.ask.crosstab(["p", "q"], cells, epsilon=1)) == alone


def test_what_a_question_says_can_be_changed():
    question = MEDIANS["question"]
    assert (
        nws.plan(question, epsilon=2, contributions=4).people
        == nws.plan("median", bounds=(0, 1000), epsilon=2, contributions=4).people
    )


WRONG = {
    "medain": (
        ParameterError,
        r"question must be the name of a question, got 'medain'; did you mean \"median\"\?",
    ),
    "nonsense": (ParameterError, r"such names are \"median\""),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_name_that_nobody_knows(name):
    kind, words = WRONG[name]
    with pytest.raises(kind, match=words):
        nws.plan(name, **ASKED)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: nws.plan(), r"^plan\(\) missing a required argument: 'statistic'$"),
        (lambda: nws.simulate("median"), r"^simulate\(\) missing a required argument: 'data'$"),
        (lambda: nws.plan("quantile", **ASKED), r"^plan\(\) missing a required argument: 'q'$"),
        (
            lambda: nws.plan("median", epsilon=1),
            r"^plan\(\) missing a required argument: 'bounds', the lowest and",
        ),
        (lambda: nws.plan("median", 0.5, **ASKED), r"^plan\(\) too many positional arguments"),
        (lambda: nws.plan("median", siz=3, **ASKED), r"'siz'; did you mean 'size'\?$"),
        (lambda: nws.plan(7, **ASKED), r"^question must be a question: a name .* got 7$"),
        (lambda: nws.plan(nws.Release, **ASKED), r"got the class Release$"),
        (lambda: nws.plan("crosstab", 3, epsilon=1), r"^categories must be a list for each column"),
        (lambda: nws.plan("crosstab", categories=None, epsilon=1), r"^categories must be a list for each"),
        (
            lambda: nws.plan("crosstab", epsilon=1),
            r"^plan\(\) missing a required argument: 'categories', all values there",
        ),
        (lambda: nws.plan(nws.Count(), ledger=3, epsilon=1), r"unexpected keyword argument 'ledger'"),
        (lambda: nws.release(MEDIANS["question"], [1], **ASKED), r"got the question ask\.median\('salary'"),
    ],
)
def test_wrong_calls_say_what_to_write(call, words):
    with pytest.raises(ParameterTypeError, match=words):
        call()


def test_a_question_without_a_price():
    with pytest.raises(
        ParameterError, match=r"^epsilon or rho must be given, exactly one of them, got neither"
    ):
        nws.plan("median", bounds=(0, 1))


def test_nothing_is_read():
    """A question about data of which only the size is known holds no data."""
    asked = Asked.of("plan", "median", (), ASKED)
    assert asked.without_data(10**12).data.size() == 10**12
