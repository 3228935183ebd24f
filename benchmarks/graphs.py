"""The relative error of private numbers of triangles, by epsilon, against Laplace noise and smooth sensitivity.

    python benchmarks/graphs.py [--quick] [--data FOLDER]

The folder may hold facebook_combined.txt and oregon1_010331.txt of SNAP, an edge a line; networkx brings small graphs
along if it is installed. Errors are mean distances from the true count over the count, read off the laws. Smooth
sensitivity adds (10/epsilon)*S noise of density 1/(1 + z^4), purely private [NissimRaskhodnikovaSmith07, Lemma 2.7 with
exponent 4], where S is the largest of LS(s)*exp(-epsilon*s/10); its mean is 0.7071 of its scale.
"""

import argparse
import importlib
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measure import progress
from reporting import Report, Table, Target, add, installed

import noisewise as nws
from noisewise.planning.readings.read_law import read_law

EPSILONS = ("0.1", "0.5", "1", "2", "5", "10")
FILES = {"facebook_combined.txt": "SNAP ego-Facebook", "oregon1_010331.txt": "SNAP Oregon-1"}
BUILT_IN = {"karate_club_graph": "Zachary's karate club", "les_miserables_graph": "Les Misérables"}
TRIANGLES = nws.Triangles()
SECONDS = 5.0
MEAN_OF_QUARTIC = math.sqrt(0.5)


class Network(NamedTuple):
    """A graph with its number of nodes, which is public."""

    name: str
    edges: Any
    nodes: int

    @property
    def data(self) -> tuple[Any, int]:
        return self.edges, self.nodes


def networks(folder: Path | None, quick: bool) -> Iterator[Network]:
    """Public graphs where they are to be had, and one that is made up."""
    rng = np.random.default_rng(1)
    n = 60 if quick else 2_000
    yield Network(f"random, {n:,} nodes of degree 10", rng.integers(0, n, (5 * n, 2)), n)
    if installed("networkx"):
        networkx = importlib.import_module("networkx")
        for make, name in BUILT_IN.items():
            graph = networkx.convert_node_labels_to_integers(getattr(networkx, make)())
            yield Network(name, np.array(list(graph.edges())), graph.number_of_nodes())
    for file, name in FILES.items():
        if folder is not None and (folder / file).exists():
            names, edges = np.unique(
                np.loadtxt(folder / file, dtype=np.int64, comments="#"), return_inverse=True
            )
            yield Network(name, edges.reshape(-1, 2), names.size)


def errors(network: Network, epsilon: str) -> dict[str, float]:
    """The mean error of each way, as a share of the true count."""
    asked = {"epsilon": float(epsilon)}
    ours = nws.hazmat.law(TRIANGLES, network.data, **asked)
    wide = nws.hazmat.law(TRIANGLES, network.data, mechanism="laplace", **asked)
    true = ours.envelope.level(0)[0]
    upper, lower = np.diff(ours.envelope.upper), -np.diff(ours.envelope.lower)
    local = np.maximum(upper, lower)  # one side may have met its end
    decay = np.exp(-float(epsilon) / 10 * np.arange(local.size))
    smooth = 10 / float(epsilon) * float(np.max(local * decay, initial=0.0)) * MEAN_OF_QUARTIC
    found = {
        "noisewise": read_law(ours).expected_error(),
        "Laplace": read_law(wide).expected_error(),
        "smooth sensitivity": smooth,
    }
    return {name: error / max(true, 1) for name, error in found.items()} | {"true": true}


def table(network: Network, found: list[dict[str, float]]) -> Table:
    names = [name for name in found[0] if name not in ("true", "epsilon")]
    rows = [(str(r["epsilon"]), *(f"{100 * r[name]:.3g}%" for name in names)) for r in found]
    count = f"{found[0]['true']:,.0f} triangles"
    title = f"Graphs: relative error of the {count} of {network.name} ({network.nodes:,} nodes)"
    return Table(title, ("epsilon", *names), rows)


def report(quick: bool = False, folder: Path | None = None) -> Report:
    result = Report("graphs")
    for network in networks(folder, quick):
        start = time.perf_counter()
        nws.release(TRIANGLES, network.data, epsilon=1)
        seconds = time.perf_counter() - start
        found: list[dict[str, Any]] = []
        for epsilon in EPSILONS[2:3] if quick else EPSILONS:
            progress(f"triangles of {network.name} at epsilon {epsilon}")
            found.append({"epsilon": epsilon} | errors(network, epsilon))
        result.tables.append(table(network, found))
        result.records.extend(
            {"graph": network.name, "count": "triangles", "seconds": seconds} | r for r in found
        )
        if network.name == "SNAP ego-Facebook":
            result.targets.append(
                Target(f"{network.name}: seconds of a release of triangles", SECONDS, seconds)
            )
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it run at all?")
    parser.add_argument("--data", type=Path, help="a folder with the graphs of SNAP")
    parser.add_argument("--add-to", type=Path, help="a results file to put the report into")
    asked = parser.parse_args()
    found = report(asked.quick, asked.data)
    progress("")
    print(found.text())
    if asked.add_to is not None:
        add(found, asked.add_to)


if __name__ == "__main__":
    main()
