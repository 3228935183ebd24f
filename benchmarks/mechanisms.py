"""Which mechanism answers best: mean absolute errors by question, read off the laws, nothing is sampled.

    python benchmarks/mechanisms.py [--quick] [--add-to benchmarks/results/reference.json]

The rule behind mechanism="auto" rests on these numbers. Errors are taken against the answer on the lattice, of columns
that are made up; a ratio above 1 is in favour of what it is taken over.
"""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from accuracy import small
from columns import INCOMES, SEED, TIES, Floats, Shape
from measure import progress
from reporting import Report, Table, number, run_alone

import noisewise as nws
from noisewise.kernel.mechanisms import WholePermuteAndFlip
from noisewise.planning.readings.read_law import read_law
from noisewise.questions.composites.most_common import Lead
from noisewise.questions.request import Request

BALANCE, PIECEWISE, INVERSE, LAPLACE, FLIP = MECHANISMS = (
    "balance",
    "piecewise_laplace",
    "inverse_sensitivity",
    "laplace",
    "permute_and_flip",
)
FIRST = nws.PermuteAndFlip
"""The law on costs between levels; the name may mean the one on whole costs."""
EPSILONS = ("0.1", "0.5", "1", "2", "5", "10")
RELATIONS = ("add_remove", "swap")
MEDIAN, NINTH = nws.Quantile(Fraction(1, 2)), nws.Quantile(Fraction(9, 10))
QUARTER = nws.Quantile(Fraction(1, 4))
NEGLIGIBLE = 1e-6
"""An error below this part of a lattice step is not compared."""

Record = dict[str, Any]

SPOKEN = {
    BALANCE: "balance",
    PIECEWISE: "piecewise Laplace",
    INVERSE: "inverse sensitivity",
    LAPLACE: "Laplace",
    FLIP: "permute-and-flip",
}


def _ratings(rng: np.random.Generator, n: int) -> Floats:
    return rng.choice(np.arange(1.0, 6.0), n, p=[0.05, 0.08, 0.17, 0.37, 0.33])


RATINGS = Shape("ratings", (1, 5), _ratings)
LIKED = Shape("liked", (0, 1), lambda rng, n: (_ratings(rng, n) >= 4).astype(np.float64))


class Question(NamedTuple):
    """A statistic of a made-up column, asked at one granularity."""

    name: str
    statistic: nws.Statistic
    shape: Shape
    n: int
    granularity: str | None = None
    bounded: bool = True

    def request(self, mechanism: str, epsilon: Fraction, neighbors: str) -> Request:
        return Request.of(
            self.statistic,
            self.shape.column(self.n),
            bounds=self.shape.bounds if self.bounded else None,
            epsilon=epsilon,
            granularity=None if self.granularity is None else Fraction(self.granularity),
            neighbors=neighbors,
            mechanism=FIRST(epsilon=epsilon) if mechanism == FLIP else mechanism,
        )

    def error(self, mechanism: str, epsilon: Fraction, neighbors: str) -> float | None:
        """None where the mechanism cannot answer: permute-and-flip without public ends, balance without a score."""
        try:
            return read_law(self.request(mechanism, epsilon, neighbors).look()).expected_error()
        except nws.ParameterError:
            return None

    def measured(self, epsilon: str, neighbors: str) -> Record:
        progress(f"{self.name} of {self.n} by {self.granularity} at epsilon {epsilon}, {neighbors}")
        return {
            "question": self.name,
            "column": self.shape.name,
            "n": self.n,
            "granularity": self.granularity,
            "neighbors": neighbors,
            "epsilon": epsilon,
            "auto": self.request("auto", Fraction(epsilon), neighbors).mechanism.name,
            **{name: self.error(name, Fraction(epsilon), neighbors) for name in MECHANISMS},
        }


