"""One graph in every form it can be given, and everything about it that does not count."""

import subprocess
import sys
from fractions import Fraction

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import noisewise as nws
from noisewise import ParameterError, ParameterTypeError, SchemaError
from noisewise.kernel.numbers.lattice import Lattice
from noisewise.tables.columns.edge_lists import MOST_NODES, DeclaredNodes, DeferredEdges, declare_graph
from tests.lazy_module import LazyModule

igraph, nx, sp = LazyModule("igraph"), LazyModule("networkx"), LazyModule("scipy.sparse")

LATTICE = Lattice(0, 1, Fraction(1))
EDGES = [(0, 1), (1, 2), (0, 2), (2, 4)]
WEIGHTS = [0.5, 1.5, 2.5, 3.5]
TRIPLES = [(i, j, w) for (i, j), w in zip(EDGES, WEIGHTS, strict=True)]
SORTED = [[0, 1], [0, 2], [1, 2], [2, 4]]


def read(graph, nodes=None):
    return declare_graph((graph, nodes)).read(LATTICE, "add_remove")


def networkx_graph(kind="Graph"):
    graph = getattr(nx, kind)()
    graph.add_nodes_from(range(6))
    graph.add_edges_from(EDGES)
    return graph


def matrix(kind):
    full = np.zeros((6, 6))
    for i, j in EDGES:
        full[i, j] = full[j, i] = 1
    return kind(full)


def test_one_graph_in_every_form():
    for name, form in {
        "networkx": (networkx_graph(), None),
        "networkx directed": (networkx_graph("DiGraph"), None),
        "networkx multi": (networkx_graph("MultiGraph"), None),
        "networkx directed multi": (networkx_graph("MultiDiGraph"), None),
        "networkx with nodes": (networkx_graph(), range(6)),
        "igraph": (igraph.Graph(n=6, edges=EDGES), None),
        "igraph directed": (igraph.Graph(n=6, edges=EDGES, directed=True), None),
        "csr array": (matrix(sp.csr_array), None),
        "coo matrix": (matrix(sp.coo_matrix), None),
        "lil array": (matrix(sp.lil_array), None),
        "one side of a matrix": (sp.triu(matrix(sp.csr_array)), None),
        "whole numbers in a matrix": (matrix(sp.csc_array).astype(np.int8), None),
        "pairs": (EDGES, 6),
        "pairs in lists": ([list(edge) for edge in EDGES], 6),
        "pairs in arrays": ([np.array(edge) for edge in EDGES], np.int64(6)),
        "a set of pairs": (set(EDGES), 6),
        "pairs of floats": ([(float(i), float(j)) for i, j in EDGES], 6),
        "array": (np.array(EDGES), 6),
        "array of floats": (np.array(EDGES, float), list(range(6))),
        "array of objects": (np.array(EDGES, object), 6),
        "array of bytes": (np.array(EDGES, np.uint8), np.arange(6)),
        "pandas": (pd.DataFrame(EDGES, columns=["from", "to"]), 6),
        "pandas of objects": (pd.DataFrame(EDGES, columns=["from", "to"], dtype=object), 6),
        "polars": (pl.DataFrame(EDGES, schema=["from", "to"], orient="row"), 6),
        "pyarrow": (pa.table({"from": [i for i, _ in EDGES], "to": [j for _, j in EDGES]}), 6),
        "nodes in a series": (EDGES, pd.Series(range(6))),
    }.items():
        graph = read(*form)
        assert graph.nodes == 6, name
        assert graph.edges.tolist() == SORTED, name
        assert graph.edges.dtype == np.int64, name
        assert graph.degrees.tolist() == [2, 2, 3, 0, 1, 0], name


def test_a_bare_graph_object_is_enough():
    assert declare_graph(networkx_graph()).size() == 6
    assert declare_graph(igraph.Graph(n=6, edges=EDGES)).size() == 6
    assert declare_graph(matrix(sp.csr_array)).size() == 6


def test_names_may_be_text_numbers_or_anything_hashable():
    names = ["ann", 7, (1, 2), 2.5]
    edges = [("ann", 7.0), ((1, 2), "ann"), (2.5, "ann"), (np.float32(2.5), np.str_("ann"))]
    assert read(edges, names).edges.tolist() == [[0, 2], [1, 2], [2, 3]], "2.5, 7, ann, (1, 2)"
    text = np.array([["ann", "bob"], ["cy", "ann"]])
    assert read(text, ["cy", "bob", "ann"]).edges.tolist() == [[0, 1], [0, 2]], "by name, not as listed"
    frame = pl.DataFrame({"a": ["ann", "bob", None], "b": ["bob", "cy", "ann"]})
    assert read(frame, {"ann", "bob", "cy"}).edges.shape == (2, 2)
    grid = nx.grid_graph((2, 2))
    assert read(grid).degrees.tolist() == [2, 2, 2, 2]


