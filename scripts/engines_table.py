"""Writes the table of docs/tutorial/spark.md that says where each question is asked, from the questions themselves.

    python scripts/engines_table.py

The library refuses by the same capabilities (`noisewise.dataset.methods.refuse_cluster`), so the page cannot say
anything else than the library does. `tests/test_docs.py` fails where the page is behind.
"""

from pathlib import Path

import noisewise.questions.functions  # noqa: F401  # registers the questions
from noisewise.questions.question import KINDS, Capabilities

PAGE = Path(__file__).resolve().parents[1] / "docs" / "tutorial" / "spark.md"
BEGIN, END = "<!-- written by scripts/engines_table.py -->\n", "<!-- until here -->\n"
HEAD = "| question | in memory, files, Polars, DuckDB | Spark | Spark, in groups |\n|---|---|---|---|\n"


def _where(can: Capabilities) -> tuple[str, str, str]:
    """Where a question is answered: on this computer, in a cluster, and there in groups."""
    cluster = "in the cluster" if can.streamed else "refused"
    if not can.in_groups:
        return "yes, without groups", cluster, "has no groups"
    return "yes", cluster, "in the cluster" if can.batched else "refused"


def table() -> str:
    """A row for all questions that are answered in the same places, those that Spark answers first."""
    rows: dict[tuple[str, str, str], list[str]] = {}
    for name, kind in sorted(KINDS.items()):
        rows.setdefault(_where(kind.capabilities), []).append(f"`{name}`")
    order = sorted(rows, key=lambda row: (row[1] == "refused", row[2] != "in the cluster", row))
    return HEAD + "".join(f"| {', '.join(rows[row])} | {' | '.join(row)} |\n" for row in order)


def written(page: str) -> str:
    """The page with the table as it should be."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
