"""The variance experiment of Durfee (2024) rerun with more of the family, joint quantiles, and triangles of two graphs.

    python benchmarks/experiments.py --data FOLDER [--quick] [--out FILE]

The folder may hold adult.csv, abalone.csv and bike_hour.csv of UCI, diamonds.csv of ggplot2 (plotnine brings it along),
facebook_combined.txt and oregon1_010331.txt of SNAP; what is absent is named. For every epsilon 1,000 records are
sampled 10 times, and of each sample every mechanism answers 100 times; its mean error is computed as well. The errors
of joint quantiles are those that benchmarks/joint.py put into results/reference.json. Draws are seeded: a second run
gives the same numbers.

Three contenders are floats for comparison and cannot be released: see `experiment_laws`.
"""

import argparse
import importlib
import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from columns import SEED, Floats
from datasets import FIELDS, Field, numbers, read
from experiment_laws import Steps, asymmetric, balance, smooth
from graphs import FILES, Network, networks
from measure import progress
from reporting import Report, Table, installed, machine, number, results, write

import noisewise as nws
from noisewise.kernel.laws.law import Law
from noisewise.paper.local_sensitivity import Local
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request

RESULTS = Path(__file__).resolve().parent / "results"
COLUMNS = (
    "Diamonds, price",
    "Abalone, rings",
    "Abalone, whole weight",
    "Bike Sharing, rentals an hour",
    "Adult, age",
    "Adult, hours a week",
)
RECORDS, SAMPLES, TRIALS = 1_000, 10, 100
"""Of each column and epsilon so many samples of so many records, each answered so often."""
EPSILONS, GRAPH_EPSILONS = ("0.1", "0.25", "0.5", "1", "2"), ("0.1", "0.2", "0.5", "1")
SHOWN = {
    "piecewise_laplace": "piecewise Laplace",
    "inverse_sensitivity": "inverse sensitivity",
    "permute_and_flip": "permute-and-flip",
    "laplace": "Laplace",
    "balance": "balance\\*",
    "asymmetric": "asymmetric\\*",
    "smooth": "smooth\\*",
}
ANSWERS = 2**16
"""How many answers permute-and-flip has at most: it tosses a coin for each."""
WIDER, GRIDS = (1, 3, 10), (1.001, 1.01, 1.05)
"""Factors of the upper bound, and of the public grid of the asymmetric mechanism."""
JOINT = (2, 5, 9, 15, 29)


def columns(folder: Path | None) -> Iterator[tuple[Field, Floats | None]]:
    """The columns of the experiment; None for what is not at hand."""
    fields = {field.name: field for field in FIELDS}
    for name in COLUMNS:
        field = fields[name]
        file = "diamonds.csv" if field.table == "plotnine" else field.table
        if folder is not None and (folder / file).exists():
            yield field, numbers(read(folder / file)[field.column])
        elif field.table == "plotnine" and installed("plotnine"):
            yield field, numbers(importlib.import_module("plotnine.data").diamonds[field.column])
        else:
            yield field, None


# The variance.


def variances(
    field: Field, values: Floats, epsilon: str, trials: int, seeds: Sequence[int]
) -> dict[str, Any]:
    """Every contender on several samples: its mean error, and that of the trials, as shares of the true variance."""
    samples = [on_sample(field, values, epsilon, trials, seed) for seed in seeds]
    names = list(samples[0])
    shares = np.array([[each[name] for name in names] for each in samples])
    errors, of_trials = shares.mean(axis=0).T
    spread = shares[:, :, 0].std(axis=0, ddof=min(1, len(samples) - 1))
    return {
        "column": field.name,
        "epsilon": epsilon,
        "samples": len(samples),
        "errors": dict(zip(names, errors.tolist(), strict=True)),
        "of_trials": dict(zip(names, of_trials.tolist(), strict=True)),
        "between_samples": dict(zip(names, spread.tolist(), strict=True)),
    }


