"""The questions about graphs: each the statistic it says it is, with its keywords."""

import inspect

import igraph
import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from noisewise import ParameterError, ParameterTypeError, PureDP
from noisewise.hazmat import SeededBits, replay
from noisewise.questions.functions.graphs import k_stars, triangles
from noisewise.statistics.k_stars import KStars
from noisewise.statistics.triangles import Triangles

CLUB = nx.karate_club_graph()
EDGES = list(CLUB.edges)
COMMON = [
    "epsilon",
    "granularity",
    "neighbors",
    "contributions",
    "mechanism",
    "ledger",
    "interval",
    "with_count",
    "nodes",
]


@pytest.fixture
def seeded(monkeypatch):
    """The system's bits replaced by a seed, so that two equal questions have equal answers."""
    for law in ("law", "permute_and_flip"):
        monkeypatch.setattr(f"noisewise.laws.{law}.SystemBits", lambda: SeededBits(7))


@pytest.mark.parametrize(("function", "own"), [(triangles, ["graph"]), (k_stars, ["graph", "k"])])
def test_keywords_and_their_help(function, own):
    parameters = inspect.signature(function).parameters
    assert list(parameters) == [*own, *COMMON]
    text = inspect.getdoc(function)
    assert text.startswith("A private number of ")
    assert [name for name in parameters if f"{name}: " not in text] == []
    assert "which are then public" in " ".join(text.split())


def test_a_question_is_its_statistic(seeded):
    asked = {"epsilon": 1, "granularity": 2, "contributions": 2}
    for released, statistic in (
        (triangles(CLUB, **asked), Triangles()),
        (k_stars(CLUB, 3, **asked), KStars(3)),
    ):
        again = replay(statistic, (CLUB, None), seed=7, **asked)
        assert (released.value, released.statistic) == (again.value, str(statistic))
        assert released.privacy == again.privacy
        assert isinstance(released.value, int)


@pytest.mark.parametrize(
    ("graph", "nodes"),
    [
        (CLUB, None),
        (igraph.Graph(n=34, edges=EDGES), None),
        (sp.coo_array((np.ones(len(EDGES)), np.array(EDGES).T), shape=(34, 34)), None),
        (EDGES, 34),
        (np.array(EDGES), range(34)),
    ],
    ids=["networkx", "igraph", "scipy", "list", "array"],
)
def test_all_forms_of_a_graph_are_answered_near_the_truth(graph, nodes):
    """So nearly that a wrong reading would show: epsilon is 64 and the tails are thin."""
    assert abs(triangles(graph, nodes=nodes, epsilon=64).value - 45) <= 20
    assert abs(k_stars(graph, 2, nodes=nodes, epsilon=64).value - 528) <= 60


def test_another_mechanism():
    assert isinstance(triangles(CLUB, epsilon=1, mechanism="laplace").privacy, PureDP)
    assert triangles(CLUB, epsilon=1, mechanism="permute_and_flip").mechanism == "permute_and_flip"


def test_wrong_calls():
    with pytest.raises(ParameterError, match=r"^nodes must be given for an edge list"):
        triangles(EDGES, epsilon=1)
    with pytest.raises(ParameterTypeError, match=r"^triangles\(\) got an unexpected keyword argument 'node'"):
        triangles(EDGES, node=34, epsilon=1)
    with pytest.raises(ParameterTypeError, match=r"^k_stars\(\) missing a required argument: 'k'"):
        k_stars(EDGES, nodes=34, epsilon=1)
    with pytest.raises(ParameterError, match=r"^neighbors must be 'add_remove' for 2-stars"):
        k_stars(EDGES, 2, nodes=34, epsilon=1, neighbors="swap")


def test_the_ledger_pays_before_an_edge_is_read():
    class Unread(list):
        def __iter__(self):
            raise AssertionError("an edge was read")

    class Poor:
        def debit(self, loss, **unit):
            raise RuntimeError("the budget is spent")

    with pytest.raises(RuntimeError, match=r"^the budget is spent$"):
        triangles(Unread(EDGES), nodes=34, epsilon=1, ledger=Poor())
