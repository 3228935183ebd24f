"""Questions about the figures in a graph, where an edge is what is private and the nodes are known."""

from typing import Any, Unpack

import numpy as np

from noisewise.questions.asking import release
from noisewise.questions.keywords import Asked, question
from noisewise.results.release import Release
from noisewise.statistics import KStars, Triangles


@question
def triangles(graph: Any, *, nodes: Any = None, **asked: Unpack[Asked]) -> Release:
    """A private number of triangles in a graph: triples of nodes with all three edges.

    Args:
        graph: A graph of networkx, igraph or scipy.sparse (an adjacency matrix), or its edges: a list of pairs, or an
            array or table of two columns. Directions, loops and repeated edges do not count.
        nodes: How many nodes there are, named 0, 1, 2, ..., or a list of them. It must be known without looking at the
            edges; an edge elsewhere is left out. By default the nodes of the graph, which are then public; a list of
            edges has none of its own.
        granularity: The spacing of possible answers, a whole number: 1 by default, more where there could be over 2^51.
        neighbors: ``"add_remove"`` hides whether an edge is in the graph; there is no other.
        contributions: How many edges one person may own, your promise.

    Examples:
        >>> nws.triangles([("ann", "bob"), ("bob", "cy"), ("ann", "cy")], nodes=["ann", "bob", "cy", "di"], epsilon=1.0)
    """
    return release(Triangles(), (graph, nodes), **asked)


@question
def k_stars(graph: Any, k: int | np.integer[Any], *, nodes: Any = None, **asked: Unpack[Asked]) -> Release:
    """A private number of k-stars in a graph: ways to choose a node and k of its neighbours.

    Args:
        graph: A graph of networkx, igraph or scipy.sparse (an adjacency matrix), or its edges: a list of pairs, or an
            array or table of two columns. Directions, loops and repeated edges do not count.
        k: How many neighbours, from 1 to 100. A 2-star is two edges that meet, and a 1-star an edge seen from one end.
        nodes: How many nodes there are, named 0, 1, 2, ..., or a list of them. It must be known without looking at the
            edges; an edge elsewhere is left out. By default the nodes of the graph, which are then public; a list of
            edges has none of its own.
        granularity: The spacing of possible answers, a whole number: 1 by default, more where there could be over 2^51.
        neighbors: ``"add_remove"`` hides whether an edge is in the graph; there is no other.
        contributions: How many edges one person may own, your promise.

    Examples:
        >>> nws.k_stars([(0, 1), (0, 2), (0, 3)], 2, nodes=10, epsilon=1.0)
    """
    return release(KStars(k), (graph, nodes), **asked)
