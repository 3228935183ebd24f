"""The mean absolute error of every statistic on public data, by epsilon and by mechanism, next to other libraries.

    python benchmarks/errors.py [--quick] [--data FOLDER] [--jobs 2] [--add-to benchmarks/results/reference.json]

The errors of noisewise are read off the laws, nothing is sampled. Those of other libraries are sampled, from 200 to
500 draws each, against the same true answer of the clamped data. The folder may hold the files that datasets.py
names; without them, and without the packages that bring data along, made-up columns are asked. Laws are secret: the
data must be public.
"""

import argparse
import statistics
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import questions
import rivals
from datasets import Data, made_up, public
from measure import progress
from questions import Question
from reporting import Report, Table, Target, add, number

EPSILONS = ("0.1", "0.5", "1", "2", "5", "10")
ONE = "1"
RELATIONS = {"add_remove": "add/remove", "swap": "swap"}
MECHANISMS = {
    "balance": "balance",
    "piecewise_laplace": "piecewise Laplace",
    "inverse_sensitivity": "inverse sensitivity",
    "permute_and_flip": "permute-and-flip",
    "laplace": "Laplace",
}
LIBRARIES = {"opendp": "OpenDP", "diffprivlib": "diffprivlib"}
SAME_PROMISE = {"add_remove": ("opendp",), "swap": ("opendp", "diffprivlib")}
"""Those whose epsilon holds under the relation: diffprivlib takes n to be public."""
CONTENDERS = MECHANISMS | LIBRARIES
COMMON = (rivals.MEDIAN, rivals.NINTH, "mean", "proportion")
"""What every library has."""
IF_N_IS_PUBLIC = (*COMMON, "variance", "std")
NEGLIGIBLE = 1e-12
"""An error below this part of the range is next to nothing: what is left is the tail behind the last level."""
VISIBLE = 0.1
"""Some hundred draws say little about an error below this part of a lattice step."""
MOST_RATIO = 1_000_000

Record = dict[str, Any]


def measured(question: Question, epsilons: Sequence[str], draws: tuple[int, int]) -> list[Record]:
    """One record per epsilon, and one more where the relation matters to others as well."""
    return [
        {key: kept(key, value) for key, value in record.items() if value is not None}
        for epsilon in epsilons
        for record in by_relation(question, epsilon, draws)
    ]


def by_relation(question: Question, epsilon: str, draws: tuple[int, int]) -> Iterator[Record]:
    """What does not know of relations is sampled once."""
    record = at(question, epsilon, "add_remove")
    record |= sampled(question, record, draws, rivals.RIVALS)
    yield record
    if question.name in IF_N_IS_PUBLIC:
        same = {key: value for key, value in record.items() if key.startswith("diffprivlib")}
        swapped = at(question, epsilon, "swap")
        yield swapped | sampled(question, swapped, draws, ("opendp",)) | same


def at(question: Question, epsilon: str, neighbors: str) -> Record:
    progress(f"{question.name} of {question.about} at epsilon {epsilon}, {neighbors}")
    record: Record = {"about": question.about, "statistic": question.name, "n": question.n}
    step, width = question.range()
    record |= {"neighbors": neighbors, "epsilon": epsilon, "answer": question.answer()}
    record |= {"step": step, "range": width}
    record |= {name: question.error(name, epsilon, neighbors) for name in MECHANISMS}
    auto = question.request("auto", epsilon, neighbors).mechanism.name
    return record | {"law": auto, "auto": record[auto]}


def kept(key: str, value: Any) -> Any:
    """Six digits of an error, all of an answer."""
    return float(f"{value:.6g}") if key in ("auto", *CONTENDERS) else value


