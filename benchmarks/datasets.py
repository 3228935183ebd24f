"""Columns, pairs and predictions whose errors are measured: public data where it is at hand, else made up.

A folder may hold adult.csv, abalone.csv and bike_hour.csv of the UCI Machine Learning Repository, with a header;
diamonds come with plotnine, the RAND visits with statsmodels, diabetes and breast cancer with scikit-learn. What is
absent is left out. Bounds are what a column is about, not what is in it.
"""

import csv
import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from columns import INCOMES, SEED, TIES, Floats
from reporting import installed

Table = Mapping[str, Any]
Bounds = tuple[float, float]


class Field(NamedTuple):
    """A column as its publisher describes it: where it lies, between what bounds, and above what it is counted."""

    name: str
    table: str
    column: str
    bounds: Bounds
    above: float
    granularity: str | None = None
    """That of quantiles and spreads; by default 1 between whole numbers."""


FIELDS = (
    Field("Adult, age", "adult.csv", "age", (0, 120), 64),
    Field("Adult, hours a week", "adult.csv", "hours-per-week", (0, 100), 40),
    Field("Adult, capital gain", "adult.csv", "capital-gain", (0, 100_000), 0),
    Field("Bike Sharing, rentals an hour", "bike_hour.csv", "cnt", (0, 1_000), 500),
    Field("Abalone, whole weight", "abalone.csv", "Whole.weight", (0.0, 3.0), 1, "0.0005"),
    Field("Abalone, rings", "abalone.csv", "Rings", (0, 30), 10),
    Field("Diamonds, price", "plotnine", "price", (0, 20_000), 10_000),
    Field("RAND, doctor visits", "statsmodels", "mdvis", (0, 100), 0),
    Field("Diabetes, progression", "diabetes", "target", (0, 400), 200),
)


class Column(NamedTuple):
    """The values of a field."""

    field: Field
    values: Floats


class Pairs(NamedTuple):
    """Two columns side by side and what is public about them."""

    name: str
    x: Floats
    y: Floats
    bounds: tuple[Bounds, Bounds]
    slopes: Bounds | None = None
    """Between what a slope of y against x lies; None where all pairs of rows would be too many."""


class Predictions(NamedTuple):
    """Test data of a model that was fitted to other rows: what is true, what was predicted."""

    name: str
    truth: Floats
    predicted: Floats
    bounds: Bounds | None = None
    """Those of the truth; None for classes, where predictions are probabilities of class 1."""
    most: float = 5.0
    """The greatest error or loss that a row counts with."""


class Data(NamedTuple):
    columns: list[Column]
    pairs: list[Pairs]
    predictions: list[Predictions]


def public(folder: Path | None) -> Data:
    """Whatever public data is at hand."""
    tables = dict(_tables(folder))
    columns = [
        Column(field, numbers(tables[field.table][field.column])) for field in FIELDS if field.table in tables
    ]
    return Data(columns, list(_pairs(tables)), list(_predictions(tables)))


def made_up(n: int) -> Data:
    """As many records of each kind, for everybody."""
    rng = np.random.default_rng(SEED)
    fields = (
        Field("incomes in hundreds", "", "", INCOMES.bounds, 50_000, "100"),
        Field("ages, tied", "", "", TIES.bounds, 64),
    )
    hundreds = np.floor(INCOMES.column(n) / 100) * 100
    columns = [Column(f, values) for f, values in zip(fields, (hundreds, TIES.column(n)), strict=True)]
    x = rng.normal(0, 1, n)
    y = 2 * x + rng.normal(0, 1, n)
    regression = linear("made up, a line", x[:, None], y, (-10.0, 10.0), most=10)
    classes = logistic("made up, two classes", x[:, None], y > 0)
    return Data(
        columns, [Pairs("made up", x, y, ((-5.0, 5.0), (-10.0, 10.0)), (-10.0, 10.0))], [regression, classes]
    )


def _tables(folder: Path | None) -> Iterator[tuple[str, Table]]:
    for name in dict.fromkeys(field.table for field in FIELDS if field.table.endswith(".csv")):
        if folder is not None and (folder / name).exists():
            yield name, read(folder / name)
    if installed("plotnine"):
        yield "plotnine", importlib.import_module("plotnine.data").diamonds
    if installed("statsmodels"):
        yield "statsmodels", importlib.import_module("statsmodels.datasets.randhie").load_pandas().data
    if installed("scikit-learn") and installed("pandas"):
        sets = importlib.import_module("sklearn.datasets")
        yield "diabetes", sets.load_diabetes(as_frame=True, scaled=False).frame
        yield "breast_cancer", sets.load_breast_cancer(as_frame=True).frame


