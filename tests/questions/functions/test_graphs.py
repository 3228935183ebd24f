"""The questions about graphs: each the statistic it says it is, with its keywords."""

import inspect

import numpy as np
import pytest

from noisewise import ParameterError, ParameterTypeError, PureDP
from noisewise.hazmat import SeededBits, replay
from noisewise.questions.functions.graphs import degree_quantile, triangles
from noisewise.statistics.degree_quantile import DegreeQuantile
from noisewise.statistics.triangles import Triangles
from tests.lazy_module import LazyModule

igraph, nx, sp = LazyModule("igraph"), LazyModule("networkx"), LazyModule("scipy.sparse")
EDGES = [(0, 1), (1, 2)]
COMMON = [
    "epsilon",
    "rho",
    "granularity",
    "neighbors",
    "contributions",
    "mechanism",
    "smooth",
    "ledger",
    "interval",
    "with_count",
    "nodes",
]


@pytest.fixture
def club():
    return nx.karate_club_graph()


@pytest.fixture
def seeded(monkeypatch):
    """The system's bits replaced by a seed, so that two equal questions have equal answers."""
    for law in ("law", "permute_and_flip_law"):
        monkeypatch.setattr(f"noisewise.kernel.laws.{law}.SystemBits", lambda: SeededBits(7))


def test_keywords_and_their_help():
    parameters = inspect.signature(triangles).parameters
    assert list(parameters) == ["graph", *COMMON]
    text = inspect.getdoc(triangles)
    assert text.startswith("A private number of ")
    assert [name for name in parameters if f"{name}: " not in text] == []
    assert "which are then public" in " ".join(text.split())


def test_a_question_is_its_statistic(club, seeded):
    asked = {"epsilon": 1, "granularity": 2, "contributions": 2}
    for released, statistic in (
        (triangles(club, **asked), Triangles()),
        (degree_quantile(club, 0.5, max_degree=20, **asked), DegreeQuantile(0.5, 20)),
    ):
        again = replay(statistic, (club, None), seed=7, **asked)
        assert (released.value, released.statistic) == (again.value, str(statistic))
        assert released.privacy == again.privacy
        assert isinstance(released.value, int)


def test_all_forms_of_a_graph_are_answered_near_the_truth(club):
    """So nearly that a wrong reading would show: epsilon is 64 and the tails are thin."""
    edges = list(club.edges)
    for graph, nodes in (
        (club, None),
        (igraph.Graph(n=34, edges=edges), None),
        (sp.coo_array((np.ones(len(edges)), np.array(edges).T), shape=(34, 34)), None),
        (edges, 34),
        (np.array(edges), range(34)),
    ):
        assert abs(triangles(graph, nodes=nodes, epsilon=64).value - 45) <= 20, type(graph)


def test_another_mechanism(club):
    assert isinstance(triangles(club, epsilon=1, mechanism="laplace").privacy, PureDP)
    assert triangles(club, epsilon=1, mechanism="permute_and_flip").mechanism == "permute_and_flip"


def test_wrong_calls():
    with pytest.raises(ParameterError, match=r"^nodes must be given for an edge list"):
        triangles(EDGES, epsilon=1)
    with pytest.raises(ParameterTypeError, match=r"^triangles\(\) got an unexpected keyword argument 'node'"):
        triangles(EDGES, node=34, epsilon=1)
    with pytest.raises(ParameterTypeError, match=r"^degree_quantile\(\) missing a required argument: 'q'"):
        degree_quantile(EDGES, max_degree=3, nodes=34, epsilon=1)
    with pytest.raises(ParameterError, match=r"^neighbors must be 'add_remove' for triangles"):
        triangles(EDGES, nodes=34, epsilon=1, neighbors="swap")


def test_the_ledger_pays_before_an_edge_is_read():
    class Unread(list):
        def __iter__(self):
            raise AssertionError("an edge was read")

    class Poor:
        def debit(self, loss, **unit):
            raise RuntimeError("the budget is spent")

    with pytest.raises(RuntimeError, match=r"^the budget is spent$"):
        triangles(Unread(EDGES), nodes=34, epsilon=1, ledger=Poor())
