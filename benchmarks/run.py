"""Every benchmark, as tables and as JSON; with --reference also the tables of the documentation.

    python benchmarks/run.py [--quick] [--only median draws memory ...] [--data FOLDER] [--out FILE] [--reference]

Peers are raced if they are installed: pip install -r benchmarks/peers.txt. FOLDER holds public data (datasets.py says
which); what needs it is left out without it. Without --out the results go to benchmarks/results/latest.json, and those
of the run before to previous.json beside it: benchmarks/slower.py compares the two.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

import accuracy
import categories
import composition
import contributions
import dimensions
import draws
import engines
import errors
import experiments
import graphs
import groups
import joint
import ledger
import mechanisms
import median
import memory
import optimum
import page
import rho
import slopes
import spark
import startup
import summaries
from measure import progress
from reporting import Report, Target, machine, results, targets_table, write

Reports: TypeAlias = Callable[[bool, Path | None], list[Report]]


def _alone(module: ModuleType) -> Reports:
    """The report of a benchmark that needs no public data."""
    return lambda quick, folder: [module.report(quick)]


BENCHMARKS: dict[str, Reports] = {
    module.__name__: _alone(module)
    for module in (
        *(median, draws, memory, summaries, mechanisms, rho, joint, dimensions, optimum),
        *(ledger, composition, contributions, engines, groups, categories, slopes, startup, spark),
    )
} | {
    "accuracy": accuracy.reports,
    "errors": lambda quick, folder: [errors.report(quick, folder)],
    "graphs": lambda quick, folder: [graphs.report(quick, folder)],
    "experiments": lambda quick, folder: [experiments.report(quick, folder)],
}
"""Each makes its reports, given whether tiny sizes do and where public data is."""

LATEST = Path(__file__).parent / "results" / "latest.json"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it run at all?")
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS, default=list(BENCHMARKS))
    parser.add_argument("--data", type=Path, help="a folder of public data, see datasets.py")
    parser.add_argument("--out", type=Path, default=LATEST, help="where the JSON goes")
    parser.add_argument("--reference", action="store_true", help="write the tables of the documentation too")
    asked = parser.parse_args(arguments)
    if asked.quick and asked.reference:
        parser.error("tiny sizes are no reference: leave out --quick or --reference")
    facts, reports = machine(), []
    print(f"{facts['cpu']}, {facts['cores']} cores, Python {facts['python']}, noisewise {facts['noisewise']}")
    print("  ".join(f"{name} {version}" for name, version in facts["packages"].items()))
    for name in asked.only:
        for report in BENCHMARKS[name](asked.quick, asked.data):
            reports.append(report)
            progress("")
            print(f"\n{report.text()}", flush=True)
            if asked.reference:
                # one by one: a run that is cut off loses no more than one
                print(page.refer(report, facts), flush=True)
    targets: list[Target] = [target for report in reports for target in report.targets]
    missed = [target for target in targets if not target.met]
    print(f"\n{len(targets) - len(missed)} of {len(targets)} targets met")
    if missed:
        print(f"\n{targets_table(missed).text()}")
    if asked.out.exists():
        asked.out.replace(asked.out.with_name("previous.json"))
    write(results(reports, facts), asked.out)


if __name__ == "__main__":
    main()