def sampled(question: Question, record: Record, draws: tuple[int, int], names: Iterable[str]) -> Record:
    """What other libraries have to say, where they know the statistic."""
    if not isinstance(question.data, np.ndarray):
        return {}
    asked = rivals.Asked(
        statistic=question.name,
        values=question.data,
        bounds=question.bounds or (0.0, 1.0),
        step=record["step"],
        epsilon=float(record["epsilon"]),
        swap=record["neighbors"] == "swap",
    )
    found: Record = {}
    for name, answer in rivals.answers(asked, names).items():
        found[name], found[f"{name}_draws"] = rivals.sampled(answer, record["answer"], *draws)
    return found


# Tables.


def by_epsilon(name: str, found: list[Record], label: str) -> Table:
    """The answer, and the error of auto at each epsilon."""
    epsilons = list(dict.fromkeys(r["epsilon"] for r in found))
    rows = [
        (case, exactly(here[0]["answer"]), MECHANISMS[here[0]["law"]], *(cell(r, "auto") for r in here))
        for case, here in cases(found, label)
    ]
    header = ("statistic", "answer", "auto", *(f"ε = {epsilon}" for epsilon in epsilons))
    return Table(f"Errors of auto by epsilon: {name}", header, rows)


def by_contender(name: str, found: list[Record], label: str) -> Table:
    """The errors of all at epsilon 1."""
    shown = contenders(found)
    rows = [
        (case, *(cell(r, contender) for contender in shown))
        for case, here in cases(found, label)
        for r in here
        if r["epsilon"] == ONE
    ]
    return Table(f"Errors at epsilon 1: {name}", ("statistic", *(CONTENDERS[c] for c in shown)), rows)


def mechanisms(found: list[Record]) -> Table:
    """Each statistic over all data and epsilons: how the errors of other mechanisms compare with that of auto."""
    shown = [name for name in contenders(found) if name in MECHANISMS]
    rows = [
        (case, MECHANISMS[here[0]["law"]], *(span([ratio(r, name) for r in here]) for name in shown))
        for case, here in cases(found, "{statistic}")
    ]
    header = ("statistic", "auto", *(CONTENDERS[c] for c in shown))
    return Table("Errors over that of auto, least and greatest over all data and epsilons", header, rows)


def libraries(found: list[Record]) -> Table:
    """The same of other libraries, and how large the error of auto is."""
    shown = [name for name in contenders(found) if name in LIBRARIES]
    rows = []
    for case, here in cases(found, "{statistic}"):
        at_one = [100 * r["auto"] / abs(r["answer"]) for r in here if r["epsilon"] == ONE and r["answer"]]
        spans = (span([ratio(r, name) for r in here]) for name in shown)
        rows.append((case, MECHANISMS[here[0]["law"]], _ends(at_one, _percent), *spans))
    header = ("statistic", "auto", "its error at ε = 1, % of the answer", *(CONTENDERS[c] for c in shown))
    title = "Errors of other libraries over that of auto, least and greatest over all data and epsilons"
    return Table(title, header, rows)


def over_the_best(record: Record, libraries: Iterable[str] = LIBRARIES) -> float | None:
    """The error of auto over that of the best of other libraries; None where there is nothing to compare."""
    best = min((name for name in libraries if name in record), key=lambda name: record[name], default=None)
    ahead = None if best is None else ratio(record, best)
    return None if ahead is None else 1 / max(ahead, 1 / MOST_RATIO)


def against_libraries(found: list[Record], epsilons: Sequence[str]) -> Table:
    """The questions that every library has, by relation and epsilon."""
    rows = []
    for (name, relation), here in _common(found):
        cells = ([over_the_best(r) for r in here if r["epsilon"] == e] for e in epsilons)
        rows.append((name, RELATIONS[relation], *(_middle_and_most(each) for each in cells)))
    header = ("question", "neighbors", *(f"ε = {e}" for e in epsilons))
    return Table("Errors of auto over the best other library: the middle column (the worst)", header, rows)


