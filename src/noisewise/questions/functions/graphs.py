"""Questions about graphs in which edges are private, or whole nodes with their edges."""

from typing import Any, Unpack

import numpy as np

from noisewise.kernel.numbers.exact import Number
from noisewise.questions.keywords import Unbounded
from noisewise.questions.question import Binding, Capabilities, question
from noisewise.questions.request import of_graph
from noisewise.statistics.degree_quantile import DegreeQuantile
from noisewise.statistics.triangles import Triangles

OF_A_GRAPH = Capabilities(
    data=("graph",),
    columns=("edges",),
    in_groups=False,
    meanings={
        "graph": "A graph of networkx, igraph or scipy.sparse (an adjacency matrix), or its edges: a list of pairs, or "
        "an array or table of two columns. Directions, weights, loops and repeated edges do not count.",
        "nodes": "How many nodes there are, named 0, 1, 2, ..., or a list of them. It must be known without looking at "
        "the edges; an edge elsewhere is left out. By default the nodes of the graph, which are then public; a list of "
        "edges has none of its own.",
        "neighbors": '``"add_remove"`` hides whether an edge is in the graph; there is no other.',
        "contributions": "The most edges one person can have; you guarantee this.",
    },
)


@question(OF_A_GRAPH)
def triangles(*, nodes: Any = None, **keywords: Unpack[Unbounded]) -> Binding:
    """A private number of triangles in a graph: triples of nodes with all three edges.

    Args:
        granularity: The spacing of possible answers, a whole number: 1 by default, more if there could be over 2^51.

    Examples:
        >>> nws.triangles([("ann", "bob"), ("bob", "cy"), ("ann", "cy")], nodes=["ann", "bob", "cy", "di"], epsilon=1.0)
    """
    return of_graph(Triangles(), nodes, **keywords)


@question(OF_A_GRAPH)
def degree_quantile(
    q: Number | str, *, max_degree: int | np.integer[Any], nodes: Any = None, **keywords: Unpack[Unbounded]
) -> Binding:
    """A private q-quantile of the nodes' degrees. It protects whole nodes: whether a node is there, and all its edges.

    Edges are read in the order of the nodes. An edge is kept if both its ends have fewer than ``max_degree`` edges so
    far. So you need not promise that no node has more. If none has, all edges are kept.

    Args:
        q: The quantile, above 0 and up to 1, such as 0.5 or ``"1/3"``.
        max_degree: The most edges that a node keeps, from 2 to 65,536, chosen without looking at the data.
        nodes: How many nodes there are, named 0, 1, 2, ..., or a list of them. The list is as secret here as the
            edges. By default the nodes of the graph; a list of edges has no nodes of its own, so it needs this.
        neighbors: ``"add_remove"`` hides whether a node is in the graph, with all its edges. This is the only choice.
        contributions: The most nodes one person can have; you guarantee this.

    Examples:
        >>> nws.degree_quantile([(0, 1), (1, 2), (0, 2), (2, 3)], 0.5, nodes=4, epsilon=1.0, max_degree=3)
    """
    return of_graph(DegreeQuantile(q, max_degree), nodes, **keywords)
