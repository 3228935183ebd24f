"""Run the snippets of docs/compared that are written for other libraries, and measure their answers.

    python benchmarks/migrations.py opendp [--draws 200] [--keep]

Each library has an environment of its own, since they do not fit together; so this file needs nothing but the library
named, and ``noisewise`` runs the other side. The snippet of the page is run as it stands, that many times, on the ages
of docs/gallery/data/adult.csv, and its ``mean`` and ``median`` are compared with the true ones. With --keep the row is
written into benchmarks/results/reference.json, from which benchmarks/page.py fills the pages.
"""

import argparse
import contextlib
import csv
import json
import os
import re
import statistics
import sys
import tempfile
import textwrap
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "reference.json"
TITLE = "Compared: mean absolute error of a mean and a median of 4,000 ages, ε = 1 each"
HEADER = ("library", "what its ε promises", "mean", "median", "draws")
PACKAGES = {
    "noisewise": "noisewise",
    "opendp": "opendp",
    "diffprivlib": "diffprivlib",
    "tumult": "tmlt.analytics",
    "pipelinedp": "pipeline-dp",
    "google": "python-dp",
    "smartnoise": "smartnoise-sql",
}
PROMISES = {
    "noisewise": "pure, n secret",
    "opendp": "pure, n secret",
    "diffprivlib": "pure, n public",
    "tumult": "pure, n secret",
    "pipelinedp": "with δ = 1e-6, n secret",
    "google": "pure, n secret",
    "smartnoise": "with δ = 1.5e-6, n secret",
}


def snippet(name: str) -> str:
    """Their side of a page; our side of the first for ``noisewise``."""
    page, language = ("opendp", "python") if name == "noisewise" else (name, "py")
    text = (ROOT / "docs" / "compared" / f"{page}.md").read_text(encoding="utf-8")
    blocks = re.findall(rf"^( *)```{language}\n(.*?)^\1```$", text, re.M | re.S)
    return textwrap.dedent(next(code for _, code in blocks if "mean =" in code))


def ages() -> list[int]:
    with open(ROOT / "docs" / "gallery" / "data" / "adult.csv", encoding="utf-8") as file:
        return [int(row["age"]) for row in csv.DictReader(file)]


def errors(code: str, column: list[int], draws: int) -> dict[str, float]:
    """How far the answers are from the truth, on average."""
    truth = {"mean": statistics.fmean(column), "median": sorted(column)[(len(column) - 1) // 2]}
    off: dict[str, list[float]] = {name: [] for name in truth}
    for _ in range(draws):
        namespace: dict[str, Any] = {"ages": column}
        exec(compile(code, "snippet", "exec"), namespace)
        for name, true in truth.items():
            if name in namespace:
                off[name].append(abs(float(namespace[name]) - true))
    return {name: statistics.fmean(values) for name, values in off.items() if values}


def row(name: str, found: dict[str, float], draws: int) -> list[str]:
    each = [f"{found[what]:.3g}" if what in found else "-" for what in ("mean", "median")]
    known = sys.modules["noisewise"].__version__ if name == "noisewise" else version(PACKAGES[name])
    return [f"{name} {known}", PROMISES[name], *each, str(draws)]


def keep(line: list[str]) -> None:
    """This row in the place of the one before of the same library."""
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    table = {"title": TITLE, "header": HEADER, "rows": []}
    empty = {"name": "migrations", "tables": [table], "targets": [], "records": [], "notes": []}
    table = results["benchmarks"].setdefault("migrations", empty)["tables"][0]
    rows = {each[0].split()[0]: each for each in table["rows"]} | {line[0].split()[0]: line}
    table["rows"] = [rows[name] for name in PACKAGES if name in rows]
    RESULTS.write_text(f"{json.dumps(results, indent=1, ensure_ascii=False)}\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=PACKAGES)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--keep", action="store_true")
    asked = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    column, code = ages(), snippet(asked.name)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        os.chdir(folder)  # Spark leaves files where it runs
        line = row(asked.name, errors(code, column, asked.draws), asked.draws)
        os.chdir(ROOT)
    print(" | ".join(line))
    if asked.keep:
        keep(line)