def on_sample(
    field: Field, values: Floats, epsilon: str, trials: int, seed: int
) -> dict[str, tuple[float, float]]:
    """The mean error of every contender on one sample, and that of its trials, as shares of the true variance."""
    rng = np.random.default_rng([SEED, seed])
    sample = np.clip(rng.choice(values, min(RECORDS, values.size), replace=False), *field.bounds)
    asked: dict[str, Any] = {"bounds": field.bounds, "epsilon": Fraction(epsilon), "neighbors": "swap"}
    found: dict[str, tuple[float, float]] = {}
    for name in ("piecewise_laplace", "inverse_sensitivity", "permute_and_flip", "laplace"):
        step = {"granularity": coarse(field)} if name == "permute_and_flip" else {}
        law = nws.hazmat.law(nws.Variance(), sample, mechanism=name, **step, **asked)
        true = float(read_law(law).centre * law.granularity)
        drawn = law.draw(trials, bits=nws.hazmat.SeededBits(seed)).astype(np.float64)
        found[name] = read_law(law).expected_error(), float(np.mean(np.abs(drawn - true)))
    request = Request.of(nws.Variance(), sample, mechanism="piecewise_laplace", **asked)
    steps, price = Steps.of(law_of(request)), float(Fraction(epsilon))
    laws = {
        "balance": balance(steps, price),
        "asymmetric": asymmetric(steps, price),
        "smooth": smooth(Local.of("smooth", request), price),
    }
    for name, (answers, chances) in laws.items():
        away = np.abs(answers - steps.centre)
        found[name] = float(chances @ away), float(np.mean(rng.choice(away, trials, p=chances)))
    true = float(np.var(sample))
    return {name: (mean / true, drawn / true) for name, (mean, drawn) in found.items()}


def law_of(request: Request) -> Law:
    law = request.look()
    assert isinstance(law, Law)
    return law


def bounds_and_grids(field: Field, values: Floats, seed: int) -> Iterator[dict[str, Any]]:
    """One sample at epsilon 1 between bounds that are wider, and the asymmetric mechanism on several grids."""
    sample = np.random.default_rng([SEED, seed]).choice(values, min(RECORDS, values.size), replace=False)
    low, high = field.bounds
    sample = np.clip(sample, low, high)
    for times in WIDER:
        asked: dict[str, Any] = {"bounds": (low, times * high), "epsilon": 1, "neighbors": "swap"}
        names = ("piecewise_laplace", "inverse_sensitivity", "laplace")
        laws = {name: nws.hazmat.law(nws.Variance(), sample, mechanism=name, **asked) for name in names}
        errors = {SHOWN[name]: read_law(law).expected_error() for name, law in laws.items()}
        steps = Steps.of(laws["piecewise_laplace"])
        request = Request.of(nws.Variance(), sample, mechanism="piecewise_laplace", **asked)
        contenders = {SHOWN["smooth"]: smooth(Local.of("smooth", request), 1.0)}
        contenders |= {f"asymmetric\\*, {growth}": asymmetric(steps, 1.0, growth) for growth in GRIDS}
        for name, (answers, chances) in contenders.items():
            errors[name] = float(chances @ np.abs(answers - steps.centre))
        shares = {name: error / steps.centre for name, error in errors.items()}
        yield {"column": field.name, "times": times, "by_bounds": shares}


def bounds_table(found: list[dict[str, Any]]) -> Table:
    rows = [(r["column"], f"×{r['times']}", *map(share, r["by_bounds"].values())) for r in found]
    title = "Experiments: error of the variance at epsilon 1, by the upper bound"
    return Table(title, ("column", "upper bound", *found[0]["by_bounds"]), rows)


def coarse(field: Field) -> Fraction:
    """The finest power of two with few enough answers between 0 and the largest variance."""
    low, high = map(Fraction, field.bounds)
    step = Fraction(1, 2**40)
    while (high - low) ** 2 / 4 / step >= ANSWERS:
        step *= 2
    return step


def share(part: float) -> str:
    return f"{number(100 * part)}%"


def variance_table(name: str, found: list[dict[str, Any]]) -> Table:
    rows = [
        (
            record["epsilon"],
            *(f"{share(record['errors'][m])} ({share(record['of_trials'][m])})" for m in SHOWN),
        )
        for record in found
    ]
    return Table(f"Experiments: error of the variance of {name}", ("epsilon", *SHOWN.values()), rows)


def order_table(found: list[dict[str, Any]]) -> Table:
    """Ratios of mean errors, least and largest over all epsilons; the first three are what the paper compares."""
    pairs = {
        "asymmetric / inverse": ("asymmetric", "inverse_sensitivity"),
        "asymmetric / smooth": ("asymmetric", "smooth"),
        "inverse / smooth": ("inverse_sensitivity", "smooth"),
        "piecewise / inverse": ("piecewise_laplace", "inverse_sensitivity"),
        "piecewise / asymmetric": ("piecewise_laplace", "asymmetric"),
        "balance / piecewise": ("balance", "piecewise_laplace"),
    }
    rows = []
    for label, (one, other) in pairs.items():
        by_column = {
            name: [r["errors"][one] / r["errors"][other] for r in found if r["column"] == name]
            for name in dict.fromkeys(r["column"] for r in found)
        }
        rows.append((label, *(f"{number(min(r))} to {number(max(r))}" for r in by_column.values())))
    return Table("Experiments: ratios of errors of the variance", ("errors", *by_column), rows)


