"""Plans, goals, sweeps and simulations of every question there is, a new one included."""

from datetime import timedelta

import pytest

import noisewise as nws
from noisewise import NoisewiseError
from noisewise.planning.plan import NOTHING
from noisewise.questions import measured
from noisewise.questions.question import KINDS
from tests.every_question import CALLS

WAYS = {
    "alone": ({}, {}),
    "of a size": ({}, {"size": 1000}),
    "swap": ({}, {"size": 1000, "neighbors": "swap"}),
    "three records": ({}, {"size": 1000, "contributions": 3}),
    "with a count": ({"with_count": True}, {"size": 1000}),
    "with an interval": ({"interval": 0.9}, {"size": 1000}),
    "in groups": ({}, {"groups": 5}),
    "private bounds": ({"bounds": "private"}, {}),
    "of a shape": ({}, {"size": 50, "shape": ("uniform", 0, 10)}),
}
DEPENDS_ON_DATA = {"huber_mean", "rate", "ratio", "principal_component", "vector_mean"}
"""Where nothing is promised without a shape, and the plan says so."""


def asked(name, **keywords):
    """The question as `ask` writes it down."""
    return CALLS[name].question(**keywords)


def planned(name, way):
    own, assumed = WAYS[way]
    if "bounds" in own and "bounds" not in KINDS[name].parameters.parameters:
        return None
    try:
        return nws.plan(asked(name, **own), **assumed)
    except NoisewiseError:
        return None


@pytest.mark.parametrize("name", sorted(KINDS))
def test_it_is_planned_or_refused_in_words(name, monkeypatch):
    """Nothing but errors of this library, and a promise for every question but the few that are known to have none."""
    monkeypatch.setattr(measured, "DRAWS", 3)
    for way in WAYS:
        found = planned(name, way)
        assert found is None or " at epsilon 1" in str(found)
    alone = str(planned(name, "alone"))
    assert (NOTHING in alone) == (name in DEPENDS_ON_DATA), alone


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_way_to_say_it_is_the_same(name):
    kind, question = KINDS[name], asked(name)
    if "matrix" in kind.capabilities.columns:
        return  # only ask says how many columns there are
    own, keywords = question.arguments, dict(question.keywords)
    expected = nws.plan(question)
    assert nws.plan(name, *own, **keywords) == nws.plan(kind.function, *own, **keywords) == expected
    assert nws.plan(name, **dict(zip(kind.parameters.parameters, own, strict=False)), **keywords) == expected
    assert nws.plan({"it": question})["it"] == expected
    swept = nws.sweep(question, epsilons=[1, 2])
    assert swept[0] == expected and swept.plot().svg.startswith("<svg")


@pytest.mark.parametrize("name", sorted(KINDS))
def test_epsilon_for_is_the_inverse_of_the_plan(name):
    """Of each question, in several ways, where it promises units or people: enough, and with 1% less not enough."""
    for way in ("of a size", "swap", "with an interval"):
        own, assumed = WAYS[way]
        if (found := planned(name, way)) is None:
            continue
        question = asked(name, **own)
        for goal in ("error", "people"):
            most = getattr(found, goal)
            if most is None:
                with pytest.raises(NoisewiseError):
                    nws.epsilon_for(question, **{goal: 3}, **assumed)
                continue
            assert not isinstance(most, timedelta)
            epsilon = nws.epsilon_for(question, **{goal: most}, **assumed)
            assert epsilon <= 1
            assert getattr(nws.plan(question, epsilon=epsilon, **assumed), goal) <= most
            less = getattr(nws.plan(question, epsilon=0.99 * epsilon, **assumed), goal)
            every = name == "count_distinct" and most == len(
                CALLS[name].keywords["categories"]
            )  # it has no more
            assert every or less is None or less > most, f"{name} {way}"


@pytest.mark.parametrize("name", sorted(KINDS))
def test_it_is_simulated(name, monkeypatch):
    monkeypatch.setattr(measured, "DRAWS", 3)
    columns = CALLS[name].data
    told = nws.simulate(asked(name), columns if len(columns) > 1 else columns[0])
    assert str(told).startswith("not private: ") and told.epsilon == 1
    assert told.error_quantiles["50%"] <= told.error_quantiles["99%"]
