"""Gaussian balance against the others at the same price in rho: mean absolute errors, read off the laws.

    python benchmarks/rho.py [--quick] [--add-to benchmarks/results/reference.json]

The prices up to which mechanism="auto" takes it rest on these numbers. A ratio below 1 is in its favour.
"""

from fractions import Fraction
from typing import Any

from columns import INCOMES, TIES
from measure import progress
from mechanisms import LIKED, MEDIAN, NINTH, QUARTER, RELATIONS, Question
from reporting import Report, Table, run_alone

import noisewise as nws
from noisewise.kernel.prices import Rho
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.request import Request

RHOS = ("0.005", "0.05", "0.125", "0.25", "0.5", "1", "2", "4")
OTHERS = ("piecewise_laplace", "balance")
NEGLIGIBLE = 1e-6
"""An error below this part of a lattice step is not compared."""

Record = dict[str, Any]


def questions(sizes: tuple[int, ...]) -> list[Question]:
    return [
        question
        for n in sizes
        for question in (
            Question("median", MEDIAN, INCOMES, n, "1"),
            Question("0.25-quantile", QUARTER, INCOMES, n, "1"),
            Question("0.9-quantile", NINTH, INCOMES, n, "1"),
            Question("max", nws.Quantile(1), INCOMES, n, "1"),
            Question("median", MEDIAN, TIES, n, "1"),
            Question("mean", nws.Mean(), INCOMES, n, "10"),
            Question("mean", nws.Mean(), TIES, n, "0.001"),
            Question("proportion", nws.Proportion(), LIKED, n, "0.0001", bounded=False),
            Question("Huber's mean", nws.HuberMean(10_000), INCOMES, n, "10"),
        )
    ]


def error(question: Question, mechanism: str, rho: str, neighbors: Any) -> float | None:
    """None if the mechanism does not answer this question."""
    try:
        law = Request.of(
            question.statistic,
            question.shape.column(question.n),
            bounds=question.shape.bounds if question.bounded else None,
            granularity=Fraction(question.granularity or 1),
            epsilon=Rho.of(Fraction(rho)),
            neighbors=neighbors,
            mechanism=mechanism,
        ).look()
    except nws.ParameterError:
        return None
    return read_law(law).expected_error()


def measured(question: Question, rho: str, neighbors: str) -> Record:
    progress(f"{question.name} of {question.n} at rho {rho}, {neighbors}")
    about = {"question": question.name, "column": question.shape.name, "n": question.n}
    errors = {name: error(question, name, rho, neighbors) for name in ("gaussian_balance", *OTHERS)}
    return {**about, "granularity": question.granularity, "neighbors": neighbors, "rho": rho, **errors}


def table(found: list[Record], neighbors: str) -> Table:
    rows = []
    for case in dict.fromkeys((r["question"], r["column"], r["n"]) for r in found):
        here = [
            r for r in found if (r["question"], r["column"], r["n"], r["neighbors"]) == (*case, neighbors)
        ]
        if any(r["gaussian_balance"] is not None for r in here):
            about = f"{case[0]} of {case[2]:,} {case[1].partition(',')[0]}"
            rows.append((about, *(" / ".join(_ratio(r, name) for name in OTHERS) for r in here)))
    title = f"Errors of Gaussian balance over those of piecewise Laplace / balance, {neighbors}"
    return Table(title, ("question", *(f"ρ = {rho}" for rho in RHOS)), rows)


def _ratio(record: Record, name: str) -> str:
    ours, theirs = record["gaussian_balance"], record[name]
    step = float(Fraction(record["granularity"]))
    if ours is None or theirs is None or max(ours, theirs) < NEGLIGIBLE * step:
        return "-"
    ratio = ours / max(theirs, 1e-300)
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def report(quick: bool = False) -> Report:
    sizes = (50,) if quick else (50, 1_000, 100_000)
    found = [measured(q, rho, r) for q in questions(sizes) for r in RELATIONS for rho in RHOS]
    return Report("rho", [table(found, relation) for relation in RELATIONS], records=found)


if __name__ == "__main__":
    run_alone(report, __doc__)
