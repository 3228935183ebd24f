"""Graphs: edges between declared nodes, from networkx, igraph, scipy.sparse or an edge list.

The edges are secret. The nodes are public, unless the question hides a node. A graph object declares its own nodes. An
edge list does not: nodes read from secret edges would reveal the edges. `declare_graph` looks only at types, and raises
all errors. Names and edges are read later, which never fails. Directions and weights are ignored. Several edges between
two nodes count once. A loop, or an edge with an end that is not declared, does not count.
"""

import sys
from collections.abc import Callable, Iterable, Sequence, Sized
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from noisewise.errors import ParameterError, ParameterTypeError, SchemaError
from noisewise.floors import known
from noisewise.kernel.losses import Neighbors
from noisewise.kernel.numbers.exact import describe, whole
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.kernel.secret import Secret
from noisewise.tables.columns.array_column import NUMERIC_KINDS, nearest_float64, numbers_of
from noisewise.tables.columns.labels import declare_labels, length

MOST_NODES = 2**27
MOST_NAMES = 2**24
"""The most nodes in a list of names, which takes far more memory than a number of nodes."""

NodeList = Callable[[], "int | Iterable[object]"]
"""The nodes of a graph: their number or their names."""

K = TypeVar("K")

OTHERS = 2
"""The most nodes without an edge that a compact graph keeps."""

NOWHERE = object()
"""The end of an edge that cannot be read. It is no declared node."""


AMBIGUOUS = object()
"""Stands for different names that are read as the same."""


class DeferredEdges(Secret):
    """A table of edges that an engine loads into memory after the debit.

    Its declared types were checked when it was made. ``kind`` says whether they declare numbers or text.
    """

    def __init__(self, fetch: Callable[[], object], kind: type[float] | type[str] | None = None) -> None:
        self.fetch, self.kind = fetch, kind


class Ends(NamedTuple):
    """Edges as they were given: two columns of names of nodes."""

    heads: Sequence[object] | NDArray[Any]
    tails: Sequence[object] | NDArray[Any]


@dataclass(frozen=True, slots=True)
class DeclaredNodes:
    """The nodes by their names. ``names`` holds the names that are numbers, sorted. ``others`` maps other names to
    indices.

    A number is read as the nearest float64, and any other name as its text. Names alone decide the indices. The order
    in which nodes were given does not, because edges may have decided it. A name that is given twice is one node.
    Different names that are read as the same, and names that cannot be read, are no nodes. So one node more or less
    does not change the order of the others. Without ``names`` the nodes are 0..count-1.
    """

    count: int
    names: NDArray[np.float64] | None
    others: dict[tuple[str, str], int]

    @classmethod
    def of(cls, nodes: "int | Iterable[object]") -> "DeclaredNodes":
        """Make the nodes from their number or their names. This never fails, since names can be as secret as edges."""
        if isinstance(nodes, int):
            return cls(nodes, None, {})
        labels = nodes.tolist() if isinstance(nodes, np.ndarray) else list(nodes)
        numbers = numbers_of(labels)
        numbered: dict[float, object] = {}
        texts: dict[tuple[str, str], object] = {}
        for label, number in zip(labels, numbers.tolist(), strict=True):
            if number == number:
                _enter(numbered, number, label)
            elif (text := _text(label)) is not None:
                _enter(texts, text, label)
        names = np.array(sorted(n for n, label in numbered.items() if label is not AMBIGUOUS), np.float64)
        rest = sorted(text for text, label in texts.items() if label is not AMBIGUOUS)
        return cls(names.size + len(rest), names, {text: names.size + at for at, text in enumerate(rest)})

    def find(self, ends: Sequence[object] | NDArray[Any]) -> NDArray[np.int64]:
        """The index of the node at each end; -1 if it is not declared. This never fails."""
        numeric = isinstance(ends, np.ndarray) and ends.dtype.kind in NUMERIC_KINDS
        numbers = nearest_float64(ends) if numeric else numbers_of(ends)  # type: ignore[arg-type]
        indices = self._numbered(numbers)
        if self.others and not numeric:
            for at in np.flatnonzero(np.isnan(numbers)).tolist():
                text = _text(ends[at])
                indices[at] = -1 if text is None else self.others.get(text, -1)
        return indices

    def _numbered(self, numbers: NDArray[np.float64]) -> NDArray[np.int64]:
        if self.names is None:
            declared = (numbers >= 0) & (numbers < self.count) & (numbers == np.floor(numbers))
            return np.where(declared, np.where(declared, numbers, 0).astype(np.int64), -1)
        if not self.names.size:
            return np.full(numbers.size, -1)
        at = np.minimum(np.searchsorted(self.names, numbers), self.names.size - 1)
        return np.where(self.names[at] == numbers, at, -1)


