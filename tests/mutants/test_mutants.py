"""Mutants: the library broken on purpose, one line at a time. The suite must notice each.

A mutant is a copy of the source with one text replaced; the tests named beside it run against the copy and at least one
must fail. The shortcuts that never stood in the source are judged in tests/laws/test_constructions.py instead.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Mutant:
    """``old`` becomes ``new`` in ``file``, and ``tests`` must fail."""

    idea: str
    file: str
    old: str
    new: str
    tests: str


MUTANTS = [
    # The law and its envelope.
    Mutant(
        "steps own their lower end: points j = 0..width-1",
        "side.py",
        "l = int(np.searchsorted(self.reach, j))",
        'l = min(int(np.searchsorted(self.reach, j, side="right")), self.reach.size - 1)',
        "tests/statistics/test_quantile.py",
    ),
    Mutant(
        "rank zero patched to one at the centre alone",
        "statistics/quantile.py",
        "above += edits < count",
        "above[0] += count > 0",
        "tests/statistics/test_quantile.py",
    ),
    Mutant(
        "one edit slides the rank by less than it can",
        "statistics/quantile.py",
        "stride = max(self.q, 1 - self.q)",
        "stride = min(self.q, 1 - self.q)",
        "tests/statistics/test_quantile.py",
    ),
    Mutant(
        "float ranks",
        "statistics/quantile.py",
        "below = _ceilings(self.q * count, -stride, levels)",
        "below = np.ceil(float(self.q) * count - float(stride) * edits).astype(np.int64)",
        "tests/statistics/test_quantile.py",
    ),
    Mutant(
        "an empty column answers with the upper bound, at the empty column alone",
        "statistics/quantile.py",
        "        lower = window[np",
        "        below, above = (below, above) if count else (below + 2, above + 2)\n        lower = window[np",
        "tests/statistics/test_quantile.py",
    ),
    Mutant(
        "what lies beyond the last level is dropped",
        "statistics/quantile.py",
        "return Envelope.of(lower, upper, (lattice.low, lattice.high))",
        "return Envelope.of(lower, upper, (int(lower[-1]), int(upper[-1])))",
        "tests/statistics/test_quantile.py",
    ),
    Mutant(
        "the support starts at the centre",
        "statistics/quantile.py",
        "return Envelope.of(lower, upper, (lattice.low, lattice.high))",
        "return Envelope.of(np.full_like(lower, lower[0]), upper, (int(lower[0]), lattice.high))",
        "tests/statistics/test_quantile.py",
    ),
    Mutant(
        "the number of levels depends on the data",
        "release.py",
        "people = self.mechanism.levels(self.lattice) if levels is None else levels",
        "people = column.count % 2 if levels is None else column.count % (levels + 1)",
        "tests/statistics/test_quantile.py",
    ),
    Mutant(
        "people are given the levels of records",
        "release.py",
        ".every(self.contributions)",
        "",
        "tests/statistics/test_quantile.py",
    ),
    Mutant(
        "a person who owns several records gets the levels of one record",
        "release.py",
        "people * self.contributions",
        "people",
        "tests/statistics/test_quantile.py",
    ),
    Mutant(
        "the bounds of an unbounded side depend on the data",
        "law.py",
        "return (-UTMOST if low is None else low), (UTMOST if high is None else high)",
        "return (-(2**63) if low is None else low), (2**63 - 1 if high is None else high)",
        "tests/test_law.py",
    ),
    Mutant(
        "a rho that depends on the data",
        "mechanisms/scored.py",
        "smooth = envelope.widen(steps) if steps else envelope",
        "smooth = envelope.widen(steps + int(envelope.upper[0]) % 3)",
        "tests/statistics/test_quantile.py",
    ),
    Mutant(
        "levels skipped to save work",
        "envelope.py",
        "return self._levels(np.minimum(self.sizes, levels + 1))",
        "return self._levels(np.minimum(self.sizes, levels + 1), apart=2)",
        "tests/test_envelope.py",
    ),
    Mutant(
        "steps floored one by one instead of at the end",
        "envelope.py",
        "rising = [math.floor(high + k * step) for k in further]",
        "rising = [math.floor(high) + k * math.floor(step) for k in further]",
        "tests/laws/test_constructions.py",
    ),
    Mutant(
        "a rate of epsilon for a score that moves both ways",
        "mechanisms/scored.py",
        "return Law(smooth, self.epsilon / 2,",
        "return Law(smooth, self.epsilon,",
        "tests/mechanisms",
    ),
    Mutant(
        "a truncated Laplace density instead of a clamped draw",
        "mechanisms/laplace.py",
        "spread = Envelope(centre.lower, centre.upper, centre.offsets, (None, None), self.sensitivity)",
        "spread = centre.extend(Fraction(self.sensitivity), 50)",
        "tests/mechanisms/test_laplace.py",
    ),
    Mutant(
        "Laplace noise for one record of a person who owns several",
        "release.py",
        "reach = statistic.sensitivity(lattice, relation) * owned",
        "reach = max(1, statistic.sensitivity(lattice, relation) // 2)",
        "tests/statistics/test_quantile.py",
    ),
    # The draw.
    Mutant(
        "the continuum's weights on a lattice",
        "sampling/draw.py",
        "run = np.exp(-rate * (steps.levels - 1)) / np.expm1(shape / widths)",
        "run = np.exp(-rate * steps.levels) * widths / decay",
        "tests/sampling",
    ),
    Mutant(
        "floats decide a step near its boundary",
        "sampling/draw.py",
        "sure = (below + slack <= target) & (target + slack <= self.sums[found])",
        "sure = np.ones(groups.size, bool)",
        "tests/sampling",
    ),
    Mutant(
        "floats decide a point near its boundary",
        "sampling/draw.py",
        "sure = (first == last)",
        "sure = (first == first)",
        "tests/sampling",
    ),
    Mutant(
        "a uniform index by a biased product",
        "sampling/draw.py",
        "unsure = words * counts > np.uint64(0) - counts",
        "unsure = np.zeros(words.size, bool)",
        "tests/sampling",
    ),
    Mutant(
        "a rate 10% off",
        "sampling/draw.py",
        "rate, shape = float(steps.rate), max(float(steps.rate), LEAST_RATE)",
        "rate, shape = 1.1 * float(steps.rate), 1.1 * max(float(steps.rate), LEAST_RATE)",
        "tests/sampling tests/test_law.py",
    ),
    Mutant(
        "the slow path forgets the bits it had",
        "sampling/bits.py",
        "self.numerator = self.numerator << 64 | int(word)",
        "self.numerator = int(word)",
        "tests/sampling",
    ),
    # What is paid and what is said.
    Mutant(
        "look before pay",
        "release.py",
        "    receipt = request.pay(ledger)\n",
        "    request.look()\n    receipt = request.pay(ledger)\n",
        "tests/test_release.py",
    ),
    Mutant(
        "an error after the debit speaks of the data",
        "release.py",
        "    except BaseException:  # a panic",
        "    except ZeroDivisionError:  # a panic",
        "tests/test_release.py tests/test_bad_input.py",
    ),
    Mutant(
        "the continuous Laplace formula for the discrete mechanism",
        "mechanisms/laplace.py",
        "rho=discrete_laplace_rho(self.epsilon, self.sensitivity)",
        "rho=discrete_laplace_rho(self.epsilon, 10**6)",
        "tests/mechanisms/test_laplace.py",
    ),
    # Records.
    Mutant(
        "records floored instead of rounded",
        "lattice.py",
        "* rate + 0.5)",
        "* rate)",
        "tests/test_lattice.py",
    ),
    Mutant(
        "bounds snapped outward",
        "lattice.py",
        "cls(-(-low // step), high // step, step)",
        "cls(low // step, -(-high // step), step)",
        "tests/test_lattice.py",
    ),
    Mutant(
        "missing records vanish under swap",
        "columns/arrays.py",
        'return self.present if self.neighbors == "add_remove" else self.values.size',
        "return self.present",
        "tests/columns/test_arrays.py",
    ),
    Mutant(
        "numbers in text are records",
        "columns/arrays.py",
        "    return math.nan\n\n\ndef _declare_array",
        "    return float(record) if isinstance(record, str) else math.nan\n\n\ndef _declare_array",
        "tests/columns/test_arrays.py tests/test_bad_input.py",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: re.sub("[^a-z0-9]+", "-", m.idea.lower()))
def test_the_suite_notices(mutant: Mutant, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    file = tmp_path / "src" / "noisewise" / mutant.file
    source = file.read_text()
    assert source.count(mutant.old) == 1, f"the line to mutate must stand once in {mutant.file}"
    file.write_text(source.replace(mutant.old, mutant.new))
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            *mutant.tests.split(),
        ],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert run.returncode == 1, f"survived: {mutant.idea}\n{run.stdout[-2000:]}{run.stderr[-2000:]}"
    assert "failed" in run.stdout