def test_a_column_of_numbers_means_the_same_with_and_without_a_missing_one():
    whole = pd.DataFrame({"from": [0, 1, 2], "to": [1, 2, 3]})
    missing = pd.DataFrame({"from": [0, 1, 2, None], "to": [1, 2, 3, 0]})
    big = 2**53 + 1
    for nodes in (4, [0, 1, 2, 3], [3, 2, 1, 0, big]):
        assert read(whole, nodes).edges.tolist() == read(missing, nodes).edges.tolist()
    assert read([(0, big)], [0, big]).edges.tolist() == read([(0.0, float(big))], [0, big]).edges.tolist()


def test_loops_repetitions_and_unknown_nodes_do_not_count():
    noise = [(1, 0), (0, 1), (3, 3), (0, 6), (-1, 2), (0.5, 1), (None, 1), (float("nan"), 2), ("x", 1)]
    assert read(EDGES + noise, 6).edges.tolist() == SORTED
    numbers = np.array([*EDGES, (1, 0), (3, 3), (0, 6), (-1, 2), (0.5, 1), (np.nan, 2), (np.inf, 0)])
    assert read(numbers, 6).edges.tolist() == SORTED


class Awkward:
    """Equal to nothing, and loud about it."""

    def __eq__(self, other):
        raise RuntimeError

    def __hash__(self):
        raise RuntimeError

    def __len__(self):
        raise RuntimeError


def test_reading_is_total():
    junk = [
        None,
        "01",
        b"01",
        5,
        (),
        (1,),
        (0, 1, 2, 3),
        [[0], [1]],
        {0: 1},
        Awkward(),
        (Awkward(), 1),
        (0, [1]),
    ]
    for nodes in (6, [*range(5), "x"]):
        assert read(EDGES + junk, nodes).edges.tolist() == SORTED
    assert read([], 3).edges.shape == (0, 2)
    assert read([], 3).degrees.tolist() == [0, 0, 0]
    assert read(np.empty((0, 2)), 3).edges.shape == (0, 2)
    assert read(np.ma.array(EDGES, mask=[(0, 0), (0, 1), (1, 0), (0, 0)]), 6).edges.tolist() == [
        [0, 1],
        [2, 4],
    ]
    assert read(sp.csr_array((3, 3))).edges.shape == (0, 2)
    assert read(igraph.Graph(n=3)).edges.shape == (0, 2)
    assert read(nx.empty_graph(3)).edges.shape == (0, 2)


def weighted_networkx():
    graph = nx.Graph()
    graph.add_nodes_from(range(6))
    graph.add_weighted_edges_from(TRIPLES)
    return graph


def weighted_matrix():
    (rows, columns), numbers = zip(*EDGES, strict=True), np.array(WEIGHTS)
    return sp.coo_array((numbers, (rows, columns)), shape=(6, 6))


def test_what_an_edge_weighs_does_not_count():
    for form in (
        (weighted_networkx(), None),
        (igraph.Graph(n=6, edges=EDGES, edge_attrs={"weight": WEIGHTS}), None),
        (weighted_matrix(), None),
        ([*TRIPLES, (1, 0, 9), (0, 1, None)], 6),
        (list(weighted_networkx().edges(data=True)), 6),
    ):
        assert read(*form).edges.tolist() == SORTED, type(form[0])


def test_what_is_not_zero_in_a_matrix_is_an_edge():
    stored = sp.coo_array(([0.0, np.nan, 2.0], ([0, 1, 2], [1, 2, 3])), shape=(4, 4))
    assert read(stored).edges.tolist() == [[1, 2], [2, 3]]


# The order of nodes


EDGE_FILE = [(8, 9), (3, 10), (5, 6), ("b", 11), (0, "a"), (4, 11), (0, 8), ((1, 2), 10), (0, 4), (9, "b")]
NAMES = sorted({end for edge in EDGE_FILE for end in edge}, key=str)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_nodes_is_that_of_their_names_and_not_that_of_the_edges(seed):
    """A graph of networkx or igraph made of an edge file has its nodes in the order of that file: a secret."""
    rng = np.random.default_rng(seed)
    shuffled = [EDGE_FILE[k] for k in rng.permutation(len(EDGE_FILE))]
    names = [NAMES[k] for k in rng.permutation(len(NAMES))]
    first = read(EDGE_FILE, NAMES)
    for other in (
        read(shuffled, names),
        read(shuffled, set(NAMES)),
        read(nx.Graph(shuffled)),
        read(nx.Graph([edge[::-1] for edge in shuffled])),
    ):
        assert other.edges.tolist() == first.edges.tolist()
    text = [(str(a), str(b)) for a, b in shuffled]
    plain = read([(str(a), str(b)) for a, b in EDGE_FILE], [str(n) for n in NAMES])
    assert read(igraph.Graph.TupleList(text)).edges.tolist() == plain.edges.tolist()


