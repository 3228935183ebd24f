"""Questions about whole graphs: what they answer, and for which data."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from noisewise import DegreeQuantile, ParameterError, ParameterTypeError, hazmat
from noisewise.audit.nesting import nests_in
from noisewise.questions.functions.graphs import degree_quantile
from tests.lazy_module import LazyModule

nx = LazyModule("networkx")

NAMES = ["ann", "bob", "cy", "di"]
CLIQUE = list(combinations(NAMES, 2))


def test_a_clique() -> None:
    """Noise is small at a large epsilon, whatever holds the edges."""
    edges = list(combinations(range(40), 2))
    for graph, own in ((nx.complete_graph(40), None), (edges, 40), (np.array(edges), 40)):
        assert degree_quantile(graph, 0.5, nodes=own, max_degree=39, epsilon=60).value > 30, type(graph)


def test_a_release_says_that_a_node_is_protected() -> None:
    told = degree_quantile(CLIQUE, "1/2", nodes=NAMES, max_degree=3, epsilon=1)
    assert told.notes == ("a record is a node with all its edges, of which it keeps at most 3",)
    assert told.statistic == "degree_quantile(0.5, max_degree=3)"
    assert told.granularity == 1


def test_nodes_must_be_declared() -> None:
    with pytest.raises(ParameterError, match="nodes must be given for an edge list"):
        degree_quantile(CLIQUE, 0.5, max_degree=3, epsilon=1)


def test_mistakes_are_named() -> None:
    with pytest.raises(ParameterTypeError, match="missing a required argument: 'max_degree'"):
        degree_quantile(CLIQUE, 0.5, nodes=NAMES, epsilon=1)  # type: ignore[call-arg]
    with pytest.raises(ParameterError, match="neighbors must be 'add_remove'"):
        degree_quantile(CLIQUE, 0.5, max_degree=3, nodes=NAMES, epsilon=1, neighbors="swap")


class Secret(list):
    """Names that write down when they are read."""

    def __init__(self, names, log):
        super().__init__(names)
        self.log = log

    def __iter__(self):
        self.log.append("looked")
        return super().__iter__()


def test_where_a_node_is_private_its_name_is_read_after_the_debit() -> None:
    log: list[str] = []

    class Ledger:
        def debit(self, loss: Any, **said: Any) -> str:
            log.append("paid")
            return str(said["memo"])

    released = degree_quantile(
        [("a", "b"), ("b", "c")],
        0.5,
        nodes=Secret(["a", "b", "c"], log),
        max_degree=3,
        epsilon=1,
        ledger=Ledger(),
    )
    assert log[0] == "paid" and "looked" in log
    assert released.receipt.endswith(", per node")


def test_no_nodes_are_a_graph_like_any_other_where_nodes_are_private() -> None:
    """One node more than none: an error for either would tell of it."""
    laws = [
        hazmat.law(DegreeQuantile(0.5, 3), ([], nodes), epsilon=1).envelope
        for nodes in ([], ["ann"], [float("nan")], [2**53, 2**53 + 1])
    ]
    for one in laws:
        assert one.level(0) == (0, 0)
        assert all(nests_in(one, other) for other in laws)
