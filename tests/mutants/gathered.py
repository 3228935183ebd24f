"""All mutants, from the lists beside this file."""

import re
from importlib import import_module
from pathlib import Path

from tests.mutants.mutant import Mutant

ROOT = Path(__file__).parents[2]


def slug(mutant: Mutant) -> str:
    """The idea of a mutant as the name of a test."""
    return re.sub("[^a-z0-9]+", "-", mutant.idea.lower())


LISTS = [
    file.stem
    for file in sorted(Path(__file__).parent.glob("[!_]*.py"))
    if file.stem != Path(__file__).stem and not file.stem.startswith("test_")
]
MUTANTS: list[Mutant] = [
    mutant for name in LISTS for mutant in getattr(import_module(f"tests.mutants.{name}"), "MUTANTS", [])
]


def file_of(name: str) -> str:
    """The file that the mutant of this name breaks."""
    return _FILES[name]


_FILES = {slug(mutant): mutant.file for mutant in MUTANTS}
