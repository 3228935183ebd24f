"""Fill the tables of the documentation from the results kept with the code.

    python benchmarks/page.py

Each measured table of a page stands under a comment that names it by its title, <!-- measured: Title -->, and is
replaced by the table of that title in benchmarks/results/reference.json, or in experiments.json beside it: no number
in them is typed by hand.
"""

import json
import re
from pathlib import Path
from typing import Any

from reporting import Report, Table, Target, add, targets_table

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results" / "reference.json"
EXPERIMENTS = HERE / "results" / "experiments.json"
DOCS = HERE.parent / "docs"
MARK = "<!-- measured:"
MARKED = re.compile(r"<!-- measured: (?P<title>.*?) -->\n(?:\n(?:\|.*\n)+)?")


def pages() -> list[Path]:
    """Every page with a measured table."""
    return [page for page in sorted(DOCS.rglob("*.md")) if MARK in page.read_text(encoding="utf-8")]


def kept() -> dict[str, Table]:
    """The tables of the results files, by title; the machine and the targets are those of the reference run."""
    found, added = (json.loads(path.read_text(encoding="utf-8")) for path in (RESULTS, EXPERIMENTS))
    experiments = [Table(**table) for table in added["benchmarks"]["experiments"]["tables"]]
    return {table.title: table for table in [*tables(found), *experiments]}


def tables(found: dict[str, Any]) -> list[Table]:
    """The machine, every table of a results file, and what became of all targets."""
    reports = found["benchmarks"].values()
    measured = [Table(**table) for report in reports for table in report["tables"]]
    targets = [Target(t["what"], t["limit"], t["got"]) for report in reports for t in report["targets"]]
    return [machine_table(found["machine"]), *measured, targets_table(targets)]


def machine_table(facts: dict[str, Any]) -> Table:
    packages = ", ".join(f"{name} {version}" for name, version in facts["packages"].items())
    rows = [
        ("processor", f"{facts['cpu']}, {facts['cores']} cores"),
        ("load average at the start", f"{facts['load_average']:.1f}"),
        ("software", f"noisewise {facts['noisewise']}, Python {facts['python']}, {packages}"),
    ]
    return Table("Machine", ("the reference run", ""), rows)


def refer(report: Report, facts: dict[str, Any]) -> str:
    """Keep a report as the reference and fill the pages; what it lacks of what they show is said, and then it is not
    kept."""
    path = EXPERIMENTS if report.name == "experiments" else RESULTS
    before = json.loads(path.read_text(encoding="utf-8"))["benchmarks"].get(report.name, {"tables": ()})
    shown = {title for page in pages() for title in MARKED.findall(page.read_text(encoding="utf-8"))}
    made = {table.title for table in report.tables}
    if lacking := sorted(shown & {table["title"] for table in before["tables"]} - made):
        return f"  {report.name} is not kept: the documentation shows {'; '.join(lacking)}"
    add(report, path, facts)
    fill()
    return f"  {report.name} is kept as the reference"


def fill() -> None:
    """Write all tables into the pages."""
    for page in pages():
        page.write_text(filled(page.read_text(encoding="utf-8"), kept()), encoding="utf-8")


def filled(page: str, measured: dict[str, Table]) -> str:
    """The page with these tables in the place of whatever stood under their names."""

    def table(found: re.Match[str]) -> str:
        return f"<!-- measured: {found['title']} -->\n\n{measured[found['title']].markdown()}\n"

    return MARKED.sub(table, page)


if __name__ == "__main__":
    fill()
    print("filled", *(str(page.relative_to(DOCS)) for page in pages()))