@dataclass(frozen=True, slots=True, repr=False)
class ArrayGraph(Secret):
    """Edges in memory, sorted and without duplicates."""

    nodes: int
    edges: NDArray[np.int64]
    lattice: Lattice
    neighbors: Neighbors

    @property
    def degrees(self) -> NDArray[np.int64]:
        return np.bincount(self.edges.ravel(), minlength=self.nodes)

    def compact(self) -> "ArrayGraph":
        with_edges, renamed = np.unique(self.edges, return_inverse=True)
        nodes = min(with_edges.size + OTHERS, self.nodes)
        return replace(self, nodes=nodes, edges=renamed.reshape(-1, 2))


@dataclass(frozen=True, slots=True, repr=False)
class DeclaredGraph(Secret):
    """A graph of an accepted type on known nodes. Its edges are not read yet."""

    nodes: Callable[[], DeclaredNodes]
    fetch: Callable[[], Ends]

    def size(self) -> int:
        """The number of nodes. Public, unless the question protects nodes."""
        return self.nodes().count

    def read(self, lattice: Lattice, neighbors: Neighbors) -> ArrayGraph:
        (heads, tails), nodes = self.fetch(), self.nodes()
        one, other = nodes.find(heads), nodes.find(tails)
        low, high, count = np.minimum(one, other), np.maximum(one, other), nodes.count
        kept = (low >= 0) & (low < high)
        keys = np.unique((low * count + high)[kept])
        edges = np.column_stack([keys // count, keys % count])
        return ArrayGraph(count, edges, lattice, neighbors)


def declare_graph(data: object, *, secret_nodes: bool = False) -> DeclaredGraph:
    """Accept or refuse a graph, or a pair (graph, nodes), by its type. Edges and names are not read.

    Public nodes are refused if, by the type of the edges, no edge can name any of them.
    """
    graph, nodes = data if isinstance(data, tuple) and len(data) == 2 else (data, None)
    own, fetch = (
        (None, lambda: _declare(graph.fetch())[1]()) if isinstance(graph, DeferredEdges) else _declare(graph)
    )
    if nodes is None and own is None:
        raise ParameterError(
            "nodes",
            "must be given for an edge list",
            why="their number, or a list of them that you know without looking at the edges",
        ) from None
    if nodes is not None:
        declared = _checked_nodes(nodes)
        _check_names(declared, kind_of_names(graph), secret_nodes)
        return DeclaredGraph(cache(lambda: DeclaredNodes.of(declared)), fetch)
    assert own is not None
    return DeclaredGraph(cache(lambda: DeclaredNodes.of(own())), fetch)


def kind_of_names(graph: object) -> type[float] | type[str] | None:
    """Whether edges of an accepted type name nodes by numbers or by text; None if their type does not say."""
    if isinstance(graph, DeferredEdges):
        return graph.kind
    if isinstance(graph, np.ndarray):
        return float if graph.dtype.kind in NUMERIC_KINDS else str if graph.dtype.kind in "UT" else None
    if (nw := sys.modules.get("narwhals.stable.v2")) is None:  # without narwhals no table came here
        return None
    table = nw.from_native(graph, eager_only=True, pass_through=True)
    if not isinstance(table, nw.DataFrame):
        return None
    kinds = {declare_labels(table.get_column(name).to_native()).kind for name in table.columns}
    return kinds.pop() if len(kinds) == 1 else None


def _check_names(
    nodes: "int | Iterable[object]", kind: type[float] | type[str] | None, secret_nodes: bool
) -> None:
    """Raise if no edge can name any of the nodes. Such a graph would have no edges."""
    if isinstance(nodes, int) and kind is str:
        raise ParameterError(
            "nodes",
            "must be a list of names where edges name nodes by text",
            got=f"{nodes:,}, which stands for the numbers from 0 on",
            fix="list the names, or make numbers of both columns first",
        ) from None
    if secret_nodes or kind is None or not isinstance(nodes, (list, tuple, range, np.ndarray)):
        return
    if len(nodes) and not any(isinstance(node, str) == (kind is str) for node in nodes):
        wanted = "text" if kind is str else "numbers"
        raise ParameterError(
            "nodes", f"must be {wanted} where edges name nodes by {wanted}", got=describe(nodes[0])
        ) from None


def _checked_nodes(nodes: object) -> "int | Iterable[object]":
    """The nodes that the user declared: a number, or something that lists them."""
    if isinstance(nodes, (int, np.integer)) and not isinstance(nodes, bool):
        return whole("nodes", nodes, least=1, most=MOST_NODES)
    if not isinstance(nodes, Iterable) or isinstance(nodes, (str, bytes)):
        raise ParameterTypeError(
            "nodes",
            "must be their number, or a list of them that you know without looking at the edges",
            got=describe(nodes),
        ) from None
    listed = (
        nodes if isinstance(nodes, Sized) else list(islice(nodes, MOST_NAMES + 1))
    )  # it may go on for ever
    if length(listed) > MOST_NAMES:
        raise ParameterError(
            "nodes",
            f"must be at most {MOST_NAMES:,} names",
            got="more",
            fix="give their number, where they are the numbers from 0 on",
        ) from None
    return listed


def _declare(graph: Any) -> tuple[NodeList | None, Callable[[], Ends]]:
    """Two functions: one lists the nodes that the graph declares, and one fetches its edges. The first may be None."""
    if _is_a(graph, "networkx", "Graph"):
        return lambda: graph.nodes, lambda: _listed(list(graph.edges()))
    if _is_a(graph, "igraph", "Graph"):
        named = "name" in graph.vertex_attributes()
        return lambda: graph.vs["name"] if named else graph.vcount(), lambda: _of_igraph(graph, named)
    if (sparse := sys.modules.get("scipy.sparse")) is not None and sparse.issparse(graph):
        return _declare_matrix(graph)
    if isinstance(graph, np.ndarray):
        return None, _declare_array(graph)
    if isinstance(graph, (list, set, frozenset)):
        return None, lambda: _listed(list(graph))
    return None, _declare_frame(graph)


def _is_a(graph: object, library: str, name: str) -> bool:
    """Whether a graph is of this class of a library. If the library is not imported, it is not."""
    kind = getattr(sys.modules.get(library), name, None)
    return isinstance(kind, type) and isinstance(graph, kind)


def _of_igraph(graph: Any, named: bool) -> Ends:
    ends = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    if not named:
        return Ends(ends[:, 0], ends[:, 1])
    names = graph.vs["name"]
    return Ends([names[k] for k in ends[:, 0]], [names[k] for k in ends[:, 1]])


def _declare_matrix(matrix: Any) -> tuple[NodeList, Callable[[], Ends]]:
    """Declare an adjacency matrix. Each number that is not zero is an edge."""
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise SchemaError("an adjacency matrix", "must be square", got=f"the shape {matrix.shape}") from None
    if matrix.dtype.kind not in NUMERIC_KINDS:
        raise SchemaError(
            "an adjacency matrix", "must hold numbers", got=f"the type {matrix.dtype}"
        ) from None

    def fetch() -> Ends:
        entries = matrix.tocoo()
        kept = entries.data != 0
        return Ends(entries.row[kept], entries.col[kept])

    return lambda: int(matrix.shape[0]), fetch


def _declare_array(edges: NDArray[Any]) -> Callable[[], Ends]:
    if edges.ndim != 2 or edges.shape[1] != 2:
        columns = f" and {edges.shape[1]} columns" if edges.ndim == 2 else ""
        raise SchemaError(
            "edges", "must be an array of 2 columns", got=f"one of {edges.ndim} dimensions{columns}"
        ) from None
    if edges.dtype.kind not in NUMERIC_KINDS + "UTO":
        name = edges.dtype.type.__name__  # not the dtype, which may tell the length of the longest name
        raise SchemaError("edges", "must be numbers or text", got=f"an array of type {name}") from None

    def fetch() -> Ends:
        given = np.asarray(edges)[~np.ma.getmaskarray(edges).any(axis=1)]
        if given.dtype.kind not in NUMERIC_KINDS:
            return _listed(given.tolist())
        numbers = nearest_float64(given)
        return Ends(numbers[:, 0], numbers[:, 1])

    return fetch


def _declare_frame(frame: object) -> Callable[[], Ends]:
    """Declare a table of 2 columns, read through narwhals."""
    plain = known(frame)
    import narwhals.stable.v2 as nw

    try:
        table = nw.from_native(plain, eager_only=True)
        columns = [table.get_column(name).to_native() for name in table.columns]
    except Exception:
        columns = []
    if len(columns) != 2:
        raise SchemaError(
            "a graph",
            "must be one of networkx, igraph or scipy.sparse, or edges: a list of pairs, an array or a table of 2 "
            "columns",
            got=f"{type(frame).__module__}.{type(frame).__qualname__}",
        ) from None
    heads, tails = map(declare_labels, columns)
    return lambda: Ends(heads.fetch(), tails.fetch())


def _listed(edges: Sequence[object]) -> Ends:
    """The ends of edges given as pairs or triples. A third part, such as a weight, is ignored. Other objects are no
    edges."""
    read = [_ends(edge) for edge in edges]
    return Ends([u for u, _ in read], [v for _, v in read])


def _ends(edge: object) -> tuple[object, object]:
    try:
        if isinstance(edge, (tuple, list, np.ndarray)) and len(edge) in (2, 3):
            return edge[0], edge[1]
    except Exception:
        pass  # code of the record itself
    return NOWHERE, NOWHERE


def _text(label: object) -> tuple[str, str] | None:
    """The text of a name that is not a number, and its type unless it is text. None if it has no text. Never fails."""
    try:
        if label is None or isinstance(label, float):
            return None
        if isinstance(label, str):
            return "", str.__str__(label)
        return type(label).__qualname__, repr(label)
    except Exception:
        return None


def _enter(entered: dict[K, object], key: K, label: object) -> None:
    """Note a label under its key. Two different labels with one key are ambiguous."""
    first = entered.setdefault(key, label)
    if first is not label and not _same(first, label):
        entered[key] = AMBIGUOUS


def _same(one: object, other: object) -> bool:
    try:
        return bool(one == other)
    except Exception:
        return False
