"""What a program waits for before noisewise does anything: CPU seconds of fresh processes, user and system together.

    python benchmarks/startup.py [--quick]

Bytecode is compiled first, by a run that does not count. The least of several runs stands for each, as other programs
on the machine can only add to it. NumPy and python-flint are measured next to them: they are most of what is left.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import progress
from reporting import Report, Table, Target, Timing, number, run_alone

RUNS = 20
MEDIAN = ("median", "FILE", "--column", "income", "--bounds", "0", "100000", "--epsilon", "1")
MISSPELT = "noisewise median of a misspelt column"
FIRST = "import noisewise; noisewise.median([1, 2, 3], bounds=(0, 9), epsilon=1)"
STARTS: dict[str, tuple[tuple[str, ...], float | None]] = {
    "Python alone": (("-c", ""), None),
    "import numpy": (("-c", "import numpy"), None),
    "import flint": (("-c", "import flint"), None),
    "import noisewise": (("-c", "import noisewise"), 0.2),
    "a median of a list": (("-c", FIRST), None),
    "import noisewise, and all that it loads on first use": (
        ("-c", "import noisewise; noisewise._load()"),
        None,
    ),
    "noisewise --version": (("-m", "noisewise", "--version"), 0.3),
    "noisewise --help": (("-m", "noisewise", "--help"), 0.3),
    "noisewise median --help": (("-m", "noisewise", "median", "--help"), None),
    "noisewise median of a CSV file of 100 rows": (("-m", "noisewise", *MEDIAN), 0.6),
    MISSPELT: (("-m", "noisewise", *(word.replace("income", "incme") for word in MEDIAN)), 0.3),
}
"""What is started, and how many seconds it may take."""

FIRST_ANSWER = 0.3
"""How many seconds the first answer of a process may take after ``import numpy``."""


def report(quick: bool = False) -> Report:
    runs = 1 if quick else RUNS
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "incomes.csv")
        file.write_text("income\n" + "\n".join(str(1000 * k) for k in range(100)) + "\n", encoding="utf-8")
        compiled = {"PYTHONPYCACHEPREFIX": str(Path(folder, "compiled")), "PYTHONDONTWRITEBYTECODE": ""}
        if quick:
            compiled = {}
        commands = {
            what: [sys.executable, *(str(file) if word == "FILE" else word for word in words)]
            for what, (words, _) in STARTS.items()
        }
        laps: dict[str, list[float]] = {what: [] for what in STARTS}
        for lap in range(1 if quick else 0, 1 + runs):  # number 0 compiles
            progress(f"starts, {lap} of {runs}")
            for what, command in commands.items():
                seconds = _seconds(command, os.environ | compiled, code=3 if what == MISSPELT else 0)
                if lap:
                    laps[what].append(seconds)
    least = {what: min(each) for what, each in laps.items()}
    targets = [
        Target(f"{what}: CPU seconds", limit, least[what])
        for what, (_, limit) in STARTS.items()
        if limit is not None
    ]
    first = least["a median of a list"] - least["import numpy"]
    targets.append(Target("a median of a list, after import numpy: CPU seconds", FIRST_ANSWER, first))
    rows = [(what, number(seconds)) for what, seconds in least.items()]
    records = [{"what": what, "seconds": seconds, "runs": runs} for what, seconds in least.items()]
    table = Table("Start-up: CPU seconds of a process", ("started", "seconds"), rows)
    timings = [Timing.of(what, each, ours="noisewise" in what) for what, each in laps.items()]
    return Report("startup", [table], [] if quick else targets, records, timings=timings)


def _seconds(command: list[str], environment: dict[str, str], *, code: int) -> float:
    """The CPU seconds of a process that must exit with this code."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert done.returncode == code, done.stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    run_alone(report, __doc__)
