"""Graphs: edges between declared nodes, from networkx, igraph, scipy.sparse or an edge list.

The nodes are public and the edges are secret. A graph object declares its own nodes; an edge list does not, since nodes
read off secret edges would tell of them. `declare_graph` looks at types and nodes alone and raises every error there
is; `DeclaredGraph.read` is total. Directions are forgotten, and of several edges between two nodes one is kept, that of
the least weight; a loop, or an edge that leads to no declared node, is no edge.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noisewise.columns.arrays import NUMERIC_KINDS, declare, nearest_float64, numbers_of
from noisewise.columns.column import Neighbors
from noisewise.columns.labels import declare_labels
from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from noisewise.exact import describe, whole
from noisewise.lattice import Lattice

MOST_NODES = 2**27

NOWHERE = object()
"""The end of an edge that cannot be read: no declared node."""


class Ends(NamedTuple):
    """Edges as they were given: two columns of nodes' names and, if there are any, a column of weights."""

    heads: Sequence[object] | NDArray[Any]
    tails: Sequence[object] | NDArray[Any]
    weights: NDArray[np.float64] | None


@dataclass(frozen=True, slots=True)
class Nodes:
    """The declared nodes: those named by numbers, sorted, with their places, and the places of all others.

    A number is read as the nearest float64, whatever its type. Without ``names`` they are 0..count-1.
    """

    count: int
    names: NDArray[np.float64] | None
    places: NDArray[np.int64]
    others: dict[Any, int]

    @classmethod
    def of(cls, nodes: object) -> "Nodes":
        """Judge what the user declared: public, so an error may show it."""
        if isinstance(nodes, (int, np.integer)) and not isinstance(nodes, bool):
            count = whole("nodes", nodes, least=1, most=MOST_NODES)
            return cls(count, None, np.empty(0, np.int64), {})
        if not isinstance(nodes, Iterable) or isinstance(nodes, (str, bytes)):
            raise ParameterTypeError(
                "nodes must be their number, or a list of them that you know without looking at the edges, "
                f"got {describe(nodes)}"
            ) from None
        return cls._named(nodes.tolist() if isinstance(nodes, np.ndarray) else list(nodes))

    @classmethod
    def _named(cls, labels: list[Any]) -> "Nodes":
        if not 1 <= len(labels) <= MOST_NODES:
            raise ParameterError(
                f"nodes must be from 1 to {MOST_NODES:,} in number, got {len(labels)}"
            ) from None
        numbers = numbers_of(labels)
        numbered = np.flatnonzero(~np.isnan(numbers))
        order = numbered[np.argsort(numbers[numbered], kind="stable")]
        names, others = numbers[order], dict[Any, int]()
        same = np.flatnonzero(names[1:] == names[:-1])
        if same.size:
            _refuse_twins(labels[order[same[0]]], labels[order[same[0] + 1]])
        for place in np.flatnonzero(np.isnan(numbers)).tolist():
            first = others.setdefault(_hashable(labels[place]), place)
            if first != place:
                _refuse_twins(labels[first], labels[place])
        return cls(len(labels), names, order, others)

    def find(self, ends: Sequence[object] | NDArray[Any]) -> NDArray[np.int64]:
        """The place of each end among the nodes; -1 for none. Total."""
        numeric = isinstance(ends, np.ndarray) and ends.dtype.kind in NUMERIC_KINDS
        numbers = nearest_float64(ends) if numeric else numbers_of(ends)  # type: ignore[arg-type]
        found = self._numbered(numbers)
        if self.others and not numeric:
            for at in np.flatnonzero(np.isnan(numbers)).tolist():
                found[at] = _look_up(self.others, ends[at])
        return found

    def _numbered(self, numbers: NDArray[np.float64]) -> NDArray[np.int64]:
        if self.names is None:
            known = (numbers >= 0) & (numbers < self.count) & (numbers == np.floor(numbers))
            return np.where(known, np.where(known, numbers, 0).astype(np.int64), -1)
        if not self.names.size:
            return np.full(numbers.size, -1)
        at = np.minimum(np.searchsorted(self.names, numbers), self.names.size - 1)
        return np.where(self.names[at] == numbers, self.places[at], -1)


