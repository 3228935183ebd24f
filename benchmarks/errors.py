"""The mean absolute error of every statistic on public data, by epsilon and by mechanism, next to other libraries.

    python benchmarks/errors.py [--quick] [--data FOLDER] [--add-to benchmarks/results/reference.json]

The errors of noisewise are read off the laws, nothing is sampled. Those of other libraries are sampled, from 200 to
500 draws each, against the same true answer of the clamped data. The folder may hold the files that datasets.py
names; without them, and without the packages that bring data along, made-up columns are asked. Laws are secret: the
data must be public.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import questions
import rivals
from datasets import Data, made_up, public
from measure import progress
from questions import Question
from reporting import Report, Table, add, number

EPSILONS = ("0.1", "0.5", "1", "2", "5")
ONE = "1"
MECHANISMS = {
    "balance": "balance",
    "piecewise_laplace": "piecewise Laplace",
    "inverse_sensitivity": "inverse sensitivity",
    "permute_and_flip": "permute-and-flip",
    "laplace": "Laplace",
}
LIBRARIES = {"opendp": "OpenDP", "diffprivlib": "diffprivlib"}
CONTENDERS = MECHANISMS | LIBRARIES
IF_N_IS_PUBLIC = ("mean", "variance", "std")
NEGLIGIBLE = 1e-12
"""An error below this part of the range is next to nothing: what is left is the tail behind the last level."""
VISIBLE = 0.1
"""Some hundred draws say little about an error below this part of a lattice step."""
MOST_RATIO = 1_000_000

Record = dict[str, Any]


def measured(
    question: Question, neighbors: str, epsilons: Sequence[str], draws: tuple[int, int]
) -> list[Record]:
    """One record per epsilon."""
    answer, (step, width), found = question.answer(), question.range(), []
    for epsilon in epsilons:
        progress(f"{question.name} of {question.about} at epsilon {epsilon}, {neighbors}")
        record: Record = {"about": question.about, "statistic": question.name, "n": question.n}
        record |= {"neighbors": neighbors, "epsilon": epsilon, "answer": answer, "step": step, "range": width}
        record |= {name: question.error(name, epsilon, neighbors) for name in MECHANISMS}
        auto = question.request("auto", epsilon, neighbors).mechanism.name
        found.append(record | {"law": auto, "auto": record[auto]} | sampled(question, record, draws))
    return [{key: kept(key, value) for key, value in record.items() if value is not None} for record in found]


def kept(key: str, value: Any) -> Any:
    """Six digits of an error, all of an answer."""
    return float(f"{value:.6g}") if key in ("auto", *CONTENDERS) else value


def sampled(question: Question, record: Record, draws: tuple[int, int]) -> Record:
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
    for name, answer in rivals.answers(asked).items():
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


def summary(found: list[Record]) -> Table:
    """Each statistic over all data and epsilons: how the errors of others compare with that of auto."""
    shown = contenders(found)
    rows = []
    for case, here in cases(found, "{statistic}"):
        at_one = [100 * r["auto"] / abs(r["answer"]) for r in here if r["epsilon"] == ONE and r["answer"]]
        spans = (span([ratio(r, name) for r in here]) for name in shown)
        rows.append((case, MECHANISMS[here[0]["law"]], _ends(at_one, _percent), *spans))
    header = ("statistic", "auto", "its error at ε = 1, % of the answer", *(CONTENDERS[c] for c in shown))
    return Table("Errors over that of auto, least and greatest over all data and epsilons", header, rows)


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


def report(quick: bool = False, folder: Path | None = None) -> Report:
    epsilons, draws = ((ONE,), (3, 3)) if quick else (EPSILONS, (200, 500))
    data = made_up(60) if quick else public(folder)
    return compared(data if data.columns else made_up(1_000), epsilons, draws)


def compared(data: Data, epsilons: Sequence[str], draws: tuple[int, int]) -> Report:
    asked = list(questions.of(data))
    found = [r for q in asked for r in measured(q, "add_remove", epsilons, draws)]
    public_n = [q for q in asked if q.name in IF_N_IS_PUBLIC]
    swapped = [r for q in public_n for r in measured(q, "swap", epsilons, draws)]
    tables = [summary(found)]
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
    return Report("errors", [*tables, n_is_public(swapped)], records=[*found, *swapped])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it run at all?")
    parser.add_argument("--data", type=Path, help="a folder of public data, see datasets.py")
    parser.add_argument("--add-to", type=Path, help="a results file to put the report into")
    asked = parser.parse_args()
    found = report(asked.quick, asked.data)
    progress("")
    print(found.text())
    if asked.add_to is not None:
        add(found, asked.add_to)


if __name__ == "__main__":
    main()