def read(path: Path) -> Table:
    """The columns of a CSV file with a header, as text."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return dict(zip(header, zip(*rows, strict=True), strict=True))


def numbers(column: Any) -> Floats:
    return np.array(column, dtype=np.float64)


def _pairs(tables: Mapping[str, Table]) -> Iterator[Pairs]:
    if "abalone.csv" in tables:
        x, y = columns_of(tables["abalone.csv"], "Length", "Whole.weight").T
        yield Pairs("Abalone, length and weight", x, y, ((0.0, 1.0), (0.0, 3.0)), (-10.0, 10.0))
    if "diabetes" in tables:
        x, y = columns_of(tables["diabetes"], "bmi", "target").T
        yield Pairs("Diabetes, BMI and progression", x, y, ((10.0, 60.0), (0.0, 400.0)), (-50.0, 50.0))
    if "plotnine" in tables:
        x, y = columns_of(tables["plotnine"], "carat", "price").T
        yield Pairs("Diamonds, carat and price", x, y, ((0.0, 6.0), (0.0, 20_000.0)))
    if "adult.csv" in tables:
        x, y = columns_of(tables["adult.csv"], "age", "hours-per-week").T
        yield Pairs("Adult, age and hours", x, y, ((0.0, 120.0), (0.0, 100.0)))


def _predictions(tables: Mapping[str, Table]) -> Iterator[Predictions]:
    """A least-squares plane or a logistic regression, fitted to every other row and tested on the rest."""
    if "plotnine" in tables:
        features, price = _split(tables["plotnine"], "carat", "depth", "table", of="price")
        yield linear("Diamonds, a model of price", features, price, (0.0, 20_000.0), most=10_000)
    if "diabetes" in tables:
        features, target = _split(tables["diabetes"], "age", "bmi", "bp", "s5", of="target")
        yield linear("Diabetes, a model of progression", features, target, (0.0, 400.0), most=200)
    if "adult.csv" in tables:
        adult = tables["adult.csv"]
        features = columns_of(adult, "age", "education-num", "hours-per-week", "capital-gain")
        rich = np.array([">" in cell for cell in adult["income-per-year"]])
        yield logistic("Adult, a model of income above 50K", features, rich)
    if "breast_cancer" in tables:
        features, benign = _split(tables["breast_cancer"], "mean radius", "mean texture", of="target")
        yield logistic("Breast cancer, a model of benign", features, benign == 1)


def _split(table: Table, *features: str, of: str) -> tuple[Floats, Floats]:
    return columns_of(table, *features), numbers(table[of])


def columns_of(table: Table, *names: str) -> Floats:
    return np.column_stack([numbers(table[name]) for name in names])


def linear(name: str, features: Floats, truth: Floats, bounds: Bounds, most: float) -> Predictions:
    design = _design(features)
    weights = np.linalg.lstsq(design[::2], truth[::2], rcond=None)[0]
    return Predictions(name, truth[1::2], np.clip(design[1::2] @ weights, *bounds), bounds, most)


def logistic(name: str, features: Floats, truth: Any, ridge: float = 1e-3, steps: int = 30) -> Predictions:
    """Newton's steps with a little ridge."""
    design, labels = _design(features), np.asarray(truth, np.float64)
    weights = np.zeros(design.shape[1])
    known, seen = design[::2], labels[::2]
    for _ in range(steps):
        given = _chance(known @ weights)
        curvature = (known * (given * (1 - given))[:, None]).T @ known + ridge * np.eye(weights.size)
        weights += np.linalg.solve(curvature, known.T @ (seen - given) - ridge * weights)
    return Predictions(name, labels[1::2], _chance(design[1::2] @ weights))


def _design(features: Floats) -> Floats:
    """A column of ones and the features, in units of their spread among the rows that are fitted to."""
    fitted = features[::2]
    scaled = (features - fitted.mean(axis=0)) / fitted.std(axis=0)
    return np.column_stack([np.ones(len(features)), scaled])


def _chance(score: Floats) -> Floats:
    chance: Floats = 1 / (1 + np.exp(-np.clip(score, -30, 30)))
    return chance
