"""Formulas by an engine have the bits that NumPy finds, whatever the numbers are."""

from itertools import product

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from noisewise.kernel.numbers.lattice import Lattice
from noisewise.statistics import MSE, Accuracy, LogLoss
from noisewise.statistics.covariance import scaled
from noisewise.statistics.row_formulas import IN_MEMORY
from noisewise.tables.engines.arithmetic import EngineArithmetic, with_steps
from noisewise.tables.engines.engine_table import dialect_of
from tests.tables.every_engine import LOCAL, lazily

RNG = np.random.default_rng(5)
EDGES = [-np.inf, -1e308, -1.5, -0.5, -0.0, 0.0, 5e-324, 2.0**-1022, 0.5, 0.5**0.5, 1.0, 2.5, 1e308, np.inf]
PAIRS = np.array([*product(EDGES, EDGES)])
X = np.concatenate([PAIRS[:, 0], RNG.normal(0, 3, 100), np.nextafter(EDGES[2:12], 9)])
Y = np.concatenate(
    [PAIRS[:, 1], RNG.random(100) * 2.0 ** -RNG.integers(0, 1075, 100), np.nextafter(EDGES[2:12], -9)]
)
LATTICES = [Lattice.between((-3, 3), 0.1), Lattice.between((0.1, 77.7)), Lattice.between((-(2**51), 2**51))]
FORMULAS = {
    "squared error": MSE().of_row,
    "hit": Accuracy().of_row,
    "log loss": LogLoss().of_row,
    "rounded": lambda by, x, y: by.rounded(by.clip(x, -(2.0**51), 2.0**51)),
    "divided": lambda by, x, y: by.absolute(by.divided(x, 3.0)) - by.where(y > -1.0, 1.0, 2.0),
}
FORMULAS |= {
    f"nearest {place}": lambda by, x, y, lattice=lattice: by.nearest(x, lattice)
    for place, lattice in enumerate(LATTICES)
}
FORMULAS |= {
    f"scaled by {bounds}": lambda by, x, y, bounds=bounds: scaled(0, Lattice.fine(bounds)).formula(by, x)
    for bounds in ((-3.0, 0.4), (0.1, 0.7), (10**15, 10**15 + 3))
}


def both(engine, formula):
    """The numbers of all rows in memory, and by an engine."""
    with np.errstate(all="ignore"):
        known = formula(IN_MEMORY, X, Y)
    frame = lazily(engine, pl.DataFrame({"row": np.arange(X.size), "x": X, "y": Y}))
    by = EngineArithmetic()
    number = formula(by, nw.col("x"), nw.col("y"))
    rows, found = dialect_of(frame).arrays(with_steps(frame, [by]).select("row", number.alias("d")))
    return known, found[np.argsort(rows)]


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("engine", LOCAL)
def test_a_formula_has_the_bits_of_memory(engine, name):
    known, found = both(engine, FORMULAS[name])
    assert not np.isnan(known).any()
    assert (known + 0.0).tobytes() == (found + 0.0).tobytes()  # of two zeros, none is told from the other


@pytest.mark.parametrize("engine", LOCAL)
def test_mantissas_and_exponents_are_those_of_memory(engine):
    shares = np.abs(Y[np.abs(Y) <= 1])
    known = np.frexp(shares)
    frame = lazily(engine, pl.DataFrame({"row": np.arange(shares.size), "x": shares}))
    by = EngineArithmetic()
    mantissa, exponent = by.split(nw.col("x"))
    rows, *found = dialect_of(frame).arrays(
        with_steps(frame, [by]).select("row", mantissa.alias("m"), exponent.alias("e"))
    )
    mantissas, exponents = (each[np.argsort(rows)] for each in found)
    assert mantissas.tolist() == known[0].tolist()
    assert exponents[shares > 0].tolist() == known[1][shares > 0].tolist()
