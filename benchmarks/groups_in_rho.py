"""Answers in 100 groups at one price in rho, where a person is in 1, 5, 20 or 100 of them: errors of four libraries.

    pip install -r benchmarks/peers.txt pipeline-dp
    python benchmarks/groups_in_rho.py [--quick] [--add-to benchmarks/results/reference.json]

1,000 people have one record in each of their groups. All errors are mean distances from the truth over all groups and
several draws. noisewise, OpenDP and PipelineDP are run. Of Tumult its published formulas are simulated: Gaussian noise
on counts and sums, a mean as a sum around the middle of the bounds over a count, at half of rho each, and a quantile by
the exponential mechanism over the gaps between records. PipelineDP counts (epsilon, delta): it gets the epsilon that
rho is worth at delta = 1e-6.
"""

import importlib
import logging
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from columns import Floats
from measure import progress
from reporting import Report, Table, installed, number, run_alone
from rivals import MEDIAN, Asked, opendp

import noisewise as nws

PEOPLE, GROUPS, BOUNDS, STEP, DELTA = 1_000, 100, (0, 200_000), 100, 1e-6
OWNED = (1, 5, 20, 100)
RHOS = ("0.005", "0.05", "0.5", "2")
QUESTIONS = ("count", "sum", "mean", "median")
LIBRARIES = ("noisewise", "OpenDP", "PipelineDP", "Tumult's formulas")

Groups = list[Floats]
Record = dict[str, Any]


def rows(owned: int, seed: int = 7) -> dict[str, Any]:
    """One record of each person in each of their groups: a wage that differs from group to group."""
    rng = np.random.default_rng(seed)
    person = np.repeat(np.arange(PEOPLE), owned)
    group = np.concatenate([rng.permutation(GROUPS)[:owned] for _ in range(PEOPLE)])
    wage = np.round(rng.lognormal(10.3, 0.6, person.size) * (1 + group / GROUPS), -2)
    return {"person": person, "group": group, "wage": np.clip(wage, *BOUNDS)}


def truth(question: str, groups: Groups) -> Floats:
    read: dict[str, Callable[[Floats], float]] = {
        "count": len,
        "sum": np.sum,
        "mean": np.mean,
        "median": lambda x: np.sort(x)[math.ceil(len(x) / 2) - 1],
    }
    return np.array([read[question](x) for x in groups], float)


def ours(question: str, data: Any, owned: int, rho: str) -> Floats:
    frame = importlib.import_module("polars").DataFrame(data)
    people = nws.Dataset(frame, unit="person", contributions=owned, per_group=1)
    asked = people.group_by("group", keys=list(range(GROUPS)))
    price: dict[str, Any] = {"rho": float(rho)}
    if question == "count":
        return np.array(asked.count(**price).value, float)
    answer = getattr(asked, question)("wage", bounds=BOUNDS, granularity=STEP, **price)
    return np.array(answer.value, float)


def by_opendp(question: str, groups: Groups, owned: int, rho: str) -> Floats:
    price, far = float(rho), math.sqrt(owned)

    def noisy(numbers: Floats, reach: float, price: float) -> Floats:
        dp = importlib.import_module("opendp.prelude")
        dp.enable_features("contrib")
        space = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)
        noise = space >> dp.m.then_gaussian(reach / math.sqrt(2 * price))
        return np.array(noise(np.rint(numbers).astype(int).tolist()), float)

    counts, sums = truth("count", groups), truth("sum", groups)
    if question == "count":
        return noisy(counts, far, price)
    if question == "sum":
        return noisy(sums, far * BOUNDS[1], price)
    if question == "mean":
        means = noisy(sums, far * BOUNDS[1], price / 2) / np.maximum(noisy(counts, far, price / 2), 1)
        return np.clip(means, *BOUNDS)
    epsilon = math.sqrt(8 * price / owned)  # of bounded range in each group
    found = []
    for values in groups:
        answer = opendp(Asked(MEDIAN, values, BOUNDS, STEP, epsilon))
        assert answer is not None
        found.append(answer())
    return np.array(found)


