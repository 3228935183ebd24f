"""Other libraries asked for the same median: Polars without privacy, OpenDP and diffprivlib with it.

Each is optional. What a peer can prepare once (a series, a measurement for 1,001 candidates) is prepared
before the clock starts, which noisewise does not do for itself.
"""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from columns import Floats, Shape
from measure import Call
from reporting import installed

CANDIDATES = 1_001
EPSILON = 1.0
MISSING = "not installed; pip install -r benchmarks/peers.txt"


def polars_median(shape: Shape, values: Floats) -> Call:
    series = importlib.import_module("polars").Series(values)
    return lambda: series.median()


def opendp_median(shape: Shape, values: Floats) -> Call:
    """Noisy selection among equally spaced candidates, its scale searched so that epsilon is the same."""
    dp = importlib.import_module("opendp.prelude")
    dp.enable_features("contrib")
    domain = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    candidates = np.linspace(*shape.bounds, CANDIDATES).tolist()

    def measurement(scale: float) -> Any:
        return dp.m.make_private_quantile(
            domain, dp.symmetric_distance(), dp.max_divergence(), candidates, 0.5, scale
        )

    release = measurement(dp.binary_search_param(measurement, d_in=1, d_out=EPSILON))
    return lambda: release(values)


def diffprivlib_median(shape: Shape, values: Floats) -> Call:
    tools = importlib.import_module("diffprivlib").tools
    return lambda: tools.median(values, epsilon=EPSILON, bounds=shape.bounds)


PEERS: dict[str, Callable[[Shape, Floats], Call]] = {
    "polars": polars_median,
    "opendp": opendp_median,
    "diffprivlib": diffprivlib_median,
}


def available() -> dict[str, Callable[[Shape, Floats], Call]]:
    """The peers of this environment."""
    return {name: make for name, make in PEERS.items() if installed(name)}


def absent() -> list[str]:
    """One line for each peer that cannot run."""
    return [f"{name}: {MISSING}" for name in PEERS if not installed(name)]