def column_by_column(found: list[Record], epsilons: Sequence[str], relation: str) -> Table:
    rows = [
        (case, *(_cell(over_the_best(r)) for e in epsilons for r in here if r["epsilon"] == e))
        for name in COMMON
        for case, here in cases(
            [r for r in found if r["neighbors"] == relation and r["statistic"] == name],
            "{statistic}: {about}",
        )
    ]
    header = ("question", *(f"ε = {e}" for e in epsilons))
    return Table(
        f"Errors of auto over the best other library, column by column, {RELATIONS[relation]}", header, rows
    )


def by_question(found: list[Record], epsilons: Sequence[str], question: str) -> Table:
    """Everybody's error over that of auto, in the middle of all columns."""
    rows = []
    for (name, relation), here in _common(found):
        if name != question:
            continue
        for contender in contenders(here):
            ratios = ([ratio(r, contender) for r in here if r["epsilon"] == e] for e in epsilons)
            cells = (_middle(each, _times) for each in ratios)
            rows.append((RELATIONS[relation], CONTENDERS[contender], *cells))
    header = ("neighbors", question, *(f"ε = {e}" for e in epsilons))
    return Table(f"Errors over that of auto, the middle column: {question}", header, rows)


def targets(found: list[Record]) -> list[Target]:
    """What the errors should be next to other libraries, and to a mean by Laplace noise where n is public."""
    asked = [r for _, here in _common(found) for r in here]
    common = [(r, over) for r in asked if (over := over_the_best(r)) is not None]
    same = [o for r in asked if (o := over_the_best(r, SAME_PROMISE[r["neighbors"]])) is not None]
    by_case = {(r["about"], r["neighbors"], r["epsilon"]): r for r in found if r["statistic"] == "mean"}
    means = [
        r["auto"] / by_case[about, "swap", epsilon]["laplace"]
        for (about, relation, epsilon), r in by_case.items()
        if relation == "add_remove" and (about, "swap", epsilon) in by_case
    ]
    if not common or not means:
        return []
    small = [over for r, over in common if float(r["epsilon"]) <= 1]
    middle = statistics.median(over for _, over in common)
    return [
        Target(
            "error over the best other library of the same promise: the middle", 0.5, statistics.median(same)
        ),
        Target("error over the best other library, whatever it promises: the middle", 0.5, middle),
        Target("error over the best other library: the greatest up to epsilon 1", 1.3, max(small)),
        Target("mean, n secret: error over that of Laplace noise, n public", 1.0, max(means)),
    ]


def _common(found: list[Record]) -> Iterator[tuple[tuple[str, str], list[Record]]]:
    for name in COMMON:
        for relation in RELATIONS:
            yield (
                (name, relation),
                [r for r in found if (r["statistic"], r["neighbors"]) == (name, relation)],
            )


def _middle(ratios: Sequence[float | None], show: Any) -> str:
    known = [each for each in ratios if each is not None]
    return show(statistics.median(known)) if known else "-"


def _middle_and_most(ratios: Sequence[float | None]) -> str:
    known = [each for each in ratios if each is not None]
    return f"{_cell(statistics.median(known))} ({_cell(max(known))})" if known else "-"


def _cell(over: float | None) -> str:
    return "-" if over is None else _times(over)


def n_is_public(found: list[Record]) -> Table:
    shown = contenders(found)
    rows = [
        (f"{r['statistic']}: {r['about']}", MECHANISMS[r["law"]], *(cell(r, name) for name in shown))
        for r in found
        if r["epsilon"] == ONE
    ]
    return Table(
        "Errors at epsilon 1 where n is public", ("question", "auto", *(CONTENDERS[c] for c in shown)), rows
    )


def cases(found: list[Record], label: str) -> Iterator[tuple[str, list[Record]]]:
    """Records that have the same label."""
    for each in dict.fromkeys(label.format(**r) for r in found):
        yield each, [r for r in found if label.format(**r) == each]


def contenders(found: list[Record]) -> list[str]:
    """Those that answered anything."""
    return [name for name in CONTENDERS if any(r.get(name) is not None for r in found)]


