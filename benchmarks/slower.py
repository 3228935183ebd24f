"""What got slower since the last run, beyond noise.

    python benchmarks/slower.py [BEFORE AFTER]

Compares two results of benchmarks/run.py, by default previous.json and latest.json in benchmarks/results. Times of one
benchmark are divided by how much slower its other contenders (NumPy, Polars, plain SQLite, ...) ran, since these did
not change: what is left is ours. A time counts as slower where its best lap takes more than a tenth longer, and the
middle halves of all laps do not overlap. The exit code is 1 where anything is slower.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from reporting import Table, Timing, number

RESULTS = Path(__file__).parent / "results"
LEAST = 1.1
"""Less than this is noise, whatever the laps say."""

Timings = dict[str, dict[str, Timing]]
"""By benchmark, and by what was measured."""


class Change(NamedTuple):
    """One time in two runs. The machine's own change of speed is taken out of ``ratio``."""

    benchmark: str
    before: Timing
    after: Timing
    machine: float

    @property
    def ratio(self) -> float:
        return self.after.best / self.before.best / self.machine

    @property
    def slower(self) -> bool:
        return self.ratio > LEAST and self.after.low / self.machine > self.before.high

    @property
    def faster(self) -> bool:
        return self.ratio < 1 / LEAST and self.after.high / self.machine < self.before.low


def read(path: Path) -> Timings:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["benchmarks"]
    return {
        name: {timing["what"]: Timing(**timing) for timing in report.get("timings", ())}
        for name, report in found.items()
    }


def changes(before: Timings, after: Timings) -> Iterator[Change]:
    """Everything of ours that both runs measured."""
    overall = [*_machine_ratios(before, after, before.keys() & after.keys())]
    for name in before.keys() & after.keys():
        own = [*_machine_ratios(before, after, {name})] or overall
        machine = statistics.median(own) if own else 1.0
        for what, timing in after[name].items():
            if timing.ours and what in before[name]:
                yield Change(name, before[name][what], timing, machine)


def _machine_ratios(before: Timings, after: Timings, names: set[str]) -> Iterator[float]:
    """How much longer each contender took that is not ours."""
    for name in names:
        for what, timing in after[name].items():
            if not timing.ours and what in before[name]:
                yield timing.best / before[name][what].best


def table(title: str, changed: Sequence[Change]) -> Table:
    rows = [
        (
            c.after.what,
            number(1e3 * c.before.best),
            number(1e3 * c.after.best),
            number(c.machine),
            number(c.ratio),
        )
        for c in sorted(changed, key=lambda c: -c.ratio)
    ]
    return Table(title, ("what", "before, ms", "after, ms", "machine", "times as long"), rows)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("before", type=Path, nargs="?", default=RESULTS / "previous.json")
    parser.add_argument("after", type=Path, nargs="?", default=RESULTS / "latest.json")
    asked = parser.parse_args(arguments)
    for path in (asked.before, asked.after):
        if not path.exists():
            print(f"There is no {path}: run benchmarks/run.py twice, or name two results.")
            return 0
    all_changes = list(changes(read(asked.before), read(asked.after)))
    slower = [change for change in all_changes if change.slower]
    faster = [change for change in all_changes if change.faster]
    for title, changed in (("Faster", faster), ("Slower", slower)):
        if changed:
            print(f"{table(title, changed).text()}\n")
    print(f"{len(slower)} slower, {len(faster)} faster, of {len(all_changes)} times")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