def questions(n: int, granularity: str) -> list[Question]:
    """Those whose best mechanism may depend on the relation."""
    return [
        Question("count", nws.Count(), INCOMES, n, bounded=False),
        Question("sum", nws.Sum(), INCOMES, n),
        Question("mean", nws.Mean(), INCOMES, n, "10"),
        Question("proportion", nws.Proportion(), LIKED, n, "0.0001", bounded=False),
        Question("median", MEDIAN, INCOMES, n, granularity),
        Question("0.25-quantile", QUARTER, INCOMES, n, granularity),
        Question("0.9-quantile", NINTH, INCOMES, n, granularity),
        Question("max", nws.Quantile(1), INCOMES, n, granularity),
    ]


def order_statistics(sizes: Sequence[int], granularities: Sequence[str]) -> list[Question]:
    """Quantiles from fine to coarse lattices, and of columns that repeat themselves."""
    fine = [
        Question(name, statistic, INCOMES, n, granularity)
        for name, statistic in (("median", MEDIAN), ("0.9-quantile", NINTH))
        for n in sizes
        for granularity in granularities
    ]
    tied = [Question("median", MEDIAN, shape, sizes[0], "1") for shape in (TIES, RATINGS)]
    return [*fine, *tied]


def rule(found: list[Record]) -> Table:
    """Auto's choice by question and relation, and the errors of all others over its own."""
    rows = []
    for question in dict.fromkeys(r["question"] for r in found):
        for neighbors in RELATIONS:
            here = [r for r in found if (r["question"], r["neighbors"]) == (question, neighbors)]
            auto = here[0]["auto"]
            at_one = next(r[auto] for r in here if r["epsilon"] == "1")
            spans = (_span([_ratio(r, name, auto) for r in here]) for name in MECHANISMS)
            rows.append((question, neighbors, _spoken(auto), number(at_one), *spans))
    title = f"Errors over that of auto's choice, at epsilons from {EPSILONS[0]} to {EPSILONS[-1]}"
    header = ("question", "neighbors", "auto", "its error at ε = 1", *(_spoken(name) for name in MECHANISMS))
    return Table(title, header, rows)


def lattices(found: list[Record], name: str) -> Table:
    """One mechanism's errors over those of piecewise Laplace, by column and granularity."""
    epsilons = list(dict.fromkeys(r["epsilon"] for r in found))
    cases = list(dict.fromkeys((r["question"], r["column"], r["n"], r["granularity"]) for r in found))
    rows = []
    for case in cases:
        here = [r for r in found if (r["question"], r["column"], r["n"], r["granularity"]) == case]
        question, column, n, granularity = case
        about = f"{question} of {n:,} {column.partition(',')[0]}"
        rows.append((about, granularity, *(_cell(_ratio(r, name, PIECEWISE)) for r in here)))
    header = ("question", "granularity", *(f"ε = {e}" for e in epsilons))
    return Table(f"Errors of {_spoken(name)} over those of piecewise Laplace", header, rows)


def same_price(question: Question, epsilons: Sequence[str], name: str) -> tuple[Table, list[Record]]:
    """A pure mechanism against piecewise Laplace at the larger epsilon that costs a zCDP ledger as much."""
    found, rows = [], []
    for epsilon in epsilons:
        rho = float(nws.PureDP(Fraction(epsilon)).as_zcdp().rho)
        other = _bounded_range(rho)
        pure = question.error(name, Fraction(epsilon), "add_remove")
        piecewise = question.error(PIECEWISE, Fraction(str(round(other, 4))), "add_remove")
        assert pure is not None and piecewise is not None
        found.append({"epsilon": epsilon, "rho": rho, "other": other, name: pure, PIECEWISE: piecewise})
        rows.append((epsilon, number(pure), number(rho), number(other), number(piecewise)))
    about = f"{question.name} of {question.n:,} {question.shape.name}, granularity {question.granularity}"
    header = (f"ε of {_spoken(name)}", "its error", "ρ of both", "ε of piecewise Laplace", "its error")
    return Table(f"At the same price in zCDP by {_spoken(name)}: {about}", header, rows), found