def cell(record: Record, name: str) -> str:
    error = record.get(name)
    if error is None:
        return "fails" if record.get(f"{name}_draws") == 0 else "-"
    return "~0" if 0 < error < NEGLIGIBLE * record["range"] else shown(error)


def ratio(record: Record, name: str) -> float | None:
    """An error over that of auto; None where there is none, or nothing to compare."""
    ours, theirs = record["auto"], record.get(name)
    least = VISIBLE * record["step"] if name in LIBRARIES else 0
    if theirs is None or max(ours, theirs) < max(least, NEGLIGIBLE * record["range"]):
        return None
    return float(theirs / max(ours, 1e-300))


def span(ratios: Sequence[float | None]) -> str:
    return _ends([each for each in ratios if each is not None], _times)


def _ends(known: Sequence[float], show: Any) -> str:
    ends = dict.fromkeys(show(end) for end in (min(known), max(known))) if known else ["-"]
    return " to ".join(ends)


def _times(ratio: float) -> str:
    if ratio > MOST_RATIO:
        return f"> {MOST_RATIO:,}"
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:,.0f}"


def _percent(share: float) -> str:
    return shown(share) if share > 1e-9 else "~0"


def shown(error: float) -> str:
    """Three digits, or two and an exponent where an error is small."""
    return number(error) if error == 0 or error >= 1e-4 else f"{error:.1e}"


def exactly(answer: float) -> str:
    """Five digits."""
    return f"{answer:,.0f}" if abs(answer) >= 10_000 else f"{answer:,.5g}"


# The report.


def report(quick: bool = False, folder: Path | None = None, jobs: int = 1) -> Report:
    epsilons, draws = ((ONE,), (3, 3)) if quick else (EPSILONS, (200, 500))
    data = made_up(60) if quick else public(folder)
    return compared(data if data.columns else made_up(1_000), epsilons, draws, jobs)


def compared(data: Data, epsilons: Sequence[str], draws: tuple[int, int], jobs: int = 1) -> Report:
    measure, asked = partial(measured, epsilons=epsilons, draws=draws), questions.of(data)
    if jobs == 1:
        both = [r for q in asked for r in measure(q)]
    else:
        with ProcessPoolExecutor(jobs) as pool:
            both = [r for records in pool.map(measure, asked) for r in records]
    return reported(data, both, epsilons)


def reported(data: Data, both: list[Record], epsilons: Sequence[str]) -> Report:
    found, swapped = ([r for r in both if r["neighbors"] == relation] for relation in RELATIONS)
    tables = [
        libraries(found),
        against_libraries(both, epsilons),
        *(column_by_column(both, epsilons, relation) for relation in RELATIONS),
        *(by_question(both, epsilons, name) for name in COMMON),
        mechanisms(found),
    ]
    for field, values in data.columns:
        low, high = field.bounds
        name = f"{field.name}, {values.size:,} records, bounds {low:,.10g} to {high:,.10g}"
        here = [r for r in found if r["about"] == field.name]
        tables += [make(name, here, "{statistic}") for make in (by_epsilon, by_contender)]
    columns = {field.name for field, _ in data.columns}
    rest = [r for r in found if r["about"] not in columns]
    tables += [
        make("pairs and predictions", rest, "{statistic}: {about}, {n:,}")
        for make in (by_epsilon, by_contender)
    ]
    held_to = targets(both) if len(epsilons) > 1 else []
    return Report("errors", [*tables, n_is_public(swapped)], held_to, records=both)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it run at all?")
    parser.add_argument("--data", type=Path, help="a folder of public data, see datasets.py")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes share the work")
    parser.add_argument("--add-to", type=Path, help="a results file to put the report into")
    asked = parser.parse_args()
    found = report(asked.quick, asked.data, asked.jobs)
    progress("")
    print(found.text())
    if asked.add_to is not None:
        add(found, asked.add_to)


if __name__ == "__main__":
    main()
