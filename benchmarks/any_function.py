"""Errors of `wrap` for functions of other libraries, against the textbook: the mean of blocks with Laplace noise.

    OMP_NUM_THREADS=1 python benchmarks/any_function.py [--adult adult.csv] [--quick]

The textbook deals the records to disjoint blocks once and adds noise of scale width/(blocks * epsilon). It is shown at
the number of blocks that is best for it, of 8 to 128, which nobody would know. Blocks are evaluated here, without
processes of their own: the values are the same.
"""

import argparse
import csv
import importlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import noisewise as nws
from noisewise.dataset.wrapper.blocks import split
from noisewise.dataset.wrapper.copies import rows_of
from noisewise.dataset.wrapper.wrapped import Wrapped
from noisewise.kernel.sampling import SystemBits
from noisewise.planning.readings.read_law import read_law
from noisewise.tables.columns import declare

EPSILONS = (0.5, 1.0, 2.0, 4.0)
BLOCKS = (8, 16, 32, 64, 128)


def accuracy(rows: Any) -> float:
    """The accuracy of a logistic regression in three folds. The last column is what is predicted."""
    model = importlib.import_module("sklearn.linear_model").LogisticRegression(max_iter=200)
    score = importlib.import_module("sklearn.model_selection").cross_val_score
    return float(score(model, rows[:, :-1], rows[:, -1], cv=3).mean())


def median_survival(rows: Any) -> float:
    """The time at which the Kaplan-Meier curve falls to a half. Rows are (time, whether the event was seen)."""
    times, seen = rows[np.argsort(rows[:, 0], kind="stable")].T
    left = np.cumprod(1 - seen / np.arange(len(times), 0, -1))
    return float(times[np.argmax(left <= 0.5)]) if (left <= 0.5).any() else np.inf


def gini(pay: Any) -> float:
    """The Gini coefficient."""
    ranks = 2 * np.arange(1, len(pay) + 1) - len(pay) - 1
    return float(ranks @ np.sort(pay) / (len(pay) * max(pay.sum(), 1)))


def clamped(f: Callable[[Any], float], part: Any, bounds: tuple[float, float]) -> float:
    try:
        value = f(part)
    except Exception:
        return bounds[0]
    return bounds[0] if np.isnan(value) else float(np.clip(value, *bounds))


def wrapped_error(
    f: Any, data: Any, bounds: tuple[float, float], epsilon: float, true: float, deals: int
) -> float:
    """The mean error of `wrap`, over some ways to deal the records, by the law of its draw."""
    asked, errors = Wrapped.of(f, rows_of(data), bounds=bounds, epsilon=epsilon), []
    (request,), way = asked.requests, asked.way
    step = float(request.frame.answers.granularity)
    answers = np.arange(*request.frame.answers.support) * step
    for _ in range(deals):
        values = way.find(
            lambda parts: np.array([[clamped(f, data[part], bounds)] for part in parts]),
            np.arange(len(data)),
            SystemBits(),
        )
        pmf = read_law(replace(request, data=declare(values[:, 0])).look()).pmf(answers)
        errors.append(pmf @ np.abs(answers - true))
    return float(np.mean(errors))


def textbook_errors(
    f: Any, data: Any, bounds: tuple[float, float], true: float, deals: int
) -> dict[float, float]:
    """The mean error of the textbook at each epsilon, with the best number of blocks."""
    best = dict.fromkeys(EPSILONS, np.inf)
    noise = np.random.default_rng(0).laplace(size=1000)
    for blocks in BLOCKS:
        means = [
            np.mean(
                [clamped(f, data[part], bounds) for part in split(np.arange(len(data)), blocks, SystemBits())]
            )
            for _ in range(deals)
        ]
        for epsilon in EPSILONS:
            scale = (bounds[1] - bounds[0]) / (blocks * epsilon)
            errors = [np.abs(np.clip(mean + scale * noise, *bounds) - true).mean() for mean in means]
            best[epsilon] = min(best[epsilon], float(np.mean(errors)))
    return best


def subjects(adult: str | None) -> dict[str, tuple[Any, Any, tuple[float, float]]]:
    """Functions, data and bounds."""
    random = np.random.default_rng(0)
    lives, leaves = random.exponential(5, 2000), random.uniform(0, 20, 2000)
    survival = np.column_stack([np.minimum(lives, leaves), lives <= leaves])
    found: dict[str, Any] = {
        "Kaplan-Meier median, 2,000 patients": (median_survival, survival, (0.0, 20.0)),
        "Gini coefficient, 1,000 incomes": (gini, np.floor(random.lognormal(10.5, 0.6, 1000)), (0.0, 1.0)),
    }
    if adult is not None:
        with open(adult, encoding="utf-8") as file:
            rows = [
                [float(row[name]) for name in ("age", "education-num", "hours-per-week")]
                + [">50K" in [*row.values()][-1]]
                for row in csv.DictReader(file)
            ]
        found["accuracy of a model, Adult"] = (accuracy, np.array(rows, np.float64), (0.5, 1.0))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--adult", help="the path of adult.csv of the UCI Machine Learning Repository")
    parser.add_argument("--quick", action="store_true", help="deal the records once")
    given = parser.parse_args()
    deals = 1 if given.quick else 3
    for name, (f, data, bounds) in subjects(given.adult).items():
        true = f(data)
        textbook = textbook_errors(f, data, bounds, true, deals)
        print(f"{name}: {true:.4g}")
        for epsilon in EPSILONS:
            ours = wrapped_error(f, data, bounds, epsilon, true, deals)
            line = f"  epsilon {epsilon:g}: wrap {ours:.3g}, textbook {textbook[epsilon]:.3g}"
            if f is gini:
                own = nws.simulate("gini", data, bounds=(0, 1_000_000), epsilon=epsilon).expected_error
                line += f", nws.gini {own:.3g}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
