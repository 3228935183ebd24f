"""All mutants, from the lists beside this file."""

from importlib import import_module
from pathlib import Path

from tests.mutants.mutant import Mutant

ROOT = Path(__file__).parents[2]


LISTS = [
    file.stem
    for file in sorted(Path(__file__).parent.glob("[!_]*.py"))
    if file.stem != Path(__file__).stem and not file.stem.startswith("test_")
]
MUTANTS: list[Mutant] = [
    mutant for name in LISTS for mutant in getattr(import_module(f"tests.mutants.{name}"), "MUTANTS", [])
]
OUTER = (
    *("bridges", "cli", "engine_times", "fetched", "files", "floors", "json_lines"),
    *("postgres", "side_by_side", "spark", "sqlite", "tallies", "text_files"),
)
"""Lists of what stands around the laws. Their tests are slow to start, so `make test` leaves them to `make mutants`."""
AROUND = [mutant for name in OUTER for mutant in import_module(f"tests.mutants.{name}").MUTANTS]