def test_a_node_more_leaves_the_others_in_their_order():
    nodes = [256 + i for i in range(76)]
    edges = [(nodes[i], nodes[i + 1]) for i in range(75)]
    for more in (120, 10**6, "x", 256.5):
        with_one = DeclaredNodes.of({*nodes, more})
        places = with_one.find(nodes)
        assert with_one.count == 77
        assert np.all(np.diff(places) > 0)
        assert read(edges, {*nodes, more}).edges.shape == (75, 2)


def test_names_that_read_alike_name_nobody_and_nothing_is_raised():
    """An error, or a name in it, would speak of a node; a node that takes another one away is one edit."""
    big = 2**53
    assert DeclaredNodes.of([0, 1, big]).count == 3
    assert DeclaredNodes.of([0, 1, big, big + 1]).count == 2
    assert DeclaredNodes.of([0, 1, float("nan"), None]).count == 2
    assert DeclaredNodes.of([0, 1, 1.0, True, "a", "a"]).count == 3
    assert read([(0, big), (0, 1)], [0, 1, big, big + 1]).edges.tolist() == [[0, 1]]

    class Hostile:
        def __repr__(self):
            raise RuntimeError

    assert DeclaredNodes.of([0, Hostile()]).count == 1
    assert DeclaredNodes.of([]).count == DeclaredNodes.of([None, float("nan")]).count == 0
    assert read(EDGES, []).edges.shape == (0, 2)


# Errors: from types and nodes alone


@pytest.mark.parametrize("edges", [EDGES, [], set(), np.array(EDGES), pd.DataFrame(EDGES)])
def test_edges_alone_have_no_nodes(edges):
    with pytest.raises(ParameterError, match=r"^nodes must be given for an edge list"):
        declare_graph(edges)


@pytest.mark.parametrize(
    ("nodes", "error", "words"),
    [
        (0, ParameterError, "at least 1, got 0"),
        (MOST_NODES + 1, ParameterError, "at most 134217728, got 134217729"),
        (True, ParameterTypeError, "their number, or a list of them"),
        (2.5, ParameterTypeError, "their number, or a list of them"),
        ("abc", ParameterTypeError, "their number, or a list of them"),
    ],
)
def test_nodes_are_judged(nodes, error, words):
    with pytest.raises(error, match=f"^nodes must .*{words}"):
        declare_graph((EDGES, nodes))


def test_a_graph_is_judged_by_its_type():
    for graph, words in (
        (5, "a graph must be one of .*got builtins.int"),
        ("edges", "a graph must be one of .*got builtins.str"),
        (pd.DataFrame({"a": [1]}), "a graph must be one of .*DataFrame"),
        (pl.DataFrame(TRIPLES, orient="row"), "a graph must be one of .*DataFrame"),
        (pl.LazyFrame({"a": [1], "b": [2]}), "a graph must be one of .*LazyFrame"),
        (np.arange(4), "edges must be an array of 2 columns, got one of 1 dimensions"),
        (np.array(TRIPLES), "edges must be an array of 2 columns, .* 2 dimensions and 3 columns"),
        (np.zeros((3, 2), "M8[s]"), "edges must be numbers or text, got an array of type datetime64"),
        (sp.csr_array((3, 4)), "an adjacency matrix must be square"),
        (sp.csr_array((3, 3), dtype=complex), "an adjacency matrix must hold numbers"),
        (pl.DataFrame({"a": [[1]], "b": [2]}), "data must be text, numbers or booleans"),
    ):
        with pytest.raises(SchemaError, match=f"^{words}"):
            declare_graph((graph, 4))


def test_no_form_shows_its_edges():
    declared = declare_graph((EDGES, 6))
    assert repr(declared) == "<DeclaredGraph: withheld>"
    assert repr(declared.read(LATTICE, "add_remove")) == "<ArrayGraph: withheld>"