def by_pipeline_dp(question: str, data: Any, owned: int, rho: str) -> Floats:
    dp = importlib.import_module("pipeline_dp")
    logging.getLogger().setLevel(logging.ERROR)
    epsilon = float(nws.ZCDP(float(rho)).as_approx(DELTA).epsilon)
    accountant = dp.NaiveBudgetAccountant(total_epsilon=epsilon, total_delta=DELTA)
    metric = dp.Metrics.PERCENTILE(50) if question == "median" else getattr(dp.Metrics, question.upper())
    terms = dp.AggregateParams(
        metrics=[metric],
        noise_kind=dp.NoiseKind.GAUSSIAN,
        max_partitions_contributed=owned,
        max_contributions_per_partition=1,
        min_value=BOUNDS[0],
        max_value=BOUNDS[1],
    )
    records = list(zip(*(data[name].tolist() for name in ("person", "group", "wage")), strict=True))
    parts = [lambda row, place=place: row[place] for place in range(3)]
    extract = dp.DataExtractors(
        privacy_id_extractor=parts[0], partition_extractor=parts[1], value_extractor=parts[2]
    )
    found = dp.DPEngine(accountant, dp.LocalBackend()).aggregate(
        records, terms, extract, public_partitions=list(range(GROUPS))
    )
    accountant.compute_budgets()
    answers = dict(found)
    return np.array([float(answers[group][0]) for group in range(GROUPS)])


def by_tumult(question: str, groups: Groups, owned: int, rho: str, rng: np.random.Generator) -> Floats:
    price, middle = float(rho), sum(BOUNDS) / 2

    def noisy(numbers: Floats, reach: float, price: float) -> Floats:
        return numbers + rng.normal(0, reach * math.sqrt(owned / (2 * price)), len(groups))

    counts, sums = truth("count", groups), truth("sum", groups)
    if question == "count":
        return np.rint(noisy(counts, 1, price))
    if question == "sum":
        return noisy(sums, BOUNDS[1], price)
    if question == "mean":
        off = noisy(sums - middle * counts, middle, price / 2)
        return np.clip(middle + off / np.maximum(noisy(counts, 1, price / 2), 1), *BOUNDS)
    epsilon, found = math.sqrt(8 * price / owned), []
    for values in groups:
        ends = np.concatenate([[BOUNDS[0]], np.sort(values), [BOUNDS[1]]])
        score = -np.abs(np.arange(len(ends) - 1) - len(values) / 2)
        with np.errstate(divide="ignore"):
            weight = np.log(np.diff(ends)) + epsilon * score  # a record moves a score by half: 2 * 1/2
        place = int(np.argmax(weight + rng.gumbel(size=weight.size)))
        found.append(rng.uniform(ends[place], ends[place + 1]))
    return np.array(found)


def errors(question: str, owned: int, rho: str, draws: dict[str, int]) -> Record:
    progress(f"{question}, {owned} groups a person, rho {rho}")
    data, rng = rows(owned), np.random.default_rng(11)
    groups = [data["wage"][data["group"] == group] for group in range(GROUPS)]
    right = truth(question, groups)
    run: dict[str, Callable[[], Floats]] = {"noisewise": lambda: ours(question, data, owned, rho)}
    if installed("opendp"):
        run["OpenDP"] = lambda: by_opendp(question, groups, owned, rho)
    if installed("pipeline-dp"):
        run["PipelineDP"] = lambda: by_pipeline_dp(question, data, owned, rho)
    run["Tumult's formulas"] = lambda: by_tumult(question, groups, owned, rho, rng)
    found: Record = {"question": question, "groups": owned, "rho": rho}
    for name, answers in run.items():
        found[name] = float(np.mean([np.abs(answers() - right).mean() for _ in range(draws.get(name, 10))]))
    return found


def tables(found: list[Record]) -> list[Table]:
    made = []
    for question in QUESTIONS:
        cases = [record for record in found if record["question"] == question]
        lines = []
        for record in cases:
            others = [record[name] for name in LIBRARIES[1:] if name in record]
            cells = [number(record[name]) if name in record else "-" for name in LIBRARIES]
            ratio = f"{record['noisewise'] / min(others):.2f}"
            lines.append((str(record["groups"]), f"ρ = {record['rho']}", *cells, ratio))
        header = ("groups of a person", "price", *LIBRARIES, "ours over the best other")
        made.append(Table(f"Mean errors of grouped answers in ρ: {question}", header, lines))
    return made


def report(quick: bool = False) -> Report:
    owned, rhos = ((5,), RHOS[2:3]) if quick else (OWNED, RHOS)
    slow = {k: dict.fromkeys(LIBRARIES[1:3], 1 if quick else {1: 5, 5: 5, 20: 3}.get(k, 2)) for k in owned}
    found = [errors(q, k, rho, slow[k]) for q in QUESTIONS for k in owned for rho in rhos]
    ratios = [r["noisewise"] / min(r[n] for n in LIBRARIES[1:] if n in r) for r in found]
    above = sum(ratio > 1.1 for ratio in ratios)
    notes = [
        f"ours over the best other: median {np.median(ratios):.2f}; above 1.1 in {above} of {len(ratios)} cells"
    ]
    return Report("groups_in_rho", tables(found), records=found, notes=notes)


if __name__ == "__main__":
    run_alone(report, __doc__)