@dataclass(frozen=True, slots=True, repr=False)
class ArrayGraph:
    """Edges in memory, sorted, each once."""

    nodes: int
    edges: NDArray[np.int64]
    weights: NDArray[np.float64] | None
    lattice: Lattice
    neighbors: Neighbors

    def __repr__(self) -> str:
        return "<ArrayGraph: withheld>"

    @property
    def degrees(self) -> NDArray[np.int64]:
        return np.bincount(self.edges.ravel(), minlength=self.nodes)


@dataclass(frozen=True, slots=True, repr=False)
class DeclaredGraph:
    """A graph of an accepted type on known nodes, its edges not yet looked at."""

    nodes: Nodes
    fetch: Callable[[], Ends]

    def __repr__(self) -> str:
        return "<DeclaredGraph: withheld>"

    def size(self) -> int:
        """How many nodes there are. Public."""
        return self.nodes.count

    def read(self, lattice: Lattice, neighbors: Neighbors) -> ArrayGraph:
        heads, tails, weights = self.fetch()
        one, other = self.nodes.find(heads), self.nodes.find(tails)
        low, high, count = np.minimum(one, other), np.maximum(one, other), self.nodes.count
        kept = (low >= 0) & (low < high)
        keys = (low * count + high)[kept]
        if weights is None:
            keys = np.unique(keys)
        else:
            order = np.lexsort((weights[kept], keys))  # no weight, a NaN, comes last
            keys, weights = keys[order], weights[kept][order]
            first = np.diff(keys, prepend=-1) > 0
            keys, weights = keys[first], weights[first]
        edges = np.column_stack([keys // count, keys % count])
        return ArrayGraph(count, edges, weights, lattice, neighbors)


def declare_graph(data: object) -> DeclaredGraph:
    """Accept a graph, or a pair (graph, nodes), or refuse it by its type and its nodes alone."""
    graph, nodes = data if isinstance(data, tuple) and len(data) == 2 else (data, None)
    own, fetch = _declare(graph)
    if nodes is None and own is None:
        raise ParameterError(
            "nodes must be given for an edge list: their number, or a list of them that you know without looking at "
            "the edges"
        ) from None
    return DeclaredGraph(Nodes.of(own if nodes is None else nodes), fetch)


def _declare(graph: Any) -> tuple[object, Callable[[], Ends]]:
    """The nodes that a graph declares by itself, or None, and how to fetch its edges."""
    if _is_a(graph, "networkx", "Graph"):
        return list(graph.nodes), lambda: _listed(list(graph.edges(data="weight")))
    if _is_a(graph, "igraph", "Graph"):
        return graph.vcount(), lambda: _of_igraph(graph)
    if (sparse := sys.modules.get("scipy.sparse")) is not None and sparse.issparse(graph):
        return _declare_matrix(graph)
    if isinstance(graph, np.ndarray):
        return None, _declare_array(graph)
    if isinstance(graph, (list, set, frozenset)):
        return None, lambda: _listed(list(graph))
    return None, _declare_frame(graph)


def _is_a(graph: object, library: str, name: str) -> bool:
    """Whether it is of a library's class; a library that nobody has imported has made no graph."""
    kind = getattr(sys.modules.get(library), name, None)
    return isinstance(kind, type) and isinstance(graph, kind)


def _of_igraph(graph: Any) -> Ends:
    weighted = "weight" in graph.edge_attributes()
    ends = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    return Ends(ends[:, 0], ends[:, 1], numbers_of(graph.es["weight"]) if weighted else None)


def _declare_matrix(matrix: Any) -> tuple[object, Callable[[], Ends]]:
    """An adjacency matrix: what is not zero is an edge, and its weight."""
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise SchemaError(f"an adjacency matrix must be square, got the shape {matrix.shape}") from None
    if matrix.dtype.kind not in NUMERIC_KINDS:
        raise SchemaError(f"an adjacency matrix must hold numbers, got the type {matrix.dtype}") from None

    def fetch() -> Ends:
        entries = matrix.tocoo()
        kept = entries.data != 0
        return Ends(entries.row[kept], entries.col[kept], nearest_float64(entries.data[kept]))

    return matrix.shape[0], fetch


def _declare_array(edges: NDArray[Any]) -> Callable[[], Ends]:
    if edges.ndim != 2 or edges.shape[1] not in (2, 3):
        columns = f" and {edges.shape[1]} columns" if edges.ndim == 2 else ""
        raise SchemaError(
            "edges must be an array of 2 columns, or 3 with weights, "
            f"got one of {edges.ndim} dimensions{columns}"
        ) from None
    if edges.dtype.kind not in NUMERIC_KINDS + "UTO":
        name = edges.dtype.type.__name__  # not the dtype, which may tell the length of the longest name
        raise SchemaError(f"edges must be numbers or text, got an array of type {name}") from None

    def fetch() -> Ends:
        masked = np.ma.getmaskarray(edges)
        kept = ~masked[:, :2].any(axis=1)
        given = np.asarray(edges)[kept]
        if given.dtype.kind not in NUMERIC_KINDS:
            return _listed(given.tolist())
        numbers = np.where(masked[kept], np.nan, nearest_float64(given))
        return Ends(numbers[:, 0], numbers[:, 1], numbers[:, 2] if numbers.shape[1] == 3 else None)

    return fetch


def _declare_frame(frame: Any) -> Callable[[], Ends]:
    """A table of 2 columns, or 3 with weights, recognised and read through narwhals."""
    import narwhals as nw

    try:
        table = nw.from_native(frame, eager_only=True)
        columns = [table.get_column(name).to_native() for name in table.columns]
    except Exception:
        columns = []
    if len(columns) not in (2, 3):
        raise SchemaError(
            "a graph must be one of networkx, igraph or scipy.sparse, or edges: a list of pairs, an array or a table "
            f"of 2 columns, or 3 with weights; got {type(frame).__module__}.{type(frame).__qualname__}"
        ) from None
    heads, tails = map(declare_labels, columns[:2])
    weights = declare(columns[2]) if len(columns) == 3 else None
    return lambda: Ends(
        heads.fetch(), tails.fetch(), None if weights is None else nearest_float64(weights.fetch()[0])
    )


def _listed(edges: list[Any]) -> Ends:
    """Pairs, or triples with a weight; anything else is no edge."""
    read = [_edge(edge) for edge in edges]
    return Ends([u for u, _, _ in read], [v for _, v, _ in read], numbers_of([w for _, _, w in read]))


def _edge(edge: Any) -> tuple[object, object, object]:
    try:
        if isinstance(edge, (tuple, list, np.ndarray)) and len(edge) in (2, 3):
            return edge[0], edge[1], edge[2] if len(edge) == 3 else None
    except Exception:
        pass  # code of the record itself
    return NOWHERE, NOWHERE, None


def _look_up(places: dict[Any, int], end: object) -> int:
    try:
        return places.get(end, -1)
    except Exception:
        return -1  # what cannot be hashed or compared is no node


def _hashable(label: Any) -> Any:
    try:
        if label == label and hash(label) is not None:
            return label
    except Exception:
        pass
    raise ParameterTypeError(
        f"nodes must be text, numbers or other hashable names, got {describe(label)}"
    ) from None


def _refuse_twins(first: object, second: object) -> None:
    raise ParameterError(
        f"nodes must differ from each other, as text or as float64, got {describe(first)} and {describe(second)}"
    ) from None