def _bounded_range(rho: float) -> float:
    """The epsilon of a bounded range that costs so much zCDP; at most 64."""
    low, high = 0.0, 64.0
    for _ in range(60):
        middle = (low + high) / 2
        enough = float(nws.BoundedRange(Fraction(str(middle))).as_zcdp().rho) < rho
        low, high = (middle, high) if enough else (low, middle)
    return low


# Loose bounds: the quantile of logarithms is a quantile whose answers weigh as much on every scale.


LOOSE = (10**6, 10**7, 10**9)
LOG_STEP = Fraction(1, 2**14)


def logarithms(
    sizes: Sequence[int], epsilons: Sequence[str], bounds: Sequence[int]
) -> tuple[Table, list[Record]]:
    """Errors of quantiles by balance, asked plainly and asked of logarithms, between bounds of any width."""
    rows, found = [], []
    for n, q in [(n, q) for n in sizes for q in (Fraction(1, 2), Fraction(9, 10), Fraction(99, 100))]:
        column = np.maximum(INCOMES.column(n), 1)
        truth = float(np.sort(column)[math.ceil(q * n) - 1])
        for high in bounds:
            progress(f"quantile({q}) of {n} between bounds up to {high}")
            cells = []
            for epsilon in epsilons:
                plain = read_law(_quantile(q, column, high, Fraction(1), epsilon)).expected_error()
                law = _quantile(q, np.log(column), math.log(high), LOG_STEP, epsilon)
                answers = np.arange(math.floor(math.log(high) / LOG_STEP) + 2) * float(LOG_STEP)
                logs = float(read_law(law).pmf(answers) @ np.abs(np.exp(answers) - truth))
                found.append(
                    {"q": str(q), "n": n, "high": high, "epsilon": epsilon, "plain": plain, "logs": logs}
                )
                cells.append(f"{number(plain)} / {number(logs)}")
            rows.append((f"{float(q):g}-quantile of {n:,}", f"{high:,}", *cells))
    header = ("incomes", "upper bound", *(f"ε = {e}" for e in epsilons))
    return Table("Loose bounds: errors of quantiles / errors by their logarithms", header, rows), found


def _quantile(q: Fraction, column: Floats, high: float, step: Fraction, epsilon: str) -> Any:
    return Request.of(
        nws.Quantile(q),
        column,
        bounds=(0, high),
        epsilon=Fraction(epsilon),
        granularity=step,
        neighbors="add_remove",
        mechanism=BALANCE,
    ).look()


def modes(epsilons: Sequence[str]) -> tuple[Table, list[Record]]:
    """How many records the answer is behind the most common category, which all are equally likely to be."""
    rows, found = [], []
    for categories, n in ((2, 100), (10, 100), (10, 10_000), (1_000, 10_000), (1_000, 1_000_000)):
        counts = np.random.default_rng(SEED).multinomial(n, np.full(categories, 1 / categories))
        behind, cells = counts.max() - counts, []
        for epsilon in epsilons:
            weights = np.exp(-float(epsilon) * behind)
            exponential = float(weights @ behind / weights.sum())
            flip = float(np.exp(read_law(Lead(behind, Fraction(epsilon))).logpmf()) @ behind)
            found.append(
                {"categories": categories, "n": n, "epsilon": epsilon, "flip": flip, "exp": exponential}
            )
            cells.append(f"{small(flip)} / {small(exponential)}" if exponential > NEGLIGIBLE else "-")
        rows.append((f"{n:,} records of {categories:,} categories", *cells))
    header = ("drawn at random", *(f"ε = {e}" for e in epsilons))
    return Table(
        "Records behind the most common: permute-and-flip / exponential mechanism", header, rows
    ), found


# Few answers: whole costs at their true rate, and what auto took before.


FEW = (3, 10, 101, 1_001, 4_096)
LARGE = ("0.5", "2", "3", "4", "6", "8", "10")


