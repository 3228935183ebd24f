"""Which mutants `make test` runs: those of the laws, and those of files that changed since the last tag.

`make mutants` runs all. The choice depends on nothing but the files and the tag, so two runs on one tree make the same.
Where git cannot say what changed (no git, a source archive, no tag yet, a shallow clone that ends before the tag),
nothing counts as changed, and the mutants of the laws are what is run.
"""

import os
import subprocess
from collections.abc import Collection, Sequence
from pathlib import Path

from tests.mutants.mutant import Mutant

LAWS = (
    *("numbers/", "laws/", "sampling/", "mechanisms/", "statistics/", "privacy/", "releases/"),
    *("columns/", "questions/", "paper/"),
)
"""Rooms whose mistakes would be mistakes in a proof: exact numbers, envelopes, laws, draws, losses and what is paid.
Mutants of what stands around them (tables, files, engines, servers, the command line) have slower tests."""
SOURCE = "src/noisewise"


def selected(mutants: Sequence[Mutant], changed: Collection[str]) -> list[Mutant]:
    """The mutants of the laws and of changed files, in the order of the lists."""
    return [mutant for mutant in mutants if mutant.file.startswith(LAWS) or mutant.file in changed]


def changed_since_the_last_tag(root: Path) -> frozenset[str]:
    """Files of the library that differ from the last tag, committed or not, new ones too; as mutants name them."""
    try:
        top = _git(root, "rev-parse", "--show-toplevel")
        if [Path(line).resolve() for line in top] != [root.resolve()]:
            return frozenset()  # an archive unpacked inside another repository
        (tag,) = _git(root, "describe", "--tags", "--abbrev=0")
        changed = _git(root, "diff", "--name-only", "--no-renames", tag, "--", SOURCE)
        new = _git(root, "ls-files", "--others", "--exclude-standard", "--", SOURCE)
    except (OSError, ValueError, subprocess.CalledProcessError):
        return frozenset()
    return frozenset(name.removeprefix(f"{SOURCE}/") for name in [*changed, *new])


def _git(root: Path, *words: str) -> list[str]:
    """The lines that git prints, whatever hooks or variables point it to another repository."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", "-c", "core.quotePath=false", "-C", str(root), *words],
        env=kept,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.splitlines()
