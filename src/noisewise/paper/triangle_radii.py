"""Triangle counting by radii, in the two ways of Section 5.2. For analysis: radii are as secret as the graph.

``nws.triangles`` releases the count with the radii of the first way. ``nws.release`` takes the radii of both ways.
"""

from typing import Any, NamedTuple

from noisewise.kernel.laws.radii import RadiusBounds
from noisewise.kernel.numbers.exact import whole
from noisewise.statistics.triangles import UNWEIGHTED, local_sensitivities
from noisewise.tables.columns import declare_graph


class TriangleRadii(NamedTuple):
    """A count of triangles, and two ways to bound how far it could move.

    Attributes:
        triangles: The number of triangles.
        local: Radii from the local sensitivity of all graphs at a distance [Cor. 5.1].
        growth: Radii that start with the local sensitivity of the graph and grow by 1 [Cor. 5.2].
    """

    triangles: int
    local: RadiusBounds
    growth: RadiusBounds


def triangle_counting(graph: Any, nodes: Any = None, *, levels: int) -> TriangleRadii:
    """The triangles of a graph with radii both ways; neighbours differ in one edge [Sec. 5.2].

    Args:
        graph: Pairs of nodes, or a graph of NetworkX or igraph.
        nodes: The number of nodes, or a list of them. By default the nodes of the graph.
        levels: How many radii, at most twice as many as nodes. All later ones are the global sensitivity.

    Examples:
        >>> found = nws.paper.triangle_counting([(0, 1), (1, 2), (2, 0), (2, 3)], 6, levels=4)
        >>> found.triangles, found.local.steps.tolist(), found.growth.steps.tolist()
        (1, [1, 2, 2, 3], [1, 2, 3, 4])
    """
    most = whole("levels", levels, least=1)
    declared = declare_graph((graph, nodes) if nodes is not None else graph)
    read = declared.read(UNWEIGHTED, "add_remove")
    most = min(most, 2 * read.nodes)
    count, steps = local_sensitivities(read, most)
    stride = max(read.nodes - 2, 0)
    local = RadiusBounds.from_local_sensitivity(steps, stride)
    return TriangleRadii(count, local, RadiusBounds.from_growth(steps[0], 1, most, stride))
