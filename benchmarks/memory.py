"""How much memory a median needs besides its column, as a share of the column.

    python benchmarks/memory.py [--quick]

Two measures. ``allocated`` is the peak of what Python and NumPy ask for (tracemalloc). ``resident`` is how
far the high water of a fresh process rises above what it held before the call; it includes what the allocator
keeps and the stacks of threads, and is read where the system tells it (Linux).
"""

import argparse
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
from columns import SHAPES, Floats, Shape
from measure import progress
from reporting import Report, Table, Target, run_alone

import noisewise as nws

STATUS = Path("/proc/self/status")
ASKS: dict[str, Callable[[Shape, Floats], object]] = {
    "noisewise": lambda shape, values: nws.median(values, bounds=shape.bounds, epsilon=1),
    "np.median": lambda shape, values: np.median(values),
}


def allocated(shape: Shape, ask: str, n: int) -> float:
    """Peak of the allocations during one call, as a share of the column."""
    values = shape.column(n)
    ASKS[ask](shape, values[:100])
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        ASKS[ask](shape, values)
        return (tracemalloc.get_traced_memory()[1] - before) / values.nbytes
    finally:
        tracemalloc.stop()


def resident(shape: Shape, ask: str, n: int) -> float | None:
    """Rise of the high water of a fresh process, as a share of the column."""
    if not STATUS.exists():
        return None
    command = [sys.executable, str(Path(__file__)), "--child", shape.name, ask, str(n)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout)


def child(shape: Shape, ask: str, n: int) -> float:
    """What `resident` runs: the column is made first, and the high water forgotten."""
    values = shape.column(n)
    ASKS[ask](shape, values[:100])
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _status("VmRSS")
    ASKS[ask](shape, values)
    return (_status("VmHWM") - before) / values.nbytes


def _status(entry: str) -> int:
    """A line of the process status, in bytes."""
    lines = STATUS.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{entry}:"))


def report(quick: bool = False) -> Report:
    n, found = 100_000 if quick else 10_000_000, Report("memory")
    for shape in SHAPES:
        for ask in ASKS:
            progress(f"memory of {ask} on {n:,} ({shape.name})")
            shares = {"allocated": allocated(shape, ask, n), "resident": resident(shape, ask, n)}
            found.records.append({"column": shape.name, "n": n, "contender": ask, **shares})
            if ask == "noisewise" and not quick:
                worst = max(share for share in shares.values() if share is not None)
                found.targets.append(
                    Target(f"{n:,} {shape.name}: extra memory, % of the column", 10, 100 * worst)
                )
    found.tables.append(_table(found, n))
    return found


def _table(found: Report, n: int) -> Table:
    rows = [
        (r["column"], r["contender"], _percent(r["allocated"]), _percent(r["resident"]))
        for r in found.records
    ]
    title = f"Memory: extra memory of a median of {n:,} float64, as a share of the column"
    return Table(title, ("column", "contender", "allocated", "resident"), rows)


def _percent(share: float | None) -> str:
    return "not run" if share is None else f"{100 * share:.1f}%"


def main() -> None:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--child", nargs=3)
    asked, _ = parser.parse_known_args()
    if asked.child is None:
        run_alone(report, __doc__)
    else:
        name, ask, n = asked.child
        print(child(next(shape for shape in SHAPES if shape.name == name), ask, int(n)))


if __name__ == "__main__":
    main()
