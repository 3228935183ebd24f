"""Every benchmark, as tables and as JSON.

    python benchmarks/run.py [--quick] [--only median draws memory accuracy summaries ...] [--out FILE]

Peers are raced if they are installed: pip install -r benchmarks/peers.txt. Without --out the results go to
benchmarks/results/latest.json.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import accuracy
import dimensions
import draws
import engines
import errors
import graphs
import groups
import joint
import ledger
import mechanisms
import median
import memory
import startup
import summaries
from measure import progress
from reporting import Target, machine, results, targets_table, write

BENCHMARKS = {
    module.__name__: module.report
    for module in (
        *(median, draws, memory, accuracy, summaries, errors, mechanisms, joint, graphs, dimensions),
        *(ledger, engines, groups, startup),
    )
}
LATEST = Path(__file__).parent / "results" / "latest.json"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="tiny sizes: does it run at all?")
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS, default=list(BENCHMARKS))
    parser.add_argument("--out", type=Path, default=LATEST, help="where the JSON goes")
    asked = parser.parse_args(arguments)
    facts, reports = machine(), []
    print(f"{facts['cpu']}, {facts['cores']} cores, Python {facts['python']}, noisewise {facts['noisewise']}")
    print("  ".join(f"{name} {version}" for name, version in facts["packages"].items()))
    for name in asked.only:
        report = BENCHMARKS[name](asked.quick)
        reports.append(report)
        progress("")
        print(f"\n{report.text()}", flush=True)
    targets: list[Target] = [target for report in reports for target in report.targets]
    missed = [target for target in targets if not target.met]
    print(f"\n{len(targets) - len(missed)} of {len(targets)} targets met")
    if missed:
        print(f"\n{targets_table(missed).text()}")
    write(results(reports, facts), asked.out)


if __name__ == "__main__":
    main()
