"""Reporting: what a benchmark found, printed as text and kept as JSON.

A report holds raw records, the tables made from them, and the targets they are held to. What is said of the
machine is what explains a number, never its name.
"""

import argparse
import json
import os
import platform
import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from measure import progress

import noisewise

PACKAGES = ("numpy", "python-flint", "polars", "opendp", "diffprivlib", "scikit-learn")


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as a reader sees them."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def text(self) -> str:
        """Columns lined up, the first one to the left and the others to the right."""
        widths = [max(map(len, column)) for column in zip(self.header, *self.rows, strict=True)]
        return "\n".join([self.title, "", *(_line(row, widths) for row in (self.header, *self.rows))])

    def markdown(self) -> str:
        rule = ["---", *("---:" for _ in self.header[1:])]
        return "\n".join(f"| {' | '.join(row)} |" for row in (self.header, rule, *self.rows))


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
    return "  " + "   ".join(cells)


@dataclass(frozen=True, slots=True)
class Target:
    """What a number should be at most."""

    what: str
    limit: float
    got: float

    @property
    def met(self) -> bool:
        return self.got <= self.limit


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one contender took: the best lap in seconds, and between which seconds the middle half of its laps lay.

    Those that are not ours tell how fast the machine was.
    """

    what: str
    ours: bool
    best: float
    low: float
    high: float

    @classmethod
    def of(cls, what: str, laps: Sequence[float], *, ours: bool) -> "Timing":
        low, _, high = statistics.quantiles(laps, n=4, method="inclusive") if len(laps) > 1 else [*laps] * 3
        return cls(what, ours, min(laps), low, high)


@dataclass(frozen=True, slots=True)
class Report:
    """What one benchmark found."""

    name: str
    tables: list[Table] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    records: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    timings: list[Timing] = field(default_factory=list)

    def text(self) -> str:
        """The tables, the targets, the notes."""
        tables = [table.text() for table in self.tables]
        if self.targets:
            tables.append(targets_table(self.targets).text())
        return "\n\n".join([*tables, *(f"  {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        targets = [{**asdict(target), "met": target.met} for target in self.targets]
        return {**asdict(self), "targets": targets}


def targets_table(targets: Sequence[Target]) -> Table:
    """What was aimed at and what was found."""
    rows = [(t.what, number(t.limit), number(t.got), "met" if t.met else "NOT MET") for t in targets]
    return Table("Targets", ("target", "at most", "found", ""), rows)


def machine() -> dict[str, Any]:
    """What a reader needs to judge a time: processor, cores, versions, how busy the machine already was."""
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "cpu": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "noisewise": noisewise.__version__,
        "packages": {name: v for name in PACKAGES if (v := installed(name)) is not None},
        "load_average": busy,
    }


def results(reports: Sequence[Report], facts: dict[str, Any]) -> dict[str, Any]:
    """What is kept: the machine, and each report by its name."""
    return {"machine": facts, "benchmarks": {report.name: report.to_dict() for report in reports}}


def write(found: dict[str, Any], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def add(report: Report, path: Path, facts: dict[str, Any] | None = None) -> None:
    """Put one more report into a results file, and the machine that it was made on, if that is given."""
    found = json.loads(path.read_text(encoding="utf-8"))
    if facts is not None:
        found["machine"] = facts
    found["benchmarks"][report.name] = report.to_dict()
    write(found, path)


def installed(package: str) -> str | None:
    """The version of a package, None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def number(value: float) -> str:
    """Three significant digits, without an exponent."""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    digits = next(d for d in range(1, 20) if abs(value) >= 10.0 ** (2 - d))
    return f"{value:.{digits}f}"


def run_alone(report: Callable[[bool], Report], about: str | None) -> None:
    """What a benchmark does as a program: parse its options, measure, print."""
    parser = argparse.ArgumentParser(description=(about or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it run at all?")
    parser.add_argument("--add-to", type=Path, help="a results file to put the report into")
    asked = parser.parse_args()
    found = report(asked.quick)
    progress("")
    print(found.text())
    if asked.add_to is not None:
        add(found, asked.add_to)