def whole_costs(epsilons: Sequence[str], answers: Sequence[int], columns: int) -> tuple[Table, list[Record]]:
    """How many times larger the mean error over some columns was before. A dash where auto stays with what it took."""
    rng, rows, found = np.random.default_rng(SEED), [], []
    made = {m: [np.floor(m * rng.beta(2, 3, n)) for n in (20, 200) for _ in range(columns)] for m in answers}
    asked = (("median", MEDIAN, nws.Balance), ("0.9-quantile", NINTH, nws.Balance), ("iqr", nws.IQR(), FIRST))
    for (name, statistic, before), neighbors, points in itertools.product(asked, RELATIONS, answers):
        progress(f"{name} among {points} answers, {neighbors}")
        cells = []
        for epsilon in map(Fraction, epsilons):
            terms: Any = {
                "bounds": (0, points - 1),
                "granularity": 1,
                "epsilon": epsilon,
                "neighbors": neighbors,
            }
            laws = [
                [Request.of(statistic, c, mechanism=by, **terms).look() for c in made[points]]
                for by in (before(epsilon=epsilon), WholePermuteAndFlip(epsilon=epsilon))
            ]
            errors = [np.mean([read_law(law).expected_error() for law in each]) for each in laws]
            about = {"question": name, "neighbors": neighbors, "answers": points, "epsilon": str(epsilon)}
            found.append({**about, "before": float(errors[0]), "whole": float(errors[1])})
            auto = Request.of(statistic, made[points][0], **terms).mechanism.version
            cells.append(_cell(float(errors[0] / errors[1])) if auto == WholePermuteAndFlip.version else "-")
        rows.append((f"{name}, {points:,} answers", neighbors, *cells))
    header = ("question", "neighbors", *(f"ε = {e}" for e in epsilons))
    return Table(
        "Errors of what auto took before over those of permute-and-flip on whole costs", header, rows
    ), found


def report(quick: bool = False) -> Report:
    epsilons = EPSILONS[2:3] if quick else EPSILONS
    sizes = (100,) if quick else (1_000, 100_000)
    steps = ("1000",) if quick else ("1", "100", "1000")
    found = [q.measured(e, r) for q in questions(sizes[0], steps[0]) for r in RELATIONS for e in epsilons]
    order = [q.measured(e, "add_remove") for q in order_statistics(sizes, steps) for e in epsilons]
    priced = [
        same_price(Question("median", MEDIAN, INCOMES, sizes[0], "100"), epsilons, name)
        for name in (BALANCE, FLIP)
    ]
    prices = [record for _, records in priced for record in records]
    common, behind = modes(epsilons[:4])
    loose, weighed = logarithms((50,) if quick else (50, 1_000), epsilons[:4], LOOSE[:1] if quick else LOOSE)
    few, compared = whole_costs(LARGE[2:3] if quick else LARGE, FEW[:2] if quick else FEW, 1 if quick else 5)
    by_lattice = [lattices(order, name) for name in (BALANCE, INVERSE, FLIP)]
    tables = [rule(found), *by_lattice, *(table for table, _ in priced), few, loose, common]
    return Report("mechanisms", tables, records=[*found, *order, *prices, *weighed, *behind, *compared])


def _ratio(record: Record, name: str, over: str) -> float | None:
    """None where there is nothing to compare."""
    ours, theirs = record[name], record[over]
    step = float(Fraction(record["granularity"] or 1))
    if ours is None or max(ours, theirs) < NEGLIGIBLE * step:
        return None
    return float(ours / max(theirs, 1e-300))


def _span(ratios: list[float | None]) -> str:
    """The least and the greatest of some ratios."""
    known = [ratio for ratio in ratios if ratio is not None]
    ends = list(dict.fromkeys(_cell(end) for end in (min(known), max(known)))) if known else ["-"]
    return " to ".join(ends)


def _cell(ratio: float | None) -> str:
    if ratio is None:
        return "-"
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def _spoken(name: str) -> str:
    return SPOKEN[name]


if __name__ == "__main__":
    run_alone(report, __doc__)
