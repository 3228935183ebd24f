"""The mean absolute error of a private median, by mechanism: read off the laws, nothing is sampled.

    python benchmarks/accuracy.py [--quick]
    python benchmarks/accuracy.py --csv people.csv --column age --bounds 0 120

The gain is how much smaller the error of piecewise Laplace is than that of inverse sensitivity; where it is
negative, inverse sensitivity is the better one. The error is taken against the median on the lattice; how far
that is from the unrounded one stands in its own column. Laws are secret: use data that is public or made up.
"""

import argparse
import csv
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
from columns import INCOMES, Floats, incomes
from measure import progress
from reporting import Report, Table, add, number

import noisewise as nws
from noisewise.planning.readings.read_law import read_law

PIECEWISE, INVERSE, LAPLACE = MECHANISMS = ("piecewise_laplace", "inverse_sensitivity", "laplace")
EPSILONS = ("0.1", "0.5", "1", "2", "5", "10")
GRANULARITIES = ("1", "0.01", "10", "100", "1000")
MEDIAN = nws.Quantile(Fraction(1, 2))
NEGLIGIBLE = 1e-6
"""An error below this part of a lattice step is not compared."""


Record = dict[str, float | str]


class Asked(NamedTuple):
    """A column and what is public about it."""

    name: str
    values: Floats
    bounds: tuple[float, float]
    granularities: Sequence[str]

    def error(self, mechanism: str, epsilon: str, granularity: str) -> float:
        law = nws.hazmat.law(
            MEDIAN,
            self.values,
            bounds=self.bounds,
            epsilon=Fraction(epsilon),
            granularity=Fraction(granularity),
            mechanism=mechanism,
        )
        return read_law(law).expected_error()

    def rounding(self, granularity: str) -> float:
        """How far the lattice's median is from the column's own lower median."""
        known = np.clip(self.values[~np.isnan(self.values)], *self.bounds)
        middle = float(np.partition(known, (known.size - 1) // 2)[(known.size - 1) // 2])
        step = MEDIAN.frame(self.bounds, Fraction(granularity)).records
        return abs(float(int(step.index(np.array([middle]))[0]) * step.granularity) - middle)


def errors(asked: Asked, epsilons: Sequence[str]) -> list[Record]:
    """One record per epsilon and granularity."""
    found: list[Record] = []
    for granularity in asked.granularities:
        for epsilon in epsilons:
            progress(f"errors on {asked.name} at epsilon {epsilon}, granularity {granularity}")
            record: Record = {"column": asked.name, "n": asked.values.size}
            record |= {"granularity": granularity, "epsilon": epsilon}
            record |= {name: asked.error(name, epsilon, granularity) for name in MECHANISMS}
            found.append(record | {"rounding": asked.rounding(granularity)})
    return found


def gain(record: Record) -> str:
    """How much smaller piecewise Laplace's error is than inverse sensitivity's; a dash if both are nil."""
    ours, theirs = float(record[PIECEWISE]), float(record[INVERSE])
    if max(ours, theirs) < NEGLIGIBLE * Fraction(str(record["granularity"])):
        return "-"
    return f"{round(100 * (1 - ours / theirs), 1) + 0.0:.1f}%"


def by_epsilon(asked: Asked, found: list[Record]) -> Table:
    """The three mechanisms at the first granularity."""
    first = asked.granularities[0]
    rows = [
        (str(r["epsilon"]), *(small(float(r[name])) for name in MECHANISMS), gain(r))
        for r in found
        if r["granularity"] == first
    ]
    low, high = asked.bounds
    title = (
        f"Accuracy: mean absolute error of the median of {asked.values.size:,} ({asked.name}), "
        f"bounds {low:,.10g} to {high:,.10g}, granularity {first}"
    )
    return Table(title, ("epsilon", "piecewise Laplace", "inverse sensitivity", "Laplace", "gain"), rows)


def by_granularity(asked: Asked, found: list[Record]) -> tuple[Table, Table]:
    """The error of piecewise Laplace and its gain at every granularity, the finest first."""
    epsilons = [f"ε = {e}" for e in dict.fromkeys(str(r["epsilon"]) for r in found)]
    errors, gains = [], []
    for granularity in sorted(asked.granularities, key=Fraction):
        here = [r for r in found if r["granularity"] == granularity]
        rounding = small(float(here[0]["rounding"]))
        errors.append((granularity, *(small(float(r[PIECEWISE])) for r in here), rounding))
        gains.append((granularity, *(gain(r) for r in here)))
    of = f"by granularity, median of {asked.values.size:,} ({asked.name})"
    return (
        Table(f"Accuracy: error of piecewise Laplace {of}", ("granularity", *epsilons, "rounding"), errors),
        Table(f"Accuracy: gain over inverse sensitivity {of}", ("granularity", *epsilons), gains),
    )


def small(error: float) -> str:
    """Three digits, with an exponent where an error is next to nothing."""
    return number(error) if error == 0 or error >= 1e-4 else f"{error:.0e}"


def read(path: Path, column: str) -> Floats:
    """A column of a CSV file; what is no number is missing."""
    with path.open(encoding="utf-8", newline="") as file:
        return np.array([_number(row[column]) for row in csv.DictReader(file)])


def _number(cell: str | None) -> float:
    try:
        return float(cell or "nan")
    except ValueError:
        return float("nan")


def report(quick: bool = False, others: Sequence[Asked] = ()) -> Report:
    epsilons = EPSILONS[2:3] if quick else EPSILONS
    sizes = (100,) if quick else (1_000, 100_000)
    columns = [Asked(INCOMES.name, incomes(n), INCOMES.bounds, GRANULARITIES) for n in sizes]
    found = Report(" of ".join(["accuracy", *(asked.name for asked in others)]))
    for asked in others or columns:
        measured = errors(asked, epsilons)
        found.records.extend(measured)
        found.tables.extend([by_epsilon(asked, measured), *by_granularity(asked, measured)])
    return found


PUBLIC = (
    ("adult.csv", "fnlwgt", "UCI Adult, final weight", (0, 2_000_000), ["1", "0.001", "100"]),
    ("adult.csv", "age", "UCI Adult, age", (0, 120), ["1", "0.001"]),
    ("bike_hour.csv", "cnt", "UCI Bike Sharing, rentals an hour", (0, 2_000), ["1", "0.001", "10"]),
    ("abalone.csv", "Whole.weight", "UCI Abalone, whole weight", (0, 5), ["0.0005", "0.00001", "0.01"]),
)
"""Files of public data, their columns, what tables call these, bounds and spacings, the main one first."""


def reports(quick: bool = False, folder: Path | None = None) -> list[Report]:
    """That of incomes, and one of each column of public data that is at hand."""
    at_hand = [] if folder is None else [(folder / file, *rest) for file, *rest in PUBLIC]
    asked = [
        Asked(name, read(path, column), bounds, steps)
        for path, column, name, bounds, steps in at_hand
        if path.exists()
    ]
    return [report(quick), *(report(quick, [each]) for each in asked)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it run at all?")
    parser.add_argument("--csv", type=Path, help="a file of public data")
    parser.add_argument("--column", help="its column")
    parser.add_argument("--bounds", type=float, nargs=2, metavar=("LOW", "HIGH"), help="its public bounds")
    parser.add_argument("--granularity", nargs="+", default=["1"], help="spacings, the main one first")
    parser.add_argument("--name", help="what the tables call it, if not by its column")
    parser.add_argument("--add-to", type=Path, help="a results file to put the report into")
    asked = parser.parse_args()
    others = []
    if asked.csv is not None:
        if asked.column is None or asked.bounds is None:
            parser.error("--csv needs --column and --bounds")
        values = read(asked.csv, asked.column)
        others = [Asked(asked.name or asked.column, values, tuple(asked.bounds), asked.granularity)]
    found = report(asked.quick, others)
    progress("")
    print(found.text())
    if asked.add_to is not None:
        add(found, asked.add_to)


if __name__ == "__main__":
    main()