# Joint quantiles, as measured by joint.py.


def joint_table(reference: Mapping[str, Any]) -> Table:
    rows = [
        (
            record["column"],
            str(record["quantiles"]),
            *(number(record["missed"][name]) for name in ("noisewise", "piecewise Laplace", "JointExp")),
            number(record["missed"]["noisewise"] / record["missed"]["JointExp"]),
        )
        for record in reference["benchmarks"]["joint"]["records"]
        if "missed" in record and record["quantiles"] in JOINT
    ]
    header = ("column", "quantiles", "noisewise", "piecewise Laplace", "JointExp\\*", "noisewise / JointExp")
    return Table("Experiments: records between joint quantiles and the truth", header, rows)


# Triangles.


def triangles(network: Network, epsilon: str) -> dict[str, Any]:
    """Mean errors as shares of the count; inverse sensitivity is the ladder with the exact local sensitivity."""
    laws = {
        name: nws.hazmat.law(nws.Triangles(), network.data, epsilon=Fraction(epsilon), mechanism=name)
        for name in ("piecewise_laplace", "inverse_sensitivity", "laplace")
    }
    errors = {name: read_law(law).expected_error() for name, law in laws.items()}
    request = Request.of(
        nws.Triangles(), network.data, epsilon=Fraction(epsilon), mechanism="piecewise_laplace"
    )
    steps, price = Steps.of(laws["piecewise_laplace"]), float(Fraction(epsilon))
    floats = {
        "balance": balance(steps, price),
        "asymmetric": asymmetric(steps, price),
        "smooth": smooth(Local.of("smooth", request), price),
    }
    for name, (answers, chances) in floats.items():
        errors[name] = float(chances @ np.abs(answers - steps.centre))
    true = steps.centre
    return {
        "graph": network.name,
        "epsilon": epsilon,
        "triangles": true,
        "errors": {name: error / true for name, error in errors.items()},
    }


def triangles_table(found: list[dict[str, Any]]) -> Table:
    names = [name for name in SHOWN if name in found[0]["errors"]]
    rows = [(r["epsilon"], *(f"{100 * r['errors'][name]:.3g}%" for name in names)) for r in found]
    title = f"Experiments: error of the {found[0]['triangles']:,.0f} triangles of {found[0]['graph']}"
    labels = (SHOWN[n] + (", ladder" if n == "inverse_sensitivity" else "") for n in names)
    return Table(title, ("epsilon", *labels), rows)


def report(quick: bool = False, folder: Path | None = None) -> Report:
    result, all_variances = Report("experiments"), list[dict[str, Any]]()
    wider = list[dict[str, Any]]()
    for place, (field, values) in enumerate(columns(folder)):
        if values is None:
            result.notes.append(f"absent: {field.name} ({field.table})")
            continue
        found = []
        for each, epsilon in enumerate(EPSILONS[3:4] if quick else EPSILONS):
            progress(f"variance of {field.name} at epsilon {epsilon}")
            seeds = [1000 * place + 100 * each + sample for sample in range(1 if quick else SAMPLES)]
            found.append(variances(field, values, epsilon, 2 if quick else TRIALS, seeds))
        result.tables.append(variance_table(field.name, found))
        all_variances += found
        wider += bounds_and_grids(field, values, 1000 * place)
    if all_variances:
        result.tables.extend([order_table(all_variances), bounds_table(wider)])
    reference = json.loads((RESULTS / "reference.json").read_text(encoding="utf-8"))
    result.tables.append(joint_table(reference))
    result.records.extend([*all_variances, *wider])
    at_hand = {network.name: network for network in networks(folder, quick=True)}
    for name in FILES.values():
        if name not in at_hand:
            result.notes.append(f"absent: {name}")
            continue
        progress(f"triangles of {name}")
        counted = [triangles(at_hand[name], epsilon) for epsilon in GRAPH_EPSILONS]
        result.tables.append(triangles_table(counted))
        result.records.extend(counted)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one epsilon, two trials: does it run at all?")
    parser.add_argument("--data", type=Path, help="a folder with the data")
    parser.add_argument("--out", type=Path, help="where the JSON goes")
    asked = parser.parse_args()
    found = report(asked.quick, asked.data)
    progress("")
    print(found.text())
    if asked.out is not None:
        write(results([found], machine()), asked.out)


if __name__ == "__main__":
    main()