def test_libraries_are_recognised_without_importing_them():
    script = (
        "import sys; from noisewise.tables.columns.edge_lists import declare_graph; declare_graph(([(0, 1)], 2));"
        "print([m for m in ('networkx', 'igraph', 'scipy', 'narwhals') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_edges_are_fetched_after_the_debit():
    events = []

    class Purse:
        def debit(self, loss, **said):
            events.append("debit")

    def fetch():
        events.append("fetch")
        return pd.DataFrame({"a": [0, 1, 0], "b": [1, 2, 2]})

    found = nws.triangles(DeferredEdges(fetch), nodes=3, epsilon=60, ledger=Purse())
    assert (found.value, events) == (1, ["debit", "fetch"])


def test_deferred_edges_show_nothing():
    assert repr(DeferredEdges(lambda: "secret")) == "<DeferredEdges: withheld>"


TRIANGLE = pl.DataFrame({"a": ["1", "2", "1"], "b": ["2", "3", "3"]})
BY_TEXT = {
    "polars": lambda frame: frame,
    "pandas": lambda frame: frame.to_pandas().astype("string"),
    "numpy": lambda frame: np.array(frame.rows()),
    "arrow": lambda frame: frame.to_arrow(),
}


@pytest.mark.parametrize("make", BY_TEXT.values(), ids=BY_TEXT)
def test_nodes_that_no_edge_can_name_are_refused(make):
    """All edges would be elsewhere, and the answer that of a graph without any."""
    asked = {"epsilon": 60}
    texts, numbers = make(TRIANGLE), TRIANGLE.cast(pl.Int64)
    assert nws.triangles(texts, nodes=["1", "2", "3"], **asked).value == 1
    assert (
        nws.triangles(numbers, nodes=4, **asked).value
        == nws.triangles(numbers, nodes=[1, 2, 3], **asked).value
        == 1
    )
    with pytest.raises(ParameterError) as caught:
        nws.triangles(texts, nodes=4, **asked)
    assert str(caught.value) == (
        "nodes must be a list of names where edges name nodes by text, got 4, which stands for the numbers from 0 on; "
        "list the names, or make numbers of both columns first"
    )
    for nodes in ([1, 2, 3], range(4), np.arange(4)):
        with pytest.raises(
            ParameterError, match=r"^nodes must be text where edges name nodes by text, got [01]$"
        ):
            nws.triangles(texts, nodes=nodes, **asked)
    with pytest.raises(
        ParameterError, match=r"^nodes must be numbers where edges name nodes by numbers, got '1'$"
    ):
        nws.triangles(numbers, nodes=["1", "2"], **asked)


@pytest.mark.parametrize(
    "make", [lambda frame: frame.lazy(), lambda frame: duckdb.from_arrow(frame.to_arrow())]
)
def test_nodes_that_no_edge_can_name_are_refused_of_tables(make):
    for data in (nws.Dataset(make(TRIANGLE)), nws.Dataset(TRIANGLE).where("a != '9'")):
        assert data.triangles(["a", "b"], nodes=["1", "2", "3"], epsilon=60).value == 1
        for nodes in (4, [1, 2, 3]):
            with pytest.raises(
                ParameterError, match=r"^nodes must be .* where edges name nodes by text, got "
            ):
                data.triangles(["a", "b"], nodes=nodes, epsilon=60)


def test_a_number_of_nodes_says_that_a_text_file_names_them_by_numbers(tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\n1,2\n2,3\n1,3\n")
    data = nws.Dataset.scan(tmp_path / "edges.csv")
    counted = data.triangles(["a", "b"], nodes=4, epsilon=60)
    assert counted.value == 1 and "a read as numbers" in str(counted) and "b read as numbers" in str(counted)
    assert data.triangles(["a", "b"], nodes=["1", "2", "3"], epsilon=60).value == 1
    with pytest.raises(ParameterError, match=r"^nodes must be text where edges name nodes by text, got 1$"):
        data.triangles(["a", "b"], nodes=[1, 2, 3], epsilon=60)


def test_nothing_is_said_of_a_list_of_nodes_that_is_as_secret_as_the_edges():
    """One node more or less, of whatever type, must not decide whether there is an answer."""
    for nodes in ([1, 2], ["1", 2], ["1", "2"], []):
        asked = {"nodes": nodes, "max_degree": 2, "epsilon": 60}
        assert nws.degree_quantile(TRIANGLE, 1, **asked).value in range(3)


def test_a_compact_graph_has_the_nodes_with_an_edge_and_two_others():
    edges = [(90, 7), (7, 1000)]
    compact = read(edges, 10**8).compact()
    assert (compact.nodes, compact.edges.tolist()) == (5, [[0, 1], [0, 2]])
    assert compact.degrees.tolist() == [2, 1, 1, 0, 0]
    assert [read([], nodes).compact().nodes for nodes in (1, 2, 3)] == [1, 2, 2]
    assert read([(0, 1), (1, 2)], 3).compact().nodes == 3
